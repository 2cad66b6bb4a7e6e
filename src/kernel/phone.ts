import { parsePhoneNumberFromString as parseAnyPhone } from 'libphonenumber-js/min';
import {
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/mobile';
import { plainFigures } from './typed.ts';

declare const canonical: unique symbol;

/** A mobile number in its one form: digits with the country code, no plus, such as `201001234567` (Decisions 10). */
export type Phone = string & { readonly [canonical]?: 'phone' };

/** Characters of a phone as it was typed, before anything is taken out (Decisions 10). */
export const LONGEST_PHONE = 32;

const HOME = 'EG';

/** The prefix of a country's numbers, such as `+20`; null for a code that names no country in two capital letters (ISO 3166). */
export const countryPrefix = (code: string): string | null =>
  isSupportedCountry(code) ? `+${getCountryCallingCode(code)}` : null;

/** The mobile that `text` names as dialled in Egypt; null when it names none, or more than a number. */
const mobile = (text: string): { readonly phone: Phone; readonly country: string } | null => {
  const found = parsePhoneNumberFromString(text, { defaultCountry: HOME, extract: false });
  if (found?.country === undefined || found.ext !== undefined || !found.isValid()) return null;
  return { phone: found.number.slice(1), country: found.country };
};

/**
 * The phone that a person typed, or null when it is none that we take: an Egyptian mobile, or a mobile of one of
 * `countries`. Mobiles alone, because every phone is one that a code may be sent to: what is typed with an order where
 * no code is asked for must still be the same person's where one is. The library's `mobile` metadata holds exactly the
 * ranges of mobiles, so that its "valid" says this; in North America, whose numbers do not tell, it takes all others too.
 */
export const parsePhone = (text: string, countries: readonly string[]): Phone | null => {
  if (Array.from(text).length > LONGEST_PHONE) return null;
  const plain = plainFigures(text);
  // A foreign number in our own form comes back without its plus; no Egyptian mobile can be mistaken for one.
  const found = mobile(plain) ?? (/^[1-9]\d+$/.test(plain) ? mobile(`+${plain}`) : null);
  return found !== null && (found.country === HOME || countries.includes(found.country)) ? found.phone : null;
};

/** Egypt's short numbers of companies, such as 19777. */
const HOTLINE = /^1[5-9][0-9]{3}$/;

/** Whether guests could ring `text`: a mobile, a landline or a hotline as dialled in Egypt, or a number of any country. */
export const canBeRung = (text: string): boolean => {
  const plain = plainFigures(text);
  if (HOTLINE.test(plain)) return true;
  const found = parseAnyPhone(plain, { defaultCountry: HOME, extract: false });
  if (found?.isValid() !== true) return false;
  // The library's small metadata knows no lengths of Egyptian mobiles; nothing else begins as they do.
  const isMobile = found.country === HOME && /^1[012]/.test(found.nationalNumber);
  return !isMobile || mobile(plain) !== null;
};

/** What may be shown of a phone: its last four digits. */
export const maskPhone = (phone: Phone): string => `•••• ${phone.slice(-4)}`;

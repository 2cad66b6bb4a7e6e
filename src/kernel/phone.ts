import { parsePhoneNumberFromString as parseAnyPhone } from 'libphonenumber-js/min';
import {
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/mobile';
import { normalizedDigits } from './digit-input.ts';

declare const canonical: unique symbol;

/**
 * Canonical mobile number: digits with the country code, without plus, such as `201001234567` (Decisions 10).
 */
export type Phone = string & { readonly [canonical]?: 'phone' };

/** Characters of the raw input (Decisions 10). */
const LONGEST_PHONE = 32;

const HOME_COUNTRY = 'EG';

/** Such as `+20`; null for an unknown country code (ISO 3166). */
export const countryPrefix = (code: string): string | null =>
  isSupportedCountry(code) ? `+${getCountryCallingCode(code)}` : null;

/**
 * Numbers without country code are read as Egyptian. Null when `text` is no mobile number or has an
 * extension.
 */
const mobile = (text: string): { readonly phone: Phone; readonly country: string } | null => {
  const found = parsePhoneNumberFromString(text, { defaultCountry: HOME_COUNTRY, extract: false });
  if (found?.country === undefined || found.ext !== undefined || !found.isValid()) return null;
  return { phone: found.number.slice(1), country: found.country };
};

/** Without what address books put around a number: `tel:` before it, brackets around its country code. */
const bareNumber = (text: string): string =>
  normalizedDigits(text)
    .replace(/^tel:/i, '')
    .replace(/^\(\+([\d ]+)\)/, '+$1');

/**
 * The mobile number in `text`, or null unless its country is Egypt or in `countries`. Only mobiles, because a
 * code may be sent to any phone of a guest. The library's `mobile` metadata makes `isValid` mean a mobile
 * number, except in North America, where numbers do not show their type.
 */
export const parsePhone = (text: string, countries: readonly string[]): Phone | null => {
  if (Array.from(text).length > LONGEST_PHONE) return null;
  const plain = bareNumber(text);
  // Our canonical form of a foreign number lacks the plus; no Egyptian mobile has the same digits.
  const found = mobile(plain) ?? (/^[1-9]\d+$/.test(plain) ? mobile(`+${plain}`) : null);
  return found !== null && (found.country === HOME_COUNTRY || countries.includes(found.country))
    ? found.phone
    : null;
};

/** Egyptian short numbers of companies, such as 19777. */
const HOTLINE = /^1[5-9][0-9]{3}$/;

/** Whether guests can call `text`: a mobile, a landline or a hotline in Egypt, or a number of any country. */
export const isDialable = (text: string): boolean => {
  const plain = normalizedDigits(text);
  if (HOTLINE.test(plain)) return true;
  const found = parseAnyPhone(plain, { defaultCountry: HOME_COUNTRY, extract: false });
  if (found?.isValid() !== true) return false;
  // The library's small metadata does not check the length of Egyptian mobiles.
  const isMobile = found.country === HOME_COUNTRY && /^1[012]/.test(found.nationalNumber);
  return !isMobile || mobile(plain) !== null;
};

export const maskPhone = (phone: Phone): string => `•••• ${phone.slice(-4)}`;

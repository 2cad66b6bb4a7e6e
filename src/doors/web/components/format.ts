/** Figures, money and times as the reader writes them. */
import type { Piastres } from '../../../kernel/money.ts';
import type { Instant, LocalDate, ZoneId } from '../../../kernel/time.ts';
import type { Reader } from './reader.ts';

/** A language tag with the digits (BCP 47). */
const localeOf = ({ language, digits }: Reader): string =>
  language === 'ar' ? `ar-EG-u-nu-${digits}` : 'en-GB';

/** Of a number that is read digit by digit, such as a phone. */
export const digitText = ({ language, digits }: Reader, text: string): string =>
  language === 'ar' && digits === 'arab'
    ? text.replace(/[0-9]/g, (digit) => String.fromCharCode(0x660 + Number(digit)))
    : text;

export const figure = (reader: Reader, value: number): string =>
  value.toLocaleString(localeOf(reader), { maximumFractionDigits: 2 });

/** Of a fraction, without the sign: `12.5`. A shop's rates have four decimals at most. */
export const percentage = (reader: Reader, rate: number): string =>
  (rate * 100).toLocaleString(localeOf(reader), { maximumFractionDigits: 4 });

/** Between the parts of a list. */
export const COMMA = { ar: '، ', en: ', ' } as const;

const POUNDS = { ar: 'ج.م', en: 'EGP' } as const;

/** In Arabic, a sign stands to the left of 0123456789 and to the right of ٠١٢٣٤٥٦٧٨٩. */
const withSign = ({ language, digits }: Reader, sign: '−' | '+', number: string): string =>
  language === 'ar' && digits === 'latn' ? `\u2066${sign}${number}\u2069` : `${sign}${number}`;

/** `+13`, `−50`. */
export const signedFigure = (reader: Reader, value: number): string =>
  withSign(reader, value < 0 ? '−' : '+', figure(reader, Math.abs(value)));

/** `45 ج.م`, `EGP 12.50`: piastres are shown where there are any. */
export const money = (reader: Reader, amount: Piastres): string => {
  const pounds = (Math.abs(amount) / 100).toLocaleString(localeOf(reader), {
    ...(amount % 100 === 0 ? {} : { minimumFractionDigits: 2 }),
  });
  const [number, currency] =
    reader.language === 'ar' ? [pounds, POUNDS.ar] : [`${POUNDS.en} ${pounds}`, null];
  const signed = amount < 0 ? withSign(reader, '−', number) : number;
  return currency === null ? signed : `${signed} ${currency}`;
};

/** Making a format takes longer than using it a hundred times. */
const formatted = (options: Intl.DateTimeFormatOptions) => {
  const formats = new Map<string, Intl.DateTimeFormat>();
  return (reader: Reader, zone: ZoneId, instant: Instant): string => {
    const locale = localeOf(reader);
    const key = `${locale} ${zone}`;
    const hours = reader.language === 'en' && options.hour !== undefined ? { hourCycle: 'h12' as const } : {};
    const format =
      formats.get(key) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone: zone, ...hours });
    formats.set(key, format);
    return format.format(instant);
  };
};

/** `8:30 م`, `8:30 pm`. */
export const clockTime = formatted({ hour: 'numeric', minute: '2-digit' });

/** `الخميس 23 أبريل`. */
const longDate = formatted({ weekday: 'long', day: 'numeric', month: 'long' });

/** `24 نوفمبر 2026`, `24 November 2026`. */
export const fullDate = formatted({ day: 'numeric', month: 'long', year: 'numeric' });

const DAY_MS = 86_400_000;

/** The calendar's days since 1970. Not by `localDateOf`, whose calendars weigh 19 KB in a script. */
const dayIn = (zone: ZoneId, instant: Instant): number =>
  Date.parse(new Date(instant).toLocaleDateString('sv-SE', { timeZone: zone })) / DAY_MS;

/** `غدًا`, `tomorrow`. */
const tomorrow = (reader: Reader): string =>
  new Intl.RelativeTimeFormat(localeOf(reader), { numeric: 'auto' }).format(1, 'day');

/** The time, with its day unless that is today by the calendar of the zone. */
export const whenText = (reader: Reader, zone: ZoneId, at: Instant, now: Instant): string => {
  const time = clockTime(reader, zone, at);
  const days = dayIn(zone, at) - dayIn(zone, now);
  if (days <= 0) return time;
  return `${days === 1 ? tomorrow(reader) : longDate(reader, zone, at)} ${time}`;
};

/** `توقيت مصر`, `Cairo time`: English has letters such as EET, which few can read. */
export const zoneName = (reader: Reader, zone: ZoneId, instant: Instant): string => {
  const city = zone.split('/').at(-1)?.replaceAll('_', ' ') ?? zone;
  if (reader.language === 'en') return `${city} time`;
  return (
    new Intl.DateTimeFormat(localeOf(reader), { timeZone: zone, timeZoneName: 'shortGeneric' })
      .formatToParts(instant)
      .find(({ type }) => type === 'timeZoneName')?.value ?? city
  );
};

const ofDate = (options: Intl.DateTimeFormatOptions) => {
  const format = formatted(options);
  return (reader: Reader, date: LocalDate): string => format(reader, 'UTC', Date.parse(`${date}T12:00:00Z`));
};

/** Of a calendar date, in no zone. */
export const dateText = ofDate({ weekday: 'long', day: 'numeric', month: 'long' });
export const weekdayText = ofDate({ weekday: 'short' });
export const dayText = ofDate({ day: 'numeric' });
export const monthText = ofDate({ month: 'short' });

const monthLong = ofDate({ month: 'long' });

/** From 1: January. */
export const monthName = (reader: Reader, month: number): string =>
  monthLong(reader, `2023-${String(month).padStart(2, '0')}-01`);

const weekdayLong = ofDate({ weekday: 'long' });

/** 0: Sunday. */
export const weekdayName = (reader: Reader, dow: number): string =>
  weekdayLong(reader, `2023-01-0${dow + 1}`);

/** Minutes and seconds that are left: `4:05`. */
export const countdown = (reader: Reader, seconds: number): string => {
  const two = { minimumIntegerDigits: 2 };
  const rest = (seconds % 60).toLocaleString(localeOf(reader), two);
  return `${Math.floor(seconds / 60).toLocaleString(localeOf(reader))}:${rest}`;
};

/** The address that calls a phone, written in any way: `tel:` takes neither spaces nor brackets. */
export const telephone = (phone: string): string => `tel:${phone.replace(/[^+\d]/g, '')}`;

/** Models read these texts aloud: names first, figures with units. */
import type { Uuid } from '../../kernel/ids.ts';
import type { Named, Translations } from '../../kernel/names.ts';
import type { Piastres } from '../../kernel/money.ts';
import { parseLocalDate, weekdayOf, type LocalDate } from '../../kernel/time.ts';

/**
 * Everything that Unicode ignores in display (bidirectional overrides, zero-width joints, tag characters and
 * variation selectors that can hide whole sentences) and lone surrogates. Keeps the joiners of Persian and
 * emoji, emoji presentation selectors, and direction marks without effect on other text.
 */
const INVISIBLE = /(?![\u061c\u200c-\u200f\ufe0e\ufe0f])\p{DI}|[\ufff9-\ufffb]|\p{Surrogate}/gu;

/** Matches a whole run, so that a long one is scanned once. */
const WHITESPACE = /[\s\p{Cc}]+/gu;
const BREAK = /[\p{Cc}\u2028\u2029]/u;

/** Shop-written text as data: one line, without invisible characters (Decisions 14). */
export const plainText = (text: string): string =>
  text
    .replace(INVISIBLE, '')
    .replace(WHITESPACE, (run) => (BREAK.test(run) ? ' ' : run))
    .trim();

/** More would crowd out the answer; Arabic and English have priority. */
const MAX_LANGUAGES = 6;
const FIRST_LANGUAGES = ['ar', 'en'];
export const isFirstLanguage = (language: string): boolean => FIRST_LANGUAGES.includes(language);

/** Null when empty, so that no answer has an empty map. */
export const plainTexts = (texts: Translations | undefined): Record<string, string> | null => {
  const plain = Object.entries(texts ?? {})
    .map(([language, text]) => [language, plainText(text)] as const)
    .filter(([, text]) => text !== '');
  const isFirst = ([language]: readonly [string, string]): boolean => isFirstLanguage(language);
  const included =
    plain.length <= MAX_LANGUAGES
      ? plain
      : [...plain.filter(isFirst), ...plain.filter((entry) => !isFirst(entry))].slice(0, MAX_LANGUAGES);
  return included.length === 0 ? null : Object.fromEntries(included);
};

const MAX_SHOWN_LENGTH = 80;

/** JSON does not escape these. */
const UNESCAPED_INVISIBLE = /[\u007f-\u009f\u2028\u2029]/g;
const escaped = (text: string): string =>
  text.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Escapes invisible characters, cuts long text, only names other types. */
export const shown = (value: unknown): string => {
  if (typeof value === 'string') {
    const cut =
      value.length > MAX_SHOWN_LENGTH
        ? `${value.slice(0, MAX_SHOWN_LENGTH).replace(/\p{Surrogate}$/u, '')}…`
        : value;
    return JSON.stringify(cut).replace(INVISIBLE, escaped).replace(UNESCAPED_INVISIBLE, escaped);
  }
  if (value === null || typeof value !== 'object') return String(value);
  return Array.isArray(value) ? 'an array' : 'an object';
};

/** `قهوة تركي (Turkish coffee)`. */
export const withTranslations = (name: string, translations: Translations | undefined): string => {
  const all = new Set([name, ...Object.values(translations ?? {})].filter((text) => text !== ''));
  const [first = '', ...others] = all;
  return others.length === 0 ? first : `${first} (${others.join(', ')})`;
};

/** Characters that look like the quotation mark that delimits shop-written text. */
const QUOTATION_MARKS = /["\u201c-\u201f\u2033\u2036\u275d\u275e\u301d-\u301f\uff02]/g;

/** Quotes shop-written text; it cannot close the quotation. */
export const quoted = (text: string): string => `"${text.replace(QUOTATION_MARKS, '\u2019')}"`;

/** More are too many for a model to choose from. */
const MAX_BRANCHES = 20;

export const plainNamed = (name: string, translations: Translations | undefined): string =>
  withTranslations(plainText(name), plainTexts(translations) ?? {});

/** `andMore` words the rest. */
export const branchesWithIds = (
  branches: readonly (Named & { readonly id: Uuid })[],
  andMore: (more: number) => string,
): string => {
  const listed = branches
    .slice(0, MAX_BRANCHES)
    .map(({ id, name, nameTranslations }) => `${quoted(plainNamed(name, nameTranslations))} ${id}`);
  const more = branches.length - listed.length;
  return `${listed.join(', ')}${more === 0 ? '' : andMore(more)}`;
};

/** 4550 is 45.5. */
export const pounds = (piastres: Piastres): number => piastres / 100;

/** `45.50 EGP`. */
export const egp = (amount: number): string => `${amount.toFixed(2)} EGP`;

/** 0.14 is `14 %`. */
export const percent = (rate: number): string => `${Number((rate * 100).toFixed(4))} %`;

export const count = (amount: number, one: string, many: string): string =>
  `${amount} ${amount === 1 ? one : many}`;

const UNITS = [
  [24 * 60, 'day', 'days'],
  [60, 'hour', 'hours'],
] as const;

/** The largest unit without a remainder: `2 hours`, `90 minutes`. */
export const duration = (minutes: number): string => {
  const [size, one, many] = UNITS.find(([unit]) => minutes > 0 && minutes % unit === 0) ?? [
    1,
    'minute',
    'minutes',
  ];
  return count(minutes / size, one, many);
};

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;
const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
] as const;

export const weekdayName = (date: LocalDate): string => WEEKDAYS[weekdayOf(date)] ?? '';

/** `Friday 4 December 2026`. */
export const longDate = (date: LocalDate): string => {
  const [year, month, day] = date.split('-').map(Number);
  return `${weekdayName(date)} ${day ?? ''} ${MONTHS[(month ?? 1) - 1] ?? ''} ${year ?? ''}`;
};

export const readLocal = (local: string): { readonly date: LocalDate; readonly time: string } => ({
  date: parseLocalDate(local.slice(0, 10)) ?? '',
  time: local.slice(11, 16),
});

/** `19:00 on Friday 4 December 2026`. */
export const longTime = (local: string): string => {
  const { date, time } = readLocal(local);
  return `${time} on ${longDate(date)}`;
};

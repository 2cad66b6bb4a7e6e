/** The words that every tool's text is made of: a model reads them aloud, so names come first, figures with their unit. */
import type { Uuid } from '../../kernel/ids.ts';
import type { Named, Translations } from '../../kernel/names.ts';
import type { Piastres } from '../../kernel/money.ts';
import { parseLocalDate, weekdayOf, type LocalDate } from '../../kernel/time.ts';

/**
 * What a reader cannot see: all that Unicode draws as nothing (marks that turn the direction of what follows, joints of
 * no width, tag characters and variation selectors that can spell whole sentences), and halves of characters. Left
 * alone: the joiners of Persian and of emoji, the choice between an emoji's two looks, and the marks of direction that
 * change nothing beyond themselves.
 */
const UNSEEN = /(?![\u061c\u200c-\u200f\ufe0e\ufe0f])\p{DI}|[\ufff9-\ufffb]|\p{Surrogate}/gu;

/** Runs of blanks, breaks and control characters: read whole, so that a long one is read once. */
const BLANKS = /[\s\p{Cc}]+/gu;
const BREAK = /[\p{Cc}\u2028\u2029]/u;

/** Shop-written text as data: on one line, with nothing in it that only a machine sees (Decisions 14). */
export const plainText = (text: string): string =>
  text
    .replace(UNSEEN, '')
    .replace(BLANKS, (run) => (BREAK.test(run) ? ' ' : run))
    .trim();

/** More would crowd out what was asked; Arabic and English come before others. */
const MOST_LANGUAGES = 6;
const FIRST_LANGUAGES = ['ar', 'en'];
export const isFirstLanguage = (language: string): boolean => FIRST_LANGUAGES.includes(language);

/** The texts of every language, plain; null when there are none, so that no answer carries an empty map. */
export const plainTexts = (texts: Translations | undefined): Record<string, string> | null => {
  const plain = Object.entries(texts ?? {})
    .map(([language, text]) => [language, plainText(text)] as const)
    .filter(([, text]) => text !== '');
  const isFirst = ([language]: readonly [string, string]): boolean => isFirstLanguage(language);
  const kept =
    plain.length <= MOST_LANGUAGES
      ? plain
      : [...plain.filter(isFirst), ...plain.filter((entry) => !isFirst(entry))].slice(0, MOST_LANGUAGES);
  return kept.length === 0 ? null : Object.fromEntries(kept);
};

const LONGEST_SHOWN = 80;

/** What JSON leaves as it is and yet nobody sees. */
const UNWRITTEN = /[\u007f-\u009f\u2028\u2029]/g;
const escaped = (text: string): string =>
  text.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/**
 * A value of an argument as it may stand in a sentence: what cannot be seen is written out, what is long is cut, what is
 * no scalar is only named.
 */
export const shown = (value: unknown): string => {
  if (typeof value === 'string') {
    const cut =
      value.length > LONGEST_SHOWN
        ? `${value.slice(0, LONGEST_SHOWN).replace(/\p{Surrogate}$/u, '')}…`
        : value;
    return JSON.stringify(cut).replace(UNSEEN, escaped).replace(UNWRITTEN, escaped);
  }
  if (value === null || typeof value !== 'object') return String(value);
  return Array.isArray(value) ? 'an array' : 'an object';
};

/** A name with its other languages beside it, each once: `قهوة تركي (Turkish coffee)`. */
export const named = (name: string, translations: Translations | undefined): string => {
  const all = new Set([name, ...Object.values(translations ?? {})].filter((text) => text !== ''));
  const [first = '', ...others] = all;
  return others.length === 0 ? first : `${first} (${others.join(', ')})`;
};

/** What may pass for our quotation mark, which begins and ends a text of a shop. */
const QUOTATION_MARKS = /["\u201c-\u201f\u2033\u2036\u275d\u275e\u301d-\u301f\uff02]/g;

/** A shop-written text between quotation marks, within which there is none: what stands behind it is ours. */
export const quoted = (text: string): string => `"${text.replace(QUOTATION_MARKS, '\u2019')}"`;

/** As many branches as a model can well choose from. */
const MOST_BRANCHES = 20;

/** A shop-written name with its other languages. */
export const plainNamed = (name: string, translations: Translations | undefined): string =>
  named(plainText(name), plainTexts(translations) ?? {});

/** Branches with the ids that a next call needs; `andMore` tells of those beyond. */
export const branchesWithIds = (
  branches: readonly (Named & { readonly id: Uuid })[],
  andMore: (more: number) => string,
): string => {
  const listed = branches
    .slice(0, MOST_BRANCHES)
    .map(({ id, name, nameTranslations }) => `${quoted(plainNamed(name, nameTranslations))} ${id}`);
  const more = branches.length - listed.length;
  return `${listed.join(', ')}${more === 0 ? '' : andMore(more)}`;
};

/** Piastres as pounds, a decimal number: 4550 is 45.5. */
export const pounds = (piastres: Piastres): number => piastres / 100;

/** Pounds in words: `45.50 EGP`. */
export const egp = (amount: number): string => `${amount.toFixed(2)} EGP`;

/** A fraction in percent: 0.14 is `14 %`. */
export const percent = (rate: number): string => `${Number((rate * 100).toFixed(4))} %`;

export const count = (amount: number, one: string, many: string): string =>
  `${amount} ${amount === 1 ? one : many}`;

const UNITS = [
  [24 * 60, 'day', 'days'],
  [60, 'hour', 'hours'],
] as const;

/** Minutes in the largest unit that leaves no rest: `2 hours`, `90 minutes`. */
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

/** The date and the time of day of an `isoLocal` moment. */
export const readLocal = (local: string): { readonly date: LocalDate; readonly time: string } => ({
  date: parseLocalDate(local.slice(0, 10)) ?? '',
  time: local.slice(11, 16),
});

/** `19:00 on Friday 4 December 2026`, of an `isoLocal` moment. */
export const longMoment = (local: string): string => {
  const { date, time } = readLocal(local);
  return `${time} on ${longDate(date)}`;
};

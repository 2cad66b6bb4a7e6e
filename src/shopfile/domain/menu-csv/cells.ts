/** Parses single CSV cells, and escapes text against formula injection. */
import { INVISIBLE } from './columns.ts';
import { HIGHEST_PRICE, inPounds, type Piastres } from '../../../kernel/money.ts';

// ── Amounts and switches ────────────────────────────────────────────────────────────────────────

const EASTERN_DIGITS = /[٠-٩۰-۹]/g;

/** ASCII digits for Arabic-Indic and Persian ones; the two blocks end in the same four bits. */
const westernDigits = (text: string): string =>
  text.replace(EASTERN_DIGITS, (digit) => String((digit.codePointAt(0) ?? 0) & 0xf));

const CURRENCY = /^(?:egp|l\.?e\.?)\s*|\s*(?:egp|l\.?e\.?|ج\.?\s?م\.?|جنيه(?:ًا|ا)?|جم)$/giu;

/**
 * Converts pounds to piastres: `65`, `65.50`, `1,250.00`, `٦٥٫٥`, `65 ج.م`. At most two decimals. A comma before
 * three digits groups thousands; before one or two it is a decimal comma. Null: no amount.
 */
export const parsePounds = (text: string): Piastres | null => {
  const plain = westernDigits(text.replace(INVISIBLE, '').trim())
    .replace(CURRENCY, '')
    .replaceAll('٬', ',')
    .replaceAll('٫', '.')
    .replaceAll(/[\s\u00a0\u202f]/g, '');
  const grouped = /^([1-9][0-9]{0,2}(?:,[0-9]{3})+)(?:\.([0-9]{1,2}))?$/.exec(plain);
  const decimal = /^([0-9]+)(?:[.,]([0-9]{1,2}))?$/.exec(plain);
  const [, pounds = '', cents = ''] = grouped ?? decimal ?? [];
  if (pounds === '') return null;
  const piastres = Number(pounds.replaceAll(',', '')) * 100 + Number(cents.padEnd(2, '0'));
  return piastres <= HIGHEST_PRICE ? piastres : null;
};

const YES: ReadonlySet<string> = new Set([
  'yes',
  'y',
  'true',
  '1',
  'on',
  'نعم',
  'متاح',
  'مفعل',
  'اه',
  'ايوه',
  '✓',
]);
const NO: ReadonlySet<string> = new Set(['no', 'n', 'false', '0', 'off', 'لا', 'غير متاح', 'موقوف', 'لأ']);

export const parseActive = (text: string): boolean | null => {
  const word = westernDigits(text.replace(INVISIBLE, '').trim().toLowerCase());
  if (YES.has(word)) return true;
  return NO.has(word) ? false : null;
};

/** `12,50`. */
export const hasCommaDecimals = (text: string): boolean =>
  parsePounds(text) !== null && /[0-9],[0-9]{1,2}(?![0-9])/.test(westernDigits(text));

/** Joins an amount that was split at its decimal comma: `12`, `50` → `12.50`; null: no amount. */
export const splitAmount = (left: string, right: string): string | null => {
  const [pounds, decimals] = [left, right].map((text) => westernDigits(text.replace(INVISIBLE, '').trim()));
  const isCut = /^[0-9]+$/.test(pounds ?? '') && /^[0-9]{1,2}$/.test(decimals ?? '');
  const amount = isCut ? parsePounds(`${pounds}.${decimals}`) : null;
  return amount === null ? null : inPounds(amount);
};

// ── Text ────────────────────────────────────────────────────────────────────────────────────────

const EDGES = /^[\s\u200b-\u200f\ufeff]+|[\s\u200b-\u200f\ufeff]+$/g;

export const isBlankCell = (cell: string): boolean => cell.replace(EDGES, '') === '';

/**
 * Matches a formula start: at the start of a cell, or after a character that a spreadsheet may take for the delimiter.
 * The captured apostrophes are escapes.
 */
const FORMULA_AT = '(?<=^|[,;\\t\\n])(\'*)(?=["\\u200b-\\u200f\\u061c\\u2060\\ufeff]*[=+@\\t\\r\\-＝＋－＠])';
const FORMULAS = new RegExp(FORMULA_AT, 'g');
const ESCAPED_FORMULAS = new RegExp(FORMULA_AT.replace("('*)", "'('*)"), 'g');

/** Prevents formula injection: adds a `'` before every possible formula start. */
export const escapeCell = (text: string): string => text.replaceAll(FORMULAS, "'$1");

/** Inverse of `escapeCell`; also trims spaces and direction marks. */
export const unescapeCell = (cell: string): string =>
  cell.replace(EDGES, '').replaceAll(ESCAPED_FORMULAS, '$1');

/** The text after writing it to a cell and reading it back: trimmed. */
export const cellRoundTrip = (text: string): string => unescapeCell(escapeCell(text));

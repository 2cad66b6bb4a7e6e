/** Single cells of a menu in a spreadsheet: what people write in them, and what is safe to write. */
import { INVISIBLE } from './columns.ts';
import { HIGHEST_PRICE, inPounds, type Piastres } from '../../../kernel/money.ts';

// ── Amounts and switches ────────────────────────────────────────────────────────────────────────

const EASTERN_DIGITS = /[٠-٩۰-۹]/g;

/** ASCII digits for Arabic-Indic and Persian ones; the two blocks end in the same four bits. */
const westernDigits = (text: string): string =>
  text.replace(EASTERN_DIGITS, (digit) => String((digit.codePointAt(0) ?? 0) & 0xf));

/** What people write around an amount. */
const CURRENCY = /^(?:egp|l\.?e\.?)\s*|\s*(?:egp|l\.?e\.?|ج\.?\s?م\.?|جنيه(?:ًا|ا)?|جم)$/giu;

/**
 * Piastres of an amount in pounds, at most two decimals: `65`, `65.50`, `1,250.00`, `٦٥٫٥`, `65 ج.م`. A comma
 * before exactly three digits groups thousands, before one or two it is a decimal point. Null: no amount.
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

/** Whether an amount has a comma where its decimals begin: `12,50`. */
export const hasCommaDecimals = (text: string): boolean =>
  parsePounds(text) !== null && /[0-9],[0-9]{1,2}(?![0-9])/.test(westernDigits(text));

/** The amount that two cells side by side would be if a decimal comma had cut it: `12` and `50`; null: none. */
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
 * Where a spreadsheet can see a formula begin: at the start of a cell, or after a sign at which it cuts the file when it
 * takes another delimiter for the file's. Quotation marks before it are those that keep it from being one.
 */
const FORMULA_AT = '(?<=^|[,;\\t\\n])(\'*)(?=["\\u200b-\\u200f\\u061c\\u2060\\ufeff]*[=+@\\t\\r\\-＝＋－＠])';
const FORMULAS = new RegExp(FORMULA_AT, 'g');
const KEPT_FORMULAS = new RegExp(FORMULA_AT.replace("('*)", "'('*)"), 'g');

/** The text as a cell that no spreadsheet runs as a formula: one more `'` before each place where one could begin. */
export const safeCell = (text: string): string => text.replaceAll(FORMULAS, "'$1");

/** The text that a cell means: what stands around it and what `safeCell` added taken away. */
export const plainCell = (cell: string): string => cell.replace(EDGES, '').replaceAll(KEPT_FORMULAS, '$1');

/** What is left of a text after it was a cell: direction marks around it are not. */
export const asCell = (text: string): string => plainCell(safeCell(text));

/**
 * A menu as people type it into a spreadsheet: which column is which, in either language, and what each cell says.
 * Rows and columns are counted as a spreadsheet counts them; the first row holds the column names.
 */
import { parseUuid, type Uuid } from './ids.ts';
import { columnNamed, INVISIBLE, unknownColumn, type MenuColumn } from './menucolumns.ts';
import { HIGHEST_PRICE, type Piastres } from './money.ts';
import { ONLINE_CHANNELS, type OnlineChannel } from './shop.ts';
import { textFault } from './shopfile/text.ts';

export const PRICE_COLUMNS = {
  pickup: 'price_pickup_egp',
  outside: 'price_outside_egp',
  in_mall: 'price_in_mall_egp',
  umbrella: 'price_umbrella_egp',
} as const satisfies Record<OnlineChannel, MenuColumn>;

/** A fault of the table; `column` is as the file spells it. */
interface CellFault {
  readonly row: number;
  readonly column: string | null;
  readonly problem: string;
}

/** One row that says something. Text is '' where its cell is blank or its column is not there. */
export interface MenuLine {
  readonly row: number;
  readonly id: Uuid | null;
  readonly text: Readonly<Record<TextColumn, string>>;
  readonly price: Piastres | null;
  readonly channelPrices: Readonly<Partial<Record<OnlineChannel, Piastres>>>;
  readonly active: boolean | null;
}

type TextColumn = Exclude<MenuColumn, 'id' | 'active' | `price_${string}`>;

export interface MenuTable {
  /** The columns that are there: what is not there is left as it is. */
  readonly columns: ReadonlySet<MenuColumn>;
  readonly lines: readonly MenuLine[];
  readonly faults: readonly CellFault[];
  /** How the file spells a column. */
  headerOf(column: MenuColumn): string;
  /** Whether a cell is at fault, and its value therefore not known. */
  isAtFault(row: number, column: MenuColumn): boolean;
}

// ── Reading single cells ────────────────────────────────────────────────────────────────────────

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
  const grouped = /^([0-9]{1,3}(?:,[0-9]{3})+)(?:\.([0-9]{1,2}))?$/.exec(plain);
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

const parseActive = (text: string): boolean | null => {
  const word = westernDigits(text.replace(INVISIBLE, '').trim().toLowerCase());
  if (YES.has(word)) return true;
  return NO.has(word) ? false : null;
};

// ── The table ───────────────────────────────────────────────────────────────────────────────────

interface Header {
  /** Column of the file to what it is; null: not one of ours. */
  readonly at: readonly (MenuColumn | null)[];
  readonly spelled: ReadonlyMap<MenuColumn, string>;
  readonly faults: readonly CellFault[];
}

const readHeader = (cells: readonly string[]): Header => {
  const faults: CellFault[] = [];
  const spelled = new Map<MenuColumn, string>();
  const at = cells.map((cell) => {
    const name = cell.replace(INVISIBLE, '').trim();
    if (name === '') return null;
    const column = columnNamed(name);
    if (column === null) faults.push({ row: 1, column: name, problem: unknownColumn(name) });
    else if (spelled.has(column))
      faults.push({ row: 1, column: name, problem: `is the same column as ‘${spelled.get(column) ?? ''}’` });
    else spelled.set(column, name);
    return column;
  });
  return { at, spelled, faults };
};

type Cells = ReadonlyMap<MenuColumn, string>;

const cellsOf = (row: readonly string[], header: Header): Cells =>
  new Map(
    row.flatMap((cell, index) => {
      const column = header.at[index] ?? null;
      return column === null
        ? []
        : [[column, cell.replace(/^[\s\u200b-\u200f\ufeff]+|[\s\u200b-\u200f\ufeff]+$/g, '')]];
    }),
  );

const TEXT_COLUMNS = [
  'category',
  'category_ar',
  'category_en',
  'name_ar',
  'name_en',
  'description_ar',
  'description_en',
  'size_ar',
  'size_en',
] as const satisfies readonly TextColumn[];

type Report = (column: MenuColumn, problem: string) => void;

const readText = (cells: Cells, report: Report): MenuLine['text'] => {
  const texts = TEXT_COLUMNS.map((column) => {
    const isLong = column.startsWith('description');
    const given = cells.get(column) ?? '';
    // A line break in a cell is whatever the program that wrote the file ends lines with.
    const text = isLong ? given.replaceAll(/\r\n?/g, '\n') : given;
    const fault = text === '' ? null : textFault(text, isLong ? 'lines' : 'line');
    if (fault !== null) report(column, fault);
    return [column, fault === null ? text : ''] as const;
  });
  const empty = { category: '', category_ar: '', category_en: '', name_ar: '', name_en: '' };
  const rest = { description_ar: '', description_en: '', size_ar: '', size_en: '' };
  return { ...empty, ...rest, ...Object.fromEntries(texts) };
};

const AMOUNT = 'is no price in pounds: write it as in 65 or 65.50, with at most two decimals';

const readAmount = (cells: Cells, column: MenuColumn, report: Report): Piastres | null => {
  const text = cells.get(column) ?? '';
  const amount = text === '' ? null : parsePounds(text);
  if (text !== '' && amount === null) report(column, `${AMOUNT} (‘${text}’)`);
  return amount;
};

const readLine = (row: number, cells: Cells, report: Report): MenuLine => {
  const id = cells.get('id') ?? '';
  if (id !== '' && parseUuid(id) === null) report('id', `is not a UUID (‘${id}’)`);
  const active = cells.get('active') ?? '';
  if (active !== '' && parseActive(active) === null)
    report('active', `must be yes or no, نعم or لا (‘${active}’)`);
  const channelPrices: Partial<Record<OnlineChannel, Piastres>> = {};
  for (const channel of ONLINE_CHANNELS) {
    const amount = readAmount(cells, PRICE_COLUMNS[channel], report);
    if (amount !== null) channelPrices[channel] = amount;
  }
  return {
    row,
    id: parseUuid(id),
    text: readText(cells, report),
    price: readAmount(cells, 'price_egp', report),
    channelPrices,
    active: parseActive(active),
  };
};

const isBlank = (row: readonly string[]): boolean =>
  row.every((cell) => cell.replaceAll(/[\s\u200b-\u200f\ufeff]/g, '') === '');

/** Reads a table, its first row the column names. Blank rows and blank columns are passed over. */
export const readMenuTable = (rows: readonly (readonly string[])[]): MenuTable => {
  const header = readHeader(rows[0] ?? []);
  const faults: CellFault[] = [...header.faults];
  const lines: MenuLine[] = [];
  for (const [index, cells] of rows.entries()) {
    if (index === 0 || isBlank(cells)) continue;
    const row = index + 1;
    if (!isBlank(cells.slice(header.at.length)))
      faults.push({ row, column: null, problem: 'has more cells than there are column names' });
    const report: Report = (column, problem) =>
      faults.push({ row, column: header.spelled.get(column) ?? column, problem });
    lines.push(readLine(row, cellsOf(cells, header), report));
  }
  const headerOf = (column: MenuColumn): string => header.spelled.get(column) ?? column;
  const wrong = new Set(faults.map(({ row, column }) => `${row} ${column ?? ''}`));
  return {
    columns: new Set(header.spelled.keys()),
    lines,
    faults,
    headerOf,
    isAtFault: (row, column) => wrong.has(`${row} ${headerOf(column)}`),
  };
};

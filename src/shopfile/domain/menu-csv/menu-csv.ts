/** Interprets the rows of a menu CSV. Rows are numbered as in a spreadsheet, from 1; row 1 is the header. */
import { parseUuid, type Uuid } from '../../../kernel/ids.ts';
import {
  hasCommaDecimals,
  isBlankCell,
  parseActive,
  parsePounds,
  unescapeCell,
  splitAmount,
} from './cells.ts';
import { columnNamed, INVISIBLE, unknownColumn, type MenuColumn } from './columns.ts';
import type { Piastres } from '../../../kernel/money.ts';
import { ONLINE_CHANNELS, type OnlineChannel } from '../../../shops/domain/shop.ts';
import { excerpt, textFault } from '../text.ts';

export const PRICE_COLUMNS = {
  pickup: 'price_pickup_egp',
  outside: 'price_outside_egp',
  in_mall: 'price_in_mall_egp',
  umbrella: 'price_umbrella_egp',
} as const satisfies Record<OnlineChannel, MenuColumn>;

/** `column`: as spelled in the file. */
interface CellFault {
  readonly row: number;
  readonly column: string | null;
  readonly problem: string;
}

/** A row that is not blank. Text is '' for a blank cell or a missing column. */
export interface MenuLine {
  readonly row: number;
  readonly id: Uuid | null;
  readonly text: Readonly<Record<TextColumn, string>>;
  readonly price: Piastres | null;
  readonly channelPrices: Readonly<Partial<Record<OnlineChannel, Piastres>>>;
  readonly active: boolean | null;
}

type TextColumn = Exclude<MenuColumn, 'id' | 'active' | `price_${string}`>;

/** An amount with a decimal comma; accepted, but reported as a warning. */
interface CommaAmount {
  readonly row: number;
  readonly column: string;
  readonly text: string;
  readonly amount: Piastres;
}

export interface MenuTable {
  /** Columns of the file; the import leaves the fields of other columns unchanged. */
  readonly columns: ReadonlySet<MenuColumn>;
  /** Unknown headers; faults unless ignored. */
  readonly unknown: readonly string[];
  readonly lines: readonly MenuLine[];
  readonly faults: readonly CellFault[];
  readonly commas: readonly CommaAmount[];
  headerOf(column: MenuColumn): string;
  /** The cell has a fault, so its value is unknown. */
  isAtFault(row: number, column: MenuColumn): boolean;
}

// ── The table ───────────────────────────────────────────────────────────────────────────────────

interface Header {
  /** By position in the file; null: unknown or blank. */
  readonly columns: readonly (MenuColumn | null)[];
  readonly spelled: ReadonlyMap<MenuColumn, string>;
  readonly unknown: readonly string[];
  readonly faults: readonly CellFault[];
}

const readHeader = (cells: readonly string[], ignoreUnknown: boolean): Header => {
  const faults: CellFault[] = [];
  const unknown: string[] = [];
  const spelled = new Map<MenuColumn, string>();
  const columns = cells.map((cell) => {
    const name = cell.replace(INVISIBLE, '').trim();
    if (name === '') return null;
    const column = columnNamed(name);
    if (column === null) {
      unknown.push(name);
      if (!ignoreUnknown) faults.push({ row: 1, column: name, problem: unknownColumn(name) });
    } else if (spelled.has(column))
      faults.push({ row: 1, column: name, problem: `is the same column as ‘${spelled.get(column) ?? ''}’` });
    else spelled.set(column, name);
    return column;
  });
  return { columns, spelled, unknown, faults };
};

type Cells = ReadonlyMap<MenuColumn, string>;

const cellsOf = (row: readonly string[], header: Header): Cells =>
  new Map(
    row.flatMap((cell, index) => {
      const column = header.columns[index] ?? null;
      return column === null ? [] : [[column, unescapeCell(cell)]];
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

interface Findings {
  readonly report: Report;
  readonly comma: (column: MenuColumn, text: string, amount: Piastres) => void;
}

const readText = (cells: Cells, report: Report): MenuLine['text'] => {
  const texts = TEXT_COLUMNS.map((column) => {
    const isLong = column.startsWith('description');
    const given = cells.get(column) ?? '';
    // Programs write different line breaks inside a cell.
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

const readAmount = (cells: Cells, column: MenuColumn, { report, comma }: Findings): Piastres | null => {
  const text = cells.get(column) ?? '';
  const amount = text === '' ? null : parsePounds(text);
  if (text !== '' && amount === null) report(column, `${AMOUNT} (‘${excerpt(text)}’)`);
  if (amount !== null && hasCommaDecimals(text)) comma(column, text, amount);
  return amount;
};

const readLine = (row: number, cells: Cells, findings: Findings): MenuLine => {
  const { report } = findings;
  const id = cells.get('id') ?? '';
  if (id !== '' && parseUuid(id) === null) report('id', `is not a UUID (‘${excerpt(id)}’)`);
  const active = cells.get('active') ?? '';
  if (active !== '' && parseActive(active) === null)
    report('active', `must be yes or no, نعم or لا (‘${excerpt(active)}’)`);
  const channelPrices: Partial<Record<OnlineChannel, Piastres>> = {};
  for (const channel of ONLINE_CHANNELS) {
    const amount = readAmount(cells, PRICE_COLUMNS[channel], findings);
    if (amount !== null) channelPrices[channel] = amount;
  }
  return {
    row,
    id: parseUuid(id),
    text: readText(cells, report),
    price: readAmount(cells, 'price_egp', findings),
    channelPrices,
    active: parseActive(active),
  };
};

const isBlank = (row: readonly string[]): boolean => row.every(isBlankCell);

const isPrice = (column: MenuColumn | null | undefined): boolean => column?.startsWith('price') ?? false;

/** The problem of a row with more cells than the header; extra blank cells are allowed. */
const lengthFault = (cells: readonly string[], { columns }: Header): string | null => {
  if (cells.length <= columns.length) return null;
  const splitAt = columns.findIndex(
    (column, index) => isPrice(column) && splitAmount(cells[index] ?? '', cells[index + 1] ?? '') !== null,
  );
  const [left = '', right = ''] = splitAt === -1 ? [] : cells.slice(splitAt, splitAt + 2);
  if (splitAt !== -1)
    return (
      `has a cell too many, and ‘${left}’ and ‘${right}’ stand side by side: if that is one amount, ` +
      `write ${splitAmount(left, right) ?? ''}, or put it in quotation marks`
    );
  return isBlank(cells.slice(columns.length)) ? null : 'has more cells than there are column names';
};

/** Skips blank rows and blank columns, and with `ignoreUnknown` unknown columns. */
export const readMenuTable = (
  rows: readonly (readonly string[])[],
  { ignoreUnknown = false }: { readonly ignoreUnknown?: boolean } = {},
): MenuTable => {
  const header = readHeader(rows[0] ?? [], ignoreUnknown);
  const headerOf = (column: MenuColumn): string => header.spelled.get(column) ?? column;
  const faults: CellFault[] = [...header.faults];
  const commas: CommaAmount[] = [];
  const lines: MenuLine[] = [];
  for (const [index, cells] of rows.entries()) {
    if (index === 0 || isBlank(cells)) continue;
    const row = index + 1;
    const tooLong = lengthFault(cells, header);
    if (tooLong !== null) faults.push({ row, column: null, problem: tooLong });
    const findings: Findings = {
      report: (column, problem) => faults.push({ row, column: headerOf(column), problem }),
      comma: (column, text, amount) => commas.push({ row, column: headerOf(column), text, amount }),
    };
    lines.push(readLine(row, cellsOf(cells, header), findings));
  }
  const wrong = new Set(faults.map(({ row, column }) => `${row} ${column ?? ''}`));
  return {
    columns: new Set(header.spelled.keys()),
    unknown: header.unknown,
    lines,
    faults,
    commas,
    headerOf,
    isAtFault: (row, column) => wrong.has(`${row} ${headerOf(column)}`),
  };
};

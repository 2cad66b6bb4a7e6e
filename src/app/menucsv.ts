/**
 * A menu from a spreadsheet (Decisions 16). A CSV adds and changes: what it leaves out stays as it is, a column that
 * is not there leaves its field alone, and a blank cell of a column that is there empties the field.
 */
import { CsvError, parse } from 'csv-parse/sync';
import type { ShopFile } from '../contract/shopfile.ts';
import { readMenuTable, type MenuTable } from '../domain/menucsv.ts';
import { loadShop, lockForImport, shopNamed, slugsOf } from '../store/shopfile.ts';
import type { App } from './app.ts';
import { mergeMenu, type Merged } from './menucsv/merge.ts';
import {
  describe,
  planAll,
  reportOf,
  UnknownShop,
  type ImportFile,
  type ImportReport,
} from './shopfile/importing.ts';
import { faultsOf, ShopFileFaults, type FileFault } from './shopfile/faults.ts';
import { savePlans } from './shopfile/save.ts';
import { checkShape } from './shopfile/shape.ts';
import { writeShopFile } from './shopfile/write/index.ts';

/** The delimiter that the first line uses most; Excel writes `;` where the comma is the decimal point. */
const delimiterOf = (text: string): string => {
  const header = (/^[^\r\n]*/.exec(text)?.[0] ?? '').replaceAll(/"[^"]*"/g, '');
  const counts = [',', ';', '\t', '،'].map((sign) => ({ sign, count: header.split(sign).length }));
  return counts.reduce((best, other) => (other.count > best.count ? other : best)).sign;
};

interface Table {
  readonly rows: readonly (readonly string[])[];
  /** The line of the text on which a row ends. */
  lineOf(row: number): number | null;
}

interface CsvRow {
  readonly record: string[];
  readonly info: { readonly lines: number };
}

/** Excel writes the delimiter into a first line of its own, and then counts that line as none. */
const EXCEL_DELIMITER = /^sep=(.)\r?\n/i;

const readTable = ({ name, text }: ImportFile): Table => {
  const marked = text.replace(/^\uFEFF/, '');
  const named = EXCEL_DELIMITER.exec(marked);
  const source = marked.slice(named?.[0].length ?? 0);
  const skipped = named === null ? 0 : 1;
  try {
    const read = parse(source, {
      delimiter: named?.[1] ?? delimiterOf(source),
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      info: true,
    }) as unknown as CsvRow[];
    return {
      rows: read.map(({ record }) => record),
      lineOf: (row) => {
        const info = read[row - 1]?.info;
        return info === undefined ? null : info.lines + skipped;
      },
    };
  } catch (fault) {
    if (!(fault instanceof CsvError)) throw fault;
    const line = typeof fault['lines'] === 'number' ? fault['lines'] + skipped : null;
    const problem = 'cannot be read from here on: a quotation mark is opened or closed in the wrong place';
    throw new ShopFileFaults([{ file: name, path: '', problem, line, column: null }]);
  }
};

const rowPath = (row: number, column: string | null): string =>
  column === null ? `row ${row}` : `row ${row}, ${column}`;

/** What is wrong with the table itself, and with what its rows say together. */
const rowFaults = (file: ImportFile, table: Table, menu: MenuTable, merged: Merged): FileFault[] => {
  const own = merged.faults.map((fault) => ({
    ...fault,
    column: fault.column === null ? null : menu.headerOf(fault.column),
  }));
  return [...menu.faults, ...own].map(({ row, column, problem }) => ({
    file: file.name,
    path: rowPath(row, column),
    problem,
    line: table.lineOf(row),
    column: null,
  }));
};

/**
 * What is wrong with the shop that the table makes, told by the row and column that it came from. A row that is
 * itself at fault has been told of.
 */
const shopFaults = (
  faults: readonly FileFault[],
  table: Table,
  menu: MenuTable,
  merged: Merged,
): FileFault[] => {
  const told = new Set([...menu.faults, ...merged.faults].map(({ row }) => row));
  return faults.flatMap((fault) => {
    const origin = merged.originOf(fault.path);
    if (origin === null) return [{ ...fault, line: null, column: null }];
    if (told.has(origin.row)) return [];
    const column = origin.column === null ? null : menu.headerOf(origin.column);
    return [{ ...fault, path: rowPath(origin.row, column), line: table.lineOf(origin.row), column: null }];
  });
};

/**
 * Adds and changes items of a shop's menu. Throws ShopFileFaults with every fault and its row, UnknownShop, and
 * DatabaseUnavailable.
 */
export const importMenuCsv = async (
  app: Pick<App, 'db' | 'clock'>,
  slug: string,
  file: ImportFile,
  options: { readonly dryRun?: boolean } = {},
): Promise<ImportReport> => {
  const now = app.clock.now();
  const table = readTable(file);
  const menu = readMenuTable(table.rows);
  return app.db.tx(async (tx) => {
    const orgId = await shopNamed(tx, slug.trim().toLowerCase());
    if (orgId === null) throw new UnknownShop(slug);
    await lockForImport(tx, orgId);
    const shop: ShopFile = writeShopFile(orgId, await loadShop(tx, orgId), await slugsOf(tx, orgId));
    const merged = mergeMenu(shop, menu);
    const faults = faultsOf(file.name, () => null);
    const shape = checkShape(merged.file, faults);
    const described = shape === null ? [] : [describe(file.name, shape, faults, now)];
    const plans = await planAll(tx, described, {}, now);
    const all = [...rowFaults(file, table, menu, merged), ...shopFaults(faults.all(), table, menu, merged)];
    if (all.length > 0) throw new ShopFileFaults(all);
    if (options.dryRun !== true) await savePlans(tx, described, plans, {}, now);
    const [only] = described;
    const [plan] = plans;
    if (only === undefined || plan === undefined) throw new RangeError('A menu without faults has a plan.');
    return reportOf(only, plan);
  });
};

const TEMPLATE: readonly (readonly string[])[] = [
  [
    'category',
    'name_ar',
    'name_en',
    'description_ar',
    'description_en',
    'size_ar',
    'size_en',
    'price_egp',
    'price_pickup_egp',
    'price_outside_egp',
    'active',
  ],
  [
    'قهوة',
    'قهوة تركي',
    'Turkish coffee',
    'بن محوج على الرمل',
    'Spiced, made on sand',
    'سنجل',
    'Single',
    '45',
    '',
    '',
    'yes',
  ],
  [
    'قهوة',
    'قهوة تركي',
    'Turkish coffee',
    'بن محوج على الرمل',
    'Spiced, made on sand',
    'دوبل',
    'Double',
    '60',
    '',
    '',
    'yes',
  ],
  ['قهوة', 'لاتيه', 'Latte', '', '', '', '', '85.50', '80', '95', 'yes'],
  ['عصائر', 'عصير ليمون بالنعناع', 'Lemon and mint', '', '', '', '', '55', '', '', 'yes'],
  ['عصائر', 'عصير مانجو', 'Mango juice', 'في الموسم فقط', 'In season only', '', '', '٧٠', '', '', 'no'],
];

/** A menu to start from, as Excel opens it: with a byte order mark, or it would take the Arabic for something else. */
export const menuCsvTemplate = (): string =>
  `\uFEFF${TEMPLATE.map((row) => `${row.map((cell) => (cell.includes(',') ? `"${cell}"` : cell)).join(',')}\r\n`).join('')}`;

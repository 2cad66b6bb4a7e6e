/**
 * A menu from a spreadsheet (Decisions 16). A CSV adds and changes: what it leaves out stays as it is, a column that
 * is not there leaves its field alone, and a blank cell of a column that is there empties the field.
 */
import type { ShopFile } from '../contract/shopfile.ts';
import { readMenuTable, type MenuTable } from '../domain/menu-csv/menu-csv.ts';
import { inPounds } from '../../kernel/money.ts';
import { MOST_ITEMS } from '../domain/limits.ts';
import { loadShop, lockForImport, slugsOf } from '../store/shopfile.ts';
import type { App } from '../../platform/app/app.ts';
import { orgNamed } from '../../shops/app/org-named.ts';
import { exportShop } from './shopfile.ts';
import { mergeMenu, type Merged, type MergeOptions } from './menu-csv/merge.ts';
import { readTable, type Table } from './menu-csv/table.ts';
import { menuAsCsv } from './menu-csv/write.ts';

import { describe, planAll, reportOf, type ImportFile, type ImportReport } from './importing.ts';
import { faultsOf, ShopFileFaults, type FileFault } from './faults.ts';
import { checkLargeShape } from './large.ts';
import { savePlans } from './save.ts';
import { checkShape } from './shape.ts';
import { writeShopFile } from './write/index.ts';

export { menuCsvTemplate, UnwritableMenu } from './menu-csv/write.ts';

const rowPath = (row: number, column: string | null): string =>
  column === null ? `row ${row}` : `row ${row}, ${column}`;

/** A fault by the row of its table; null where the shop is at fault in what no row speaks of. */
interface RowFault {
  readonly row: number | null;
  readonly path: string;
  readonly problem: string;
}

const UNREADABLE = 'cannot be read from here on: a quotation mark is opened or closed in the wrong place';

/** What is wrong with the table itself, and with what its rows say together. */
const rowFaults = (table: Table, menu: MenuTable, merged: Merged): RowFault[] => {
  const own = merged.faults.map((fault) => ({
    ...fault,
    column: fault.column === null ? null : menu.headerOf(fault.column),
  }));
  const cut = table.unreadable;
  const told = [...menu.faults, ...own].map(({ row, column, problem }) => ({
    row,
    path: rowPath(row, column),
    problem,
  }));
  // What a row that cannot be read lacks is not known.
  if (cut === null) return told;
  return [
    ...told.filter(({ row }) => row < cut),
    { row: cut, path: rowPath(cut, null), problem: UNREADABLE },
  ];
};

/**
 * What is wrong with the shop that the table makes, told by the row and column that it came from. A row that is
 * itself at fault has been told of; what is at fault in no row is not known before all rows are.
 */
const shopFaults = (
  faults: readonly FileFault[],
  table: Table,
  menu: MenuTable,
  merged: Merged,
): RowFault[] => {
  const told = new Set([...menu.faults, ...merged.faults].map(({ row }) => row));
  return faults.flatMap(({ path, problem }): RowFault[] => {
    const origin = merged.originOf(path);
    if (origin === null) return table.unreadable === null ? [{ row: null, path, problem }] : [];
    if (told.has(origin.row)) return [];
    const column = origin.column === null ? null : menu.headerOf(origin.column);
    return [{ row: origin.row, path: rowPath(origin.row, column), problem }];
  });
};

/** The faults in the order of their rows, each with its line; those of no row come last. */
const inRowOrder = (file: ImportFile, table: Table, faults: readonly RowFault[]): FileFault[] =>
  faults
    .toSorted((one, other) => (one.row ?? Infinity) - (other.row ?? Infinity) || 0)
    .map(({ row, path, problem }) => ({
      file: file.name,
      path,
      problem,
      line: row === null ? null : table.lineOf(row),
      column: null,
    }));

/** From here on the first fault of each item is told alone. */
const isLarge = ({ menu }: ShopFile): boolean => (menu.items?.length ?? 0) > 5000;

const ignoredColumns = ({ unknown }: MenuTable): string[] =>
  unknown.length === 0 ? [] : [`ignored columns: ${unknown.map((name) => `‘${name}’`).join(', ')}`];

/** The first amount with a decimal comma, and how many more there are: whole files are written so. */
const commaWarnings = ({ commas }: MenuTable): string[] => {
  const [first, ...others] = commas;
  if (first === undefined) return [];
  const more = others.length === 0 ? '' : `, as ${others.length} more are`;
  return [`row ${first.row}, ${first.column}: ‘${first.text}’ is read as ${inPounds(first.amount)}${more}`];
};

export interface MenuCsvOptions extends MergeOptions {
  /** Check and report, and change nothing. */
  readonly dryRun?: boolean;
  /** Columns that nobody knows are passed over instead of refused. */
  readonly ignoreColumns?: boolean;
}

/**
 * Adds and changes items of a shop's menu. Throws ShopFileFaults with every fault and its row, UnknownShop, and
 * DatabaseUnavailable.
 */
export const importMenuCsv = async (
  app: Pick<App, 'db' | 'clock'>,
  slug: string,
  file: ImportFile,
  options: MenuCsvOptions = {},
): Promise<ImportReport> => {
  const now = app.clock.now();
  const maxItems = options.maxItems ?? MOST_ITEMS;
  const table = readTable(file, maxItems);
  const menu = readMenuTable(table.rows, { ignoreUnknown: options.ignoreColumns ?? false });
  return app.db.tx(async (tx) => {
    const orgId = await orgNamed({ db: { kysely: tx } }, slug);
    await lockForImport(tx, orgId);
    const shop: ShopFile = writeShopFile(orgId, await loadShop(tx, orgId), await slugsOf(tx, orgId));
    const merged = mergeMenu(shop, menu, { ...options, maxItems });
    const faults = faultsOf(file.name, () => null);
    const shape = (isLarge(merged.file) ? checkLargeShape : checkShape)(merged.file, faults);
    const described = shape === null ? [] : [describe(file.name, shape, faults, now)];
    const plans = await planAll(tx, described, {}, now);
    const all = [...rowFaults(table, menu, merged), ...shopFaults(faults.all(), table, menu, merged)];
    if (all.length > 0) throw new ShopFileFaults(inRowOrder(file, table, all));
    if (options.dryRun !== true) await savePlans(tx, described, plans, {}, now);
    const [only] = described;
    const [plan] = plans;
    if (only === undefined || plan === undefined) throw new RangeError('A menu without faults has a plan.');
    const report = reportOf(only, plan);
    return {
      ...report,
      notes: [...ignoredColumns(menu), ...merged.notes],
      warnings: [...commaWarnings(menu), ...report.warnings],
    };
  });
};

/**
 * A CSV that imports to the same items: ids given, every text and price that a column can hold. Throws UnknownShop and
 * UnwritableMenu.
 */
export const exportMenuCsv = async (app: Pick<App, 'db'>, slug: string): Promise<string> =>
  menuAsCsv(await exportShop(app, slug));

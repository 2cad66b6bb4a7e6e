/**
 * Menus as CSV (Decisions 16). An import adds and updates items. A missing column leaves its field unchanged; a blank
 * cell clears it.
 */
import { commitAndPublish } from '../../platform/app/commit.ts';
import type { ShopFile } from '../contract/shopfile.ts';
import { readMenuTable, type MenuTable } from '../domain/menu-csv/menu-csv.ts';
import { inPounds } from '../../kernel/money.ts';
import { MAX_ITEMS } from '../domain/limits.ts';
import { loadShop, lockForImport, slugsOf } from '../store/shopfile.ts';
import type { App } from '../../platform/app/app.ts';
import { orgBySlug } from '../../shops/app/org-by-slug.ts';
import { exportShop } from './shopfile.ts';
import { mergeMenu, type Merged, type MergeOptions } from './menu-csv/merge.ts';
import { readTable, type Table } from './menu-csv/table.ts';
import { menuAsCsv } from './menu-csv/write.ts';

import { toParsedFile, planAll, reportOf, type ImportFile, type ImportReport } from './importing.ts';
import { faultsOf, ShopFileFaults, type FileFault } from './faults.ts';
import { checkLargeSchema } from './large-file-schema-check.ts';
import { savePlans } from './save.ts';
import { checkSchema } from './schema-check.ts';
import { storedIn } from './stored-shops.ts';
import { writeShopFile } from './write/index.ts';

export { menuCsvTemplate, UnwritableMenu } from './menu-csv/write.ts';

const rowPath = (row: number, column: string | null): string =>
  column === null ? `row ${row}` : `row ${row}, ${column}`;

/** `row`: null if the fault comes from no row. */
interface RowFault {
  readonly row: number | null;
  readonly path: string;
  readonly problem: string;
}

const UNREADABLE = 'cannot be read from here on: a quotation mark is opened or closed in the wrong place';

const rowFaults = (table: Table, menu: MenuTable, merged: Merged): RowFault[] => {
  const own = merged.faults.map((fault) => ({
    ...fault,
    column: fault.column === null ? null : menu.headerOf(fault.column),
  }));
  const { unreadable } = table;
  const faults = [...menu.faults, ...own].map(({ row, column, problem }) => ({
    row,
    path: rowPath(row, column),
    problem,
  }));
  // Faults from the unreadable row on are unreliable.
  if (unreadable === null) return faults;
  return [
    ...faults.filter(({ row }) => row < unreadable),
    { row: unreadable, path: rowPath(unreadable, null), problem: UNREADABLE },
  ];
};

/**
 * Faults of the merged shop by row and column. Skips rows that already have faults, and faults outside the rows if the
 * table was not fully readable.
 */
const shopFaults = (
  faults: readonly FileFault[],
  table: Table,
  menu: MenuTable,
  merged: Merged,
): RowFault[] => {
  const rejectedRows = new Set([...menu.faults, ...merged.faults].map(({ row }) => row));
  return faults.flatMap(({ path, problem }): RowFault[] => {
    const origin = merged.originOf(path);
    if (origin === null) return table.unreadable === null ? [{ row: null, path, problem }] : [];
    if (rejectedRows.has(origin.row)) return [];
    const column = origin.column === null ? null : menu.headerOf(origin.column);
    return [{ row: origin.row, path: rowPath(origin.row, column), problem }];
  });
};

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

/** Above 5000 items only the first fault of each item is reported. */
const isLarge = ({ menu }: ShopFile): boolean => (menu.items?.length ?? 0) > 5000;

const ignoredColumns = ({ unknown }: MenuTable): string[] =>
  unknown.length === 0 ? [] : [`ignored columns: ${unknown.map((name) => `‘${name}’`).join(', ')}`];

/** One warning for all: usually the whole file has decimal commas. */
const commaWarnings = ({ commas }: MenuTable): string[] => {
  const [first, ...others] = commas;
  if (first === undefined) return [];
  const more = others.length === 0 ? '' : `, as ${others.length} more are`;
  return [`row ${first.row}, ${first.column}: ‘${first.text}’ is read as ${inPounds(first.amount)}${more}`];
};

export interface MenuCsvOptions extends MergeOptions {
  /** Check and report without writing. */
  readonly dryRun?: boolean;
  /** Accept unknown columns. */
  readonly ignoreColumns?: boolean;
}

/**
 * Throws ShopFileFaults with every fault and its row, UnknownShop, and DatabaseUnavailable.
 */
export const importMenuCsv = async (
  app: Pick<App, 'db' | 'clock' | 'random' | 'changePublisher'>,
  slug: string,
  file: ImportFile,
  options: MenuCsvOptions = {},
): Promise<ImportReport> => {
  const now = app.clock.now();
  const maxItems = options.maxItems ?? MAX_ITEMS;
  const table = readTable(file, maxItems);
  const menu = readMenuTable(table.rows, { ignoreUnknown: options.ignoreColumns ?? false });
  return commitAndPublish(app, async (tx, log) => {
    const orgId = await orgBySlug({ db: { kysely: tx } }, slug);
    await lockForImport(tx, orgId);
    const shop: ShopFile = writeShopFile(orgId, await loadShop(tx, orgId), await slugsOf(tx, orgId));
    const merged = mergeMenu(shop, menu, { ...options, maxItems });
    const faults = faultsOf(file.name, () => null);
    const checked = (isLarge(merged.file) ? checkLargeSchema : checkSchema)(merged.file, faults);
    const parsed = checked === null ? [] : [toParsedFile(file.name, checked, faults, now)];
    const plans = await planAll(storedIn(tx), parsed, {}, now);
    const all = [...rowFaults(table, menu, merged), ...shopFaults(faults.all(), table, menu, merged)];
    if (all.length > 0) throw new ShopFileFaults(inRowOrder(file, table, all));
    if (options.dryRun !== true) await savePlans({ app, tx, log }, parsed, plans, {}, now);
    const [only] = parsed;
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
 * Imports to the same items. Throws UnknownShop and UnwritableMenu.
 */
export const exportMenuCsv = async (app: Pick<App, 'db'>, slug: string): Promise<string> =>
  menuAsCsv(await exportShop(app, slug));

/** Writes import plans, in the transaction that computed them. */
import type { App } from '../../platform/app/app.ts';
import { recordAudit } from '../../platform/app/audit.ts';
import type { ChangeLog } from '../../platform/app/commit.ts';
import type { Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { AnyRow, TableName } from '../store/tables.ts';
import {
  deleteRows,
  insertRows,
  locate,
  located,
  releaseBranchCodes,
  releaseEmails,
  slugOwners,
  takeSlugs,
  updateRows,
} from '../store/shopfile.ts';
import { keepKnownPrices } from '../../menu/app/shared.ts';
import { beginLog } from '../../platform/store/change-log.ts';
import { giveShopCode } from '../../shops/app/shop-codes.ts';
import { deleteKnownDevicesOf, clearSecrets, endSessionsOf } from '../../staff/app/shared.ts';
import { checkIds, checkSlugOwners, type ParsedFile } from './conflicts.ts';
import { ShopFileFaults } from './faults.ts';
import { savePictures } from './pictures.ts';
import { writtenColumns, type Plan } from './plan.ts';
import { archivedIds, leavingIds } from './staff.ts';
import { textIn } from './stored-entities.ts';

export type Tx = Kysely<Database>;

interface SaveContext {
  readonly app: Pick<App, 'clock' | 'random'>;
  readonly tx: Tx;
  readonly log: ChangeLog;
}

interface SaveOptions {
  readonly state?: boolean;
  readonly onProgress?: (line: string) => void;
}

const rowCount = ({ tables }: Plan): number =>
  tables.reduce((sum, { insert, update, remove }) => sum + insert.length + update.length + remove.length, 0);

/** Precedes other writes: a concurrent import may claim the same ids. */
const claimIds = async (tx: Tx, file: ParsedFile): Promise<void> => {
  const { shopId, entities } = file.entityIndex;
  const entries = entities.map(({ id, kind }) => ({ id, org_id: shopId, kind }));
  await locate(tx, [{ id: shopId, org_id: shopId, kind: 'shop' }, ...entries]);
  checkIds(file, await located(tx, [shopId, ...entities.map(({ id }) => id)]));
};

const updatesOf = ({ tables }: Plan, table: TableName): readonly AnyRow[] =>
  tables.find((one) => one.table === table)?.update ?? [];

const updatedIds = (plan: Plan, table: TableName): string[] =>
  updatesOf(plan, table).map((row) => textIn(row, 'id'));

/** What devices sold at the prices of before is still known after the import (Decisions 13). */
const keepPrices = async (tx: Tx, { shopId, tables }: Plan): Promise<void> => {
  const prices = tables.find(({ table }) => table === 'price');
  if (prices !== undefined && prices.update.length + prices.remove.length > 0)
    await keepKnownPrices(tx, shopId);
};

/** Returns the number of ended sessions. */
const applyStaffChanges = async (
  { app, tx }: Pick<SaveContext, 'app' | 'tx'>,
  plan: Plan,
  now: Instant,
): Promise<number> => {
  const { shopId, entities } = plan;
  const people = entities.filter(({ kind }) => kind === 'staff');
  if (people.length === 0) return 0;
  const updated = updatesOf(plan, 'staff');
  await clearSecrets(tx, shopId, archivedIds(updated));
  await deleteKnownDevicesOf(tx, shopId, leavingIds(updated));
  const ended = await endSessionsOf(tx, shopId, leavingIds(updated));
  const events = people.map(({ op, id, aspects }) => ({
    orgId: shopId,
    at: now,
    action: `staff.${op}`,
    subject: 'staff',
    subjectId: id,
    detail: op === 'updated' ? { aspects } : {},
  }));
  await recordAudit(app, tx, ...events);
  return ended;
};

const saveRows = async (
  tx: Tx,
  plan: Plan,
  withState: boolean,
  onRowsWritten: (rows: number) => void,
): Promise<void> => {
  const { shopId, tables } = plan;
  for (const { table, remove } of [...tables].reverse()) {
    await deleteRows(tx, shopId, table, remove);
    onRowsWritten(remove.length);
  }
  await releaseBranchCodes(tx, shopId, updatedIds(plan, 'branch'));
  await releaseEmails(tx, shopId, updatedIds(plan, 'staff'));
  for (const { table, insert, update } of tables) {
    await updateRows(tx, shopId, table, writtenColumns(table, withState), update);
    await insertRows(tx, shopId, table, insert);
    onRowsWritten(insert.length + update.length);
  }
};

/** Returns ended sessions per shop. Throws ShopFileFaults if a concurrent import claimed an id or slug. */
export const savePlans = async (
  { app, tx, log }: SaveContext,
  files: readonly ParsedFile[],
  plans: readonly Plan[],
  options: SaveOptions,
  now: Instant,
): Promise<ReadonlyMap<Uuid, number>> => {
  const ended = new Map<Uuid, number>();
  const total = plans.reduce((sum, plan) => sum + rowCount(plan), 0);
  let done = 0;
  const onRowsWritten = (rows: number): void => {
    const tenth = Math.floor((10 * done) / total);
    done += rows;
    if (Math.floor((10 * done) / total) > tenth) options.onProgress?.(`writing: ${done} of ${total} rows`);
  };
  for (const [index, file] of files.entries()) {
    const plan = plans[index];
    if (plan === undefined) continue;
    await claimIds(tx, file);
    await giveShopCode(tx, app.random, plan.shopId);
    await beginLog(tx, plan.shopId);
    await keepPrices(tx, plan);
    await saveRows(tx, plan, options.state ?? false, onRowsWritten);
    await savePictures(tx, plan.shopId, plan.pictures, file.references, file.faults);
    ended.set(plan.shopId, await applyStaffChanges({ app, tx }, plan, now));
    await takeSlugs(tx, plan.shopId, file.slugs);
    checkSlugOwners(file, await slugOwners(tx, file.slugs));
  }
  const faults = files.flatMap((file) => file.faults.all());
  if (faults.length > 0) throw new ShopFileFaults(faults);
  for (const { shopId, changes } of plans) log.add(shopId, ...changes);
  return ended;
};

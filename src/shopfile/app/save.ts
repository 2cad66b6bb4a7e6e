/** Writes plans: all of them, in the transaction that made them. */
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
import { addAudit } from '../../platform/store/audit.ts';
import { forgetKnownDevicesOf } from '../../staff/store/known-devices.ts';
import { forgetSecrets } from '../../staff/store/staff.ts';
import { endSessionsOf } from '../../staff/store/sessions.ts';
import { recordChanges, versionOf } from '../../platform/store/versions.ts';
import { checkIds, checkSlugOwners, type Described } from './against.ts';
import { ShopFileFaults } from './faults.ts';
import { uuid5 } from './identity.ts';
import { writtenColumns, type Plan } from './plan.ts';
import { archived, leaving } from './staff.ts';
import { textIn } from './stored.ts';

export type Tx = Kysely<Database>;

interface SaveOptions {
  readonly state?: boolean;
  readonly onProgress?: (line: string) => void;
}

const rowCount = ({ tables }: Plan): number =>
  tables.reduce((sum, { insert, update, remove }) => sum + insert.length + update.length + remove.length, 0);

/** Ids and address names are the first thing taken: another import may be taking them at this moment. */
const takeNames = async (tx: Tx, file: Described): Promise<void> => {
  const { shopId, things } = file.register;
  const entries = things.map(({ id, kind }) => ({ id, org_id: shopId, kind }));
  await locate(tx, [{ id: shopId, org_id: shopId, kind: 'shop' }, ...entries]);
  checkIds(file, await located(tx, [shopId, ...things.map(({ id }) => id)]));
};

const updatesOf = ({ tables }: Plan, table: TableName): readonly AnyRow[] =>
  tables.find((one) => one.table === table)?.update ?? [];

const updatedIds = (plan: Plan, table: TableName): string[] =>
  updatesOf(plan, table).map((row) => textIn(row, 'id'));

/** Ends the sign-ins of who leaves, and tells the audit log what became of whom; gives how many ended. */
const settleStaff = async (tx: Tx, plan: Plan, now: Instant): Promise<number> => {
  const { shopId, things } = plan;
  const people = things.filter(({ kind }) => kind === 'staff');
  if (people.length === 0) return 0;
  const written = updatesOf(plan, 'staff');
  await forgetSecrets(tx, shopId, archived(written));
  await forgetKnownDevicesOf(tx, shopId, leaving(written));
  const ended = await endSessionsOf(tx, shopId, leaving(written));
  // Imports of a shop take turns, and each that changes someone moves the version on: the ids are new ones.
  const version = await versionOf(tx, shopId);
  const entries = people.map(({ op, id, aspects }) => ({
    orgId: shopId,
    id: uuid5(id, `audit\n${op}\n${version}`),
    at: now,
    action: `staff.${op}`,
    subject: 'staff',
    subjectId: id,
    detail: op === 'updated' ? { aspects } : {},
  }));
  await addAudit(tx, ...entries);
  return ended;
};

const saveRows = async (
  tx: Tx,
  plan: Plan,
  withState: boolean,
  wrote: (rows: number) => void,
): Promise<void> => {
  const { shopId, tables } = plan;
  for (const { table, remove } of [...tables].reverse()) {
    await deleteRows(tx, shopId, table, remove);
    wrote(remove.length);
  }
  await releaseBranchCodes(tx, shopId, updatedIds(plan, 'branch'));
  await releaseEmails(tx, shopId, updatedIds(plan, 'staff'));
  for (const { table, insert, update } of tables) {
    await updateRows(tx, shopId, table, writtenColumns(table, withState), update);
    await insertRows(tx, shopId, table, insert);
    wrote(insert.length + update.length);
  }
};

/** Gives how many sign-ins ended at each shop. Throws ShopFileFaults when another import took an id or address name in the meantime. */
export const savePlans = async (
  tx: Tx,
  files: readonly Described[],
  plans: readonly Plan[],
  options: SaveOptions,
  now: Instant,
): Promise<ReadonlyMap<Uuid, number>> => {
  const ended = new Map<Uuid, number>();
  const total = plans.reduce((sum, plan) => sum + rowCount(plan), 0);
  let done = 0;
  const wrote = (rows: number): void => {
    const tenth = Math.floor((10 * done) / total);
    done += rows;
    if (Math.floor((10 * done) / total) > tenth) options.onProgress?.(`writing: ${done} of ${total} rows`);
  };
  for (const [index, file] of files.entries()) {
    const plan = plans[index];
    if (plan === undefined) continue;
    await takeNames(tx, file);
    await saveRows(tx, plan, options.state ?? false, wrote);
    ended.set(plan.shopId, await settleStaff(tx, plan, now));
    await takeSlugs(tx, plan.shopId, file.slugs);
    checkSlugOwners(file, await slugOwners(tx, file.slugs));
  }
  const faults = files.flatMap((file) => file.faults.all());
  if (faults.length > 0) throw new ShopFileFaults(faults);
  // Last of all, and in one order: each counter stays locked until commit.
  for (const { shopId, changes } of [...plans].sort((a, b) => (a.shopId < b.shopId ? -1 : 1)))
    await recordChanges(tx, shopId, changes, now);
  return ended;
};

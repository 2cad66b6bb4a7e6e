/**
 * Shops that are closed while they move to another installation (docs/decisions/0056). A constraint holds it: the counter
 * of a closed shop cannot be raised, which each transaction that changes the shop does last.
 */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import { SKIPPED_NUMBERS } from './change-log.ts';
import { isRefusedBy } from './duplicate.ts';
import { OF_ANY, rowsHeard, type OfShops } from './nodes/everywhere.ts';
import type { ClosedFor } from './schema/change.ts';
import type { Database } from './schema.ts';

type Tx = Kysely<Database>;

const CHECK_VIOLATION = '23514';

/** Whether a transaction failed because its shop is closed. */
export const isOfClosedShop = (fault: unknown): boolean =>
  isRefusedBy(CHECK_VIOLATION, 'change_counter_closed', fault);

/**
 * Last statement of the restore of a shop; the parameter is its id. A shop that was closed before it was backed up has
 * the reason from there.
 */
export const CLOSE_RESTORED_SHOP = `
  insert into change_counter (org_id, seq, closed_seq, closed_for) values ($1, 0, 0, 'restore')
  on conflict (org_id) do update
  set closed_seq = change_counter.seq, closed_for = coalesce(change_counter.closed_for, 'restore')`;

/** Null: open. Locks the counter also against `keepOpen`; waits for transactions that change the shop. */
const lockCounter = async (tx: Tx, orgId: Uuid): Promise<ClosedFor | null> => {
  await sql`
    insert into change_counter (org_id, seq) values (${orgId}, 0) on conflict (org_id) do nothing
  `.execute(tx);
  const { rows } = await sql<{ closedFor: ClosedFor | null }>`
    select closed_for as "closedFor" from change_counter where org_id = ${orgId} for update
  `.execute(tx);
  return rows[0]?.closedFor ?? null;
};

/** Every change that is committed before is seen by whoever reads after the commit; none is committed later. */
export const closeForMove = async (tx: Tx, orgId: Uuid): Promise<void> => {
  if ((await lockCounter(tx, orgId)) !== null) return;
  await sql`
    update change_counter set closed_seq = seq, closed_for = 'move' where org_id = ${orgId}
  `.execute(tx);
};

/** Null: it was open. Numbers go on far beyond those that another installation may have given out since. */
export const openAgain = async (tx: Tx, orgId: Uuid, now: Instant): Promise<ClosedFor | null> => {
  const was = await lockCounter(tx, orgId);
  const further = sql`greatest(seq + ${SKIPPED_NUMBERS}::bigint, ${now}::bigint)`;
  if (was !== null)
    await sql`
      update change_counter
      set closed_seq = null, closed_for = null, seq = ${further}, trimmed = ${further}
      where org_id = ${orgId}
    `.execute(tx);
  return was;
};

/** False: the shop is closed. Else it is not closed before this transaction ends, though it may raise no counter. */
export const keepOpen = async (tx: Tx, orgId: Uuid): Promise<boolean> => {
  const { rows } = await sql<{ isOpen: boolean }>`
    select closed_seq is null as "isOpen" from change_counter where org_id = ${orgId} for key share
  `.execute(tx);
  return rows[0]?.isOpen !== false;
};

export const isShopClosed = async (db: Tx, orgId: Uuid): Promise<boolean> => {
  const { rows } = await sql<{ isClosed: boolean }>`
    select closed_seq is not null as "isClosed" from change_counter where org_id = ${orgId}
  `.execute(db);
  return rows[0]?.isClosed === true;
};

/** Whether the shop is open, as a condition of a statement. */
export const isOpen = (orgId: RawBuilder<Uuid>, ofShops: OfShops = OF_ANY): RawBuilder<unknown> => sql`
  not exists (select from change_counter closed
              where closed.org_id = ${orgId} and closed.closed_seq is not null and ${ofShops('closed.org_id')})`;

/** Of all shops whose nodes answer. */
export const closedShops = async (db: Tx): Promise<ReadonlySet<Uuid>> => {
  const rows = await rowsHeard(
    db,
    (ofShops) => sql<{ id: Uuid }>`
    select org_id as id from change_counter where closed_seq is not null and ${ofShops('org_id')}
  `,
  );
  return new Set(rows.map(({ id }) => id));
};

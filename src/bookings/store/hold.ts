/** Starts that are kept for a guest for some minutes (`expires_at`), at most one per device and client address. */
import { sql, type Insertable, type Kysely, type Selectable } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant, Span } from '../../kernel/time.ts';
import type { Database } from '../../platform/store/schema.ts';
import { deleteBatch } from '../../platform/store/sweep.ts';
import { at } from '../../platform/store/types.ts';

type Db = Kysely<Database>;

export type StoredHold = Selectable<Database['booking_hold']>;

export interface HoldQuestion {
  readonly orgId: Uuid;
  readonly branchId: Uuid;
  readonly span: Span;
  readonly now: Instant;
  /** A hold that counts as absent. */
  readonly without: Uuid | null;
}

/** Those in force that overlap the span. */
export const holdsWithin = async (
  db: Db,
  { orgId, branchId, span, now, without }: HoldQuestion,
): Promise<readonly StoredHold[]> => {
  const { rows } = await sql<StoredHold>`
    select * from booking_hold
    where org_id = ${orgId} and branch_id = ${branchId} and expires_at > ${at(now)}
      and starts_at < ${at(span.end)} and ends_at > ${at(span.start)} and id is distinct from ${without}
    order by starts_at, id
  `.execute(db);
  return rows;
};

/** Null: unknown, or expired. */
export const holdByToken = async (
  db: Db,
  orgId: Uuid,
  tokenHash: Uint8Array,
  now: Instant,
): Promise<StoredHold | null> => {
  const { rows } = await sql<StoredHold>`
    select * from booking_hold
    where org_id = ${orgId} and token_hash = ${tokenHash} and expires_at > ${at(now)}
  `.execute(db);
  return rows[0] ?? null;
};

/** Of the client's address, or with the token; expired ones too. */
export const deleteHoldsOf = async (
  tx: Db,
  orgId: Uuid,
  { clientHash, tokenHash }: { readonly clientHash: Uint8Array; readonly tokenHash: Uint8Array | null },
): Promise<readonly StoredHold[]> => {
  const { rows } = await sql<StoredHold>`
    delete from booking_hold
    where org_id = ${orgId} and (client_hash = ${clientHash} or token_hash = ${tokenHash})
    returning *
  `.execute(tx);
  return rows;
};

export const deleteHold = async (tx: Db, orgId: Uuid, id: Uuid): Promise<void> => {
  await sql`delete from booking_hold where org_id = ${orgId} and id = ${id}`.execute(tx);
};

/** Takes the place of a hold that the address made meanwhile. */
export const insertHold = (
  tx: Db,
  { org_id, ...hold }: Insertable<Database['booking_hold']>,
): Promise<StoredHold> => {
  return tx
    .insertInto('booking_hold')
    .values({ org_id, ...hold })
    .onConflict((conflict) => conflict.columns(['org_id', 'client_hash']).doUpdateSet(hold))
    .returningAll()
    .executeTakeFirstOrThrow();
};

export const moveHold = async (tx: Db, orgId: Uuid, id: Uuid, tableIds: readonly Uuid[]): Promise<void> => {
  await sql`
    update booking_hold set table_ids = ${[...tableIds]}::uuid[] where org_id = ${orgId} and id = ${id}
  `.execute(tx);
};

export const deleteExpiredHolds = (db: Db, now: Instant, limit: number): Promise<number> =>
  deleteBatch(db, 'booking_hold', sql`expires_at <= ${at(now)}`, limit);

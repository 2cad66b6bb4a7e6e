/** Times that the staff keep free of bookings, at some tables or at the whole branch. */
import { sql, type Insertable, type Kysely, type Selectable } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant, Span } from '../../kernel/time.ts';
import type { Database } from '../../platform/store/schema.ts';
import { at } from '../../platform/store/types.ts';

type Db = Kysely<Database>;

export type StoredBlock = Selectable<Database['booking_block']>;

export interface BlockQuestion {
  readonly orgId: Uuid;
  readonly branchId: Uuid;
  readonly span: Span;
}

/** Those in force that overlap the span, in order of their start. */
export const blocksWithin = async (
  db: Db,
  { orgId, branchId, span }: BlockQuestion,
): Promise<readonly StoredBlock[]> => {
  const { rows } = await sql<StoredBlock>`
    select * from booking_block
    where org_id = ${orgId} and branch_id = ${branchId} and lifted_at is null
      and starts_at < ${at(span.end)} and ends_at > ${at(span.start)}
    order by starts_at, id
  `.execute(db);
  return rows;
};

export const blockById = async (db: Db, orgId: Uuid, id: Uuid): Promise<StoredBlock | null> => {
  const { rows } = await sql<StoredBlock>`
    select * from booking_block where org_id = ${orgId} and id = ${id}
  `.execute(db);
  return rows[0] ?? null;
};

export const insertBlock = async (
  tx: Db,
  block: Insertable<Database['booking_block']>,
): Promise<StoredBlock> =>
  tx.insertInto('booking_block').values(block).returningAll().executeTakeFirstOrThrow();

/** Null: it was lifted before. */
export const liftBlock = async (
  tx: Db,
  { org_id: orgId, id }: StoredBlock,
  now: Instant,
): Promise<StoredBlock | null> => {
  const { rows } = await sql<StoredBlock>`
    update booking_block set lifted_at = ${at(now)}
    where org_id = ${orgId} and id = ${id} and lifted_at is null
    returning *
  `.execute(tx);
  return rows[0] ?? null;
};

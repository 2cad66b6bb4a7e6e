import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import { rowsHeard, type OfShops } from '../../platform/store/nodes/everywhere.ts';
import type { Database } from '../../platform/store/schema.ts';
import { deleteBatch, type DueQuery } from '../../platform/store/sweep.ts';
import { at } from '../../platform/store/types.ts';

type Db = Kysely<Database>;

export interface UnconfirmedOrder {
  readonly orgId: Uuid;
  readonly id: Uuid;
  readonly minutes: number;
}

/** Oldest first. Reads the partial index on `received`. */
export const unconfirmedOrdersQuery = (
  { now, without, limit }: DueQuery,
  ofShops: OfShops,
): RawBuilder<UnconfirmedOrder> => sql`
  select o.org_id as "orgId", o.id, b.auto_reject_minutes as minutes
  from delivery_order o
  join branch b on b.org_id = o.org_id and b.id = o.branch_id
  where o.status = 'received' and o.created_at < ${at(now)}
    and o.created_at + b.auto_reject_minutes * interval '1 minute' < ${at(now)}
    and o.id <> all(${[...without]}::uuid[]) and ${ofShops('o.org_id')} and ${ofShops('b.org_id')}
  order by o.created_at
  limit ${limit}
`;

export const unconfirmedOrders = async (db: Db, query: DueQuery): Promise<readonly UnconfirmedOrder[]> =>
  await rowsHeard(db, (ofShops) => unconfirmedOrdersQuery(query, ofShops));

export const deleteExpiredBrakeLifts = (db: Db, now: Instant, limit: number): Promise<number> =>
  deleteBatch(db, 'order_brake_lift', sql`until <= ${at(now)}`, limit);

export const deleteExpiredStreamTokens = (db: Db, now: Instant, limit: number): Promise<number> =>
  deleteBatch(db, 'stream_token', sql`expires_at <= ${at(now)}`, limit);

export const deleteExpiredIdempotencyKeys = (db: Db, before: Instant, limit: number): Promise<number> =>
  deleteBatch(db, 'idempotency_key', sql`created_at < ${at(before)}`, limit);

/**
 * The buckets that processes have in common. The only file that reads the database's clock: the clocks of machines
 * differ by seconds, which is a large part of a bucket, and no rule of the business depends on these rows.
 */
import { sql, type Kysely } from 'kysely';
import type { Database } from './schema.ts';
import { deleteBatch } from './sweep.ts';

/** No data of a shop: backups leave it out. */
export const REQUEST_LIMIT_TABLE = 'request_limit';

const CLOCK_MS = sql`extract(epoch from clock_timestamp())::double precision * 1000`;

export interface TakenFrom {
  readonly bucket: string;
  /** A bucket never owes more, ms. */
  readonly mostOwedMs: number;
  /** Each client once. */
  readonly takings: readonly { readonly client: Buffer; readonly ms: number }[];
}

export interface OwedByAll {
  readonly client: Buffer;
  readonly ms: number;
}

/**
 * Adds what this process has let clients take; returns what all processes together owe now. Every process locks the
 * rows in one order, so that two never wait for each other. A clock that was set back leaves at most `mostOwedMs`.
 */
export const addTakings = async (
  db: Kysely<Database>,
  { bucket, mostOwedMs, takings }: TakenFrom,
): Promise<readonly OwedByAll[]> => {
  const { rows } = await sql<OwedByAll>`
    with clock as materialized (select ${CLOCK_MS} as ms)
    insert into request_limit (bucket, client, full_at)
    select ${bucket}, taken.client, clock.ms + least(taken.ms, ${mostOwedMs}::double precision)
    from clock,
         unnest(${takings.map(({ client }) => client)}::bytea[],
                ${takings.map(({ ms }) => ms)}::double precision[]) as taken (client, ms)
    order by taken.client
    on conflict (bucket, client) do update
    set full_at = least(
      greatest(request_limit.full_at, (select ms from clock)) + excluded.full_at - (select ms from clock),
      (select ms from clock) + ${mostOwedMs}::double precision)
    returning client, full_at - (select ms from clock) as ms
  `.execute(db);
  return rows;
};

/** Returns the number of rows, at most `limit`. */
export const deleteFullBuckets = (db: Kysely<Database>, limit: number): Promise<number> =>
  deleteBatch(db, REQUEST_LIMIT_TABLE, sql`full_at <= ${CLOCK_MS}`, limit);

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

export interface TakenByClient {
  readonly client: Buffer;
  readonly ms: number;
  /** Since the time from which it is counted, ms: a difference, as the clocks of machines differ. */
  readonly ageMs: number;
}

export interface TakenFrom {
  readonly bucket: string;
  /** A bucket never owes more, ms. */
  readonly mostOwedMs: number;
  /** Each client once. */
  readonly takings: readonly TakenByClient[];
}

export interface OwedByAll {
  readonly client: Buffer;
  /** Negative: the bucket has been full for so long. */
  readonly ms: number;
}

/**
 * Adds what this process has let clients take; returns what all processes together owe now. What is taken fills up from
 * the time from which it is counted, also where two processes settle it one after the other. Every process locks the
 * rows in one order, so that two never wait for each other. A clock that was set back leaves at most `mostOwedMs`.
 */
export const addTakings = async (
  db: Kysely<Database>,
  { bucket, mostOwedMs, takings }: TakenFrom,
): Promise<readonly OwedByAll[]> => {
  const ordered = takings.toSorted((a, b) => Buffer.compare(a.client, b.client));
  const clients = sql`${ordered.map(({ client }) => client)}::bytea[]`;
  const taken = sql`${ordered.map(({ ms }) => ms)}::double precision[]`;
  const ages = sql`${ordered.map(({ ageMs }) => ageMs)}::double precision[]`;
  const most = sql`${mostOwedMs}::double precision`;
  // `excluded` has no room for what was taken beside its sum with the time. A binary search finds it.
  const { rows } = await sql<OwedByAll>`
    with clock as materialized (select ${CLOCK_MS} as ms)
    insert into request_limit (bucket, client, full_at)
    select ${bucket}, taken.client, clock.ms + least(taken.ms - taken.age_ms, ${most})
    from clock, unnest(${clients}, ${taken}, ${ages}) as taken (client, ms, age_ms)
    order by taken.client
    on conflict (bucket, client) do update
    set full_at = least(
      greatest(
        request_limit.full_at + (${taken})[width_bucket(excluded.client, ${clients})],
        excluded.full_at),
      (select ms from clock) + ${most})
    returning client, full_at - (select ms from clock) as ms
  `.execute(db);
  return rows;
};

/** Returns the number of rows, at most `limit`. */
export const deleteFullBuckets = (db: Kysely<Database>, limit: number): Promise<number> =>
  deleteBatch(db, REQUEST_LIMIT_TABLE, sql`full_at <= ${CLOCK_MS}`, limit);

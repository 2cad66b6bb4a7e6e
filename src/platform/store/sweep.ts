import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import { inBatch } from './nodes/batch.ts';
import type { Database } from './schema.ts';

/** The parameters of one page of due rows. */
export interface DueQuery {
  readonly now: Instant;
  /** Ids that this run has tried already. */
  readonly without: readonly Uuid[];
  readonly limit: number;
}

/** Deletes at most `limit` rows that match `where` and are not locked; returns their number. */
export const deleteBatch = (
  db: Kysely<Database>,
  table: keyof Database,
  where: RawBuilder<unknown>,
  limit: number,
): Promise<number> =>
  inBatch(db, { table, where, limit }, (rows) => sql`delete from ${sql.table(table)} where ${rows}`);

/** Updates at most `limit` rows that match `where`, which they then no longer do, and are not locked; returns their number. */
export const updateBatch = (
  db: Kysely<Database>,
  table: keyof Database,
  { set, where }: { readonly set: RawBuilder<unknown>; readonly where: RawBuilder<unknown> },
  limit: number,
): Promise<number> =>
  inBatch(db, { table, where, limit }, (rows) => sql`update ${sql.table(table)} set ${set} where ${rows}`);

import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import type { Database } from './schema.ts';

/** The parameters of one page of due rows. */
export interface DueQuery {
  readonly now: Instant;
  /** Ids that this run has tried already. */
  readonly without: readonly Uuid[];
  readonly limit: number;
}

/** Deletes at most `limit` rows that match `where` and are not locked; returns their number. */
export const deleteBatch = async (
  db: Kysely<Database>,
  table: keyof Database,
  where: RawBuilder<unknown>,
  limit: number,
): Promise<number> => {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)}
    where ctid = any(array(select ctid from ${sql.table(table)} where ${where} limit ${limit} for update skip locked))
  `.execute(db);
  return Number(numAffectedRows ?? 0n);
};

import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import { DISTRIBUTIONS } from './nodes/distribution.ts';
import type { Database } from './schema.ts';

/** The parameters of one page of due rows. */
export interface DueQuery {
  readonly now: Instant;
  /** Ids that this run has tried already. */
  readonly without: readonly Uuid[];
  readonly limit: number;
}

/** The column by which a table is spread over nodes. */
const columnOf = (table: keyof Database): string => {
  const distribution = DISTRIBUTIONS[table];
  if (distribution === undefined || distribution === 'everywhere')
    throw new Error(`Nothing of ${table} ends by the clock.`);
  return distribution === 'shop' ? 'org_id' : distribution.by;
};

/**
 * Deletes at most `limit` rows that match `where` and are not locked; returns their number. It looks at all nodes without
 * locks, and deletes what is of one shop, or key, on one of them.
 */
export const deleteBatch = async (
  db: Kysely<Database>,
  table: keyof Database,
  where: RawBuilder<unknown>,
  limit: number,
): Promise<number> => {
  const [from, column] = [sql.table(table), sql.ref(columnOf(table))];
  const { rows } = await sql<{ key: unknown }>`
    select distinct key from (select ${column} as key from ${from} where ${where} limit ${limit}) as due
  `.execute(db);
  let count = 0;
  for (const { key } of rows) {
    const { numAffectedRows } = await sql`
      delete from ${from}
      where ${column} = ${key}
        and ctid = any(array(
          select ctid from ${from} where ${column} = ${key} and ${where} limit ${limit - count} for update skip locked))
    `.execute(db);
    count += Number(numAffectedRows ?? 0n);
  }
  return count;
};

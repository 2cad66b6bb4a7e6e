import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import { spreadBy } from './nodes/distribution.ts';
import type { Database } from './schema.ts';

/** The parameters of one page of due rows. */
export interface DueQuery {
  readonly now: Instant;
  /** Ids that this run has tried already. */
  readonly without: readonly Uuid[];
  readonly limit: number;
}

/** A statement on the chosen rows. */
type OnRows = (rows: RawBuilder<unknown>) => RawBuilder<unknown>;

/**
 * Looks at all nodes, without locks, for at most `limit` rows that match `where`; then runs the statement on those of one
 * shop, or key, after the other, without what is locked. Returns the number of rows that it found; 0 if it got none of
 * them: another process has them, and takes the rest.
 */
const inBatch = async (
  db: Kysely<Database>,
  table: keyof Database,
  { where, limit }: { readonly where: RawBuilder<unknown>; readonly limit: number },
  statement: OnRows,
): Promise<number> => {
  const [from, column] = [sql.table(table), sql.ref(spreadBy(table))];
  const { rows } = await sql<{ key: unknown; found: number }>`
    select key, count(*)::int as found
    from (select ${column} as key from ${from} where ${where} limit ${limit}) as due group by key
  `.execute(db);
  let taken = 0n;
  for (const { key, found } of rows) {
    const chosen = sql`
      ${column} = ${key} and ctid = any(array(
        select ctid from ${from} where ${column} = ${key} and ${where} limit ${found} for update skip locked))`;
    taken += (await statement(chosen).execute(db)).numAffectedRows ?? 0n;
  }
  return taken === 0n ? 0 : rows.reduce((sum, { found }) => sum + found, 0);
};

/** Deletes at most `limit` rows that match `where` and are not locked. Returns what `inBatch` does. */
export const deleteBatch = (
  db: Kysely<Database>,
  table: keyof Database,
  where: RawBuilder<unknown>,
  limit: number,
): Promise<number> =>
  inBatch(db, table, { where, limit }, (rows) => sql`delete from ${sql.table(table)} where ${rows}`);

/** Updates at most `limit` rows that match `where`, which they then no longer do, and are not locked. Returns what `inBatch` does. */
export const updateBatch = (
  db: Kysely<Database>,
  table: keyof Database,
  { set, where }: { readonly set: RawBuilder<unknown>; readonly where: RawBuilder<unknown> },
  limit: number,
): Promise<number> =>
  inBatch(db, table, { where, limit }, (rows) => sql`update ${sql.table(table)} set ${set} where ${rows}`);

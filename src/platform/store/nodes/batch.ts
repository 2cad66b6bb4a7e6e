/** A bounded number of rows of all shops. One server chooses them with locks; Citus locks no rows over nodes. */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { spreadBy } from './distribution.ts';
import { isSpread } from './spread.ts';

export interface Batch {
  readonly table: string;
  readonly where: RawBuilder<unknown>;
  readonly limit: number;
}

/** A statement on the chosen rows. */
type OnRows = (rows: RawBuilder<unknown>) => RawBuilder<unknown>;

/** Of those that match `where`, without what is locked. */
const chosen = ({ table, where, limit }: Batch): RawBuilder<unknown> => sql`
  ctid = any(array(select ctid from ${sql.table(table)} where ${where} limit ${limit} for update skip locked))`;

const send = async <DB>(db: Kysely<DB>, statement: RawBuilder<unknown>): Promise<number> =>
  Number((await statement.execute(db)).numAffectedRows ?? 0n);

/**
 * Looks at all nodes without locks, then runs the statement for one shop, or key, after the other. Returns the number of
 * rows that it found; 0 if it got none of them: another process has them, and takes the rest.
 */
const byKey = async <DB>(
  db: Kysely<DB>,
  column: RawBuilder<unknown>,
  batch: Batch,
  statement: OnRows,
): Promise<number> => {
  const { rows } = await sql<{ key: unknown; found: number }>`
    select key, count(*)::int as found
    from (select ${column} as key from ${sql.table(batch.table)} where ${batch.where} limit ${batch.limit}) as due
    group by key
  `.execute(db);
  let [all, taken] = [0, 0];
  for (const { key, found } of rows) {
    const own = { ...batch, where: sql`${column} = ${key} and ${batch.where}`, limit: found };
    taken += await send(db, statement(sql`${column} = ${key} and ${chosen(own)}`));
    all += found;
  }
  return taken === 0 ? 0 : all;
};

/** The number of rows, or of those that `byKey` found. */
export const inBatch = async <DB>(db: Kysely<DB>, batch: Batch, statement: OnRows): Promise<number> => {
  const column = (await isSpread(db)) ? spreadBy(batch.table) : null;
  return column === null ? send(db, statement(chosen(batch))) : byKey(db, sql.ref(column), batch, statement);
};

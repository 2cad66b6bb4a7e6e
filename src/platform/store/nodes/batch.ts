/** A bounded number of rows of all shops. One server chooses them with locks; Citus locks no rows over nodes. */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { isOfSilentNode } from '../unavailable.ts';
import { spreadBy } from './distribution.ts';
import { rowsHeard } from './everywhere.ts';
import { areAllHeard, isSpread } from './spread.ts';

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

interface Found {
  readonly key: unknown;
  readonly count: number;
}

/** Nothing is found of what is spread by another key while a node is silent. */
const find = async <DB>(db: Kysely<DB>, key: string, batch: Batch): Promise<readonly Found[]> => {
  const due = (where: RawBuilder<unknown>): RawBuilder<Found> => sql`
    select key, count(*)::int as count
    from (select ${sql.ref(key)} as key from ${sql.table(batch.table)} where ${where} limit ${batch.limit}) as due
    group by key`;
  if (key === 'org_id') return await rowsHeard(db, (ofShops) => due(sql`${batch.where} and ${ofShops(key)}`));
  return (await areAllHeard(db)) ? (await due(batch.where).execute(db)).rows : [];
};

/**
 * Looks at all nodes without locks, then runs the statement for one shop, or key, after the other. Returns the number of
 * rows that it found; 0 if it got none of them: another process has them, and takes the rest, or their node is silent.
 */
const byKey = async <DB>(db: Kysely<DB>, key: string, batch: Batch, statement: OnRows): Promise<number> => {
  const column = sql.ref(key);
  let [all, taken] = [0, 0];
  for (const found of await find(db, key, batch)) {
    const own = { ...batch, where: sql`${column} = ${found.key} and ${batch.where}`, limit: found.count };
    all += found.count;
    try {
      taken += await send(db, statement(sql`${column} = ${found.key} and ${chosen(own)}`));
    } catch (fault) {
      if (!isOfSilentNode(fault)) throw fault;
    }
  }
  return taken === 0 ? 0 : all;
};

/** The number of rows, or of those that `byKey` found. */
export const inBatch = async <DB>(db: Kysely<DB>, batch: Batch, statement: OnRows): Promise<number> => {
  const column = (await isSpread(db)) ? spreadBy(batch.table) : null;
  return column === null ? send(db, statement(chosen(batch))) : byKey(db, column, batch, statement);
};

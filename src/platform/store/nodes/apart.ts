/**
 * Parts of a statement about a shop that no node could run with it. One server answers all at once. Where tables are spread
 * over nodes, a part is sent first, and its answer stands in the statement: what belongs to no shop is on another node, and
 * Citus sends what a part has inserted to all nodes where another part inserts more with it.
 */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { isSilence } from '../unavailable.ts';
import { rowOfAnyShop, type OfShops } from './everywhere.ts';
import { isSpread, nodesOf, type Answer } from './spread.ts';

/** SQL types of the columns of a query. */
export type ColumnTypes<R> = Readonly<Record<keyof R & string, string>>;

/** Values as texts, which PostgreSQL reads again as they were. `known`: earlier parts, of which the query may read. */
const answerOf = async <DB, R>(
  db: Kysely<DB>,
  { query, types }: Query<R>,
  known: readonly RawBuilder<unknown>[] = [],
): Promise<readonly Answer[]> => {
  const texts = Object.keys(types).map((name) => sql`${sql.ref(name)}::text`);
  const parts = [...known, sql`answer as (${query})`];
  const { rows } = await sql<Answer>`with ${sql.join(parts)} select ${sql.join(texts)} from answer`.execute(
    db,
  );
  return rows;
};

const asQuery = <R>(rows: readonly Answer[], types: ColumnTypes<R>): RawBuilder<R> => {
  const selectOf = (row: Answer): RawBuilder<unknown> => {
    const columns = Object.entries<string>(types).map(
      ([name, type]) => sql`${row[name] ?? null}::${sql.raw(type)} as ${sql.ref(name)}`,
    );
    return sql`select ${sql.join(columns)}`;
  };
  return rows.length === 0
    ? sql<R>`${selectOf({})} where false`
    : sql<R>`${sql.join(rows.map(selectOf), sql` union all `)}`;
};

/** A query that may have to be sent apart. */
export interface Query<R> {
  /** It may write. */
  readonly query: RawBuilder<R>;
  /** Of its columns, at least one. */
  readonly types: ColumnTypes<R>;
  /** It finds nothing, and need not be sent. */
  readonly isEmpty?: boolean;
}

/** The query as a part of a statement of `db`. */
export const apart = async <DB, R>(db: Kysely<DB>, query: Query<R>): Promise<RawBuilder<R>> => {
  if (!(await isSpread(db))) return query.query;
  return asQuery(query.isEmpty === true ? [] : await answerOf(db, query), query.types);
};

/** The named queries, each of which may read of those before it, as they follow `with` in a statement of `db`. */
export const inSteps = async <DB>(
  db: Kysely<DB>,
  queries: Readonly<Record<string, Query<unknown>>>,
): Promise<RawBuilder<unknown>> => {
  const isApart = await isSpread(db);
  const parts: RawBuilder<unknown>[] = [];
  for (const [name, query] of Object.entries(queries)) {
    const answer = isApart
      ? asQuery(query.isEmpty === true ? [] : await answerOf(db, query, parts), query.types)
      : query.query;
    // As a part that was materialized, Citus would send the answer to all nodes.
    parts.push(sql`${sql.ref(name)} as ${isApart ? sql`not materialized ` : sql``}(${answer})`);
  }
  return sql.join(parts);
};

export interface Heard<R> {
  /** Without rows where the node is silent. */
  readonly query: RawBuilder<R>;
  /** Whether the node that has the rows answers; one server answers or refuses the whole statement. */
  readonly isHeard: boolean;
}

/** Null: the node that has the answer is silent. One server answers or throws. */
const ifHeard = async <DB, T>(db: Kysely<DB>, read: () => Promise<T>): Promise<T | null> => {
  if (!(await isSpread(db))) return read();
  try {
    return await read();
  } catch (fault) {
    if (!isSilence(fault)) throw fault;
    return null;
  }
};

/** As `apart`, for a read outside a transaction that can be done without. */
export const apartIfHeard = async <DB, R>(db: Kysely<DB>, query: Query<R>): Promise<Heard<R>> => {
  const heard = await ifHeard(db, () => apart(db, query));
  return heard === null
    ? { query: asQuery([], query.types), isHeard: false }
    : { query: heard, isHeard: true };
};

/** The rows, read outside a transaction; null: their node is silent. */
export const rowsIfHeard = async <DB, R>(
  db: Kysely<DB>,
  { query, isEmpty }: Query<R>,
): Promise<readonly R[] | null> =>
  isEmpty === true ? [] : ifHeard(db, async () => (await query.execute(db)).rows);

/** Some 200 bytes each. */
const MAX_REMEMBERED = 20_000;

/**
 * As `apart`, of a row that never changes: it is asked once, so that it is found while its node is silent. `beside`: where
 * shops have the same, which is asked for while any node is silent.
 */
export const apartForGood = async <DB, R>(
  db: Kysely<DB>,
  query: Query<R>,
  name: string,
  beside: ((ofShops: OfShops) => RawBuilder<R>) | null,
): Promise<RawBuilder<R>> => {
  const nodes = await nodesOf(db);
  if (nodes === null) return query.query;
  const { remembered, silent } = nodes;
  const ask = async (): Promise<readonly Answer[]> => {
    if (silent.count === 0 || beside === null) return answerOf(db, query);
    const row = await rowOfAnyShop(db, (ofShops) => sql<Answer>`${beside(ofShops)}`);
    return row === null ? [] : [row];
  };
  const rows = remembered.get(name) ?? (await ask());
  if (rows.length > 0) remembered.set(name, rows);
  const [oldest] = remembered.keys();
  if (remembered.size > MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
  return asQuery(rows, query.types);
};

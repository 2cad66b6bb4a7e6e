/**
 * Queries about what belongs to no shop, as parts of a statement about a shop. One server answers both at once. Where
 * tables are spread over nodes, no node has both: the query is sent first, and its answer stands in the statement.
 */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { DatabaseUnavailable } from '../unavailable.ts';
import { isSpread, rememberedIn, type Answer } from './spread.ts';

/** SQL types of the columns of a query. */
export type ColumnTypes<R> = Readonly<Record<keyof R & string, string>>;

/** Values as texts, which PostgreSQL reads again as they were. */
const answerOf = async <DB, R>(
  db: Kysely<DB>,
  query: RawBuilder<R>,
  names: readonly string[],
): Promise<readonly Answer[]> => {
  const texts = names.map((name) => sql`${sql.ref(name)}::text`);
  const { rows } = await sql<Answer>`with answer as (${query}) select ${sql.join(texts)} from answer`.execute(
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

/** A query about what belongs to no shop. */
export interface Query<R> {
  /** It may write. */
  readonly query: RawBuilder<R>;
  /** Of its columns, at least one. */
  readonly types: ColumnTypes<R>;
  /** It finds nothing, and need not be sent. */
  readonly isEmpty?: boolean;
}

/** The query as a part of a statement of `db`. */
export const apart = async <DB, R>(
  db: Kysely<DB>,
  { query, types, isEmpty = false }: Query<R>,
): Promise<RawBuilder<R>> => {
  if (!(await isSpread(db))) return query;
  return asQuery(isEmpty ? [] : await answerOf(db, query, Object.keys(types)), types);
};

/** Whether a node, or the server, does not answer. */
export const isSilence = (fault: unknown): boolean =>
  fault instanceof DatabaseUnavailable && (fault.reason === 'lost' || fault.reason === 'slow');

export interface Heard<R> {
  /** Without rows where the node is silent. */
  readonly query: RawBuilder<R>;
  /** Whether the node that has the rows answers; one server answers or refuses the whole statement. */
  readonly isHeard: boolean;
}

/** As `apart`, for a read outside a transaction that can be done without. */
export const apartIfHeard = async <DB, R>(db: Kysely<DB>, query: Query<R>): Promise<Heard<R>> => {
  try {
    return { query: await apart(db, query), isHeard: true };
  } catch (fault) {
    if (!isSilence(fault)) throw fault;
    return { query: asQuery([], query.types), isHeard: false };
  }
};

/** Some 200 bytes each. */
const MAX_REMEMBERED = 20_000;

/** As `apart`, of a row that never changes: it is asked once, so that it is found while its node is silent. */
export const apartForGood = async <DB, R>(
  db: Kysely<DB>,
  { query, types }: Query<R>,
  name: string,
): Promise<RawBuilder<R>> => {
  const remembered = await rememberedIn(db);
  if (remembered === null) return query;
  const rows = remembered.get(name) ?? (await answerOf(db, query, Object.keys(types)));
  if (rows.length > 0) remembered.set(name, rows);
  const [oldest] = remembered.keys();
  if (remembered.size > MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
  return asQuery(rows, types);
};

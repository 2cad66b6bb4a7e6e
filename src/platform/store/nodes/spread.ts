/** Whether the tables of a database are spread over nodes: a pool asks once, with the first query that must know. */
import { PostgresAdapter, PostgresDialect, sql, type Kysely } from 'kysely';

/** A row as texts. */
export type Answer = Readonly<Record<string, string | null>>;

/** A pool and its transactions share it. */
class NodesAdapter extends PostgresAdapter {
  /** Null: not asked yet. */
  isSpread: boolean | null = null;
  /** Answers that never change. */
  readonly remembered = new Map<string, readonly Answer[]>();
}

export class NodesDialect extends PostgresDialect {
  override createAdapter(): NodesAdapter {
    return new NodesAdapter();
  }
}

/** Null: not spread. */
const nodesOf = async <DB>(db: Kysely<DB>): Promise<NodesAdapter | null> => {
  const { adapter } = db.getExecutor();
  if (!(adapter instanceof NodesAdapter)) return null;
  if (adapter.isSpread === null) {
    const { rows } = await sql<{ is: boolean }>`
      select exists (select from pg_catalog.pg_extension where extname = 'citus') as is
    `.execute(db);
    adapter.isSpread = rows[0]?.is === true;
  }
  return adapter.isSpread ? adapter : null;
};

export const isSpread = async <DB>(db: Kysely<DB>): Promise<boolean> => (await nodesOf(db)) !== null;

/** Null: not spread. */
export const rememberedIn = async <DB>(db: Kysely<DB>): Promise<Map<string, readonly Answer[]> | null> =>
  (await nodesOf(db))?.remembered ?? null;

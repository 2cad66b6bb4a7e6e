/** Whether the tables of a database are spread over nodes: it is asked once, with the first query that must know. */
import {
  PostgresAdapter,
  PostgresDialect,
  sql,
  type Kysely,
  type PostgresPool,
  type PostgresPoolClient,
} from 'kysely';
import type { Place } from '../place.ts';
import { DatabaseUnavailable, isOfNode, isSilence } from '../unavailable.ts';
import { SilentNodes, type OnNode } from './silent-nodes.ts';

/** A row as texts. */
export type Answer = Readonly<Record<string, string | null>>;

/** What pools of one database and their transactions share. */
export class Nodes {
  /** Null: not asked yet. */
  isSpread: boolean | null = null;
  /** Answers that never change. */
  readonly remembered = new Map<string, readonly Answer[]>();
  readonly silent: SilentNodes;
  readonly #pool: PostgresPool;
  readonly #place: Place;

  /** `pool`: its own, to ask nodes whether they answer. */
  constructor(pool: PostgresPool, place: Place, onNode: OnNode) {
    this.#pool = pool;
    this.#place = place;
    this.silent = new SilentNodes(pool, onNode);
  }

  silence(cause?: unknown): DatabaseUnavailable {
    return new DatabaseUnavailable('silent', { cause, place: this.#place });
  }

  end(): Promise<void> {
    return this.#pool.end();
  }
}

const clientThatKnows = (client: PostgresPoolClient, nodes: Nodes): PostgresPoolClient => {
  const query = async (text: string, parameters: readonly unknown[]): Promise<unknown> => {
    if (nodes.silent.has(parameters)) throw nodes.silence();
    try {
      return await client.query(text, parameters);
    } catch (fault) {
      if (nodes.isSpread === false || !(isOfNode(fault) || (nodes.isSpread && isSilence(fault)))) throw fault;
      void nodes.silent.look();
      throw isOfNode(fault) ? nodes.silence(fault.cause) : fault;
    }
  };
  return { query: query as PostgresPoolClient['query'], release: () => client.release() };
};

class NodesAdapter extends PostgresAdapter {
  readonly nodes: Nodes;

  constructor(nodes: Nodes) {
    super();
    this.nodes = nodes;
  }
}

export class NodesDialect extends PostgresDialect {
  readonly #nodes: Nodes;

  constructor(pool: PostgresPool, nodes: Nodes) {
    const connect = async (): Promise<PostgresPoolClient> => clientThatKnows(await pool.connect(), nodes);
    super({ pool: { connect, end: () => pool.end() } });
    this.#nodes = nodes;
  }

  override createAdapter(): NodesAdapter {
    return new NodesAdapter(this.#nodes);
  }
}

/** Citus may be there and the tables on one server all the same. Its list of them cannot be named where it is not there. */
const isSpreadIn = async <DB>(db: Kysely<DB>): Promise<boolean> => {
  const { rows: citus } = await sql`select where to_regclass('pg_dist_partition') is not null`.execute(db);
  if (citus.length === 0) return false;
  const { rows } = await sql`
    select from pg_dist_partition where logicalrelid = to_regclass('shop')
  `.execute(db);
  return rows.length > 0;
};

/** Null: not spread. */
export const nodesOf = async <DB>(db: Kysely<DB>): Promise<Nodes | null> => {
  const { adapter } = db.getExecutor();
  if (!(adapter instanceof NodesAdapter)) return null;
  const { nodes } = adapter;
  nodes.isSpread ??= await isSpreadIn(db);
  return nodes.isSpread ? nodes : null;
};

export const isSpread = async <DB>(db: Kysely<DB>): Promise<boolean> => (await nodesOf(db)) !== null;

/** False: a node is known to be silent. */
export const areAllHeard = async <DB>(db: Kysely<DB>): Promise<boolean> =>
  ((await nodesOf(db))?.silent.count ?? 0) === 0;

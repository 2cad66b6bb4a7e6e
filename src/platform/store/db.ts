import { setTimeout as pause } from 'node:timers/promises';
import { Kysely, sql } from 'kysely';
import type { Transaction } from 'kysely';
import { Nodes, NodesDialect } from './nodes/spread.ts';
import type { OnNode } from './nodes/silent-nodes.ts';
import { placeOf } from './place.ts';
import { openPool } from './pool.ts';
import type { ConnectionOptions, Connections, PoolOptions } from './pool.ts';
import { DatabaseUnavailable } from './unavailable.ts';

export { DatabaseUnavailable } from './unavailable.ts';
export { at } from './types.ts';
export type { ConnectionOptions } from './pool.ts';

export interface Db<DB> {
  /** Outside a transaction. */
  readonly kysely: Kysely<DB>;
  /**
   * Runs `work` in one transaction (read committed). Deadlocks and serialization failures run `work` again,
   * so it must have no effect outside the transaction. Throws DatabaseUnavailable.
   */
  tx<T>(work: (tx: Transaction<DB>) => Promise<T>): Promise<T>;
  /** Runs `work` in one snapshot (repeatable read, read only). */
  snapshot<T>(work: (tx: Transaction<DB>) => Promise<T>): Promise<T>;
  /** One round trip. Throws DatabaseUnavailable. */
  ping(): Promise<void>;
  /** Time since a write found the database's disk full; Infinity when none did. */
  msSinceFull(): number;
  counts(): ReturnType<Connections['counts']>;
  readonly nodes: Nodes;
  /** Waits for running work, then closes every connection. Idempotent. */
  close(): Promise<void>;
}

export type DbOptions = Partial<PoolOptions> & {
  /** Called when a node of a spread database stops or begins to answer. */
  readonly onNode?: OnNode;
  /** Of another pool of the same database. */
  readonly nodes?: Nodes;
};

const DEFAULTS: PoolOptions = {
  size: 10,
  waiting: 100,
  acquireMs: 500,
  connectMs: null,
  statementMs: 5_000,
  answerMs: 6_000,
  idleMs: 6_000,
  applicationName: 'ahwa',
  onLost: () => undefined,
  listening: null,
};

/**
 * For commands: an import computes between its statements (20,000 items in five sizes with four prices each:
 * 15 s) and writes whole menus in one statement.
 */
export const COMMAND_OPTIONS = {
  ...{ acquireMs: 10_000, statementMs: 10 * 60_000, answerMs: 11 * 60_000, idleMs: 0 },
} as const satisfies DbOptions;

const MAX_ATTEMPTS = 5;
const FIRST_PAUSE_MS = 10;

/** Exponential back-off with jitter, so that transactions do not collide again. */
const pauseBefore = (next: number): Promise<void> =>
  pause(FIRST_PAUSE_MS * 2 ** next * (0.5 + Math.random()));

export const retryContended = async <T>(run: () => Promise<T>): Promise<T> => {
  for (let tried = 1; ; tried += 1) {
    try {
      return await run();
    } catch (fault) {
      const collided = fault instanceof DatabaseUnavailable && fault.reason === 'contended';
      if (!collided || tried === MAX_ATTEMPTS) throw fault;
      await pauseBefore(tried);
    }
  }
};

/**
 * One for a node that lets them wait, one for all others: a new session of Citus costs as much as several orders. Questions
 * to many silent nodes wait for each other; where the coordinator is gone, nothing does.
 */
const LOOKS = {
  ...DEFAULTS,
  ...{ size: 2, acquireMs: 60_000, connectMs: 3_000, applicationName: 'ahwa nodes' },
};

/** Connects on the first query. */
export const connect = <DB>(
  connection: ConnectionOptions,
  { onNode = () => undefined, nodes: shared, ...options }: DbOptions = {},
): Db<DB> => {
  const pool = openPool(connection, { ...DEFAULTS, ...options });
  const nodes = shared ?? new Nodes(openPool(connection, LOOKS), placeOf(connection), onNode);
  const kysely = new Kysely<DB>({ dialect: new NodesDialect(pool, nodes) });
  let closed: Promise<void> | null = null;
  return {
    nodes,
    kysely,
    tx: (work) => retryContended(() => kysely.transaction().execute(work)),
    snapshot: (work) =>
      retryContended(() =>
        kysely.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work),
      ),
    ping: async () => {
      await sql`select 1`.execute(kysely);
    },
    msSinceFull: () => pool.msSinceFull(),
    counts: () => pool.counts(),
    close: () =>
      (closed ??= Promise.all([pool.end(), shared === undefined ? nodes.end() : null]).then(() => undefined)),
  };
};

/** A standby, or set read-only. */
export const isReadOnly = async <DB>({ kysely }: Pick<Db<DB>, 'kysely'>): Promise<boolean> => {
  const { rows } = await sql<{ is: boolean }>`
    select current_setting('transaction_read_only')::boolean as is
  `.execute(kysely);
  return rows[0]?.is === true;
};

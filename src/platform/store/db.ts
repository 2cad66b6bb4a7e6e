/** The database as the rest of the program sees it: queries, transactions that are tried again, snapshots. */
import { setTimeout as pause } from 'node:timers/promises';
import { Kysely, PostgresDialect, sql } from 'kysely';
import type { Transaction } from 'kysely';
import { openPool } from './pool.ts';
import type { ConnectionOptions, Connections, PoolOptions } from './pool.ts';
import { DatabaseUnavailable } from './unavailable.ts';

export { DatabaseUnavailable } from './unavailable.ts';
export { at } from './types.ts';
export type { ConnectionOptions } from './pool.ts';

export interface Db<DB> {
  /** Single statements outside a transaction. */
  readonly kysely: Kysely<DB>;
  /**
   * Runs `work` in one transaction (read committed). Deadlocks and serialisation faults run it again from the
   * start, so `work` must do nothing outside the transaction. Throws DatabaseUnavailable.
   */
  tx<T>(work: (tx: Transaction<DB>) => Promise<T>): Promise<T>;
  /** Runs `work` against one unchanging state of the database (repeatable read, read only). */
  snapshot<T>(work: (tx: Transaction<DB>) => Promise<T>): Promise<T>;
  /** One round trip; throws DatabaseUnavailable when there is no answer. */
  ping(): Promise<void>;
  /** How long ago a write found no space on the database's disk; Infinity where none did. */
  msSinceFull(): number;
  /** Connections in use and idle, and requests waiting for one. */
  counts(): ReturnType<Connections['counts']>;
  /** Waits for what runs, then closes every connection. Safe to call twice. */
  close(): Promise<void>;
}

export type DbOptions = Partial<PoolOptions>;

const DEFAULTS: PoolOptions = {
  size: 10,
  waiting: 100,
  acquireMs: 500,
  statementMs: 5_000,
  answerMs: 6_000,
  idleMs: 6_000,
  applicationName: 'ahwa',
  onLost: () => undefined,
};

/**
 * For a command, which nobody else waits for: an import computes between its statements (20,000 items in five sizes with
 * four prices each: 15 s), and its statements write whole menus.
 */
export const UNHURRIED = {
  ...{ acquireMs: 10_000, statementMs: 10 * 60_000, answerMs: 11 * 60_000, idleMs: 0 },
} as const satisfies DbOptions;

const TRIES = 5;
const FIRST_PAUSE_MS = 10;

/** Waits grow and are shuffled, so that transactions that collided do not collide again in step. */
const pauseBefore = (next: number): Promise<void> =>
  pause(FIRST_PAUSE_MS * 2 ** next * (0.5 + Math.random()));

const triedAgain = async <T>(run: () => Promise<T>): Promise<T> => {
  for (let tried = 1; ; tried += 1) {
    try {
      return await run();
    } catch (fault) {
      const collided = fault instanceof DatabaseUnavailable && fault.reason === 'contended';
      if (!collided || tried === TRIES) throw fault;
      await pauseBefore(tried);
    }
  }
};

/** Opens no connection yet: the first query does. */
export const connect = <DB>(connection: ConnectionOptions, options: DbOptions = {}): Db<DB> => {
  const pool = openPool(connection, { ...DEFAULTS, ...options });
  const kysely = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  let closed: Promise<void> | null = null;
  return {
    kysely,
    tx: (work) => triedAgain(() => kysely.transaction().execute(work)),
    snapshot: (work) =>
      triedAgain(() =>
        kysely.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work),
      ),
    ping: async () => {
      await sql`select 1`.execute(kysely);
    },
    msSinceFull: () => pool.msSinceFull(),
    counts: () => pool.counts(),
    close: () => (closed ??= pool.end()),
  };
};

/** Whether nothing can be written: a standby, or a database that was set so. */
export const isReadOnly = async <DB>({ kysely }: Pick<Db<DB>, 'kysely'>): Promise<boolean> => {
  const { rows } = await sql<{ is: boolean }>`
    select current_setting('transaction_read_only')::boolean as is
  `.execute(kysely);
  return rows[0]?.is === true;
};

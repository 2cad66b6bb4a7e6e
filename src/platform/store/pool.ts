/**
 * The connections to the database, with a bounded line before them: who cannot be served soon is told at once
 * instead of waiting with everybody else.
 */
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { DatabaseUnavailable, codeOf, reasonOf } from './unavailable.ts';
import type { UnavailableReason } from './unavailable.ts';
import { valueTypes } from './types.ts';

/** Where the database is: an address, or a Unix socket folder with its names. */
export type ConnectionOptions =
  | { readonly url: string }
  | {
      readonly host: string;
      readonly port: number;
      readonly user: string;
      readonly database: string;
      readonly password?: string;
    };

export interface PoolOptions {
  /** Connections at most. */
  readonly size: number;
  /** Requests that may wait for a connection; one more is refused at once. */
  readonly waiting: number;
  /** How long one waits for a connection, ms. */
  readonly acquireMs: number;
  /** How long a statement may run in the database, ms. */
  readonly statementMs: number;
  /** How long we wait for an answer before giving the connection up, ms; more than `statementMs`. */
  readonly answerMs: number;
  /** How long a transaction may compute between two statements, ms; 0: as long as it likes. */
  readonly idleMs: number;
  /** Name shown in pg_stat_activity. */
  readonly applicationName: string;
  /** Told of connections that break while nobody uses them. */
  readonly onLost: (fault: Error) => void;
}

export interface Connections extends PostgresPool {
  /** How long ago a statement found no space on the database's disk; Infinity where none did. */
  msSinceFull(): number;
  /** Connections in use, idle, and requests waiting for one. */
  counts(): { readonly busy: number; readonly idle: number; readonly waiting: number };
}

export const clientConfig = (connection: ConnectionOptions): pg.ClientConfig => {
  const place = 'url' in connection ? { connectionString: connection.url } : connection;
  return { ...place, types: valueTypes };
};

const HOT_AFTER = 20;
const NAMED_AT_MOST = 300;

/**
 * Names for the statements used most, so that the database parses and plans each once per connection. Counted
 * by text, in order of first use; texts beyond the bounds stay unnamed.
 */
const statementNames = (): { of(sql: string): string | undefined; giveUp(): void } => {
  const uses = new Map<string, number>();
  const names = new Map<string, string>();
  let off = false;
  return {
    of: (sql) => {
      if (off) return undefined;
      const known = names.get(sql);
      if (known !== undefined || names.size >= NAMED_AT_MOST) return known;
      const used = (uses.get(sql) ?? 0) + 1;
      if (used < HOT_AFTER) {
        if (uses.size > 10 * NAMED_AT_MOST) uses.clear();
        uses.set(sql, used);
        return undefined;
      }
      uses.delete(sql);
      const name = `ahwa_${names.size + 1}`;
      names.set(sql, name);
      return name;
    },
    giveUp: () => (off = true),
  };
};

type Names = ReturnType<typeof statementNames>;

/** 26000, 42P05: a pooler between us and the database lends each statement another session. */
const isNameFault = (fault: unknown): boolean => /^26000$|^42P05$/.test(codeOf(fault));
/** 0A000: a table changed under a named statement. */
const isStalePlan = (fault: unknown): boolean =>
  codeOf(fault) === '0A000' && fault instanceof Error && fault.message.startsWith('cached plan');

/** 42P01, 42703, 42883: no such table, column or function. 42501: no right to it, which migrating gives too. */
const isUnmigrated = (fault: unknown): boolean => /^42P01$|^42703$|^42883$|^42501$/.test(codeOf(fault));

const reasonOfQuery = (fault: unknown): UnavailableReason | null =>
  isUnmigrated(fault) ? 'unmigrated' : reasonOf(fault);

const connectionOf = (client: pg.PoolClient, names: Names, onFull: () => void): PostgresPoolClient => {
  // What follows on a broken connection, such as the rollback, fails for the first reason.
  let broken: DatabaseUnavailable | null = null;
  const query = async (sql: string, parameters: readonly unknown[]): Promise<pg.QueryResult> => {
    if (broken !== null) throw broken;
    const values = [...parameters];
    const name = values.length === 0 ? undefined : names.of(sql);
    try {
      return await (name === undefined
        ? client.query(sql, values)
        : client.query({ name, text: sql, values }));
    } catch (fault) {
      if (isNameFault(fault)) names.giveUp();
      const forgetful = isNameFault(fault) || isStalePlan(fault);
      const reason = forgetful ? 'contended' : reasonOfQuery(fault);
      if (reason === null) throw fault;
      if (reason === 'full') onFull();
      const told = new DatabaseUnavailable(reason, { cause: fault });
      // Not said by the database: the connection broke, or a statement we gave up may still run there.
      if (forgetful || !(fault instanceof pg.DatabaseError)) broken = told;
      throw told;
    }
  };
  // Kysely's second form of `query`, with a cursor, is never used: its dialect is given no cursor class.
  return {
    query: query as unknown as PostgresPoolClient['query'],
    release: () => client.release(broken !== null),
  };
};

const poolOf = (connection: ConnectionOptions, options: PoolOptions): pg.Pool =>
  new pg.Pool({
    ...clientConfig(connection),
    max: options.size,
    connectionTimeoutMillis: options.acquireMs,
    statement_timeout: options.statementMs,
    query_timeout: options.answerMs,
    idle_in_transaction_session_timeout: options.idleMs,
    application_name: options.applicationName,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
  });

export const openPool = (connection: ConnectionOptions, options: PoolOptions): Connections => {
  const pool = poolOf(connection, options);
  const names = statementNames();
  let fullAt = -Infinity;
  const onFull = (): void => {
    fullAt = performance.now();
  };
  pool.on('error', options.onLost);
  // Also while a transaction holds it between two statements: its next statement learns of it.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return {
    connect: async () => {
      if (pool.waitingCount >= options.waiting) throw new DatabaseUnavailable('busy');
      try {
        return connectionOf(await pool.connect(), names, onFull);
      } catch (fault) {
        // Whatever keeps us out, such as a database closed for maintenance, is none of the request's doing.
        throw new DatabaseUnavailable(reasonOf(fault) ?? 'lost', { cause: fault });
      }
    },
    end: () => pool.end(),
    msSinceFull: () => performance.now() - fullAt,
    counts: () => ({
      busy: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
  };
};

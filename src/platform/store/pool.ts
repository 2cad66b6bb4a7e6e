/** A request over the bound of the queue is refused at once. */
import { createHash } from 'node:crypto';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { Client, clientConfig, impatientClients } from './client.ts';
import { placeOf, type ConnectionOptions, type Place } from './place.ts';
import { codeOf } from '../domain/fault-code.ts';
import { DatabaseUnavailable, notConnected, reasonOf } from './unavailable.ts';
import type { UnavailableReason } from './unavailable.ts';

export type { ConnectionOptions } from './place.ts';

export interface PoolOptions {
  readonly size: number;
  readonly waiting: number;
  /** ms. */
  readonly acquireMs: number;
  /** Of a new connection alone, ms; null: `acquireMs` bounds it too. */
  readonly connectMs: number | null;
  /** In the database, ms. */
  readonly statementMs: number;
  /** Until the connection is dropped, ms; more than `statementMs`. */
  readonly answerMs: number;
  /** Inside a transaction, ms; 0 means no limit. */
  readonly idleMs: number;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  /** Called when an idle connection breaks. */
  readonly onLost: (fault: Error) => void;
  /** Null: none. */
  readonly listening: Listening | null;
}

/** Of each connection, while it is open. Behind a pooler of transactions nothing may arrive. */
export interface Listening {
  readonly channel: string;
  readonly onNotice: (payload: string) => void;
}

export interface Connections extends PostgresPool {
  /** Time since a statement found the database's disk full; Infinity when none did. */
  msSinceFull(): number;
  counts(): { readonly busy: number; readonly idle: number; readonly waiting: number };
}

const NAME_AFTER_USES = 20;
const MAX_NAMED = 300;

/**
 * Made of the text: a pooler may send a use to a session in which another process has prepared that name, and it would
 * run that process's statement.
 */
const nameOf = (sql: string): string =>
  `ahwa_${createHash('sha256').update(sql).digest('base64url').slice(0, 22)}`;

/**
 * Names frequent statements, so that each connection parses and plans them once. Counts by text; texts beyond
 * the bounds stay unnamed.
 */
const statementNames = (): { of(sql: string): string | undefined; disable(): void } => {
  const uses = new Map<string, number>();
  const names = new Map<string, string>();
  let off = false;
  return {
    of: (sql) => {
      if (off) return undefined;
      const known = names.get(sql);
      if (known !== undefined || names.size >= MAX_NAMED) return known;
      const used = (uses.get(sql) ?? 0) + 1;
      if (used < NAME_AFTER_USES) {
        if (uses.size > 10 * MAX_NAMED) uses.clear();
        uses.set(sql, used);
        return undefined;
      }
      uses.delete(sql);
      const name = nameOf(sql);
      names.set(sql, name);
      return name;
    },
    disable: () => (off = true),
  };
};

type Names = ReturnType<typeof statementNames>;

/** 26000, 42P05: a pooler gives each statement another session. */
const isNameFault = (fault: unknown): boolean => /^26000$|^42P05$/.test(codeOf(fault));
/** 0A000: a table changed under a prepared statement. */
const isStalePlan = (fault: unknown): boolean =>
  codeOf(fault) === '0A000' && fault instanceof Error && fault.message.startsWith('cached plan');

/**
 * 42P01, 42703, 42883: no such table, column or function. 42501: missing right, which a migration also
 * grants.
 */
const isUnmigrated = (fault: unknown): boolean => /^42P01$|^42703$|^42883$|^42501$/.test(codeOf(fault));

const reasonOfQuery = (fault: unknown): UnavailableReason | null =>
  isUnmigrated(fault) ? 'unmigrated' : reasonOf(fault);

const connectionOf = (
  client: pg.PoolClient,
  place: Place,
  names: Names,
  onFull: () => void,
): PostgresPoolClient => {
  // Later statements on a broken connection, such as the rollback, fail for the same reason.
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
      if (isNameFault(fault)) names.disable();
      const hasLostSession = isNameFault(fault) || isStalePlan(fault);
      const reason = hasLostSession ? 'contended' : reasonOfQuery(fault);
      if (reason === null) throw fault;
      if (reason === 'full') onFull();
      const unavailable = new DatabaseUnavailable(reason, { cause: fault, place });
      // No error of the database: the connection broke, or an abandoned statement may still run.
      if (hasLostSession || !(fault instanceof pg.DatabaseError)) broken = unavailable;
      throw unavailable;
    }
  };
  // Kysely's cursor form of `query` is unused, because its dialect has no cursor class.
  return {
    query: query as unknown as PostgresPoolClient['query'],
    release: () => client.release(broken !== null),
  };
};

const poolOf = (connection: ConnectionOptions, options: PoolOptions, ClientOfPool: typeof Client): pg.Pool =>
  new pg.Pool({
    ...clientConfig(connection),
    Client: ClientOfPool,
    max: options.size,
    connectionTimeoutMillis: options.acquireMs,
    statement_timeout: options.statementMs,
    query_timeout: options.answerMs,
    idle_in_transaction_session_timeout: options.idleMs,
    application_name: options.applicationName,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
  });

const listen = (client: pg.PoolClient, { channel, onNotice }: Listening): void => {
  client.on('notification', ({ payload = '' }) => onNotice(payload));
  // A connection that breaks here breaks for its next statement too.
  client.query(`listen ${pg.escapeIdentifier(channel)}`).catch(() => undefined);
};

export const openPool = (connection: ConnectionOptions, options: PoolOptions): Connections => {
  const { connectMs } = options;
  const impatient = connectMs === null ? null : impatientClients(connectMs);
  const pool = poolOf(connection, options, impatient?.Client ?? Client);
  const place = placeOf(connection);
  const names = statementNames();
  let fullAt = -Infinity;
  const onFull = (): void => {
    fullAt = performance.now();
  };
  pool.on('error', options.onLost);
  // Also emitted between two statements of a transaction; the next statement reports it.
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    if (options.listening !== null) listen(client, options.listening);
  });
  return {
    connect: async () => {
      if (pool.waitingCount >= options.waiting) throw new DatabaseUnavailable('busy', { place });
      try {
        return connectionOf(await pool.connect(), place, names, onFull);
      } catch (fault) {
        throw notConnected(fault, place);
      }
    },
    end: () => {
      impatient?.giveUp();
      return pool.end();
    },
    msSinceFull: () => performance.now() - fullAt,
    counts: () => ({
      busy: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
  };
};

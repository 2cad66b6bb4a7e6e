/** Servers on one data folder, one after another, each killed at a chosen point of a write. */
import { join } from 'node:path';
import type pg from 'pg';
import { withLock } from '../../../src/adapters/embedded-postgres/bakery-lock.ts';
import { httpRequest } from '../server/http-client.ts';
import { freePort } from './free-port.ts';
import type { RetryingClient } from './order-load.ts';
import {
  connectTo,
  eventually,
  postgresOf,
  type ProgramFixture,
  type Server,
  type Settings,
} from './program.ts';

export interface CrashFixture {
  readonly current: () => Server;
  readonly servers: readonly Server[];
  /** Starts the next server; its clock continues the last one's, `skipMs` later. */
  serve(skipMs?: number, settings?: Settings): Promise<void>;
  figures(): Promise<string>;
  withTables<T>(work: (client: pg.Client) => Promise<T>): Promise<T>;
  readonly rows: <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) => Promise<Row[]>;
  killServer(): Promise<void>;
  /** Each kills with SIGKILL and restarts the server if it was hit; `onBlocked` is called once requests block. */
  readonly crashes: Readonly<
    Record<Crash, (client: RetryingClient, onBlocked?: () => void) => Promise<void>>
  >;
}

export type Crash =
  'server' | 'postgres' | 'both' | 'half written' | 'unheard order' | 'unheard move' | 'unheard event';

/** Longer than a message lease: a later process takes over a dead one's messages. */
export const PAST_THE_LEASES = 61_000;

const START = Date.parse('2026-11-20T16:00:00Z');

export const until = (client: pg.Client, query: string, what: string): Promise<true> =>
  eventually(async () => ((await client.query(query)).rowCount === 0 ? null : true), what);

type ServerControl = Pick<CrashFixture, 'serve' | 'withTables' | 'killServer'>;

const killPostgres = (bench: ProgramFixture): void => {
  const postgres = postgresOf(bench.dataDir());
  if (postgres === null) throw new Error('PostgreSQL does not run');
  process.kill(postgres, 'SIGKILL');
};

/** A table that an order writes, one that a move writes, and one that an event of a device writes: a lock on it identifies the waiter. */
const WRITES = { order: 'idempotency_key', move: 'audit', event: 'replay_event' } as const;

/** The server dies while a move and an order are written and not committed. */
const halfWritten = ({ withTables, killServer, serve }: ServerControl): Promise<void> =>
  withTables(async (client) => {
    const waitsIn = (table: string): string =>
      `select 1 from pg_stat_activity a join pg_locks l using (pid)
       where a.wait_event_type = 'Lock' and l.relation = '${table}'::regclass`;
    await client.query('begin; lock table audit in share mode');
    await until(client, waitsIn(WRITES.move), 'a move to be half written');
    await client.query('select from change_counter for update');
    await until(client, waitsIn(WRITES.order), 'an order to be half written');
    await killServer();
    await client.query('rollback');
    await serve();
  });

/** The server dies between the commit and its acknowledgement, which PostgreSQL withholds. */
const unheard = (
  what: keyof typeof WRITES,
  { withTables, killServer, serve }: ServerControl,
  onBlocked: () => void = () => undefined,
): Promise<void> =>
  withTables(async (client) => {
    await client.query('alter system set synchronous_standby_names = one_that_never_comes');
    await client.query('select pg_reload_conf()');
    onBlocked();
    await until(
      client,
      `select 1 from pg_stat_activity a join pg_locks l using (pid)
       where a.wait_event = 'SyncRep' and l.relation = '${WRITES[what]}'::regclass`,
      `${what} to be committed`,
    );
    await killServer();
    await client.query('alter system reset synchronous_standby_names');
    await client.query('select pg_reload_conf()');
    await serve();
  });

/** PostgreSQL dies and stays down until a client got a 503; the server is left alone. */
const postgresAlone = (bench: ProgramFixture, caller: RetryingClient): Promise<void> =>
  // Only the holder of this lock may start PostgreSQL.
  withLock(join(bench.dataDir(), 'run', 'turns'), async () => {
    killPostgres(bench);
    const before = caller.unavailable();
    await eventually(() => (caller.unavailable() > before ? true : null), 'a 503');
  });

export const crashFixture = (bench: ProgramFixture, settings: () => Settings): CrashFixture => {
  const servers: Server[] = [];
  const began = performance.now();
  let skipped = 0;
  const current = (): Server => {
    const server = servers.at(-1);
    if (server === undefined) throw new Error('no server was started');
    return server;
  };
  const serve: CrashFixture['serve'] = async (skipMs = PAST_THE_LEASES, more = {}) => {
    skipped += skipMs;
    const CLOCK_START = new Date(START + skipped + performance.now() - began).toISOString();
    const METRICS_PORT = String(await freePort());
    servers.push(await bench.serve({ METRICS_PORT, ...settings(), CLOCK_START, ...more }));
  };
  const withTables: CrashFixture['withTables'] = async (work) => {
    const client = await connectTo(bench.dataDir());
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  };
  const killServer = async (): Promise<void> => {
    current().signal('SIGKILL');
    await current().ended;
  };
  const control: ServerControl = { serve, withTables, killServer };
  return {
    ...control,
    current,
    servers,
    figures: async () => {
      const line = current()
        .log()
        .find(({ msg }) => msg === 'listening');
      return (await httpRequest(Number(line?.['metrics_port']), '/metrics')).text;
    },
    rows: <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
      withTables(async (client) => (await client.query<Row>(text, values)).rows),
    crashes: {
      server: async () => {
        await killServer();
        await serve();
      },
      postgres: (caller) => postgresAlone(bench, caller),
      both: async () => {
        killPostgres(bench);
        await killServer();
        await serve();
      },
      'half written': () => halfWritten(control),
      'unheard order': (_, onBlocked) => unheard('order', control, onBlocked),
      'unheard move': (_, onBlocked) => unheard('move', control, onBlocked),
      'unheard event': (_, onBlocked) => unheard('event', control, onBlocked),
    },
  };
};

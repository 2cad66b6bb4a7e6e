/** Servers on one data folder, one after the other, because each is killed in the middle of something. */
import { join } from 'node:path';
import type pg from 'pg';
import { inTurn } from '../../src/adapters/embedded-postgres/turn.ts';
import { ask } from './doors.ts';
import { freePort } from './free-port.ts';
import type { Caller } from './order-load.ts';
import { connectTo, eventually, postgresOf, type Bench, type Server, type Settings } from './program.ts';

export interface CrashHouse {
  /** The server of now. */
  readonly current: () => Server;
  /** All that there were. */
  readonly servers: readonly Server[];
  /** Starts the next one; its clock goes on where the last one's was, `skipMs` later. */
  serve(skipMs?: number, settings?: Settings): Promise<void>;
  /** What the server of now says on the port of its figures. */
  figures(): Promise<string>;
  withTables<T>(work: (client: pg.Client) => Promise<T>): Promise<T>;
  readonly rows: <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) => Promise<Row[]>;
  killServer(): Promise<void>;
  /** Each is a kill -9, and where it hits the server, the next start; `near` is called when nothing is answered any more. */
  readonly crashes: Readonly<Record<Crash, (caller: Caller, near?: () => void) => Promise<void>>>;
}

export type Crash = 'server' | 'postgres' | 'both' | 'half written' | 'unheard order' | 'unheard move';

/** More than a process may be at one message: from then on others take up what a dead one was at. */
export const PAST_THE_LEASES = 61_000;

const START = Date.parse('2026-11-20T16:00:00Z');

/** Waits until a question to the database has rows. */
export const until = (client: pg.Client, question: string, what: string): Promise<true> =>
  eventually(async () => ((await client.query(question)).rowCount === 0 ? null : true), what);

type Hands = Pick<CrashHouse, 'serve' | 'withTables' | 'killServer'>;

const killPostgres = (bench: Bench): void => {
  const postgres = postgresOf(bench.dataDir());
  if (postgres === null) throw new Error('PostgreSQL does not run');
  process.kill(postgres, 'SIGKILL');
};

/** What an order writes, and a move: a lock on it tells which of them waits. */
const WRITES = { order: 'idempotency_key', move: 'audit' } as const;

/** The server dies when a move and an order are half written, and neither is committed. */
const halfWritten = ({ withTables, killServer, serve }: Hands): Promise<void> =>
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

/** The server dies when something is committed and nobody has heard of it: PostgreSQL keeps its answer back. */
const unheard = (
  what: keyof typeof WRITES,
  { withTables, killServer, serve }: Hands,
  near: () => void = () => undefined,
): Promise<void> =>
  withTables(async (client) => {
    await client.query('alter system set synchronous_standby_names = one_that_never_comes');
    await client.query('select pg_reload_conf()');
    near();
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

/** PostgreSQL dies, and stays away until guests have been told so; nobody touches the server. */
const postgresAlone = (bench: Bench, caller: Caller): Promise<void> =>
  // Whose turn it is may start PostgreSQL: as long as it is ours, it stays away.
  inTurn(join(bench.dataDir(), 'run', 'turns'), async () => {
    killPostgres(bench);
    const before = caller.unavailable();
    await eventually(() => (caller.unavailable() > before ? true : null), 'a 503');
  });

/** `settings`: of every server. */
export const aCrashHouse = (bench: Bench, settings: () => Settings): CrashHouse => {
  const servers: Server[] = [];
  const began = performance.now();
  let skipped = 0;
  const current = (): Server => {
    const server = servers.at(-1);
    if (server === undefined) throw new Error('no server was started');
    return server;
  };
  const serve: CrashHouse['serve'] = async (skipMs = PAST_THE_LEASES, more = {}) => {
    skipped += skipMs;
    const CLOCK_START = new Date(START + skipped + performance.now() - began).toISOString();
    const METRICS_PORT = String(await freePort());
    servers.push(await bench.serve({ ...settings(), CLOCK_START, METRICS_PORT, ...more }));
  };
  const withTables: CrashHouse['withTables'] = async (work) => {
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
  const hands: Hands = { serve, withTables, killServer };
  return {
    ...hands,
    current,
    servers,
    figures: async () => {
      const line = current()
        .log()
        .find(({ msg }) => msg === 'listening');
      return (await ask(Number(line?.['metrics_port']), '/metrics')).text;
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
      'half written': () => halfWritten(hands),
      'unheard order': (_, near) => unheard('order', hands, near),
      'unheard move': (_, near) => unheard('move', hands, near),
    },
  };
};

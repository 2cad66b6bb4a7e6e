/** Three machines with one database, and Ahwa on each of them. */
import { join } from 'node:path';
import pg from 'pg';
import { eventually } from '../support/programs/program.ts';
import { PG_BIN, type Values } from './files.ts';
import { PROGRAMS, type Machine } from './machine.ts';
import { closeSwitch } from './network.ts';

const PATIENCE_MS = 120_000;

interface Member {
  readonly name: string;
  readonly role: string;
}

/** The body of a GET; null without one. */
const json = async (url: string): Promise<unknown> => {
  try {
    const reply = await fetch(url, { signal: AbortSignal.timeout(1_000) });
    return await reply.json();
  } catch {
    return null;
  }
};

const statusOf = async (url: string): Promise<number | null> => {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(1_000) })).status;
  } catch {
    return null;
  }
};

/** What a statement of the superuser answers on a machine. */
export const ask = async (machine: Machine, statement: string): Promise<string> =>
  (await machine.run(['psql', '-h', join(machine.folder, 'sockets'), '-Atc', statement])).trim();

export interface Watch {
  /** Those that take themselves for the primary now. */
  primaries(): Promise<readonly Machine[]>;
  primary(): Promise<Machine>;
  /** Resolves when another machine takes itself for the primary. */
  successorOf(machine: Machine): Promise<Machine>;
  /** Resolves when one machine alone has taken itself for the primary for two rounds of Patroni. */
  agreed(): Promise<void>;
  synchronousStandby(): Promise<Machine>;
  /** Resolves when both others follow the primary, one of them synchronously, and it has been so for some time. */
  whole(forMs?: number): Promise<void>;
}

/** Two rounds of Patroni, each of 5 s. */
export const TWO_ROUNDS_MS = 11_000;

/** Resolves when `poll` has been true for `forMs`. */
const lasting = async (poll: () => Promise<boolean>, what: string, forMs: number): Promise<void> => {
  let since = Infinity;
  const look = async (): Promise<true | null> => {
    since = (await poll()) ? Math.min(since, performance.now()) : Infinity;
    return performance.now() - since >= forMs ? true : null;
  };
  await eventually(look, what, PATIENCE_MS);
};

/** Streaming standbys, and how many of them a commit waits for. */
const STANDBYS = `
  select count(*) || ' standbys, ' || count(*) filter (where sync_state = 'sync') || ' synchronous'
  from pg_stat_replication where state = 'streaming'`;
const ALL_STANDBYS = '2 standbys, 1 synchronous';

const watch = (machines: readonly Machine[]): Watch => {
  const members = async (): Promise<readonly Member[]> => {
    for (const { address } of machines) {
      const answer = await json(`http://${address}:8008/cluster`);
      if (answer !== null) return (answer as { members: Member[] }).members;
    }
    return [];
  };
  const primaries = async (): Promise<readonly Machine[]> => {
    const answers = await Promise.all(
      machines.map(({ address }) => statusOf(`http://${address}:8008/primary`)),
    );
    return machines.filter((_, place) => answers[place] === 200);
  };
  const standby = async (): Promise<Machine | null> => {
    const name = (await members()).find(({ role }) => role === 'sync_standby')?.name;
    return machines.find((machine) => machine.name === name) ?? null;
  };
  const isWhole = async (): Promise<boolean> => {
    const [primary, ...others] = await primaries();
    if (primary === undefined || others.length > 0 || (await standby()) === null) return false;
    return (await ask(primary, STANDBYS).catch(() => '')) === ALL_STANDBYS;
  };
  return {
    primaries,
    primary: () => eventually(async () => (await primaries())[0] ?? null, 'a primary', PATIENCE_MS),
    successorOf: (machine) =>
      eventually(
        async () => (await primaries()).find((other) => other !== machine) ?? null,
        'another primary',
        PATIENCE_MS,
      ),
    synchronousStandby: () => eventually(standby, 'a synchronous standby', PATIENCE_MS),
    agreed: () => lasting(async () => (await primaries()).length === 1, 'one primary', TWO_ROUNDS_MS),
    whole: (forMs = 0) => lasting(isWhole, 'two standbys, one of them synchronous', forMs),
  };
};

export interface Cluster extends Watch {
  readonly machines: readonly Machine[];
  /** Where guests reach Ahwa. */
  readonly servers: readonly string[];
  /** As an operator does. */
  switchOver(): Promise<void>;
  /** Starts Ahwa, and waits until it is ready. */
  serve(machine: Machine, settings?: Values): Promise<void>;
  /** A machine that was off. */
  boot(machine: Machine): Promise<void>;
  /** The address of Ahwa's database on its own machine, at a port of HAProxy or PgBouncer. */
  databaseUrl(port: number): string;
  /** The address of a machine's PostgreSQL, as the owner of the tables. */
  ownerUrl(machine: Machine): string;
  /** A connection to that of the primary. */
  asOwner<T>(work: (client: pg.Client) => Promise<T>): Promise<T>;
  /** Recovers a moment from the archive into a new folder, and opens such a connection to it. */
  recovered<T>(moment: string, work: (client: pg.Client) => Promise<T>): Promise<T>;
  /** The end of what each program has printed, to be shown when something is not as expected. */
  lastWords(): string;
  close(): void;
}

export interface Passwords {
  readonly owner: string;
  readonly serving: string;
}

const RECOVERED_PORT = 5433;

const connected = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

/** As docs/scaling.md says. The copy neither waits for a standby nor writes into the archive of the original. */
const recover = async (machine: Machine, moment: string): Promise<void> => {
  const folder = join(machine.folder, 'recovered');
  await machine.run([
    ...['pgbackrest', '--stanza=ahwa', `--pg1-path=${folder}`, '--type=time', `--target=${moment}`],
    ...['--target-action=promote', 'restore'],
  ]);
  const settings = [
    `-p ${RECOVERED_PORT} -c listen_addresses=${machine.address}`,
    `-c unix_socket_directories=${join(machine.folder, 'sockets')}`,
    '-c synchronous_standby_names= -c archive_mode=off',
  ];
  await machine.run([
    ...[join(PG_BIN, 'pg_ctl'), '-D', folder, '-w', '-l', join(machine.folder, 'log', 'recovered')],
    ...['-o', settings.join(' '), 'start'],
  ]);
};

const isReady = async ({ address }: Machine): Promise<true | null> =>
  (await statusOf(`http://${address}:8080/ready`)) === 200 ? true : null;

/** Machines whose etcd, Patroni and HAProxy were started. */
export const openCluster = (machines: readonly Machine[], { owner, serving }: Passwords): Cluster => {
  const watching = watch(machines);
  const primary = (): Promise<Machine> => watching.primary();
  const urlOf = ({ address }: Machine, port: number): string =>
    `postgres://ahwa_owner:${owner}@${address}:${port}/ahwa`;
  const ownerUrl = (machine: Machine): string => urlOf(machine, 5432);
  const serve: Cluster['serve'] = async (machine, settings) => {
    machine.start('ahwa', settings);
    await eventually(() => isReady(machine), `Ahwa on ${machine.name}`, PATIENCE_MS);
  };
  return {
    ...{ ...watching, machines, serve, servers: machines.map(({ address }) => `http://${address}:8080`) },
    switchOver: async () => {
      const machine = await primary();
      await machine.run(['patronictl', '-c', join(machine.folder, 'patroni.yml'), 'switchover', '--force']);
    },
    boot: async (machine) => {
      machine.powerOn();
      for (const program of ['etcd', 'patroni', 'haproxy'] as const) machine.start(program);
      await serve(machine);
    },
    databaseUrl: (port) => `postgres://ahwa_serve:${serving}@127.0.0.1:${port}/ahwa`,
    ownerUrl,
    asOwner: async (work) => connected(ownerUrl(await primary()), work),
    recovered: async (moment, work) => {
      const machine = await primary();
      await recover(machine, moment);
      return connected(urlOf(machine, RECOVERED_PORT), async (client) => {
        await eventually(async () => {
          const { rows } = await client.query<{ is: boolean }>('select pg_is_in_recovery() as is');
          return rows[0]?.is === false ? true : null;
        }, 'the end of the recovery');
        return work(client);
      });
    },
    lastWords: () =>
      machines
        .flatMap((machine) =>
          PROGRAMS.map((program) => {
            const lines = machine.log(program).trimEnd().split('\n').slice(-15);
            return `── ${program} of ${machine.name}\n${lines.join('\n')}\n`;
          }),
        )
        .join(''),
    close: () => {
      for (const machine of machines) {
        machine.powerOff();
        machine.remove();
      }
      closeSwitch();
    },
  };
};

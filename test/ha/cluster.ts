/** Three machines with one database, and Ahwa on each of them. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { aBranch, aShopFile, daily } from '../support/shops/cafe.ts';
import { eventually } from '../support/programs/program.ts';
import {
  aMachine,
  closeSwitch,
  NUMBERS,
  openSwitch,
  PG_BIN,
  ROOT,
  type Kit,
  type Machine,
} from './machine.ts';

const PATIENCE_MS = 90_000;

export interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
  readonly lag?: number | string;
}

export interface Cluster {
  readonly machines: readonly Machine[];
  machine(name: string): Machine;
  /** As Patroni knows them, from the first machine that answers. */
  members(): Promise<readonly Member[]>;
  primary(): Promise<Machine>;
  /** Those that take themselves for the primary now. */
  primaries(): Promise<readonly Machine[]>;
  /** Resolves when another machine takes itself for the primary. */
  successorOf(machine: Machine): Promise<Machine>;
  synchronousStandby(): Promise<Machine>;
  /** A primary, a synchronous standby and a third one that follow it. */
  whole(): Promise<void>;
  /** As an operator does. */
  switchOver(): Promise<void>;
  /** What begins when a machine begins, and Ahwa when its database can be used. */
  boot(machine: Machine): Promise<void>;
  /** What a statement of the superuser answers on a machine. */
  ask(machine: Machine, statement: string): Promise<string>;
  /** The address of Ahwa's database on its own machine, at a port of HAProxy or PgBouncer. */
  databaseUrl(port: number): string;
  /** Recovers a moment from the archive into a new folder, and opens a connection to it. */
  recovered<T>(moment: string, work: (client: pg.Client) => Promise<T>): Promise<T>;
  /** A connection to the primary's PostgreSQL as the owner of the tables. */
  asOwner<T>(work: (client: pg.Client) => Promise<T>): Promise<T>;
  /** Where guests reach Ahwa. */
  readonly servers: readonly string[];
  /** Starts Ahwa, and waits until it is ready. */
  serve(machine: Machine, settings?: Readonly<Record<string, string>>): Promise<void>;
  close(): void;
}

const secret = (): string => randomBytes(16).toString('hex');

const json = async (url: string): Promise<unknown> => {
  try {
    const reply = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    return await reply.json();
  } catch {
    return null;
  }
};

interface Passwords {
  readonly owner: string;
  readonly serving: string;
}

/** Not a port of a machine's own PostgreSQL. */
const RECOVERED_PORT = 5433;

/** A connection as the owner of the tables. */
const connected = async <T>(
  address: string,
  port: number,
  password: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> => {
  const client = new pg.Client({
    connectionString: `postgres://ahwa_owner:${password}@${address}:${port}/ahwa`,
  });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

/** Machines whose programs run already. */
const openCluster = (machines: readonly Machine[], { owner, serving }: Passwords): Cluster => {
  const byName = (name: string): Machine => {
    const found = machines.find((machine) => machine.name === name);
    if (found === undefined) throw new Error(`there is no machine ${name}`);
    return found;
  };
  const members = async (): Promise<readonly Member[]> => {
    for (const { address } of machines) {
      const answer = await json(`http://${address}:8008/cluster`);
      if (answer !== null) return (answer as { members: Member[] }).members;
    }
    return [];
  };
  const primaries = async (): Promise<readonly Machine[]> => {
    const answers = await Promise.all(
      machines.map(({ address }) =>
        fetch(`http://${address}:8008/primary`, { signal: AbortSignal.timeout(1_000) }).catch(() => null),
      ),
    );
    return machines.filter((_, place) => answers[place]?.status === 200);
  };
  const primary = (): Promise<Machine> =>
    eventually(async () => (await primaries())[0] ?? null, 'a primary', PATIENCE_MS);
  const serve: Cluster['serve'] = async (machine, settings) => {
    machine.start('ahwa', settings);
    await eventually(
      async () => {
        const ready = (await json(`http://${machine.address}:8080/ready`)) as { status?: string } | null;
        return ready?.status === 'ready' ? true : null;
      },
      `Ahwa on ${machine.name}`,
      PATIENCE_MS,
    );
  };
  return {
    ...{ machines, members, primary, primaries, serve, machine: byName },
    successorOf: (machine) =>
      eventually(
        async () => (await primaries()).find((other) => other !== machine) ?? null,
        'another primary',
        PATIENCE_MS,
      ),
    synchronousStandby: async () =>
      byName((await members()).find(({ role }) => role === 'sync_standby')?.name ?? 'as a standby'),
    switchOver: async () => {
      const machine = await primary();
      await machine.run(['patronictl', '-c', join(machine.folder, 'patroni.yml'), 'switchover', '--force']);
    },
    boot: async (machine) => {
      machine.powerOn();
      for (const program of ['etcd', 'patroni', 'haproxy'] as const) machine.start(program);
      await serve(machine);
    },
    whole: () =>
      eventually(
        async () => {
          const roles = (await members())
            .filter(({ state }) => state === 'running' || state === 'streaming')
            .map(({ role }) => role);
          return roles.sort().join() === 'leader,replica,sync_standby' ? undefined : null;
        },
        'three machines that follow each other',
        PATIENCE_MS,
      ),
    ask: async (machine, statement) =>
      (await machine.run(['psql', '-h', join(machine.folder, 'sockets'), '-Atc', statement])).trim(),
    databaseUrl: (port) => `postgres://ahwa_serve:${serving}@127.0.0.1:${port}/ahwa`,
    recovered: async (moment, work) => {
      const machine = await primary();
      const place = join(machine.folder, 'recovered');
      await machine.run([
        ...['pgbackrest', '--stanza=ahwa', `--pg1-path=${place}`, '--type=time', `--target=${moment}`],
        ...['--target-action=promote', 'restore'],
      ]);
      // The copy neither waits for a standby nor writes to the archive of the original.
      const settings = `-p ${RECOVERED_PORT} -c listen_addresses=${machine.address} -c unix_socket_directories=${machine.folder}/sockets -c synchronous_standby_names= -c archive_mode=off`;
      const control = [
        join(PG_BIN, 'pg_ctl'),
        '-D',
        place,
        '-w',
        '-l',
        join(machine.folder, 'log', 'recovered'),
      ];
      await machine.run([...control, '-o', settings, 'start']);
      return connected(machine.address, RECOVERED_PORT, owner, async (client) => {
        await eventually(async () => {
          const { rows } = await client.query<{ is: boolean }>('select pg_is_in_recovery() as is');
          return rows[0]?.is === false ? true : null;
        }, 'the end of the recovery');
        return work(client);
      });
    },
    asOwner: async (work) => connected((await primary()).address, 5432, owner, work),
    servers: machines.map(({ address }) => `http://${address}:8080`),
    close: () => {
      for (const machine of machines) {
        machine.powerOff();
        execFileSync('ip', ['netns', 'del', machine.name]);
      }
      closeSwitch();
    },
  };
};

/** Brought up as docs/scaling.md says; a shop that is always open is imported. */
export const startCluster = async (altered?: Kit['altered']): Promise<Cluster> => {
  const folder = mkdtempSync(join(process.env['AHWA_HA_FOLDER'] ?? '', 'cluster-'));
  execFileSync('chmod', ['755', folder]);
  const backups = join(folder, 'backups');
  mkdirSync(backups);
  execFileSync('chown', ['postgres:', backups]);
  const [owner, serving] = [secret(), secret()];
  const values = {
    ...{ REPLICATION_PASSWORD: secret(), REWIND_PASSWORD: secret(), API_PASSWORD: secret() },
    ...{ OWNER_PASSWORD: owner, SERVE_PASSWORD: serving, BACKUPS: backups },
  };
  const ahwa = {
    DATABASE_URL: `postgres://ahwa_serve:${serving}@127.0.0.1:5000/ahwa`,
    MIGRATION_DATABASE_URL: `postgres://ahwa_owner:${owner}@127.0.0.1:5000/ahwa`,
    ...{ SECRET_KEY: secret(), METRICS_PORT: 'off', DEMO: 'false', RATE_LIMIT_SCALE: '0' },
  };
  openSwitch();
  const machines = NUMBERS.map((number) =>
    aMachine(number, folder, { values, ahwa, ...(altered === undefined ? {} : { altered }) }),
  );
  const cluster = openCluster(machines, { owner, serving });
  for (const program of ['etcd', 'patroni', 'haproxy'] as const)
    for (const machine of machines) machine.start(program);
  const primary = await cluster.primary();
  const socket = join(primary.folder, 'sockets');
  await primary.run(['psql', '-v', 'ON_ERROR_STOP=1', '-h', socket, '-f', join(primary.folder, 'roles.sql')]);
  await primary.run(['pgbackrest', '--stanza=ahwa', 'stanza-create']);
  await cluster.whole();
  const shop = aShopFile({
    branches: [aBranch({ online_hours: daily('00:00', '00:00'), otp_required: false })],
  });
  await primary.run([process.execPath, join(ROOT, 'dist', 'cli.js'), 'import', '-'], {
    as: 'root',
    input: JSON.stringify(shop),
  });
  await Promise.all(machines.map((machine) => cluster.serve(machine)));
  return cluster;
};

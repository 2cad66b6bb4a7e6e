/**
 * A machine: a network namespace with its own address, and the programs that run on it with the files of `deploy/ha`,
 * as Debian's units start them. Their ports are those of the files, since the addresses are the machine's own.
 */
import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const KIT = join(ROOT, 'deploy', 'ha');
const run = promisify(execFile);

const POSTGRES_VERSION = readdirSync('/usr/lib/postgresql').sort((a, b) => Number(b) - Number(a))[0] ?? '';
export const PG_BIN = `/usr/lib/postgresql/${POSTGRES_VERSION}/bin`;

export type Number3 = 1 | 2 | 3;
export const NUMBERS: readonly Number3[] = [1, 2, 3];
export const addressOf = (machine: Number3): string => `10.77.0.${machine}`;

/**
 * Clocks of the machines are seconds apart, for PostgreSQL and for Ahwa. etcd (linked statically) and Patroni (whose
 * sleep the library breaks) have the right time; neither compares times of two machines.
 */
const CLOCKS: Readonly<Record<Number3, string>> = { 1: '+0s', 2: '+4s', 3: '-4s' };
const LIBRARIES = readdirSync('/usr/lib').find((name) => name.endsWith('-linux-gnu')) ?? '';
const clockOf = (machine: Number3): readonly string[] => [
  ...['env', `LD_PRELOAD=/usr/lib/${LIBRARIES}/faketime/libfaketimeMT.so.1`, `FAKETIME=${CLOCKS[machine]}`],
  'FAKETIME_DONT_FAKE_MONOTONIC=1',
];

/** The programs of PostgreSQL, of which `postgres` has the clock of the machine. */
const writePrograms = (machine: Number3, folder: string): void => {
  mkdirSync(folder);
  for (const program of readdirSync(PG_BIN))
    if (program !== 'postgres') symlinkSync(join(PG_BIN, program), join(folder, program));
  const command = [...clockOf(machine), join(PG_BIN, 'postgres')].join(' ');
  writeFileSync(join(folder, 'postgres'), `#!/bin/sh\nexec ${command} "$@"\n`, { mode: 0o755 });
};

export type Program = 'etcd' | 'patroni' | 'haproxy' | 'pgbouncer' | 'ahwa';

export interface Machine {
  readonly number: Number3;
  readonly name: string;
  readonly address: string;
  readonly folder: string;
  start(program: Program, settings?: Readonly<Record<string, string>>): void;
  signal(program: Program, signal: NodeJS.Signals): void;
  /** Asks a program to end, and resolves when it has. */
  stop(program: Program): Promise<void>;
  /** Processes of PostgreSQL, or those whose title contains a text. */
  postgres(title?: string): readonly number[];
  /** Its output when it ends. Throws when it fails. */
  run(
    command: readonly string[],
    options?: { readonly as?: 'root' | 'postgres'; readonly input?: string },
  ): Promise<string>;
  /** Its address answers nobody from now on, and everything on it ends. */
  powerOff(): void;
  powerOn(): void;
  /** No packet goes to the other machines or comes from them; guests still reach it. */
  cut(): void;
  heal(): void;
  /** What a program has printed. */
  log(program: Program): string;
}

export interface Kit {
  /** The values of `machine.env`. */
  readonly values: Readonly<Record<string, string>>;
  /** Settings of Ahwa. */
  readonly ahwa: Readonly<Record<string, string>>;
  /** Changes a file of `deploy/ha` after it is filled in. */
  readonly altered?: (file: string, text: string) => string;
}

const ip = (...args: readonly string[]): void => void execFileSync('ip', args);

/** A switch that the machines are plugged in to; guests are at the switch. */
export const openSwitch = (): void => {
  ip('link', 'add', 'switch', 'type', 'bridge');
  ip('addr', 'add', '10.77.0.254/24', 'dev', 'switch');
  ip('link', 'set', 'switch', 'up');
};

export const closeSwitch = (): void => ip('link', 'del', 'switch');

const plugIn = (number: Number3, name: string): void => {
  ip('netns', 'add', name);
  ip('link', 'add', `port-${number}`, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
  ip('link', 'set', `port-${number}`, 'master', 'switch', 'up');
  ip('-n', name, 'addr', 'add', `${addressOf(number)}/24`, 'dev', 'eth0');
  ip('-n', name, 'link', 'set', 'eth0', 'up');
  ip('-n', name, 'link', 'set', 'lo', 'up');
};

const FILES = ['etcd.conf', 'patroni.yml', 'haproxy.cfg', 'pgbouncer.ini', 'pgbackrest.conf', 'roles.sql'];

const writeFiles = (
  folder: string,
  values: Readonly<Record<string, string>>,
  altered: Kit['altered'],
): void => {
  const env = join(folder, 'machine.env');
  const lines = readFileSync(join(KIT, 'machine.env'), 'utf8').split('\n');
  const filled = lines.map((line) => {
    const key = /^(\w+)=/.exec(line)?.[1];
    return key !== undefined && key in values ? `${key}=${values[key] ?? ''}` : line;
  });
  writeFileSync(env, filled.join('\n'));
  for (const file of FILES) {
    const text = execFileSync(join(KIT, 'fill'), [env, join(KIT, file)], { encoding: 'utf8' });
    writeFileSync(join(folder, file), altered?.(file, text) ?? text);
  }
  writeFileSync(values['PGBOUNCER_USERS'] ?? '', `"ahwa_serve" "${values['SERVE_PASSWORD'] ?? ''}"\n`);
};

/** The variables of a file of systemd. */
const variablesIn = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, key = '', value = '']) => [key, value]));

const titleOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
};
const nameOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return '';
  }
};

const kill = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Already ended.
  }
};

/** RestartSec of deploy/ahwa.service. */
const RESTART_MS = 2_000;

export const aMachine = (
  number: Number3,
  parent: string,
  { values: common, ahwa, altered }: Kit,
): Machine => {
  const name = `ahwa-${number}`;
  const address = addressOf(number);
  const folder = join(parent, name);
  for (const part of ['sockets', 'log', 'pgbackrest', 'ahwa'])
    mkdirSync(join(folder, part), { recursive: true });
  writePrograms(number, join(folder, 'bin'));
  const values: Readonly<Record<string, string>> = {
    ...common,
    ...{ NAME: name, ADDRESS: address, PG_BIN: join(folder, 'bin'), PG_DATA: join(folder, 'postgres') },
    ...{ PG_SOCKETS: join(folder, 'sockets'), ETCD_DATA: join(folder, 'etcd') },
    PGBOUNCER_USERS: join(folder, 'userlist.txt'),
  };
  writeFiles(folder, values, altered);
  execFileSync('chown', ['-R', 'postgres:', folder]);
  chmodSync(join(folder, 'sockets'), 0o755);
  plugIn(number, name);

  const file = (of: string): string => join(folder, of);
  const logFile = (program: Program): string => join(folder, 'log', program);
  const env: NodeJS.ProcessEnv = {
    ...{ PATH: process.env['PATH'], LANG: 'C.UTF-8', HOME: folder },
    ...{ PGBACKREST_CONFIG: file('pgbackrest.conf'), PGBACKREST_LOG_PATH: join(folder, 'pgbackrest') },
    PGBACKREST_LOCK_PATH: join(folder, 'pgbackrest'),
  };
  const COMMANDS: Readonly<Record<Program, () => readonly [string[], NodeJS.ProcessEnv]>> = {
    etcd: () => [['etcd'], variablesIn(readFileSync(file('etcd.conf'), 'utf8'))],
    patroni: () => [['patroni', file('patroni.yml')], {}],
    haproxy: () => [['haproxy', '-db', '-f', file('haproxy.cfg')], {}],
    pgbouncer: () => [['pgbouncer', file('pgbouncer.ini')], {}],
    ahwa: () => [
      [...clockOf(number), process.execPath, join(ROOT, 'dist', 'main.js')],
      { ...ahwa, DATA_DIR: join(folder, 'ahwa') },
    ],
  };
  const running = new Map<Program, ChildProcess>();
  const inside = (command: readonly string[], as: 'root' | 'postgres'): string[] => [
    ...['netns', 'exec', name],
    ...(as === 'root' ? [] : ['setpriv', '--reuid', 'postgres', '--regid', 'postgres', '--init-groups']),
    ...command,
  ];
  const processes = (): number[] =>
    execFileSync('ip', ['netns', 'pids', name], { encoding: 'utf8' }).split('\n').filter(Boolean).map(Number);
  const firewall = (...args: readonly string[]): void => ip('netns', 'exec', name, 'nft', ...args);
  const others = NUMBERS.filter((other) => other !== number)
    .map(addressOf)
    .join(', ');

  const start: Machine['start'] = (program, settings = {}) => {
    const [command, more] = COMMANDS[program]();
    const out = openSync(logFile(program), 'a');
    const child = spawn('ip', inside(command, program === 'ahwa' ? 'root' : 'postgres'), {
      ...{ cwd: folder, stdio: ['ignore', out, out] },
      env: { ...env, ...more, ...settings },
    });
    closeSync(out);
    running.set(program, child);
    // As the units say: Restart=on-failure.
    child.once('exit', (code) => {
      if (code !== null && code !== 0) setTimeout(() => start(program, settings), RESTART_MS);
    });
  };
  return {
    ...{ number, name, address, folder },
    start,
    // `ip netns exec` and `setpriv` become the program.
    signal: (program, signal) => running.get(program)?.kill(signal),
    stop: async (program) => {
      const child = running.get(program);
      if (child === undefined || child.exitCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
    postgres: (title = '') =>
      processes().filter((pid) => nameOf(pid) === 'postgres' && titleOf(pid).includes(title)),
    run: async (command, { as = 'postgres', input = '' } = {}) => {
      const running = run('ip', inside(command, as), {
        cwd: folder,
        env: { ...env, ...ahwa, DATA_DIR: join(folder, 'ahwa') },
      });
      running.child.stdin?.end(input);
      return (await running).stdout;
    },
    powerOff: () => {
      // Before its programs end: a machine without power says no goodbye.
      ip('link', 'set', `port-${number}`, 'down');
      for (const pid of processes()) kill(pid);
    },
    powerOn: () => ip('link', 'set', `port-${number}`, 'up'),
    cut: () => {
      firewall('add', 'table', 'inet', 'cut');
      for (const [hook, side] of [
        ['input', 'saddr'],
        ['output', 'daddr'],
      ] as const) {
        firewall('add', 'chain', 'inet', 'cut', hook, `{ type filter hook ${hook} priority 0; }`);
        firewall('add', 'rule', 'inet', 'cut', hook, 'ip', side, `{ ${others} }`, 'drop');
      }
    },
    heal: () => firewall('delete', 'table', 'inet', 'cut'),
    log: (program) => readFileSync(logFile(program), 'utf8'),
  };
};

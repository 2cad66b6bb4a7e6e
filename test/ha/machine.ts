/**
 * A machine: a network namespace with its own address, and the programs that run on it with the files of `deploy/ha`,
 * as Debian's units start them. Their ports are those of the files, since the addresses are the machine's own.
 */
import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  clockOf,
  ROOT,
  variablesIn,
  writeFiles,
  writePrograms,
  type Altered,
  type MachineNumber,
  type Values,
} from './files.ts';
import { addressOf, openNamespace } from './network.ts';

export const PROGRAMS = ['etcd', 'patroni', 'haproxy', 'pgbouncer', 'ahwa'] as const;
export type Program = (typeof PROGRAMS)[number];

export interface Machine {
  readonly name: string;
  readonly address: string;
  readonly folder: string;
  /** `settings`: of the program's environment, beside its files. */
  start(program: Program, settings?: Values): void;
  /** Asks a program to end, and resolves when it has. */
  stop(program: Program): Promise<void>;
  signal(program: Program, signal: NodeJS.Signals): void;
  /** Processes of PostgreSQL whose title contains a text. */
  postgres(title?: string): readonly number[];
  /** The output of a command when it ends. Throws when it fails. */
  run(command: readonly string[], input?: string): Promise<string>;
  /** A command of Ahwa. */
  ahwa(args: readonly string[], input: string): Promise<string>;
  /** Its address answers nobody from now on, and everything on it ends. */
  powerOff(): void;
  powerOn(): void;
  /** No packet goes to the other machines or comes from them; guests still reach it. */
  cut(): void;
  heal(): void;
  /** What a program has printed. */
  log(program: Program): string;
  remove(): void;
}

export interface Kit {
  /** Values of `machine.env` that all machines share. */
  readonly values: Values;
  /** Settings of Ahwa. */
  readonly ahwa: Values;
  readonly altered: Altered;
}

/** RestartSec of deploy/ahwa.service. */
const RESTART_MS = 2_000;

const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // The process has ended.
    return '';
  }
};

const isPostgres = (pid: number, title: string): boolean =>
  textOf(`/proc/${pid}/comm`).trim() === 'postgres' && textOf(`/proc/${pid}/cmdline`).includes(title);

export const signalIfThere = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
};

const writeMachine = (number: MachineNumber, folder: string, { values, altered }: Kit): void => {
  for (const part of ['sockets', 'log', 'pgbackrest', 'ahwa'])
    mkdirSync(join(folder, part), { recursive: true });
  writePrograms(number, join(folder, 'bin'));
  const users = join(folder, 'userlist.txt');
  writeFileSync(users, `"ahwa_serve" "${values['SERVE_PASSWORD'] ?? ''}"\n`);
  const own = {
    ...{ NAME: `ahwa-${number}`, ADDRESS: addressOf(number), PGBOUNCER_USERS: users },
    ...{
      PG_BIN: join(folder, 'bin'),
      PG_DATA: join(folder, 'postgres'),
      PG_SOCKETS: join(folder, 'sockets'),
    },
    ETCD_DATA: join(folder, 'etcd'),
  };
  writeFiles(folder, { ...values, ...own }, altered);
  execFileSync('chown', ['-R', 'postgres:', folder]);
};

const AS_POSTGRES = ['setpriv', '--reuid', 'postgres', '--regid', 'postgres', '--init-groups'];

export const aMachine = (number: MachineNumber, parent: string, kit: Kit): Machine => {
  const name = `ahwa-${number}`;
  const folder = join(parent, name);
  const file = (of: string): string => join(folder, of);
  writeMachine(number, folder, kit);
  const namespace = openNamespace(number, name);

  const env: NodeJS.ProcessEnv = {
    ...{ PATH: process.env['PATH'], LANG: 'C.UTF-8', HOME: folder },
    ...{ PGBACKREST_CONFIG: file('pgbackrest.conf'), PGBACKREST_LOG_PATH: file('pgbackrest') },
    PGBACKREST_LOCK_PATH: file('pgbackrest'),
  };
  const ahwa: Values = { ...kit.ahwa, DATA_DIR: file('ahwa') };
  const node = [...clockOf(number), process.execPath];
  const commands: Readonly<
    Record<Program, { readonly command: readonly string[]; readonly settings?: Values }>
  > = {
    etcd: { command: [...AS_POSTGRES, 'etcd'], settings: variablesIn(file('etcd.conf')) },
    patroni: { command: [...AS_POSTGRES, 'patroni', file('patroni.yml')] },
    haproxy: { command: [...AS_POSTGRES, 'haproxy', '-db', '-f', file('haproxy.cfg')] },
    pgbouncer: { command: [...AS_POSTGRES, 'pgbouncer', file('pgbouncer.ini')] },
    ahwa: { command: [...node, join(ROOT, 'dist', 'main.js')], settings: ahwa },
  };
  // Each of these becomes the command, so that its process is that of the command.
  const inside = (command: readonly string[]): string[] => ['netns', 'exec', name, ...command];
  const running = new Map<Program, ChildProcess>();
  const logFile = (program: Program): string => join(folder, 'log', program);

  const start: Machine['start'] = (program, settings = {}) => {
    const { command, settings: own = {} } = commands[program];
    const out = openSync(logFile(program), 'a');
    const child = spawn('ip', inside(command), {
      ...{ cwd: folder, stdio: ['ignore', out, out] },
      env: { ...env, ...own, ...settings },
    });
    closeSync(out);
    running.set(program, child);
    // As the units do, with what docs/scaling.md adds to them.
    child.once('exit', (code) => {
      if (code !== null && code !== 0) setTimeout(() => start(program, settings), RESTART_MS).unref();
    });
  };
  const run = async (command: readonly string[], settings: Values, input: string): Promise<string> => {
    const ended = promisify(execFile)('ip', inside(command), { cwd: folder, env: { ...env, ...settings } });
    ended.child.stdin?.end(input);
    return (await ended).stdout;
  };
  return {
    ...{ name, folder, start, address: addressOf(number) },
    stop: async (program) => {
      const child = running.get(program);
      if (child?.exitCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
    signal: (program, signal) => running.get(program)?.kill(signal),
    postgres: (title = '') => namespace.processes().filter((pid) => isPostgres(pid, title)),
    run: (command, input = '') => run([...AS_POSTGRES, ...command], {}, input),
    ahwa: (args, input) => run([...node, join(ROOT, 'dist', 'cli.js'), ...args], ahwa, input),
    powerOff: () => {
      // Before its programs end: a machine without power says no goodbye.
      namespace.plug('down');
      for (const pid of namespace.processes()) signalIfThere(pid, 'SIGKILL');
    },
    powerOn: () => namespace.plug('up'),
    cut: () => namespace.cut(),
    heal: () => namespace.heal(),
    log: (program) => (existsSync(logFile(program)) ? readFileSync(logFile(program), 'utf8') : ''),
    remove: () => namespace.remove(),
  };
};

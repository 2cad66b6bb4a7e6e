/** The built program as processes of their own: servers, commands beside them, and the PostgreSQL under both. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { endpoints } from '../../src/service/contract/index.ts';
import { openApiDocument } from '../../src/service/contract/publish.ts';
import { OWNER, readAccess } from '../../src/adapters/embedded-postgres/access.ts';
import type { EmbeddedConnection } from '../../src/adapters/embedded-postgres.ts';
import type { ConnectionOptions } from '../../src/platform/store/db.ts';
import { conformance, isOutside } from './conformance.ts';
import { clusterElsewhere, dataFolder, removeDataFolder } from './data-folder.ts';
import { ask } from './doors.ts';
import type { Ask, Reply } from './doors.ts';
import { freshDatabase } from './postgres.ts';
import type { TestDatabase } from './postgres.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PATIENCE_MS = 30_000;

export type Settings = Readonly<Record<string, string>>;

/** The outcome of a process that has ended; `code` is null when a signal ended it. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Program {
  readonly pid: number;
  stdout(): string;
  stderr(): string;
  /** The JSON lines of the log so far. */
  log(): Readonly<Record<string, unknown>>[];
  readonly ended: Promise<Ended>;
  hasEnded(): boolean;
  signal(signal: NodeJS.Signals): void;
  /** Nobody reads its output any more. */
  closeOutput(): void;
}

export interface Server extends Program {
  readonly port: number;
  /** Checked against the OpenAPI document. */
  get(path: string, asked?: Ask): Promise<Reply>;
}

/** Asks again until the answer is not null; fails after a patience that only a broken program uses up. */
export const eventually = async <T>(
  ask: () => T | null | Promise<T | null>,
  what: string,
  patienceMs = PATIENCE_MS,
): Promise<T> => {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const answer = await ask();
    if (answer !== null) return answer;
    if (performance.now() > deadline) throw new Error(`waited too long for ${what}`);
    await pause(20);
  }
};

const published = conformance(openApiDocument(endpoints, { baseUrl: 'http://localhost', version: '0' }));

/** One request to a server on this machine, its answer checked against the OpenAPI document. */
export const get = async (port: number, path: string, asked: Ask = {}): Promise<Reply> => {
  const reply = await ask(port, path, asked);
  if (!isOutside(path))
    published.check({ method: 'GET', path, status: reply.status, headers: reply.headers, body: reply.text });
  return reply;
};

const { PATH = '', HOME = '', TMPDIR = '' } = process.env;
/** None of the settings of the person who runs the tests. */
const QUIET: Settings = {
  ...{ PATH, HOME, ...(TMPDIR === '' ? {} : { TMPDIR }) },
  ...{ PORT: '0', METRICS_PORT: 'off', DEMO: 'false' },
};

/** Starts a file of `dist` with these settings and none of the shell's. */
export const startProgram = (
  file: string,
  args: readonly string[],
  settings: Settings,
  input?: string,
): Program => {
  const child: ChildProcess = spawn(process.execPath, [join(ROOT, 'dist', file), ...args], {
    env: { ...QUIET, ...settings },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const text = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (text.stdout += chunk));
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (text.stderr += chunk));
  child.stdin?.on('error', () => undefined).end(input ?? '');
  let ended = false;
  return {
    pid: child.pid ?? 0,
    stdout: () => text.stdout,
    stderr: () => text.stderr,
    log: () =>
      text.stdout
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    ended: new Promise((resolve) =>
      child.once('close', (code, signal) => {
        ended = true;
        resolve({ code, signal, ...text });
      }),
    ),
    hasEnded: () => ended,
    signal: (signal) => child.kill(signal),
    closeOutput: () => {
      child.stdout?.destroy();
      child.stderr?.destroy();
    },
  };
};

/** Where the PostgreSQL of a data folder is, from the note it keeps there itself. */
const postmasterLines = (dataDir: string): string[] => {
  const file = join(clusterElsewhere(dataDir) ?? join(dataDir, 'postgres-18'), 'postmaster.pid');
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
};

/** The process id of the PostgreSQL of a data folder, or null when it does not run. */
export const postgresOf = (dataDir: string): number | null => {
  const [pid] = postmasterLines(dataDir);
  return pid === undefined ? null : Number(pid);
};

/** The PostgreSQL that runs on a data folder, as the role that owns the tables. */
export const ownerOf = (dataDir: string): EmbeddedConnection => {
  const [, , , port, host = ''] = postmasterLines(dataDir);
  const access = readAccess(dataDir);
  if (access === null) throw new Error(`${dataDir} keeps no passwords`);
  return { host, port: Number(port), user: OWNER, password: access[OWNER], database: 'ahwa' };
};

/** A connection to the PostgreSQL that runs on a data folder. */
export const connectTo = async (dataDir: string): Promise<pg.Client> => {
  const client = new pg.Client({ ...ownerOf(dataDir) });
  client.on('error', () => undefined);
  await client.connect();
  return client;
};

/** `postgres://…` of a test database, also of one behind a Unix socket. */
export const urlOf = (connection: ConnectionOptions): string =>
  'url' in connection
    ? connection.url
    : `postgres://${connection.user}:${connection.password ?? ''}@/${connection.database}?host=${encodeURIComponent(connection.host)}&port=${connection.port}`;

/** Two roles, as an operator sets them up. */
const settingsOf = ({ connection, owner }: TestDatabase): Settings => ({
  DATABASE_URL: urlOf(connection),
  MIGRATION_DATABASE_URL: urlOf(owner),
});

const worksIn = (pid: string, folder: string): boolean => {
  try {
    const place = readlinkSync(`/proc/${pid}/cwd`);
    return place.startsWith(folder) || readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder);
  } catch {
    return false;
  }
};

/** Processes that work in a data folder. */
export const processesOf = (dataDir: string): number[] =>
  (existsSync('/proc') ? readdirSync('/proc') : [])
    .filter((name) => /^\d+$/.test(name) && worksIn(name, clusterElsewhere(dataDir) ?? dataDir))
    .map(Number);

const killed = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
};

/** Kills programs and whatever else works in their data folder, and removes the folder. */
export const clearAway = async (dataDir: string, programs: readonly Program[]): Promise<void> => {
  for (const program of programs) if (!program.hasEnded()) program.signal('SIGKILL');
  await Promise.all(programs.map(({ ended }) => ended));
  const socketFolder = postmasterLines(dataDir)[4];
  for (const pid of processesOf(dataDir)) killed(pid);
  await eventually(() => (processesOf(dataDir).length === 0 ? true : null), 'PostgreSQL to end');
  // Left behind by a server that was killed.
  if (socketFolder !== undefined) rmSync(socketFolder, { recursive: true, force: true });
  removeDataFolder(dataDir);
};

export interface Bench {
  /** The data folder that servers and commands have unless told otherwise. */
  readonly dataDir: () => string;
  /** Starts a server and waits for its doors; fails when it ends instead. */
  serve(settings?: Settings): Promise<Server>;
  /** Starts a server without waiting. */
  launch(settings?: Settings): Program;
  /** Starts a command. */
  command(args: readonly string[], settings?: Settings, input?: string): Program;
  /** Runs a command to its end. */
  ahwa(args: readonly string[], settings?: Settings, input?: string): Promise<Ended>;
}

/** Waits until a launched server listens. */
export const listening = async (program: Program): Promise<Server> => {
  const port = await eventually(() => {
    if (program.hasEnded()) throw new Error(`the server ended: ${program.stderr()}`);
    const line = program.log().find(({ msg }) => msg === 'listening');
    return line === undefined ? null : Number(line['port']);
  }, 'the server to listen');
  return { ...program, port, get: (path, asked) => get(port, path, asked) };
};

/** What stands under a bench's programs: the PostgreSQL of its data folder, or a database of the test run's own. */
type Under = 'embedded' | 'lent';

/** A data folder, for each test or for all of a file, and the end of everything started on it. */
export const aBench = (per: 'test' | 'file', under: Under): Bench => {
  const [before, after] = per === 'test' ? [beforeEach, afterEach] : [beforeAll, afterAll];
  let dataDir = '';
  let programs: Program[] = [];
  let lent: TestDatabase | null = null;
  let own: Settings = {};
  before(async () => {
    programs = [];
    dataDir = dataFolder();
    lent = under === 'lent' ? await freshDatabase() : null;
    own = { DATA_DIR: dataDir, ...(lent === null ? {} : settingsOf(lent)) };
  });
  after(async () => {
    await clearAway(dataDir, programs);
    await lent?.drop();
  });
  const begin = (file: string, args: readonly string[], settings: Settings = {}, input?: string): Program => {
    // Another database has roles of its own.
    const roles = 'DATABASE_URL' in settings ? { MIGRATION_DATABASE_URL: '' } : {};
    const program = startProgram(file, args, { ...own, ...roles, ...settings }, input);
    programs.push(program);
    return program;
  };
  return {
    dataDir: () => dataDir,
    launch: (settings) => begin('main.js', [], settings),
    serve: (settings) => listening(begin('main.js', [], settings)),
    command: (args, settings, input) => begin('cli.js', args, settings, input),
    ahwa: (args, settings, input) => begin('cli.js', args, settings, input).ended,
  };
};

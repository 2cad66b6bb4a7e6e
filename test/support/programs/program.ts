/** The built program (`dist`) as processes: servers, commands, and their PostgreSQL. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { endpoints } from '../../../src/service/contract/endpoints.ts';
import { OWNER, readAccess } from '../../../src/adapters/embedded-postgres/access.ts';
import type { EmbeddedConnection } from '../../../src/adapters/embedded-postgres.ts';
import type { ConnectionOptions } from '../../../src/platform/store/db.ts';
import { conformanceTo, isOutside } from '../server/openapi-conformance.ts';
import { addUsedCluster, clusterElsewhere, dataFolder, removeDataFolder } from './data-folder.ts';
import { httpRequest, type RequestOptions, type Reply } from '../server/http-client.ts';
import { freshDatabase } from '../database/test-database.ts';
import type { TestDatabase } from '../database/test-database.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const PATIENCE_MS = 30_000;

export type Settings = Readonly<Record<string, string>>;

/** `code` is null when a signal ended the process. */
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
  /** The JSON lines on standard output so far. */
  log(): Readonly<Record<string, unknown>>[];
  readonly ended: Promise<Ended>;
  hasEnded(): boolean;
  signal(signal: NodeJS.Signals): void;
  closeOutput(): void;
}

export interface Server extends Program {
  readonly port: number;
  /** A GET, checked against the OpenAPI document. */
  get(path: string, asked?: RequestOptions): Promise<Reply>;
}

/** Polls every 20 ms until the result is not null. Throws after `patienceMs`. */
export const eventually = async <T>(
  poll: () => T | null | Promise<T | null>,
  what: string,
  patienceMs = PATIENCE_MS,
): Promise<T> => {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const answer = await poll();
    if (answer !== null) return answer;
    if (performance.now() > deadline) throw new Error(`waited too long for ${what}`);
    await pause(20);
  }
};

const published = conformanceTo(endpoints);

export const get = async (port: number, path: string, asked: RequestOptions = {}): Promise<Reply> => {
  const reply = await httpRequest(port, path, asked);
  if (!isOutside(path, String(reply.headers['content-type'])))
    published.check({ method: 'GET', path, status: reply.status, headers: reply.headers, body: reply.text });
  return reply;
};

const { PATH = '', HOME = '', TMPDIR = '' } = process.env;
/** The environment of every program, without the settings of the developer's shell. */
const QUIET: Settings = {
  ...{ PATH, HOME, ...(TMPDIR === '' ? {} : { TMPDIR }) },
  ...{ PORT: '0', METRICS_PORT: 'off', DEMO: 'false' },
};

/** Starts a file of `dist`; `input` is its standard input. */
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

const postmasterLines = (dataDir: string): string[] => {
  const file = join(clusterElsewhere(dataDir) ?? join(dataDir, 'postgres-18'), 'postmaster.pid');
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
};

export const postgresOf = (dataDir: string): number | null => {
  const [pid] = postmasterLines(dataDir);
  return pid === undefined ? null : Number(pid);
};

export const ownerOf = (dataDir: string): EmbeddedConnection => {
  const [, , , port, host = ''] = postmasterLines(dataDir);
  const access = readAccess(dataDir);
  if (access === null) throw new Error(`${dataDir} keeps no passwords`);
  return { host, port: Number(port), user: OWNER, password: access[OWNER], database: 'ahwa' };
};

export const connectTo = async (dataDir: string): Promise<pg.Client> => {
  const client = new pg.Client({ ...ownerOf(dataDir) });
  client.on('error', () => undefined);
  await client.connect();
  return client;
};

/** The `postgres://…` address of a test database, on TCP or a Unix socket. */
export const urlOf = (connection: ConnectionOptions): string =>
  'url' in connection
    ? connection.url
    : `postgres://${connection.user}:${connection.password ?? ''}@/${connection.database}?host=${encodeURIComponent(connection.host)}&port=${connection.port}`;

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

/** Processes whose working folder or command line names a data folder. */
export const processesOf = (dataDir: string): number[] =>
  (existsSync('/proc') ? readdirSync('/proc') : [])
    .filter((name) => /^\d+$/.test(name) && worksIn(name, clusterElsewhere(dataDir) ?? dataDir))
    .map(Number);

const killed = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Already ended.
  }
};

/** Kills the programs and every process of their data folder, and removes the folder. */
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

export interface ProgramFixture {
  readonly dataDir: () => string;
  /** Starts a server and waits until it listens. Throws when it ends instead. */
  serve(settings?: Settings): Promise<Server>;
  launch(settings?: Settings): Program;
  command(args: readonly string[], settings?: Settings, input?: string): Program;
  ahwa(args: readonly string[], settings?: Settings, input?: string): Promise<Ended>;
}

export const listening = async (program: Program): Promise<Server> => {
  const port = await eventually(() => {
    if (program.hasEnded()) throw new Error(`the server ended: ${program.stderr()}`);
    const line = program.log().find(({ msg }) => msg === 'listening');
    return line === undefined ? null : Number(line['port']);
  }, 'the server to listen');
  return { ...program, port, get: (path, asked) => get(port, path, asked) };
};

/** The embedded PostgreSQL of the data folder, which was started before or is `new`; or a database of the test run. */
type DatabaseKind = 'embedded' | 'new' | 'shared';

/**
 * A data folder per test or per file; everything started on it is killed afterwards. Call it at the top of a test file.
 */
export const useProgram = (per: 'test' | 'file', database: DatabaseKind): ProgramFixture => {
  const [before, after] = per === 'test' ? [beforeEach, afterEach] : [beforeAll, afterAll];
  let dataDir = '';
  let programs: Program[] = [];
  let shared: TestDatabase | null = null;
  let own: Settings = {};
  before(async () => {
    programs = [];
    dataDir = dataFolder();
    if (database === 'embedded') await addUsedCluster(dataDir);
    shared = database === 'shared' ? await freshDatabase() : null;
    own = { DATA_DIR: dataDir, ...(shared === null ? {} : settingsOf(shared)) };
  });
  after(async () => {
    await clearAway(dataDir, programs);
    await shared?.release();
  });
  const begin = (file: string, args: readonly string[], settings: Settings = {}, input?: string): Program => {
    // A given database has its own roles.
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

/** One PostgreSQL server process: started detached, joined when it runs already, stopped in order. */
import { spawn } from 'node:child_process';
import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { ROLE } from './cluster.ts';
import type { Cluster } from './cluster.ts';
import { EmbeddedPostgresError, codeOf, faultOfOutput } from './fault.ts';
import { PROGRAM_ENV } from './programs.ts';
import { keepOwner } from '../owner.ts';
import { nameOf } from '../processes.ts';
import { isOurs, socketFolder } from './socket.ts';

/** Names the socket file; no network port is opened. */
const PORT = 5432;
const DATABASE = 'ahwa';
const LOCK_PATIENCE_MS = 10_000;
const RECOVERY_PATIENCE_MS = 120_000;
const STOP_PATIENCE_MS = 60_000;
const POLL_MS = 20;
const LOG_LIMIT_BYTES = 1_000_000;

export interface EmbeddedConnection {
  /** The folder of the Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
}

/** What must hold whatever postgresql.conf says. Logged statements and details could hold a guest's phone. */
const settings = (socketDir: string): string[] =>
  Object.entries({
    listen_addresses: '',
    port: PORT,
    unix_socket_directories: socketDir,
    unix_socket_permissions: '0700',
    dynamic_shared_memory_type: 'mmap',
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_checkpoints: 'off',
    logging_collector: 'off',
    log_destination: 'stderr',
  }).flatMap(([key, value]) => ['-c', `${key}=${value}`]);

/** A running server. */
interface Postmaster {
  readonly pid: number;
  readonly socketDir: string;
}

/** Lines of postmaster.pid: 1 process, 2 data, 3 start, 4 port, 5 socket folder … */
const readPostmaster = (cluster: string): Postmaster | null => {
  let lines: string[];
  try {
    lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
  } catch (fault) {
    if (codeOf(fault) === 'ENOENT') return null;
    throw fault;
  }
  const pid = Number(lines[0]);
  return Number.isSafeInteger(pid) && pid > 0 && isPostgres(pid) ? { pid, socketDir: lines[4] ?? '' } : null;
};

/** A killed server leaves its process id behind, and another program may have got it since. */
const isPostgres = (pid: number): boolean => {
  if (nameOf(pid) === null) return false;
  try {
    return process.platform !== 'linux' || readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres';
  } catch {
    return false;
  }
};

/** Whether a server process of this cluster is there; says nothing about its answering. */
export const serverRuns = (cluster: string): boolean => readPostmaster(cluster) !== null;

type Answer = 'ready' | 'starting' | 'no database' | 'nobody';

const ask = async (socketDir: string, database: string, statement?: string): Promise<Answer> => {
  if (!existsSync(join(socketDir, `.s.PGSQL.${PORT}`))) return 'nobody';
  const client = new pg.Client({
    host: socketDir,
    port: PORT,
    user: ROLE,
    database,
    connectionTimeoutMillis: 5_000,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    if (statement !== undefined) await client.query(statement);
    await client.end();
    return 'ready';
  } catch (fault) {
    await client.end().catch(() => undefined);
    const code = codeOf(fault);
    if (code === '3D000') return 'no database';
    if (code === '57P03') return 'starting';
    // Made by another just now, or too many clients: a server that says so is up.
    if (code === '42P04' || code === '53300') return 'ready';
    if (code?.startsWith('E') ?? true) return 'nobody';
    throw fault;
  }
};

/** Output of this start only: what the log held before is skipped. */
interface LogMark {
  readonly descriptor: number;
  readonly from: number;
}

const openLog = (dataDir: string): LogMark => {
  const file = join(dataDir, 'postgres.log');
  const descriptor = openSync(file, 'a+', 0o600);
  keepOwner(dataDir, file);
  if (fstatSync(descriptor).size > LOG_LIMIT_BYTES) ftruncateSync(descriptor);
  return { descriptor, from: fstatSync(descriptor).size };
};

const logSince = ({ descriptor, from }: LogMark): string => {
  const bytes = Buffer.alloc(Math.max(0, Math.min(fstatSync(descriptor).size - from, 64_000)));
  return bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, bytes.length, from));
};

type Start = { readonly output: string } | null;

/** One try. Null when the server answers; what it printed when it ended instead. */
const tryStart = async (cluster: Cluster, dataDir: string, socketDir: string): Promise<Start> => {
  const log = openLog(dataDir);
  try {
    const child = spawn(join(cluster.programs, 'postgres'), ['-D', cluster.folder, ...settings(socketDir)], {
      ...(cluster.account ?? {}),
      cwd: '/',
      env: PROGRAM_ENV,
      detached: true,
      stdio: ['ignore', log.descriptor, log.descriptor],
    });
    const end: { exited: boolean; refused?: Error } = { exited: false };
    child.once('exit', () => (end.exited = true));
    child.once('error', (fault) => (end.refused = fault));
    child.unref();
    const deadline = performance.now() + RECOVERY_PATIENCE_MS;
    while (performance.now() < deadline) {
      if (end.refused !== undefined) throw end.refused;
      if (end.exited) return { output: logSince(log) };
      const answer = await ask(socketDir, DATABASE);
      if (answer === 'no database') await ask(socketDir, 'postgres', `create database ${DATABASE}`);
      if (answer === 'ready') return null;
      await pause(POLL_MS);
    }
    child.kill('SIGINT');
    throw new EmbeddedPostgresError(
      `PostgreSQL has been recovering ${cluster.folder} for too long; its log is ${join(dataDir, 'postgres.log')}.`,
    );
  } finally {
    closeSync(log.descriptor);
  }
};

const HELD = /lock file ".*" already exists|shared memory block .* is still in use|lock file ".*" is empty/;

/** After a kill -9 the lock can look held for a second or two; it is never removed by us. */
const start = async (cluster: Cluster, dataDir: string, socketDir: string): Promise<string> => {
  const deadline = performance.now() + LOCK_PATIENCE_MS;
  for (;;) {
    const failed = await tryStart(cluster, dataDir, socketDir);
    if (failed === null) return socketDir;
    if (!HELD.test(failed.output) || performance.now() > deadline)
      throw faultOfOutput(failed.output, cluster.folder);
    const other = await joinRunning(cluster.folder);
    if (other !== null) return other;
    await pause(200);
  }
};

/** The socket folder of a server that runs already, once it answers; null when there is none to wait for. */
const joinRunning = async (cluster: string): Promise<string | null> => {
  const deadline = performance.now() + LOCK_PATIENCE_MS;
  while (performance.now() < deadline) {
    const postmaster = readPostmaster(cluster);
    if (postmaster === null) return null;
    const answer = await ask(postmaster.socketDir, DATABASE);
    if (answer === 'no database') await ask(postmaster.socketDir, 'postgres', `create database ${DATABASE}`);
    if (answer === 'ready') return postmaster.socketDir;
    await pause(POLL_MS);
  }
  return null;
};

/** The server of this cluster, running one joined or a new one started. To be called in turn. */
export const runServer = async (cluster: Cluster, dataDir: string): Promise<EmbeddedConnection> => {
  const running = await joinRunning(cluster.folder);
  const host = running ?? (await start(cluster, dataDir, socketFolder(dataDir, cluster.account)));
  return { host, port: PORT, user: ROLE, database: DATABASE };
};

/** Fast shutdown: sessions end, writes in flight are undone, what was committed is on disk. To be called in turn. */
export const stopServer = async (cluster: string): Promise<void> => {
  const postmaster = readPostmaster(cluster);
  if (postmaster === null) return;
  process.kill(postmaster.pid, 'SIGINT');
  const deadline = performance.now() + STOP_PATIENCE_MS;
  while (readPostmaster(cluster)?.pid === postmaster.pid) {
    if (performance.now() > deadline)
      throw new EmbeddedPostgresError(`PostgreSQL (process ${postmaster.pid}) does not stop.`);
    await pause(POLL_MS);
  }
  if (isOurs(postmaster.socketDir)) rmSync(postmaster.socketDir, { recursive: true, force: true });
};

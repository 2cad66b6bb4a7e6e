import { spawn } from 'node:child_process';
import { closeSync, constants, fstatSync, ftruncateSync, openSync, readSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  OWNER,
  SERVING,
  demandPassword,
  demandsPassword,
  hbaOf,
  setPasswordSql,
  type Access,
} from './access.ts';
import type { Cluster } from './cluster.ts';
import { EmbeddedPostgresError, faultOfOutput } from './fault.ts';
import { PROGRAM_ENV, run } from './programs.ts';
import { inheritOwner } from '../private-files.ts';
import { readPostmaster } from './postmaster.ts';
import {
  tryQuery,
  connectionAs,
  PORT,
  prepare,
  type ServerState,
  type EmbeddedConnection,
} from './session.ts';
import { isOurs, socketFolder } from './socket.ts';

const LOCK_PATIENCE_MS = 10_000;
/** For a free connection. */
const CONNECTION_PATIENCE_MS = 3_000;
const RECOVERY_PATIENCE_MS = 120_000;
const STOP_PATIENCE_MS = 60_000;
const POLL_MS = 20;
const LOG_LIMIT_BYTES = 1_000_000;
const { O_APPEND, O_CREAT, O_NOFOLLOW, O_RDWR } = constants;
const APPENDING = O_APPEND | O_CREAT | O_RDWR | (process.platform === 'win32' ? 0 : O_NOFOLLOW);

export interface EmbeddedConnections {
  readonly owner: EmbeddedConnection;
  readonly serving: EmbeddedConnection;
}

/**
 * Override postgresql.conf, which may name another pg_hba.conf. Logged statements and details could contain a
 * guest's phone.
 */
const settings = (cluster: string, socketDir: string): string[] =>
  Object.entries({
    hba_file: hbaOf(cluster),
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

interface LogMark {
  readonly descriptor: number;
  readonly from: number;
}

const openLog = (dataDir: string): LogMark => {
  const file = join(dataDir, 'postgres.log');
  // In a user's folder a link could lead to another user's file.
  const descriptor = openSync(file, APPENDING, 0o600);
  inheritOwner(dataDir, file);
  if (fstatSync(descriptor).size > LOG_LIMIT_BYTES) ftruncateSync(descriptor);
  return { descriptor, from: fstatSync(descriptor).size };
};

const logSince = ({ descriptor, from }: LogMark): string => {
  const bytes = Buffer.alloc(Math.max(0, Math.min(fstatSync(descriptor).size - from, 64_000)));
  return bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, bytes.length, from));
};

/** `refused`: the server accepts none of our passwords. */
interface Up {
  readonly socketDir: string;
  readonly answer: 'ready' | 'refused';
}

const isUp = (answer: ServerState): answer is Up['answer'] => answer === 'ready' || answer === 'refused';

/** Returns the output when the server exited. */
const tryStart = async (
  cluster: Cluster,
  dataDir: string,
  socketDir: string,
  access: Access,
): Promise<Up | { readonly output: string }> => {
  const log = openLog(dataDir);
  try {
    const child = spawn(
      join(cluster.programs, 'postgres'),
      ['-D', cluster.folder, ...settings(cluster.folder, socketDir)],
      {
        ...(cluster.account ?? {}),
        cwd: '/',
        env: PROGRAM_ENV,
        detached: true,
        stdio: ['ignore', log.descriptor, log.descriptor],
      },
    );
    const end: { exited: boolean; refused?: Error } = { exited: false };
    child.once('exit', () => (end.exited = true));
    child.once('error', (fault) => (end.refused = fault));
    child.unref();
    const deadline = performance.now() + RECOVERY_PATIENCE_MS;
    while (performance.now() < deadline) {
      if (end.refused !== undefined) throw end.refused;
      if (end.exited) return { output: logSince(log) };
      const answer = await prepare(socketDir, access);
      if (isUp(answer)) return { socketDir, answer };
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

const LOCK_HELD =
  /lock file ".*" already exists|shared memory block .* is still in use|lock file ".*" is empty/;

/** After kill -9 the lock can look held for one or two seconds; this program never removes it. */
const start = async (cluster: Cluster, dataDir: string, access: Access): Promise<Up> => {
  const deadline = performance.now() + LOCK_PATIENCE_MS;
  const socketDir = socketFolder(dataDir, cluster.account);
  for (;;) {
    const tried = await tryStart(cluster, dataDir, socketDir, access);
    if ('answer' in tried) return tried;
    if (!LOCK_HELD.test(tried.output) || performance.now() > deadline)
      throw faultOfOutput(tried.output, cluster.folder);
    const other = await joinRunning(cluster.folder, access);
    if (other !== null) return other;
    await pause(200);
  }
};

/** Null when no server runs. */
const joinRunning = async (cluster: string, access: Access): Promise<Up | null> => {
  const deadline = performance.now() + LOCK_PATIENCE_MS;
  while (performance.now() < deadline) {
    const postmaster = readPostmaster(cluster);
    if (postmaster === null) return null;
    const { socketDir } = postmaster;
    const answer = await prepare(socketDir, access);
    if (isUp(answer)) return { socketDir, answer };
    await pause(POLL_MS);
  }
  return null;
};

/** Single-user mode. */
const lockStopped = async ({ programs, folder, account }: Cluster, access: Access): Promise<void> => {
  const deadline = performance.now() + LOCK_PATIENCE_MS;
  const alone = ['--single', '-D', folder, '-c', 'exit_on_error=on', '-c', 'dynamic_shared_memory_type=mmap'];
  for (;;) {
    const statement = `${setPasswordSql(OWNER, access)};\n`;
    const { code, output } = await run(
      join(programs, 'postgres'),
      [...alone, 'postgres'],
      account,
      statement,
    );
    if (code === 0) break;
    if (!LOCK_HELD.test(output) || performance.now() > deadline) throw faultOfOutput(output, folder);
    await pause(200);
  }
  demandPassword(folder, account);
};

/** Retries while the server has no free connection. */
const mustRun = async (connection: EmbeddedConnection, statement: string, cluster: string): Promise<void> => {
  const deadline = performance.now() + CONNECTION_PATIENCE_MS;
  while ((await tryQuery(connection, statement)) !== 'ready') {
    if (performance.now() > deadline)
      throw new EmbeddedPostgresError(
        `The PostgreSQL that runs on ${cluster} could not be given a password; stop what else is connected to it, and start again.`,
      );
    await pause(POLL_MS);
  }
};

/** Existing connections stay. */
const lockRunning = async (
  { folder, account }: Cluster,
  socketDir: string,
  access: Access,
): Promise<void> => {
  const owner = connectionAs(OWNER, access, socketDir);
  await mustRun(owner, setPasswordSql(OWNER, access), folder);
  demandPassword(folder, account);
  await mustRun(owner, 'select pg_reload_conf()', folder);
};

const bringUp = async (cluster: Cluster, dataDir: string, access: Access): Promise<Up> => {
  const running = await joinRunning(cluster.folder, access);
  if (running !== null) return running;
  if (!demandsPassword(cluster.folder)) await lockStopped(cluster, access);
  return await start(cluster, dataDir, access);
};

const refused = ({ folder }: Cluster): EmbeddedPostgresError =>
  new EmbeddedPostgresError(
    `The PostgreSQL that runs on ${folder} takes none of the passwords in the data folder's access/postgres.json; stop what uses it, and start again.`,
  );

/**
 * A cluster of an older build, open without password, is locked first, unless other processes use it. Call it
 * under the lock.
 */
export const runServer = async (
  cluster: Cluster,
  dataDir: string,
  access: Access,
  isAlone: () => boolean,
): Promise<EmbeddedConnections> => {
  let up = await bringUp(cluster, dataDir, access);
  if (up.answer === 'refused' && isAlone()) {
    await stopServer(cluster.folder);
    await lockStopped(cluster, access);
    up = await bringUp(cluster, dataDir, access);
  }
  if (up.answer === 'refused') throw refused(cluster);
  if (!demandsPassword(cluster.folder) && isAlone()) await lockRunning(cluster, up.socketDir, access);
  return {
    owner: connectionAs(OWNER, access, up.socketDir),
    serving: connectionAs(SERVING, access, up.socketDir),
  };
};

/** Fast shutdown. Call it under the lock. */
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

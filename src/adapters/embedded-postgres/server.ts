/** One PostgreSQL server process: started detached, joined when it runs already, stopped in order. */
import { spawn } from 'node:child_process';
import { closeSync, fstatSync, ftruncateSync, openSync, readFileSync, readSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { OWNER, SERVING, demandPassword, demandsPassword, settingPassword, type Access } from './access.ts';
import type { Cluster } from './cluster.ts';
import { EmbeddedPostgresError, codeOf, faultOfOutput } from './fault.ts';
import { PROGRAM_ENV, run } from './programs.ts';
import { keepOwner } from '../owner.ts';
import { nameOf } from '../processes.ts';
import { ask, connectionAs, PORT, prepare, type Answer, type EmbeddedConnection } from './session.ts';
import { isOurs, socketFolder } from './socket.ts';

const LOCK_PATIENCE_MS = 10_000;
const RECOVERY_PATIENCE_MS = 120_000;
const STOP_PATIENCE_MS = 60_000;
const POLL_MS = 20;
const LOG_LIMIT_BYTES = 1_000_000;

/** Two ways into one database: as the role that owns its tables, and as the one that may only read and write rows. */
export interface EmbeddedConnections {
  readonly owner: EmbeddedConnection;
  readonly serving: EmbeddedConnection;
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

/** A server that answers; `refused`: that takes none of our passwords. */
interface Up {
  readonly socketDir: string;
  readonly answer: 'ready' | 'refused';
}

const isUp = (answer: Answer): answer is Up['answer'] => answer === 'ready' || answer === 'refused';

/** One try. What the server printed when it ended instead of answering. */
const tryStart = async (
  cluster: Cluster,
  dataDir: string,
  socketDir: string,
  access: Access,
): Promise<Up | { readonly output: string }> => {
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

const HELD = /lock file ".*" already exists|shared memory block .* is still in use|lock file ".*" is empty/;

/** After a kill -9 the lock can look held for a second or two; it is never removed by us. */
const start = async (cluster: Cluster, dataDir: string, access: Access): Promise<Up> => {
  const deadline = performance.now() + LOCK_PATIENCE_MS;
  const socketDir = socketFolder(dataDir, cluster.account);
  for (;;) {
    const tried = await tryStart(cluster, dataDir, socketDir, access);
    if ('answer' in tried) return tried;
    if (!HELD.test(tried.output) || performance.now() > deadline)
      throw faultOfOutput(tried.output, cluster.folder);
    const other = await joinRunning(cluster.folder, access);
    if (other !== null) return other;
    await pause(200);
  }
};

/** A server that runs already, once it answers; null when there is none to wait for. */
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

/** Lets nobody into a stopped cluster without the password, which is set as PostgreSQL sets it without a server. */
const lockStopped = async ({ programs, folder, account }: Cluster, access: Access): Promise<void> => {
  const deadline = performance.now() + LOCK_PATIENCE_MS;
  const alone = ['--single', '-D', folder, '-c', 'exit_on_error=on', '-c', 'dynamic_shared_memory_type=mmap'];
  for (;;) {
    const statement = `${settingPassword(OWNER, access)};\n`;
    const { code, output } = await run(
      join(programs, 'postgres'),
      [...alone, 'postgres'],
      account,
      statement,
    );
    if (code === 0) break;
    if (!HELD.test(output) || performance.now() > deadline) throw faultOfOutput(output, folder);
    await pause(200);
  }
  demandPassword(folder, account);
};

/** The same for one that runs: whoever is connected stays so. */
const lockRunning = async (
  { folder, account }: Cluster,
  socketDir: string,
  access: Access,
): Promise<void> => {
  const owner = connectionAs(OWNER, access, socketDir);
  await ask(owner, settingPassword(OWNER, access));
  demandPassword(folder, account);
  await ask(owner, 'select pg_reload_conf()');
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
 * The server of this cluster, running one joined or a new one started. A cluster that lets people in without a password,
 * as older builds made it, is locked first, unless other processes use it at this moment. To be called in turn.
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

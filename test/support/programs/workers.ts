/** A server of several workers, and what its log says of them. */
import { eventually, type Program, type ProgramFixture, type Server, type Settings } from './program.ts';

/** Two workers, without request limits. */
export const serveWorkers = async (bench: ProgramFixture, settings: Settings = {}): Promise<Server> => {
  const server = await bench.serve({ WORKERS: '2', RATE_LIMIT_SCALE: '0', ...settings });
  await eventually(() => (workersOf(server).length === 2 ? true : null), 'both workers');
  return server;
};

/** Processes that have said that they listen, in that order. */
export const workersOf = (server: Server): readonly number[] =>
  server.log().flatMap(({ msg, pid }) => (msg === 'listening' ? [Number(pid)] : []));

export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

export const gone = (pids: readonly number[]): Promise<true> =>
  eventually(() => (pids.some(isAlive) ? null : true), 'processes to end');

/** Workers that ended without being told to. */
export const ends = (server: Server) => server.log().filter(({ msg }) => msg === 'a worker has ended');

/** A reload waits for the connections of each worker that it replaces. */
const RELOAD_MS = 100_000;

export const reloaded = (server: Program): Promise<true> =>
  eventually(
    () => (server.log().some(({ msg }) => msg === 'all workers are replaced') ? true : null),
    'the reload',
    RELOAD_MS,
  );

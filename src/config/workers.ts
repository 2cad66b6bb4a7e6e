import { coresAt } from './cores.ts';
import { MOST_WORKERS } from './settings.ts';

/** Of the embedded database, for all workers and the one that is new during a reload. */
export const EMBEDDED_CONNECTIONS = 97;

/** Of one process. */
export const connectionsOf = (poolSize: number): number => poolSize + 4;

interface WorkerValues {
  readonly WORKERS: number | 'auto';
  readonly DATABASE_URL: string | null;
  readonly DATABASE_POOL_SIZE: number;
}

/** As many as this process has cores and the embedded database has connections. */
export const workersOf = ({
  WORKERS: wanted,
  DATABASE_URL: url,
  DATABASE_POOL_SIZE: poolSize,
}: WorkerValues): number | null => {
  if (wanted !== 'auto') return wanted === 1 ? null : wanted;
  const cores = Math.min(coresAt('/'), MOST_WORKERS);
  const fitting = Math.floor(EMBEDDED_CONNECTIONS / connectionsOf(poolSize)) - 1;
  return Math.max(1, url === null ? Math.min(cores, fitting) : cores);
};

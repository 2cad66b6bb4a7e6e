import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { processIdentityOf } from '../process-identity.ts';
import { codeOf } from './fault.ts';

interface Postmaster {
  readonly pid: number;
  readonly socketDir: string;
}

/** Lines of postmaster.pid: 1 process, 2 data, 3 start, 4 port, 5 socket folder … */
export const readPostmaster = (cluster: string): Postmaster | null => {
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

/** A killed server leaves its process id, which another program may have by now. */
const isPostgres = (pid: number): boolean => {
  if (processIdentityOf(pid) === null) return false;
  try {
    return process.platform !== 'linux' || readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres';
  } catch {
    return false;
  }
};

/** The server may not accept connections yet. */
export const serverRuns = (cluster: string): boolean => readPostmaster(cluster) !== null;

/** Names that stay unique when a process id is reused. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** `<process id>-<start time>`, safe in a file name. */
export type ProcessIdentity = string;

const isThere = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (fault) {
    return fault instanceof Error && 'code' in fault && fault.code === 'EPERM';
  }
};

/**
 * Fields 3 (state) and 22 (start, in ticks since boot) of /proc/<pid>/stat; the name before them may contain
 * spaces.
 */
const linuxStart = (pid: number): string | null => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? null : (fields[19] ?? null);
  } catch {
    return isThere(pid) ? 'hidden' : null;
  }
};

const otherStart = (pid: number): string | null => {
  try {
    return (
      execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).replace(/\W/g, '') ||
      null
    );
  } catch {
    return isThere(pid) ? 'hidden' : null;
  }
};

/** Null when the process does not exist or is a zombie. */
export const processIdentityOf = (pid: number): ProcessIdentity | null => {
  const start = process.platform === 'linux' ? linuxStart(pid) : otherStart(pid);
  return start === null ? null : `${pid}-${start}`;
};

export const isAlive = (name: ProcessIdentity): boolean => {
  const pid = Number(name.split('-')[0]);
  return Number.isSafeInteger(pid) && pid > 0 && processIdentityOf(pid) === name;
};

export const ownProcessIdentity = (): ProcessIdentity =>
  processIdentityOf(process.pid) ?? `${process.pid}-unknown`;

/**
 * Admits one process to a file. A lock file is never taken over: who finds that its holder is dead makes the next one,
 * and the one with the highest number counts. So no two processes can take the lock of a dead one at once.
 */
import { randomBytes } from 'node:crypto';
import { linkSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { PRIVATE_FILE } from '../../../adapters/private-files.ts';
import { isAlive, ownProcessIdentity } from '../../../adapters/process-identity.ts';

/** Another process, or another part of this one, has the file open. */
export class FileInUse extends Error {
  override readonly name = 'FileInUse';

  constructor(path: string, pid: string) {
    super(`${path} is in use by process ${pid}.`);
  }
}

const FREE = 'free';

const codeOf = (fault: unknown): unknown => (fault instanceof Error && 'code' in fault ? fault.code : null);

const lockName = (path: string, number: number): string => `${path}.lock.${number}`;

/** Ascending. */
const lockNumbers = (path: string): number[] => {
  const prefix = `${basename(path)}.lock.`;
  return readdirSync(dirname(path))
    .filter((name) => name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length)))
    .map((name) => Number(name.slice(prefix.length)))
    .sort((a, b) => a - b);
};

/** `free` also for a file that a later holder has removed. */
const holderOf = (path: string, number: number): string => {
  try {
    return readFileSync(lockName(path, number), 'utf8');
  } catch (fault) {
    if (codeOf(fault) === 'ENOENT') return FREE;
    throw fault;
  }
};

/** False: another process was faster. The file appears with its content. */
const tryLink = (own: string, lock: string): boolean => {
  try {
    linkSync(own, lock);
    return true;
  } catch (fault) {
    if (codeOf(fault) === 'EEXIST') return false;
    throw fault;
  }
};

/** The number of the lock that is now held; null: look again. */
const tryTake = (path: string, own: string): number | null => {
  const last = lockNumbers(path).at(-1) ?? 0;
  const holder = holderOf(path, last);
  if (isAlive(holder)) throw new FileInUse(path, holder.split('-')[0] ?? '');
  const number = last + 1;
  if (!tryLink(own, lockName(path, number))) return null;
  if (lockNumbers(path).at(-1) === number) return number;
  // Another process took a higher number, and removed this one, between the two looks.
  rmSync(lockName(path, number), { force: true });
  return null;
};

/** Returns how to release it. Throws FileInUse. */
export const takeLockFile = (path: string): (() => void) => {
  const own = join(dirname(path), `${basename(path)}.lock-${randomBytes(8).toString('hex')}`);
  writeFileSync(own, ownProcessIdentity(), PRIVATE_FILE);
  try {
    let number: number | null = null;
    while (number === null) number = tryTake(path, own);
    const taken = number;
    for (const lower of lockNumbers(path).filter((each) => each < taken))
      rmSync(lockName(path, lower), { force: true });
    return () => writeFileSync(lockName(path, taken), FREE);
  } finally {
    rmSync(own, { force: true });
  }
};

import { lchownSync, lstatSync, readdirSync, statSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from './fault.ts';
import { serverRuns } from './postmaster.ts';

interface Ids {
  readonly uid: number;
  readonly gid: number;
}

/** Children before parents. */
const contents = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? [...contents(path), path] : [path];
  });

/** A folder, or a file with a single name: a link could lead to another user's file. */
const isPlain = (path: string): boolean => {
  const found = lstatSync(path);
  return found.isDirectory() || (found.isFile() && found.nlink === 1);
};

/** Identifies a folder by any path. */
const identity = ({ dev, ino }: Stats): string => `${dev}:${ino}`;

/** Whether a process has its working folder here: backends of a killed server may still create files. */
const isInUse = (folders: readonly string[]): boolean => {
  const known = new Set(folders.map((folder) => identity(lstatSync(folder))));
  return readdirSync('/proc').some((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return known.has(identity(statSync(`/proc/${name}/cwd`)));
    } catch {
      return false;
    }
  });
};

/**
 * Changes the owner, the cluster's own folder last: after a kill, the next start finds the old owner and
 * continues. Returns false, with the old owner, when that is not safe. Call it as root, under the lock.
 */
export const handOver = (cluster: string, { uid, gid }: Ids): boolean => {
  const before = lstatSync(cluster);
  try {
    if (process.platform !== 'linux' || serverRuns(cluster)) return false;
    const paths = contents(cluster);
    const folders = paths.filter((path) => lstatSync(path).isDirectory());
    if (isInUse([cluster, ...folders]) || !paths.every(isPlain)) return false;
    try {
      for (const path of [...paths, cluster]) lchownSync(path, uid, gid);
      return true;
    } catch (fault) {
      for (const path of paths) lchownSync(path, before.uid, before.gid);
      throw fault;
    }
  } catch (fault) {
    if (codeOf(fault) === undefined) throw fault;
    return false;
  }
};

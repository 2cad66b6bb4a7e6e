/** Gives a stopped cluster's files to another user: all of them, or none. */
import { lchownSync, lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from './fault.ts';

interface Ids {
  readonly uid: number;
  readonly gid: number;
}

/** Whatever the cluster holds, what is inside a folder before the folder itself. */
const contents = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? [...contents(path), path] : [path];
  });

/** Folders and files that have one name: a link could lead to a file of somebody else's. */
const isPlain = (path: string): boolean => {
  const found = lstatSync(path);
  return found.isDirectory() || (found.isFile() && found.nlink === 1);
};

/** A killed server leaves backends behind for a moment, which would go on making files as the user before. */
const isWorkedIn = (folder: string): boolean =>
  readdirSync('/proc').some((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readlinkSync(`/proc/${name}/cwd`).startsWith(folder);
    } catch {
      return false;
    }
  });

/**
 * Gives the files away, the cluster's own folder last: after a kill the next start finds the owner before, and goes on.
 * False, and the owner stays, where that cannot be done safely. To be called by root, in turn.
 */
export const handOver = (cluster: string, { uid, gid }: Ids): boolean => {
  const before = lstatSync(cluster);
  try {
    const paths = contents(cluster);
    if (process.platform !== 'linux' || isWorkedIn(cluster) || !paths.every(isPlain)) return false;
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

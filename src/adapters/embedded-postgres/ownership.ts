/** Gives a stopped cluster's files to another user: all of them, or none. */
import { lchownSync, lstatSync, readdirSync, statSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from './fault.ts';
import { serverRuns } from './postmaster.ts';

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

/** Which folder it is, by whatever path it is reached: through a link, or from another mount. */
const identity = ({ dev, ino }: Stats): string => `${dev}:${ino}`;

/** Whether any process works in one of these folders: a killed server leaves backends, which go on making files. */
const isWorkedIn = (folders: readonly string[]): boolean => {
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
 * Gives the files away, the cluster's own folder last: after a kill the next start finds the owner before, and goes on.
 * False, and the owner stays, where that cannot be done safely. To be called by root, in turn.
 */
export const handOver = (cluster: string, { uid, gid }: Ids): boolean => {
  const before = lstatSync(cluster);
  try {
    if (process.platform !== 'linux' || serverRuns(cluster)) return false;
    const paths = contents(cluster);
    const folders = paths.filter((path) => lstatSync(path).isDirectory());
    if (isWorkedIn([cluster, ...folders]) || !paths.every(isPlain)) return false;
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

import { existsSync, lchownSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Readable by the owner alone, with any umask. */
export const PRIVATE_FILE = { mode: 0o600 } as const;

/** From the root down. */
const missingFolders = (path: string): readonly string[] =>
  existsSync(path) ? [] : [...missingFolders(dirname(path)), path];

/** Whether this call made it. Another process may make it first. */
const makeFolder = (path: string, mode: number): boolean => {
  try {
    mkdirSync(path, { mode });
    return true;
  } catch (fault) {
    const isThere = fault instanceof Error && 'code' in fault && fault.code === 'EEXIST';
    if (isThere && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return false;
    throw fault;
  }
};

/**
 * Makes a folder and the missing ones above it; returns those that it made, from the root down. `recursive` of
 * `mkdirSync` would never end where a file system answers ENOENT below a folder that is there, as /proc does.
 */
export const createFolders = (path: string, mode: number): readonly string[] =>
  missingFolders(path).filter((folder) => makeFolder(folder, mode));

export const createPrivateFolder = (path: string): void => {
  createFolders(path, 0o700);
};

/** Only as root. Does not follow links. */
export const inheritOwner = (folder: string, path: string): void => {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(folder);
  if (uid !== 0) lchownSync(path, uid, gid);
};

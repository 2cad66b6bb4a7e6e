/** Files that root makes in the data folder of an ordinary user stay that user's. */
import { lchownSync, mkdirSync, statSync } from 'node:fs';

/** Of files in the data folder: whatever umask the process was started with, nobody else reads or writes them. */
export const OWN_FILE = { mode: 0o600 } as const;

/** Makes a folder that nobody else may enter, and those above it that are missing. */
export const ownFolder = (path: string): void => {
  mkdirSync(path, { recursive: true, mode: 0o700 });
};

/** Gives `path`, and no file that a link there leads to, to the owner of `folder`, when this process may do so and it is somebody else. */
export const keepOwner = (folder: string, path: string): void => {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(folder);
  if (uid !== 0) lchownSync(path, uid, gid);
};

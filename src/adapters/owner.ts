/** Files that root makes in the data folder of an ordinary user stay that user's. */
import { chownSync, statSync } from 'node:fs';

/** Gives `path` to the owner of `folder`, when this process may do so and it is somebody else. */
export const keepOwner = (folder: string, path: string): void => {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(folder);
  if (uid !== 0) chownSync(path, uid, gid);
};

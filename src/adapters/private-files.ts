import { lchownSync, mkdirSync, statSync } from 'node:fs';

/** Readable by the owner alone, with any umask. */
export const PRIVATE_FILE = { mode: 0o600 } as const;

export const createPrivateFolder = (path: string): void => {
  mkdirSync(path, { recursive: true, mode: 0o700 });
};

/** Only as root. Does not follow links. */
export const inheritOwner = (folder: string, path: string): void => {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(folder);
  if (uid !== 0) lchownSync(path, uid, gid);
};

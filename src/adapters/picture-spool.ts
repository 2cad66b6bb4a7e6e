import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PictureSpool } from '../ports.ts';

/** Files of the account alone, in a folder that is made for the first one. */
export const createPictureSpool = (parent = tmpdir()): PictureSpool => {
  let folder: string | null = null;
  let files = 0;
  const discard = (): void => {
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
    folder = null;
    process.off('exit', discard);
  };
  /** A command that a signal ends does not come back to its `finally`. */
  const make = (): string => {
    process.once('exit', discard);
    return mkdtempSync(join(parent, 'ahwa-pictures-'));
  };
  return {
    keep: (bytes) => {
      folder ??= make();
      files += 1;
      const file = join(folder, String(files));
      writeFileSync(file, bytes, { mode: 0o600, flag: 'wx' });
      return () => readFileSync(file);
    },
    discard,
  };
};

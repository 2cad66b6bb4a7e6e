/** The key the tokens are signed with, when the operator gave none: made once and kept in the data folder. */
import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keepOwner, OWN_FILE, ownFolder } from './owner.ts';

/** Two processes that make it at the same moment end up with the one that was linked first. */
const make = (dataDir: string, file: string): void => {
  ownFolder(dataDir);
  const own = `${file}.${randomBytes(6).toString('hex')}`;
  writeFileSync(own, `${randomBytes(32).toString('hex')}\n`, OWN_FILE);
  try {
    keepOwner(dataDir, own);
    linkSync(own, file);
  } catch (fault) {
    if (!(fault instanceof Error && 'code' in fault && fault.code === 'EEXIST')) throw fault;
  } finally {
    rmSync(own, { force: true });
  }
};

const read = (file: string): string | null => {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (fault) {
    if (fault instanceof Error && 'code' in fault && fault.code === 'ENOENT') return null;
    throw fault;
  }
};

/** The data folder's key, made (mode 0600) when there is none: 256 random bits in hex (Decisions 1). */
export const secretKeyOf = (dataDir: string): string => {
  const file = join(dataDir, 'secret.key');
  const there = read(file);
  if (there !== null && there !== '') return there;
  if (there === '') rmSync(file);
  make(dataDir, file);
  return readFileSync(file, 'utf8').trim();
};

import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inheritOwner, PRIVATE_FILE, createPrivateFolder } from './private-files.ts';

/** When two processes create it together, the first link wins. */
const make = (dataDir: string, file: string): void => {
  createPrivateFolder(dataDir);
  const own = `${file}.${randomBytes(6).toString('hex')}`;
  writeFileSync(own, `${randomBytes(32).toString('hex')}\n`, PRIVATE_FILE);
  try {
    inheritOwner(dataDir, own);
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

/** Creates the file (mode 0600) when missing: 256 random bits in hex (Decisions 1). */
export const secretKeyOf = (dataDir: string): string => {
  const file = join(dataDir, 'secret.key');
  const existing = read(file);
  if (existing !== null && existing !== '') return existing;
  if (existing === '') rmSync(file);
  make(dataDir, file);
  return readFileSync(file, 'utf8').trim();
};

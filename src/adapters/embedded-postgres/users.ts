/** One file per user, named after the process, so that dead ones are recognized. */
import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PRIVATE_FILE } from '../private-files.ts';
import { isAlive, ownProcessIdentity } from '../process-identity.ts';

/** Returns the entry for `removeUse`. */
export const registerUse = (folder: string): string => {
  const entry = join(folder, `${ownProcessIdentity()}~${randomBytes(6).toString('hex')}`);
  writeFileSync(entry, '', PRIVATE_FILE);
  return entry;
};

export const removeUse = (entry: string): void => rmSync(entry, { force: true });

/** Deletes entries of dead processes. */
export const countUses = (folder: string): number =>
  readdirSync(folder).filter((file) => {
    const alive = isAlive(file.split('~')[0] ?? '');
    if (!alive) rmSync(join(folder, file), { force: true });
    return alive;
  }).length;

/** Who uses the embedded server: one file per user, named after its process, so that the dead are seen to be dead. */
import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OWN_FILE } from '../owner.ts';
import { isAlive, ownName } from '../processes.ts';

/** Signs this process in and returns the entry to sign out with. */
export const signIn = (folder: string): string => {
  const entry = join(folder, `${ownName()}~${randomBytes(6).toString('hex')}`);
  writeFileSync(entry, '', OWN_FILE);
  return entry;
};

export const signOut = (entry: string): void => rmSync(entry, { force: true });

/** How many uses of living processes are signed in; entries of dead ones are removed. */
export const countUsers = (folder: string): number =>
  readdirSync(folder).filter((file) => {
    const alive = isAlive(file.split('~')[0] ?? '');
    if (!alive) rmSync(join(folder, file), { force: true });
    return alive;
  }).length;

/**
 * The system user that PostgreSQL runs as where root starts the program. User id 65534 (nobody) is shared with every
 * other program that lends itself no rights, and whatever runs as it can read the data; a user of its own cannot.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { systemUsers, type SystemUser } from './passwd.ts';

export const OWN_USER = 'ahwa-postgres';

/** No home folder, no login: what Debian, Red Hat and Arch have, then what Debian's own tool takes. */
const MAKERS: readonly (readonly [string, ...string[]])[] = [
  [
    'useradd',
    ...['--system', '--user-group', '--no-create-home', '--home-dir', '/nonexistent'],
    ...['--shell', '/bin/false', OWN_USER],
  ],
  [
    'adduser',
    ...[
      '--system',
      '--group',
      '--no-create-home',
      '--home',
      '/nonexistent',
      '--shell',
      '/bin/false',
      OWN_USER,
    ],
  ],
];

const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

const find = (): SystemUser | null =>
  systemUsers().find(({ name, uid }) => name === OWN_USER && uid !== 0) ?? null;

/** Runs a program and waits for its end, however it ends; one that is not installed has ended at once. */
const tryRun = async ([program, ...args]: readonly [string, ...string[]]): Promise<void> => {
  const child = spawn(program, args, { env: { PATH: SYSTEM_PATH, LC_ALL: 'C' }, stdio: 'ignore', cwd: '/' });
  await once(child, 'close').catch(() => undefined);
};

/** To be called by root. Null where there is no such user and none can be made. */
export const ownUser = async (): Promise<SystemUser | null> => {
  for (const maker of MAKERS) {
    const found = find();
    if (found !== null) return found;
    await tryRun(maker);
  }
  return find();
};

/** User id 65534 (nobody) is shared with other programs, which could read the data. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { systemUsers, type SystemUser } from './passwd.ts';

export const OWN_USER = 'ahwa-postgres';

/** No home folder, no login: for Debian, Red Hat and Arch, then Debian's own tool. */
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

/** Waits for the end and ignores the result; a missing program ends at once. */
const tryRun = async ([program, ...args]: readonly [string, ...string[]]): Promise<void> => {
  const child = spawn(program, args, { env: { PATH: SYSTEM_PATH, LC_ALL: 'C' }, stdio: 'ignore', cwd: '/' });
  await once(child, 'close').catch(() => undefined);
};

/** Call it as root. Null when the user does not exist and cannot be created. */
export const ownUser = async (): Promise<SystemUser | null> => {
  for (const maker of MAKERS) {
    const found = find();
    if (found !== null) return found;
    await tryRun(maker);
  }
  return find();
};

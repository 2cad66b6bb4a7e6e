// Runs a program in process, mount and network namespaces of its own: what it starts has a network that can be cut, is
// seen by nobody else, and ends with it, however it ends. Argument: the program of Node and its arguments.
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const POSTGRES = '/usr/lib/postgresql';

/** A program that the test starts, and the package of Debian that has it. */
const PROGRAMS = {
  patroni: 'patroni python3-etcd',
  etcd: 'etcd-server',
  haproxy: 'haproxy',
  pgbouncer: 'pgbouncer',
  pgbackrest: 'pgbackrest',
  faketime: 'faketime',
  ip: 'iproute2',
  nft: 'nftables',
  unshare: 'util-linux',
};

const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin'];
const missing = Object.keys(PROGRAMS)
  .filter((program) => !folders.some((folder) => existsSync(join(folder, program))))
  .map((program) => PROGRAMS[program]);
const hasPostgres =
  existsSync(POSTGRES) &&
  readdirSync(POSTGRES).some((version) => existsSync(join(POSTGRES, version, 'bin/postgres')));
if (!hasPostgres) missing.push('postgresql-15');

const stop = (sentence) => {
  process.stderr.write(`ahwa: ${sentence}\n`);
  process.exit(2);
};
if (process.getuid?.() !== 0) stop('test:ha needs root on Linux: it makes networks for its machines.');
if (missing.length > 0)
  stop(`test:ha needs programs of Debian: apt-get install -y --no-install-recommends ${missing.join(' ')}`);

const folder = mkdtempSync(join(tmpdir(), 'ahwa-ha-'));
// The databases run as an ordinary user.
chmodSync(folder, 0o755);

/** The first process of its namespace: it reaps what others leave, and all others end with it. */
const INSIDE = `
  mount -t tmpfs tmpfs /run && mount -t tmpfs tmpfs /dev/shm && chmod 1777 /dev/shm && ip link set lo up || exit 2
  "$@"
  exit $?`;
const inside = spawn(
  'setpriv',
  [
    // When this process is killed, everything is.
    ...[
      '--pdeathsig',
      'KILL',
      'unshare',
      '--fork',
      '--kill-child',
      '--pid',
      '--mount-proc',
      '--mount',
      '--net',
    ],
    ...['bash', '-c', INSIDE, 'bash', process.execPath, ...process.argv.slice(2)],
  ],
  {
    stdio: 'inherit',
    env: { ...process.env, PATH: folders.join(delimiter), AHWA_HA_FOLDER: folder },
  },
);
// `unshare` ignores the others while it waits.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => inside.kill('SIGKILL'));
inside.once('close', (code) => {
  rmSync(folder, { recursive: true, force: true });
  process.exitCode = code ?? 1;
});

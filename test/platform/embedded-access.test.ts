/** Access to the embedded database: its system user, passwords, and clusters of older builds. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chownSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../src/adapters/embedded-postgres.ts';
import { findPrograms, run } from '../../src/adapters/embedded-postgres/programs.ts';
import { OWN_USER } from '../../src/adapters/embedded-postgres/own-user.ts';
import { systemUsers } from '../../src/adapters/embedded-postgres/passwd.ts';
import { registerUse, removeUse } from '../../src/adapters/embedded-postgres/users.ts';
import {
  clusterElsewhere,
  dataFolder,
  removeDataFolder,
  addUsedCluster,
} from '../support/programs/data-folder.ts';
import { canOthersHold, holdPostgres } from '../support/programs/postgres-holder.ts';

const asRoot = process.getuid?.() === 0;
const NOBODY = 65534;
/** On every Debian; neither root nor nobody. */
const DAEMON = 1;

let dataDir: string;
let undo: (() => Promise<unknown>)[];

beforeEach(() => {
  dataDir = dataFolder();
  undo = [];
});

afterEach(async () => {
  for (const step of undo.reverse()) await step();
  removeDataFolder(dataDir);
});

const start = async (folder = dataDir): Promise<EmbeddedPostgres> => {
  const server = await startEmbeddedPostgres({ dataDir: folder });
  undo.push(() => server.release());
  return server;
};

const cluster = (): string => clusterElsewhere(dataDir) ?? join(dataDir, 'postgres-18');
const ownerOf = (path: string): number => statSync(path).uid;
const ownUserId = (): number | undefined => systemUsers().find(({ name }) => name === OWN_USER)?.uid;
const postmaster = (): number =>
  Number(readFileSync(join(cluster(), 'postmaster.pid'), 'utf8').split('\n')[0]);
const runsAs = (): number => statSync(`/proc/${postmaster()}`).uid;
const passwords = (): string => join(dataDir, 'access', 'postgres.json');
/** Authentication methods in pg_hba.conf. */
const methods = (): string[] =>
  readFileSync(join(cluster(), 'pg_hba.conf'), 'utf8')
    .split('\n')
    .filter((line) => /^\s*(local|host)/.test(line))
    .map((line) => line.trim().split(/\s+/).at(-1) ?? '');

const query = async (connection: pg.ClientConfig, sql: string): Promise<unknown[]> => {
  const client = new pg.Client(connection);
  try {
    await client.connect();
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
};

const codeFrom = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'let in',
    (fault: unknown) => (fault as { code?: string }).code,
  );

const withoutPassword = ({ owner }: EmbeddedPostgres, user: string): pg.ClientConfig => ({
  ...{ host: owner.host, port: owner.port, database: owner.database, user },
});

/** PostgreSQL's answer to a connection as the owner: 0 is accepted, 10 asks for a password. */
const CONNECT_PROGRAM = `
  const socket = require('node:net').connect(process.argv[1]);
  const body = Buffer.from('user\\0ahwa\\0database\\0ahwa\\0\\0');
  const head = Buffer.alloc(8); head.writeInt32BE(body.length + 8, 0); head.writeInt32BE(196608, 4);
  socket.on('connect', () => socket.write(Buffer.concat([head, body])));
  socket.on('data', (bytes) => { console.log(bytes[0] === 82 ? 'asked ' + bytes.readInt32BE(5) : 'refused'); process.exit(); });
  socket.on('error', (fault) => { console.log(fault.code); process.exit(); });`;

const connectAs = async (uid: number, host: string): Promise<string> => {
  const child = spawn(process.execPath, ['-e', CONNECT_PROGRAM, join(host, '.s.PGSQL.5432')], {
    ...{ uid, gid: uid, cwd: '/' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (bytes: Buffer) => (output += bytes.toString()));
  await once(child, 'close');
  return output.trim();
};

describe('passwords of the embedded PostgreSQL', () => {
  test('each role needs its own password; only the owner reads the password file', async () => {
    const server = await start();
    expect(methods()).toEqual(['scram-sha-256']);
    for (const user of ['ahwa', 'ahwa_serve', 'postgres'])
      expect([user, await codeFrom(query(withoutPassword(server, user), 'select 1'))]).not.toContain(
        'let in',
      );
    const wrong = { ...server.owner, password: server.connection.password };
    expect(await codeFrom(query(wrong, 'select 1'))).toBe('28P01');
    const who = 'select current_user::text as me';
    expect(await query(server.owner, who)).toEqual([{ me: 'ahwa' }]);
    expect(await query(server.connection, who)).toEqual([{ me: 'ahwa_serve' }]);
    expect(statSync(join(dataDir, 'access')).mode & 0o777).toBe(0o700);
    expect(statSync(passwords()).mode & 0o777).toBe(0o600);
    expect(ownerOf(passwords())).toBe(process.getuid?.());
  });

  test('lost passwords are replaced at the next start, also of a server left running', async () => {
    await addUsedCluster(dataDir);
    const first = await startEmbeddedPostgres({ dataDir });
    await query(first.owner, 'create table kept as select 1 as n');
    await first.release();
    rmSync(passwords());
    const second = holdPostgres(dataDir);
    undo.push(second.kill);
    await second.reply;
    await second.kill();
    rmSync(passwords());
    const third = await start();
    expect(third.owner.password).not.toBe(first.owner.password);
    expect(await query(third.owner, 'select n from kept')).toEqual([{ n: 1 }]);
  });

  test('a start without the passwords of a server in use is refused; the server keeps running', async () => {
    await addUsedCluster(dataDir);
    const first = await start();
    rmSync(passwords());
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(
      /takes none of the passwords in the data folder's access\/postgres\.json; stop what uses it, and start again\.$/,
    );
    expect(await codeFrom(query(first.connection, 'select 1'))).toBe('let in');
  });
});

describe.runIf(asRoot)('embedded PostgreSQL started by root', () => {
  test('PostgreSQL runs as its own user without login; others reach neither socket nor files', async () => {
    const { connection } = await start();
    const uid = ownUserId() ?? -1;
    expect([runsAs(), ownerOf(cluster())]).toEqual([uid, uid]);
    expect(uid).not.toBe(NOBODY);
    const [, , , , , , shell] =
      readFileSync('/etc/passwd', 'utf8')
        .split('\n')
        .find((line) => line.startsWith(`${OWN_USER}:`))
        ?.split(':') ?? [];
    expect(shell).toBe('/bin/false');
    for (const other of [NOBODY, DAEMON]) expect(await connectAs(other, connection.host)).toBe('EACCES');
    expect(statSync(cluster()).mode & 0o777).toBe(0o700);
  });

  /** For programs started inside: a system without that user and without useradd. */
  const WITHOUT_USERADD = [
    ...['unshare', '--mount', '--propagation', 'private', 'sh', '-c'],
    `grep -v '^${OWN_USER}:' /etc/passwd > "$0" && mount --bind "$0" /etc/passwd
     for each in useradd adduser; do mount --bind /dev/null "$(command -v $each)"; done
     exec "$@"`,
  ];
  const canUnshare = ((): boolean => {
    try {
      execFileSync('unshare', ['--mount', 'true'], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  })();

  test.runIf(canUnshare)(
    'PostgreSQL runs as nobody with a password where no user can be created, until the next start',
    async () => {
      const held = holdPostgres(dataDir, [...WITHOUT_USERADD, join(dataDir, 'passwd')]);
      undo.push(held.kill);
      const { host = '' } = await held.reply;
      expect([runsAs(), ownerOf(cluster())]).toEqual([NOBODY, NOBODY]);
      expect(await connectAs(NOBODY, host)).toBe('asked 10');
      expect(await connectAs(DAEMON, host)).toBe('EACCES');
      await held.release();
      await start();
      expect([runsAs(), ownerOf(cluster())]).toEqual([ownUserId(), ownUserId()]);
    },
  );

  test('PostgreSQL takes over data of its own user under a former user id', async () => {
    await addUsedCluster(dataDir);
    const first = await startEmbeddedPostgres({ dataDir });
    await query(first.owner, 'create table kept as select 1 as n');
    await first.release();
    execFileSync('chown', ['-R', '54321:54321', cluster()]);
    const file = join(dataDir, 'postgres.json');
    const record = JSON.parse(readFileSync(file, 'utf8')) as object;
    execFileSync('sh', [
      '-c',
      `printf '%s' "$1" > "$2"`,
      'sh',
      JSON.stringify({ ...record, ownUserId: '54321' }),
      file,
    ]);
    expect(await query((await start()).owner, 'select n from kept')).toEqual([{ n: 1 }]);
    expect(ownerOf(cluster())).toBe(ownUserId());
  });

  test('PostgreSQL runs as the owner of an ordinary data folder', async () => {
    chownSync(dataDir, DAEMON, DAEMON);
    await start();
    expect([runsAs(), ownerOf(cluster()), ownerOf(passwords())]).toEqual([DAEMON, DAEMON, DAEMON]);
  });

  test.runIf(canOthersHold())('the owner of an ordinary data folder can start PostgreSQL too', async () => {
    chownSync(dataDir, DAEMON, DAEMON);
    await (await startEmbeddedPostgres({ dataDir })).release();
    const held = holdPostgres(dataDir, [], { uid: DAEMON, gid: DAEMON });
    undo.push(held.kill);
    const { host = '', refused } = await held.reply;
    expect(refused).toBeUndefined();
    expect(runsAs()).toBe(DAEMON);
    expect(await connectAs(NOBODY, host)).toBe('EACCES');
    expect(await connectAs(DAEMON, host)).toBe('asked 10');
    await held.release();
  });
});

describe('a cluster of an older build without passwords', () => {
  const account = asRoot ? { uid: NOBODY, gid: NOBODY } : null;
  let programs: string;
  /** A data folder with a cluster as an older build created it, with one row; stopped. */
  let older: string;

  const createOlder = async (): Promise<void> => {
    programs = await findPrograms(account, older, () => undefined);
    for (const made of [join(older, 'postgres-18'), join(older, 's')]) {
      mkdirSync(made, { mode: 0o700 });
      if (account !== null) chownSync(made, account.uid, account.gid);
    }
    const options = ['--encoding=UTF8', '--locale=C', '--data-checksums', '--auth=trust', '--username=ahwa'];
    const initdb = await run(
      join(programs, 'initdb'),
      [...options, '-D', join(older, 'postgres-18')],
      account,
    );
    expect(initdb.code).toBe(0);
    const { host, stop } = runOlder(older);
    const trusted = { host, port: 5432, user: 'ahwa' };
    while (
      (await codeFrom(query({ ...trusted, database: 'postgres' }, 'create database ahwa'))) !== 'let in'
    );
    await query({ ...trusted, database: 'ahwa' }, 'create table kept as select 1 as n');
    await stop();
  };

  const runOlder = (home: string): { host: string; stop: () => Promise<void> } => {
    const host = join(home, 's');
    // One test takes all connections.
    const few = ['-c', 'max_connections=8', '-c', 'max_wal_senders=0'];
    const settings = ['-c', 'listen_addresses=', '-c', `unix_socket_directories=${host}`, ...few];
    const server = spawn(join(programs, 'postgres'), ['-D', join(home, 'postgres-18'), ...settings], {
      ...account,
      cwd: '/',
      env: {},
      stdio: 'ignore',
    });
    const ended = once(server, 'exit');
    const stop = async (): Promise<void> => {
      server.kill('SIGINT');
      await ended;
    };
    return { host, stop };
  };

  beforeAll(async () => {
    older = dataFolder();
    await createOlder();
  });
  afterAll(() => removeDataFolder(older));

  /** It runs. */
  const olderCluster = async (): Promise<{ host: string; stop: () => Promise<void> }> => {
    execFileSync('cp', ['-a', `${older}/.`, dataDir]);
    const server = runOlder(dataDir);
    undo.push(server.stop);
    const connection = { host: server.host, port: 5432, user: 'ahwa', database: 'ahwa' };
    while ((await codeFrom(query(connection, 'select 1'))) !== 'let in');
    return server;
  };

  const isConverted = async (server: EmbeddedPostgres): Promise<void> => {
    expect(methods()).toEqual(['scram-sha-256']);
    expect(await codeFrom(query(withoutPassword(server, 'ahwa'), 'select 1'))).not.toBe('let in');
    expect(await query(server.owner, 'select n from kept')).toEqual([{ n: 1 }]);
    expect(await codeFrom(query(server.connection, 'drop table kept'))).toBe('42501');
  };

  test('the next start sets passwords and, as root, a user of its own', async () => {
    const { stop } = await olderCluster();
    expect(methods()).toContain('trust');
    await stop();
    const server = await start();
    await isConverted(server);
    if (asRoot) expect([runsAs(), ownerOf(cluster())]).toEqual([ownUserId(), ownUserId()]);
  });

  test('a running cluster gets passwords at once, its own user at the next start', async () => {
    await olderCluster();
    const first = await startEmbeddedPostgres({ dataDir });
    await isConverted(first);
    if (asRoot) expect(runsAs()).toBe(NOBODY);
    await first.release();
    await isConverted(await start());
    if (asRoot) expect(runsAs()).toBe(ownUserId());
  });

  /** Another path of the data folder. */
  const linked = (): string => {
    const link = `${dataDir}-link`;
    symlinkSync(dataDir, link);
    undo.push(() => {
      rmSync(link);
      return Promise.resolve();
    });
    return link;
  };

  const workIn = async (folder: string): Promise<void> => {
    const child = spawn('sleep', ['600'], { cwd: folder, stdio: 'ignore' });
    await once(child, 'spawn');
    undo.push(() => Promise.resolve(child.kill()));
  };

  test.runIf(asRoot)('a running cluster reached through a link keeps its owner and data', async () => {
    const { host } = await olderCluster();
    const server = await start(linked());
    const owners = [runsAs(), ownerOf(cluster()), ownerOf(join(cluster(), 'PG_VERSION'))];
    expect(owners).toEqual([NOBODY, NOBODY, NOBODY]);
    // A new connection is a new backend, which opens the files by name.
    expect(await query(server.owner, 'select n from kept')).toEqual([{ n: 1 }]);
    expect(server.owner.host).toBe(host);
  });

  test.runIf(asRoot)(
    'a cluster in which a process still works keeps its owner, also through a link',
    async () => {
      const { stop } = await olderCluster();
      await stop();
      await workIn(cluster());
      await start(linked());
      expect([runsAs(), ownerOf(cluster())]).toEqual([NOBODY, NOBODY]);
    },
  );

  test.runIf(asRoot)(
    'a process in a folder with a similar name does not prevent the change of owner',
    async () => {
      const { stop } = await olderCluster();
      await stop();
      mkdirSync(join(dataDir, 'postgres-18-copy'));
      await workIn(join(dataDir, 'postgres-18-copy'));
      await start();
      expect([runsAs(), ownerOf(cluster())]).toEqual([ownUserId(), ownUserId()]);
    },
  );

  test('a cluster without a free connection keeps its pg_hba.conf, as no password can be set', async () => {
    const { host } = await olderCluster();
    const clients: pg.Client[] = [];
    undo.push(() => Promise.all(clients.map((client) => client.end().catch(() => undefined))));
    for (let isFull = false; !isFull;) {
      const client = new pg.Client({ host, port: 5432, user: 'ahwa', database: 'ahwa' });
      client.on('error', () => undefined);
      isFull = await client.connect().then(
        () => false,
        () => true,
      );
      if (!isFull) clients.push(client);
    }
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(/could not be given a password/);
    expect(methods()).toContain('trust');
    await isConverted(await start());
  });

  test('an older build keeps its access while it runs; then passwords are required', async () => {
    const { host } = await olderCluster();
    const users = join(dataDir, 'run', 'users');
    mkdirSync(users, { recursive: true });
    const older = registerUse(users);
    const beside = await startEmbeddedPostgres({ dataDir });
    const trusted = { host, port: 5432, user: 'ahwa', database: 'ahwa' };
    expect(await codeFrom(query(trusted, 'select 1'))).toBe('let in');
    expect(await query(beside.connection, 'select current_user::text as me')).toEqual([{ me: 'ahwa_serve' }]);
    removeUse(older);
    await beside.release();
    await isConverted(await start());
  });

  test.runIf(asRoot)('the next start completes a change of owner that was interrupted', async () => {
    const { stop } = await olderCluster();
    await stop();
    // The folder itself is last: half of its content has the new owner already.
    const { owner } = await start().then(async (server) => {
      await server.release();
      return server;
    });
    undo.pop();
    for (const name of readdirSync(cluster()))
      if (name < 'pg_') execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, join(cluster(), name)]);
    chownSync(cluster(), NOBODY, NOBODY);
    const server = await start();
    expect(server.owner.password).toBe(owner.password);
    await isConverted(server);
    const strangers = execFileSync('find', [cluster(), '-not', '-user', OWN_USER]).toString();
    expect(strangers).toBe('');
  });

  test.runIf(asRoot)('a cluster that contains a link keeps its owner', async () => {
    const { stop } = await olderCluster();
    await stop();
    execFileSync('ln', ['-s', '/etc/hostname', join(cluster(), 'a-link')]);
    await isConverted(await start());
    expect([runsAs(), ownerOf('/etc/hostname')]).toEqual([NOBODY, 0]);
  });
});

test('no trust rule remains, even with another hba_file in postgresql.conf', async () => {
  await startEmbeddedPostgres({ dataDir }).then((server) => server.release());
  const other = join(dataDir, 'other_hba.conf');
  writeFileSync(other, 'local all all trust\n', { mode: 0o644 });
  appendFileSync(join(cluster(), 'postgresql.conf'), `\nhba_file = '${other}'\n`);
  const server = await start();
  const rules = await query({ ...server.owner }, 'select distinct auth_method, type from pg_hba_file_rules');
  expect(rules).toEqual([{ auth_method: 'scram-sha-256', type: 'local' }]);
});

/** The embedded database: start, sharing, stop, kill, and error messages. */
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EmbeddedPostgresError, startEmbeddedPostgres } from '../../src/adapters/embedded-postgres.ts';
import type { EmbeddedPostgres } from '../../src/adapters/embedded-postgres.ts';
import { DatabaseUnavailable, connect } from '../../src/platform/store/db.ts';
import type { ConnectionOptions, Db } from '../../src/platform/store/db.ts';
import {
  clusterElsewhere,
  dataFolder,
  removeDataFolder,
  addUsedCluster,
} from '../support/programs/data-folder.ts';
import { holdPostgres, type Holder } from '../support/programs/postgres-holder.ts';

const asRoot = process.getuid?.() === 0;

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

const open = (connection: ConnectionOptions): Db<object> => {
  const db = connect<object>(connection);
  undo.push(() => db.close());
  return db;
};

const cluster = (): string => clusterElsewhere(dataDir) ?? join(dataDir, 'postgres-18');
const postmaster = (): number =>
  Number(readFileSync(join(cluster(), 'postmaster.pid'), 'utf8').split('\n')[0]);
const isRunning = (): boolean => existsSync(join(cluster(), 'postmaster.pid'));

/** Another process on the same data folder, until the test ends. */
const holder = (): Holder => {
  const held = holdPostgres(dataDir);
  undo.push(held.kill);
  return held;
};

/** Polls until there is an answer. */
const eventually = async <T>(ask: () => T | null | Promise<T | null>): Promise<T> => {
  for (;;) {
    const answer = await ask();
    if (answer !== null) return answer;
    await pause(20);
  }
};

const sentenceOf = async (work: Promise<unknown>): Promise<string> => {
  const fault: unknown = await work.then(
    () => 'no fault',
    (raised: unknown) => raised,
  );
  if (!(fault instanceof EmbeddedPostgresError)) return `other: ${String(fault)}`;
  expect(fault.message).toMatch(/^[^\n]+[^.\n]$|^[^\n]+\.$/);
  return fault.message;
};

describe('one process', () => {
  test('a new data folder gets PostgreSQL 18 in UTF-8 with checksums on a private socket', async () => {
    const { connection } = await start();
    const db = open(connection);
    const show = async (name: string): Promise<unknown> =>
      (await sql<{ v: string }>`select current_setting(${name}) as v`.execute(db.kysely)).rows[0]?.v;
    expect(await show('server_version_num')).toMatch(/^18/);
    expect(await show('server_encoding')).toBe('UTF8');
    expect(await show('data_checksums')).toBe('on');
    expect(await show('listen_addresses')).toBe('');
    expect(await show('synchronous_commit')).toBe('on');
    expect(await show('fsync')).toBe('on');
    expect(statSync(connection.host).mode & 0o777).toBe(0o700);
    expect(Buffer.byteLength(join(connection.host, '.s.PGSQL.5432'))).toBeLessThan(107);
    const locale = await sql<{
      v: string;
    }>`select datlocprovider::text || ' ' || datlocale as v from pg_database where datname = 'ahwa'`.execute(
      db.kysely,
    );
    expect(locale.rows).toEqual([{ v: 'b C.UTF-8' }]);
  });

  test('the last user stops the server, and the next start finds the data', async () => {
    await addUsedCluster(dataDir);
    const first = await start();
    const second = await start();
    expect(second.connection).toEqual(first.connection);
    const db = open(first.owner);
    await sql`create table kept (n int)`.execute(db.kysely);
    await db.close();
    await Promise.all([first.release(), first.release()]);
    expect(isRunning()).toBe(true);
    await second.release();
    expect(isRunning()).toBe(false);
    expect(existsSync(first.connection.host)).toBe(false);
    const again = open((await start()).owner);
    await sql`insert into kept values (1)`.execute(again.kysely);
  });

  test('a data folder with a path too long for a socket works', async () => {
    const deep = join(dataDir, ...Array.from({ length: 8 }, (_, at) => `a-folder-with-a-long-name-${at}`));
    await start(deep).then((server) => server.release());
    expect(existsSync(join(deep, 'postgres-18', 'PG_VERSION'))).toBe(
      !asRoot || clusterElsewhere(deep) === null,
    );
  });
});

describe('several processes', () => {
  test('several processes that start concurrently share one server', async () => {
    const holders = [holder(), holder(), holder()];
    const hosts = await Promise.all(holders.map(async ({ reply }) => (await reply).host));
    expect(hosts[0]).toBeTypeOf('string');
    expect(new Set(hosts).size).toBe(1);
    const pid = postmaster();
    await holders[0]?.release();
    await holders[1]?.kill();
    expect(postmaster()).toBe(pid);
    await holders[2]?.release();
    expect(isRunning()).toBe(false);
  });

  test('the next process adopts and later stops the server of a killed one', async () => {
    await addUsedCluster(dataDir);
    const killed = holder();
    await killed.reply;
    const pid = postmaster();
    await killed.kill();
    expect(postmaster()).toBe(pid);
    const next = await start();
    expect(postmaster()).toBe(pid);
    await next.release();
    expect(isRunning()).toBe(false);
  });

  test('a process killed while it creates the cluster does not block the next', async () => {
    const killed = holder();
    await eventually(() => (readdirSync(dataDir).some((name) => name.includes('.new-')) ? true : null));
    await killed.kill();
    const db = open((await start()).connection);
    await db.ping();
    expect(readdirSync(dataDir).filter((name) => name.includes('.new-'))).toEqual([]);
  });
});

describe('a killed server', () => {
  const killServer = async (): Promise<void> => {
    const pid = postmaster();
    process.kill(pid, 'SIGKILL');
    await eventually(() =>
      existsSync(`/proc/${pid}/stat`) && !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')
        ? null
        : true,
    );
  };

  test('is restarted by its users with every acknowledged row and no partial transaction', async () => {
    await addUsedCluster(dataDir);
    const server = await start();
    const db = open(server.owner);
    await sql`create table kept (n int, pair int)`.execute(db.kysely);
    let acknowledged = 0;
    const writing = (async () => {
      for (let n = 1; ; n += 1) {
        await db.tx(async (tx) => {
          await sql`insert into kept values (${n}, 1)`.execute(tx);
          await sql`insert into kept values (${n}, 2)`.execute(tx);
        });
        acknowledged = n;
      }
    })();
    await eventually(() => (acknowledged >= 50 ? true : null));
    await Promise.all([expect(writing).rejects.toBeInstanceOf(DatabaseUnavailable), killServer()]);
    const { rows } = await eventually(() =>
      sql<{ n: number }>`select n from kept group by n having count(*) = 2 order by n`
        .execute(db.kysely)
        .catch(() => null),
    );
    expect(rows.length).toBeGreaterThanOrEqual(acknowledged);
    const halves = await sql`select n from kept group by n having count(*) <> 2`.execute(db.kysely);
    expect(halves.rows).toEqual([]);
  });

  test('a killed server without users is started by the next user', async () => {
    await addUsedCluster(dataDir);
    const gone = holder();
    await gone.reply;
    await gone.kill();
    await killServer();
    expect(isRunning()).toBe(true);
    await open((await start()).connection).ping();
  });
});

describe('an unusable data folder', () => {
  test('a file in place of the data folder is refused and left unchanged', async () => {
    const file = join(dataDir, 'file');
    writeFileSync(file, 'mine');
    expect(await sentenceOf(startEmbeddedPostgres({ dataDir: file }))).toBe(
      `${file} is not a folder; set DATA_DIR to a folder.`,
    );
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });

  test('a data folder below a file is refused', async () => {
    writeFileSync(join(dataDir, 'file'), '');
    expect(await sentenceOf(startEmbeddedPostgres({ dataDir: join(dataDir, 'file', 'data') }))).toContain(
      'set DATA_DIR',
    );
  });

  test('data of another major version is refused, in its own folder or in postgres-18', async () => {
    mkdirSync(join(dataDir, 'postgres-17'));
    const sentence = await sentenceOf(startEmbeddedPostgres({ dataDir }));
    expect(sentence).toContain('holds data of PostgreSQL 17');
    // As in the operations page.
    expect(sentence).toContain(
      'back it up with the release that made it (ahwa backup), and restore that with this one into a new DATA_DIR (ahwa restore)',
    );
    expect(readdirSync(dataDir)).not.toContain('postgres-18');
    renameSync(join(dataDir, 'postgres-17'), join(dataDir, 'postgres-18'));
    writeFileSync(join(dataDir, 'postgres-18', 'PG_VERSION'), '17\n');
    if (asRoot) chownSync(join(dataDir, 'postgres-18'), 65534, 65534);
    expect(await sentenceOf(startEmbeddedPostgres({ dataDir }))).toContain('holds data of PostgreSQL 17');
  });

  test('a recorded cluster that no longer exists is refused', async () => {
    writeFileSync(join(dataDir, 'postgres.json'), JSON.stringify({ cluster: '/nowhere/postgres-18' }));
    expect(await sentenceOf(startEmbeddedPostgres({ dataDir }))).toContain(
      'was kept in /nowhere/postgres-18, and that folder is gone',
    );
  });

  test('data of another user is refused (as root: data of root)', async () => {
    const folder = asRoot ? dataDir : '/usr';
    if (asRoot) mkdirSync(join(dataDir, 'postgres-18'));
    expect(await sentenceOf(startEmbeddedPostgres({ dataDir: folder }))).toContain('belongs to root');
  });

  test('a data folder of a user id without a passwd entry is refused (as root)', async () => {
    if (asRoot) {
      chownSync(dataDir, 54_321, 54_321);
      expect(await sentenceOf(startEmbeddedPostgres({ dataDir }))).toContain('has no passwd entry');
    } else await start();
  });

  test('a folder without write permission is refused (as root: is used)', async () => {
    chmodSync(dataDir, 0o555);
    undo.push(() => chmod(dataDir, 0o755));
    if (asRoot) await start();
    else expect(await sentenceOf(startEmbeddedPostgres({ dataDir }))).toContain('cannot be written');
  });
});

test('a data folder closed to others works; as root its data is kept elsewhere and found again', async () => {
  chmodSync(dataDir, 0o700);
  const inner = join(dataDir, 'inner');
  mkdirSync(inner, { mode: 0o700 });
  undo.push(() => {
    removeDataFolder(inner);
    return Promise.resolve();
  });
  const first = await start(inner);
  const db = open(first.owner);
  await sql`create table kept (n int)`.execute(db.kysely);
  await db.close();
  await first.release();
  expect(clusterElsewhere(inner) === null).toBe(!asRoot);
  await sql`insert into kept values (1)`.execute(open((await start(inner)).owner).kysely);
});

/** `ahwa backup` and `ahwa restore` as commands: files, pipes, signals, kill -9, and error messages. */
import { execFileSync, spawn } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { MIGRATION_LOCK } from '../../src/platform/store/migrate.ts';
import { withoutDatabase } from '../support/programs/database-line.ts';
import { digestsOf } from '../support/database/backups.ts';
import { aShopFile, SLUG } from '../support/shops/cafe.ts';
import { useProgram, connectTo, eventually, type Program } from '../support/programs/program.ts';

const bench = useProgram('file', 'embedded');
const elsewhere = useProgram('test', 'new');

const ROOT = join(import.meta.dirname, '../..');
const KEPT = 'the backup of yesterday';
let file = '';
let backup = '';

beforeAll(async () => {
  backup = join(bench.dataDir(), 'whole.backup');
  // Keeps PostgreSQL running for all commands.
  await bench.serve();
  await bench.ahwa(['import', '-'], {}, JSON.stringify(aShopFile()));
  expect((await bench.ahwa(['backup', backup])).code).toBe(0);
});

beforeEach(() => {
  file = join(elsewhere.dataDir(), 'ahwa.backup');
});

const partial = (): string => `${file}.partial`;
/** Does not exist yet. */
const newDataDir = (): string => join(elsewhere.dataDir(), 'data');

const connected = async (dataDir: string): Promise<pg.Client> => {
  const client = await connectTo(dataDir);
  onTestFinished(() => client.end().catch(() => undefined));
  return client;
};

/** Digests of a backup's tables, but of the one that the running server writes to every minute. */
const digestsIn = (name: string): Record<string, string> => {
  const { feed_clock: moving, ...digests } = digestsOf(readFileSync(name));
  expect(moving).toBeDefined();
  return digests;
};

/** Waits until `count` backups wait for a locked table. */
const backupsWait = async (count: number): Promise<void> => {
  // A transaction would always see the same sessions.
  const client = await connected(bench.dataDir());
  await eventually(async () => {
    const { rowCount } = await client.query(
      "select 1 from pg_stat_activity where application_name = 'ahwa backup' and wait_event_type = 'Lock'",
    );
    return rowCount === count ? true : null;
  }, `${count} backups to wait`);
};

/** Starts a backup that waits for a table until `unlock`. */
const waitingBackup = async (): Promise<{ program: Program; unlock: () => Promise<unknown> }> => {
  const client = await connected(bench.dataDir());
  await client.query('begin; lock table branch in access exclusive mode');
  const program = bench.command(['backup', file]);
  await backupsWait(1);
  expect(existsSync(partial())).toBe(true);
  return { program, unlock: () => client.query('rollback') };
};

test('a backup to a link replaces the file that it leads to, and a link to nowhere is refused', async () => {
  const share = join(elsewhere.dataDir(), 'share');
  mkdirSync(share);
  const target = join(share, 'of-yesterday');
  writeFileSync(target, KEPT);
  symlinkSync(target, file);
  expect(await bench.ahwa(['backup', file])).toMatchObject({ code: 0 });
  expect(readlinkSync(file)).toBe(target);
  expect((await bench.ahwa(['restore', '--check', target])).code).toBe(0);
  rmSync(target);
  const { code, stderr } = await bench.ahwa(['backup', file]);
  expect([code, existsSync(target)]).toEqual([1, false]);
  expect(stderr).toContain(`${file} cannot be written`);
});

test('a backup has mode 0600, replaces the previous one and leaves no partial file', async () => {
  writeFileSync(file, KEPT);
  writeFileSync(partial(), 'what a killed backup left');
  const { code, stdout, stderr } = await bench.ahwa(['backup', file]);
  expect([code, withoutDatabase(stderr)]).toEqual([0, '']);
  expect(stdout).toMatch(
    /^backup of \d+ tables and [\d,]+ rows as of \S+; Ahwa [\d.]+, migration \d{4}_\w+, PostgreSQL 1\d\.\d+.*\nThe secret key is not in it: keep \S+secret\.key too, or every password, PIN and authenticator app of the staff is wrong, every webhook needs a new secret and no member's token can be made again\.\n$/,
  );
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(existsSync(partial())).toBe(false);
  expect(digestsIn(file)).toEqual(digestsIn(backup));
});

test('with SECRET_KEY set, the backup command advises to keep SECRET_KEY', async () => {
  const { stdout } = await bench.ahwa(['backup', file], { SECRET_KEY: 'a key of the tests' });
  expect(stdout).toMatch(/keep SECRET_KEY too, or /);
});

test('kill -9 during a backup keeps the previous backup; the next backup is complete', async () => {
  writeFileSync(file, KEPT);
  const { program, unlock } = await waitingBackup();
  program.signal('SIGKILL');
  await program.ended;
  expect(readFileSync(file, 'utf8')).toBe(KEPT);
  await unlock();
  expect((await bench.ahwa(['backup', file])).code).toBe(0);
  expect(existsSync(partial())).toBe(false);
  expect(digestsIn(file)).toEqual(digestsIn(backup));
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)(
  '%s during a backup keeps the previous backup and leaves no partial file',
  async (signal, code) => {
    writeFileSync(file, KEPT);
    const { program, unlock } = await waitingBackup();
    program.signal(signal);
    expect((await program.ended).code).toBe(code);
    expect([readFileSync(file, 'utf8'), existsSync(partial())]).toEqual([KEPT, false]);
    await unlock();
  },
);

test('of two concurrent backups to one name one fails and one is complete', async () => {
  const { program, unlock } = await waitingBackup();
  const second = bench.command(['backup', file]);
  await backupsWait(2);
  await unlock();
  const [one, other] = await Promise.all([program.ended, second.ended]);
  expect([one.code, other.code]).toEqual([1, 0]);
  expect(withoutDatabase(one.stderr)).toBe(
    `ahwa: Another backup is being written to ${file}; this one is given up.\n`,
  );
  expect(digestsIn(file)).toEqual(digestsIn(backup));
});

test('kill -9 during a restore leaves no table; the next restore is complete', async () => {
  const pipe = join(elsewhere.dataDir(), 'pipe');
  execFileSync('mkfifo', [pipe]);
  const settings = { DATA_DIR: newDataDir() };
  expect((await elsewhere.serve({ ...settings, MIGRATE_ON_START: 'false' })).hasEnded()).toBe(false);
  const program = elsewhere.command(['restore', pipe], settings);
  const bytes = readFileSync(backup);
  const end = openSync(pipe, 'w');
  onTestFinished(() => closeSync(end));
  writeSync(end, bytes.subarray(0, bytes.length - 100));
  const client = await connected(newDataDir());
  const writing =
    "select 1 from pg_stat_activity where application_name = 'ahwa restore' and query like 'copy%'";
  const present = "select 1 from pg_stat_activity where application_name = 'ahwa restore'";
  await eventually(
    async () => ((await client.query(writing)).rowCount === 0 ? null : true),
    'the restore to write',
  );
  await eventually(
    () => (/^ahwa: restoring: \w+, [\d,]+ rows?$/m.test(program.stderr()) ? true : null),
    'a line about how far it is',
  );
  program.signal('SIGKILL');
  await program.ended;
  await eventually(
    async () => ((await client.query(present)).rowCount === 0 ? true : null),
    'its session to end',
  );
  expect((await client.query("select 1 from pg_tables where schemaname = 'public'")).rowCount).toBe(0);
  expect((await elsewhere.ahwa(['restore', backup], settings)).code).toBe(0);
  expect((await elsewhere.ahwa(['backup', file], settings)).code).toBe(0);
  expect(digestsIn(file)).toEqual(digestsIn(backup));
});

test('a backup piped into a restore copies the database', async () => {
  mkdirSync(newDataDir());
  const program = (...args: string[]): string =>
    [process.execPath, join(ROOT, 'dist/cli.js'), ...args].join(' ');
  const { PATH = '', HOME = '' } = process.env;
  const shell = spawn(
    'bash',
    [
      '-o',
      'pipefail',
      '-c',
      `${program('backup', '-')} | DATA_DIR=${newDataDir()} ${program('restore', '-')}`,
    ],
    { env: { PATH, HOME, DATA_DIR: bench.dataDir() }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const output = { stdout: '', stderr: '' };
  shell.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  shell.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  const code = await new Promise((resolve) => shell.once('close', resolve));
  expect([code, output.stdout]).toEqual([0, expect.stringMatching(/^restored \d+ tables/)]);
  // Both write to it, and a slow one says its progress too.
  expect(output.stderr).toMatch(/^ahwa: backup of \d+ tables /m);
  expect(output.stderr).toMatch(/^ahwa: The secret key is not in it/m);
  expect((await elsewhere.ahwa(['backup', file], { DATA_DIR: newDataDir() })).code).toBe(0);
  expect(digestsIn(file)).toEqual(digestsIn(backup));
});

describe('messages of backup and restore', () => {
  const messageOf = async (args: readonly string[], settings = {}): Promise<string> => {
    const { code, stdout, stderr } = await bench.ahwa(args, settings);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).not.toMatch(/^\s+at /m);
    return withoutDatabase(stderr);
  };

  test('a restore beside a running server is refused: the database is not empty', async () => {
    expect(await messageOf(['restore', backup])).toMatch(
      /^ahwa: The database is not empty \(it has \w+, \w+, \w+ and others\); nothing was changed\. Restore into a new database or a new DATA_DIR\.\n$/,
    );
  });

  test('a backup of an unknown shop, --close without a shop, and a second copy of a shop are refused', async () => {
    const { code, stdout } = await bench.ahwa(['backup', '--org', SLUG, file]);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(
        /^backup of the shop beit-el-bunn \([0-9a-f-]{36}\): \d+ tables and [\d,]+ rows as of .*\nThe secret key is not in it: where the shop is restored, add the one of \S+secret\.key at the end of SECRET_KEY, or /,
      ),
    ]);
    expect(await messageOf(['restore', file])).toMatch(
      /^ahwa: The shop beit-el-bunn \(\S+\) is in this database already, in the table \w+; nothing was changed\.\n$/,
    );
    expect((await bench.ahwa(['restore', '--check', file])).stdout).toMatch(/^whole: the shop beit-el-bunn /);
    expect(await messageOf(['backup', '--org', 'nobody', file])).toBe(
      'ahwa: There is no shop with the address name ‘nobody’.\n',
    );
    expect(await messageOf(['backup', '--close', file])).toBe(
      'ahwa: --close closes one shop: name it with --org.\n',
    );
  });

  test('a shop is not closed for a file that cannot be made', async () => {
    const missing = join(elsewhere.dataDir(), 'no', 'such');
    expect(await messageOf(['backup', '--org', SLUG, '--close', missing])).toBe(
      `ahwa: ${missing} cannot be written: there is no such folder.\n`,
    );
    expect(await bench.ahwa(['shop', 'open', SLUG])).toMatchObject({
      code: 0,
      stdout: `${SLUG} is open already; nothing was changed.\n`,
    });
  });

  test('a shop that was closed for a backup which fails is said to be closed, at the end', async () => {
    const client = await connected(bench.dataDir());
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const { code, stderr } = await bench.ahwa(['backup', '--org', SLUG, '--close', file]);
    expect(code).toBe(1);
    expect(stderr.trimEnd().split('\n').at(-1)).toBe(
      `ahwa: ${SLUG} is closed: it takes no orders. \`ahwa shop open ${SLUG}\` opens it again.`,
    );
    await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    expect((await bench.ahwa(['shop', 'open', SLUG])).code).toBe(0);
  });

  test('a shop that was closed by another command is backed up once its last message has left', async () => {
    const [client, watch] = [await connected(bench.dataDir()), await connected(bench.dataDir())];
    expect((await bench.ahwa(['shop', 'close', SLUG])).code).toBe(0);
    await client.query('begin');
    await client.query('lock table outbox in row exclusive mode');
    const backingUp = bench.ahwa(['backup', '--org', SLUG, file]);
    const waiting =
      "select from pg_stat_activity where query like '%virtualtransaction as id%' and pid <> pg_backend_pid()";
    await eventually(
      async () => ((await watch.query(waiting)).rowCount === 0 ? null : true),
      'the command to wait',
    );
    await client.query('commit');
    expect((await backingUp).code).toBe(0);
    expect((await bench.ahwa(['shop', 'open', SLUG])).code).toBe(0);
  });

  test('a change of a closed shop is refused in one sentence', async () => {
    const closed = await bench.ahwa(['shop', 'close', SLUG]);
    expect(closed.stdout).toBe(
      `${SLUG} is closed: it takes no orders. \`ahwa shop open ${SLUG}\` opens it again.\n`,
    );
    expect(await messageOf(['shop', 'rename', SLUG, 'another'])).toBe(
      'ahwa: The shop is closed, and takes no change: `ahwa shop open` opens it.\n',
    );
    expect((await bench.ahwa(['shop', 'open', SLUG])).code).toBe(0);
  });

  test('a restore of a missing file is refused and creates no data folder', async () => {
    expect(await messageOf(['restore', file], { DATA_DIR: newDataDir() })).toBe(
      `ahwa: ${file} cannot be read: there is no such file.\n`,
    );
    expect(existsSync(newDataDir())).toBe(false);
  });

  test('a restore of one shop, or of what is no backup, creates no database', async () => {
    const shop = join(elsewhere.dataDir(), 'shop.backup');
    expect((await bench.ahwa(['backup', '--org', SLUG, shop])).code).toBe(0);
    const dataDir = newDataDir();
    expect(await messageOf(['restore', shop], { DATA_DIR: dataDir })).toMatch(
      /^ahwa: There is no database in \S+; /,
    );
    expect(existsSync(dataDir)).toBe(false);
    expect(await messageOf(['restore', import.meta.filename], { DATA_DIR: dataDir })).toBe(
      'ahwa: This is not a backup that Ahwa made.\n',
    );
    expect(existsSync(dataDir)).toBe(false);
  });

  test('paths that cannot be a file are refused', async () => {
    const folder = elsewhere.dataDir();
    for (const [args, sentence] of [
      [['backup', folder], `${folder} cannot be written: it is no file; - is standard output.`],
      [
        ['backup', join(folder, 'no', 'such')],
        `${folder}/no/such cannot be written: there is no such folder.`,
      ],
      [['backup', '/dev/null'], '/dev/null cannot be written: it is no file; - is standard output.'],
      [['restore', '--check', folder], `${folder} cannot be read: it is a folder.`],
    ] as const)
      expect(await messageOf(args)).toBe(`ahwa: ${sentence}\n`);
  });

  test('restore --check refuses other and truncated files, without database or settings', async () => {
    const check = (bytes: Buffer): Promise<string> => {
      writeFileSync(file, bytes);
      return messageOf(['restore', '--check', file], { DATABASE_URL: 'nonsense', PORT: 'nonsense' });
    };
    expect(await check(Buffer.from('{}'))).toBe('ahwa: This is not a backup that Ahwa made.\n');
    expect(await check(readFileSync(backup).subarray(0, -20))).toBe(
      'ahwa: The backup is cut short: its end is missing.\n',
    );
    const { code, stdout } = await bench.ahwa(['restore', '--check', backup]);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^whole: \d+ tables and [\d,]+ rows as of /)]);
  });
});

/** Every command names its database; only commands that bring something in make one. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startEmbeddedPostgres } from '../../src/adapters/embedded-postgres.ts';
import type { ConnectionOptions } from '../../src/platform/store/db.ts';
import { readMigrations } from '../../src/platform/store/migrate.ts';
import { MIGRATIONS } from '../../src/wiring.ts';
import { aShopFile, SLUG } from '../support/shops/cafe.ts';
import {
  asOwner,
  emptyDatabase,
  freshDatabase,
  withAdmin,
  type TestDatabase,
} from '../support/database/test-database.ts';
import { addUsedCluster } from '../support/programs/data-folder.ts';
import { urlOf, useProgram, type Settings } from '../support/programs/program.ts';

const bench = useProgram('test', 'new');

/** `import`, `migrate`, `restore` and `demo` make a database by nature. */
const ON_EXISTING: readonly (readonly string[])[] = [
  ['export', SLUG],
  ['export-menu', SLUG],
  ['import-menu', SLUG, '-'],
  ['backup', '-'],
  ['staff', 'list', SLUG],
  ['staff', 'pin', SLUG, 'Mona'],
  ['card', 'make', SLUG, '01001234567', 'Mona'],
  ['tables', 'print', SLUG],
  ['webhook', 'list', SLUG],
  ['outbox', 'list', SLUG],
  ['sending', 'off'],
];

const expectNone = async (folder: string, args: readonly string[]): Promise<void> => {
  const { code, stdout, stderr } = await bench.ahwa(args, { DATA_DIR: folder }, '1234\n');
  expect([code, stdout, stderr]).toEqual([
    1,
    '',
    `ahwa: database: the embedded PostgreSQL in ${folder}\nahwa: There is no database in ${folder}; \`ahwa serve\`, \`ahwa import\` and \`ahwa restore\` make one, or set DATA_DIR to the folder that has it.\n`,
  ]);
};

test.each(ON_EXISTING.map((args) => ({ command: args.join(' '), args })))(
  'in an empty data folder `ahwa $command` makes no database and exits with 1',
  async ({ args }) => {
    await expectNone(bench.dataDir(), args);
    expect(readdirSync(bench.dataDir())).toEqual([]);
  },
);

test('a missing data folder is not made by a command that needs a database', async () => {
  const folder = join(bench.dataDir(), 'none');
  await expectNone(folder, ['export', SLUG]);
  expect(existsSync(folder)).toBe(false);
});

test('an import makes the database that later commands name', async () => {
  const imported = await bench.ahwa(['import', '-'], {}, JSON.stringify(aShopFile()));
  expect(imported.code).toBe(0);
  const { code, stdout, stderr } = await bench.ahwa(['outbox', 'list', SLUG]);
  expect([code, stdout, stderr]).toEqual([
    0,
    'Nothing is parked.\n',
    `ahwa: database: the embedded PostgreSQL in ${bench.dataDir()}\n`,
  ]);
});

const tablesIn = (database: TestDatabase): Promise<string[]> =>
  withAdmin(database, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      "select tablename as name from pg_tables where schemaname = 'public'",
    );
    return rows.map(({ name }) => name);
  });

const FIRST = 'there are no tables yet; a first import would make them and do this';

test('without a database a dry run says what a first import does, and makes none', async () => {
  const folder = join(bench.dataDir(), 'none');
  const dry = ['import', '-', '--dry-run'];
  const file = JSON.stringify(aShopFile());
  const embedded = await bench.ahwa(dry, { DATA_DIR: folder }, file);
  expect([embedded.code, embedded.stdout, embedded.stderr]).toEqual([
    0,
    expect.stringMatching(/^beit-el-bunn: \d+ new, .* \(nothing was written\)\n {2}created shop /),
    `ahwa: database: the embedded PostgreSQL in ${folder}\nahwa: reading standard input (1 of 1)\nahwa: ${FIRST}\n`,
  ]);
  const database = await emptyDatabase();
  onTestFinished(() => database.release());
  const settings = { DATA_DIR: folder, DATABASE_URL: urlOf(database.connection) };
  const own = await bench.ahwa(dry, settings, file);
  expect([own.code, own.stdout, await tablesIn(database)]).toEqual([0, embedded.stdout, []]);
  expect(existsSync(folder)).toBe(false);
});

test('an import whose file is refused makes no database', async () => {
  const folder = join(bench.dataDir(), 'none');
  const { code, stdout, stderr } = await bench.ahwa(['import', '-'], { DATA_DIR: folder }, '{}');
  expect([code, stdout, stderr]).toEqual([
    1,
    '',
    expect.stringContaining('\nahwa: standard input:1:1 slug is missing\n'),
  ]);
  expect(existsSync(folder)).toBe(false);
});

test('in a database without tables commands make none, and name it without its password', async () => {
  const database = await emptyDatabase();
  onTestFinished(() => database.release());
  const { code, stdout, stderr } = await bench.ahwa(['outbox', 'list', SLUG], {
    DATABASE_URL: urlOf(database.connection),
  });
  const server = 'host' in database.connection ? database.connection.host : '';
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain(`ahwa: database: ${database.name} on ${server}`);
  expect(stderr).toContain('ahwa: There are no tables of Ahwa in ');
  if ('password' in database.connection) expect(stderr).not.toContain(database.connection.password);
  expect(await tablesIn(database)).toEqual([]);
});

const LAST = readMigrations(MIGRATIONS).at(-1)?.id ?? 0;

/** Tables that lack the last migration of this build. */
const makeOlder = (connection: ConnectionOptions): Promise<unknown> =>
  withAdmin({ connection }, (client) =>
    client.query('delete from migration where id = (select max(id) from migration)'),
  );

const lastMigration = (connection: ConnectionOptions): Promise<number> =>
  withAdmin({ connection }, async (client) => {
    const { rows } = await client.query<{ last: number }>('select max(id) as last from migration');
    return rows[0]?.last ?? 0;
  });

const expectOlder = async (
  args: readonly string[],
  settings: Settings,
  owner: ConnectionOptions,
): Promise<void> => {
  const { code, stdout, stderr } = await bench.ahwa(args, settings, JSON.stringify(aShopFile()));
  expect([code, stdout, stderr.trimEnd().split('\n').at(-1)]).toEqual([
    1,
    '',
    'ahwa: The tables of the database are not up to date; run `ahwa migrate` first.',
  ]);
  expect(await lastMigration(owner)).toBe(LAST - 1);
};

test('older tables of the embedded database are refused by commands, and are not migrated', async () => {
  await addUsedCluster(bench.dataDir());
  const postgres = await startEmbeddedPostgres({ dataDir: bench.dataDir() });
  try {
    await makeOlder(postgres.owner);
    await expectOlder(['outbox', 'list', SLUG], {}, postgres.owner);
    await expectOlder(['import', '-', '--dry-run'], {}, postgres.owner);
  } finally {
    await postgres.release();
  }
});

test('older tables of DATABASE_URL are refused without a new secret key, newer incompatible ones too', async () => {
  const database = await freshDatabase();
  onTestFinished(() => database.release());
  const settings = {
    DATABASE_URL: urlOf(database.connection),
    MIGRATION_DATABASE_URL: urlOf(database.owner),
  };
  await makeOlder(database.owner);
  await expectOlder(['outbox', 'list', SLUG], settings, database.owner);
  await expectOlder(['import', '-', '--dry-run'], settings, database.owner);
  expect(readdirSync(bench.dataDir())).toEqual([]);
  await asOwner(
    database,
    `insert into migration (id, name, checksum, compatible, applied_at)
     values (${LAST + 1}, 'later', '', false, now())`,
  );
  const { code, stderr } = await bench.ahwa(['outbox', 'list', SLUG], settings);
  expect([code, stderr]).toEqual([1, expect.stringContaining('which this build does not know')]);
});

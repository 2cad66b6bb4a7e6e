/** The migration runner, on test folders and on the real one. */
import { copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  MigrationError,
  migrate,
  pendingMigrations,
  readMigrations,
} from '../../src/platform/store/migrate.ts';
import type { Migration } from '../../src/platform/store/migrate.ts';
import { MIGRATIONS } from '../../src/wiring.ts';
import { emptyDatabase, freshDatabase, withAdmin } from '../support/database/test-database.ts';
import type { TestDatabase } from '../support/database/test-database.ts';

const NOW = Date.UTC(2026, 3, 24, 12);

let database: TestDatabase;
let folder: string;

beforeEach(async () => {
  database = await emptyDatabase();
  folder = mkdtempSync(join(tmpdir(), 'ahwa-migrations-'));
});

afterEach(async () => {
  rmSync(folder, { recursive: true });
  await database.release();
});

const file = (name: string, sql: string): void => writeFileSync(join(folder, `${name}.sql`), sql);
const up = (onProgress?: (line: string) => void): Promise<Migration[]> =>
  migrate({
    connection: database.connection,
    folder,
    now: () => NOW,
    ...(onProgress === undefined ? {} : { onProgress }),
  });
const names = (migrations: readonly Migration[]): string[] => migrations.map(({ name }) => name);

const rows = (sql: string): Promise<unknown[]> =>
  withAdmin(
    { connection: database.connection },
    async (client: pg.Client) => (await client.query<Record<string, unknown>>(sql)).rows,
  );

const faultOf = async (work: Promise<unknown>): Promise<string> => {
  const fault: unknown = await work.then(
    () => 'no fault',
    (raised: unknown) => raised,
  );
  return fault instanceof MigrationError ? fault.message : `other: ${String(fault)}`;
};

describe('applying migrations', () => {
  test('each file is applied once, in order of number, with the given time', async () => {
    file('0002_second', 'insert into a values (2);');
    file('0001_first', 'create table a (n int); insert into a values (1);');
    const reported: string[] = [];
    expect(names(await pendingMigrations(database.connection, folder))).toEqual(['first', 'second']);
    expect(names(await up((line) => reported.push(line)))).toEqual(['first', 'second']);
    expect(reported).toEqual(['migration 0001_first', 'migration 0002_second']);
    expect(await up()).toEqual([]);
    expect(await pendingMigrations(database.connection, folder)).toEqual([]);
    expect(await rows('select n from a order by n')).toEqual([{ n: 1 }, { n: 2 }]);
    expect(await rows('select id, name, applied_at from migration order by id')).toEqual([
      { id: 1, name: 'first', applied_at: new Date(NOW) },
      { id: 2, name: 'second', applied_at: new Date(NOW) },
    ]);
  });

  test('concurrent migrations apply each file once', async () => {
    for (let n = 1; n <= 8; n += 1) file(`000${n}_step`, `create table t${n} (n int);`);
    const done = await Promise.all([up(), up(), up()]);
    expect(
      done
        .flat()
        .map(({ id }) => id)
        .sort(),
    ).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test('a failing file is rolled back; earlier files stay applied', async () => {
    file('0001_good', 'create table a (n int);');
    file('0002_bad', "create table b (n int); insert into a values ('x');");
    expect(await faultOf(up())).toMatch(
      /^The migration 0002_bad failed and was undone: invalid input syntax .*\.$/,
    );
    expect(await rows("select to_regclass('a') is null as a, to_regclass('b') is null as b")).toEqual([
      { a: false, b: true },
    ]);
    file('0002_bad', 'create table b (n int);');
    expect(names(await up())).toEqual(['bad']);
  });

  test('a file marked `-- no transaction` runs outside a transaction', async () => {
    file('0001_table', 'create table a (n int);');
    file(
      '0002_index',
      '-- no transaction\n-- Two indexes.\ncreate index concurrently if not exists a_n on a (n);\n\ncreate index concurrently if not exists a_m on a ((n + 1));\n',
    );
    expect(names(await up())).toEqual(['table', 'index']);
    expect(await rows("select count(*)::int as n from pg_indexes where tablename = 'a'")).toEqual([{ n: 2 }]);
  });

  test('a migration retries while a table is locked, then continues', async () => {
    file('0001_table', 'create table a (n int);');
    await up();
    file('0002_column', 'alter table a add column m int;');
    const reported: string[] = [];
    await withAdmin({ connection: database.connection }, async (holder: pg.Client) => {
      await holder.query('begin; lock table a in access share mode');
      let released: Promise<unknown> = Promise.resolve();
      const running = up((line) => {
        reported.push(line);
        if (line.startsWith('waiting')) released = holder.query('rollback');
      });
      expect(names(await running)).toEqual(['column']);
      await released;
    });
    expect(reported.filter((line) => line.startsWith('waiting'))).toHaveLength(1);
  });
});

describe('a migration history that differs from the files', () => {
  beforeEach(async () => {
    file('0001_first', 'create table a (n int);\ninsert into a values (1);\n');
    file('0003_third', 'create table c (n int);');
    await up();
  });

  test('a file changed after it was applied is refused', async () => {
    file('0001_first', 'create table a (n int);\ninsert into a values (2);\n');
    expect(await faultOf(up())).toContain('0001_first was changed after it had been applied');
    expect(await faultOf(pendingMigrations(database.connection, folder))).toContain('0001_first');
  });

  test('an applied file with other line endings or a byte order mark is accepted', async () => {
    file('0001_first', '\uFEFFcreate table a (n int);\r\ninsert into a values (1);\r\n');
    expect(await up()).toEqual([]);
  });

  test('a new file numbered below an applied one is refused', async () => {
    file('0002_late', 'create table b (n int);');
    expect(await faultOf(up())).toContain(
      '0002_late came after 0003_third had been applied; give it a higher number',
    );
  });

  test('a duplicate number and a name without a number are refused', async () => {
    file('0003_other', '');
    expect(await faultOf(up())).toContain('have the number 3');
    rmSync(join(folder, '0003_other.sql'));
    file('fourth', '');
    expect(await faultOf(up())).toContain('is not named like a migration');
  });

  test('an older build accepts newer files marked compatible and refuses others', async () => {
    file(
      '0004_adds',
      '-- compatible\n-- A column older builds never read.\nalter table a add column extra int;',
    );
    await up();
    rmSync(join(folder, '0004_adds.sql'));
    expect(await up()).toEqual([]);
    expect(await pendingMigrations(database.connection, folder)).toEqual([]);
    file(
      '0004_adds',
      '-- compatible\n-- A column older builds never read.\nalter table a add column extra int;',
    );
    file('0005_breaks', 'drop table c;');
    await up();
    rmSync(join(folder, '0005_breaks.sql'));
    expect(await faultOf(up())).toContain(
      '0005_breaks, which this build does not know and cannot work with; start the newer build',
    );
  });
});

test('the migrations of the package apply to an empty database and read no clock', async () => {
  await migrate({ connection: database.connection, folder: MIGRATIONS, now: () => NOW });
  expect(await pendingMigrations(database.connection, MIGRATIONS)).toEqual([]);
  const clocks = readMigrations(MIGRATIONS).filter(({ sql }) =>
    /\bnow\s*\(|current_(date|time)|localtime|clock_timestamp|statement_timestamp/i.test(sql),
  );
  expect(names(clocks)).toEqual([]);
});

test('a test database is migrated', async () => {
  const fresh = await freshDatabase();
  expect(await pendingMigrations(fresh.connection, MIGRATIONS)).toEqual([]);
  await fresh.release();
});

const upAll = () => migrate({ connection: database.connection, folder: MIGRATIONS, now: () => NOW });

/** The migrations of the package before `first`. */
const upBefore = async (first: string): Promise<void> => {
  for (const name of readdirSync(MIGRATIONS).filter((each) => each < first))
    copyFileSync(join(MIGRATIONS, name), join(folder, name));
  await up();
};

test('the upgrade resets wrong PINs that were counted by the old rule', async () => {
  await upBefore('0005');
  const nil = '00000000-0000-0000-0000-000000000000';
  await rows('alter table staff_device drop constraint staff_device_org_id_branch_id_fkey');
  await rows(`
    insert into staff_device (org_id, id, branch_id, label, pin_failures, pin_wait_until, created_at)
    values ('${nil}', '${nil}', '${nil}', 'till', 30, '2026-04-24T12:15:00Z', '2026-04-01T00:00:00Z')`);
  await upAll();
  expect(await rows('select pin_failures, pin_wait_until, pin_forgiving_since from staff_device')).toEqual([
    { pin_failures: 0, pin_wait_until: null, pin_forgiving_since: null },
  ]);
});

test('the upgrade gives each shop a code of its own', async () => {
  await upBefore('0051');
  await rows(`
    insert into shop (org_id, slug, name, background_color, foreground_color, accent_color, created_at, updated_at)
    select gen_random_uuid(), 'shop-' || n, 'Shop', '#FFFFFF', '#000000', '#AA5500', '2026-01-01Z', '2026-01-01Z'
    from generate_series(1, 100) n`);
  await upAll();
  expect(
    await rows(`
      select count(distinct code)::int as codes from shop_code join shop using (org_id)
      where code ~ '^[0-9a-f]{10}$'`),
  ).toEqual([{ codes: 100 }]);
});

/** Backups of databases of other builds, and during concurrent use. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DatabaseUnavailable } from '../../src/platform/store/db.ts';
import { migrate, MIGRATION_LOCK, pendingMigrations } from '../../src/platform/store/migrate.ts';
import {
  backupOf,
  digestsOf,
  allRows,
  headerOf,
  inDatabase,
  namesOf,
  restored,
  rowsOf,
  run,
  refusalMessage,
  tablesIn,
} from '../support/database/backups.ts';
import { emptyDatabase, type TestDatabase } from '../support/database/test-database.ts';
import { eventually } from '../support/programs/program.ts';

const NOW = Date.UTC(2026, 10, 20, 12);

let folder: string;
let source: TestDatabase;
let target: TestDatabase;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ahwa-migrations-'));
  [source, target] = [await emptyDatabase(), await emptyDatabase()];
});

afterEach(async () => {
  rmSync(folder, { recursive: true });
  await source.release();
  await target.release();
});

const file = (name: string, sql: string): void => writeFileSync(join(folder, `${name}.sql`), sql);
const up = (database = source): Promise<unknown> =>
  migrate({ connection: database.connection, folder, now: () => NOW });
const restoreInto = (database: TestDatabase, bytes: Buffer): ReturnType<typeof restored> =>
  restored(database.connection, bytes, folder);

describe('restored data', () => {
  test('a restore returns any value of any type unchanged', async () => {
    file(
      '0001_thing',
      `create table thing (
         id integer primary key, t text, j jsonb, b bytea, ts text[], f double precision,
         n numeric, big bigint, yes boolean, at timestamptz, ats timestamptz[], day date, during tstzrange);`,
    );
    await up();
    const text = fc.oneof(
      fc.string({ unit: 'binary' }).map((value) => value.replaceAll('\0', '')),
      fc.constantFrom(
        '\\.',
        '\\.\n',
        '\n\\.\n',
        '\\N',
        '\t',
        '\r\n',
        '',
        'NULL',
        '{"table":"thing"}',
        '٣ قهوة ☕',
      ),
      fc.string({ unit: fc.constantFrom('\\', '.', '\n', 'N', '\t', '"') }),
    );
    const moment = fc
      .date({ min: new Date('0002-01-01'), max: new Date('9999-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString());
    const orNull = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value);
    const row = fc.tuple(
      ...([
        orNull(text),
        orNull(
          fc
            .dictionary(text, fc.oneof(text, fc.integer(), fc.boolean()))
            .map((value) => JSON.stringify(value)),
        ),
        orNull(fc.uint8Array().map((bytes) => Buffer.from(bytes))),
        orNull(fc.array(orNull(text))),
        orNull(fc.double()),
        orNull(fc.tuple(fc.bigInt(), fc.nat()).map(([whole, part]) => `${whole}.${part}`)),
        orNull(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String)),
        orNull(fc.boolean()),
        orNull(fc.oneof(moment, fc.constantFrom('infinity', '-infinity'))),
        orNull(fc.array(moment)),
        orNull(moment.map((at) => at.slice(0, 10))),
        orNull(fc.tuple(moment, moment).map((ends) => `[${ends.sort().join(',')})`)),
      ] as const),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 20 }), async (rows) => {
        await inDatabase(source, async (client) => {
          await client.query('truncate thing');
          for (const [index, values] of rows.entries())
            await client.query('insert into thing values ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13)', [
              index,
              ...values,
            ]);
        });
        const other = await emptyDatabase();
        try {
          await restoreInto(other, await backupOf(source.connection));
          expect(await allRows(other)).toEqual(await allRows(source));
        } finally {
          await other.release();
        }
      }),
      { numRuns: 15 },
    );
  });

  test('a restore returns a row of 15 MB and rows that contain the end marker of COPY', async () => {
    file('0001_two', 'create table wide (t text); create table long (n int primary key, t text);');
    await up();
    await run(source, String.raw`insert into wide select repeat(E'\\.\n', 5000000)`);
    await run(
      source,
      String.raw`insert into long select n, E'\n\\.\n' || n from generate_series(1, 50000) n`,
    );
    const backup = await backupOf(source.connection);
    expect([...tablesIn(backup).values()].map(({ rows }) => rows.length)).toEqual([50_000, 1, 1]);
    await restoreInto(target, backup);
    for (const table of ['wide', 'long']) {
      const sum = `select count(*), md5(string_agg(t, ',' order by t)) from ${table}`;
      expect(await rowsOf(target, sum)).toEqual(await rowsOf(source, sum));
    }
  });

  test('equal rows have equal digests, whatever their order and history', async () => {
    file('0001_a', 'create table a (name text, n int, note text, primary key (name, n));');
    await up();
    await up(target);
    const names = "unnest(array['b', 'B', 'a', 'ب', 'é', 'z ', 'z']) name, generate_series(1, 50) n";
    await run(source, `insert into a select name, n, repeat('x', n) from ${names}`);
    await run(target, `insert into a select name, -n, 'y' from ${names} order by md5(name || n)`);
    await run(target, "update a set n = -n, note = repeat('x', -n)");
    expect(digestsOf(await backupOf(target.connection))).toEqual(
      digestsOf(await backupOf(source.connection)),
    );
  });

  test('a restore handles generated and dropped columns', async () => {
    file(
      '0001_a',
      'create table a (n int primary key, old int, twice int generated always as (n * 2) stored);',
    );
    file('0002_b', 'alter table a drop column old; alter table a add column "select" text;');
    await up();
    await run(source, `insert into a (n, "select") values (21, 'x')`);
    await restoreInto(target, await backupOf(source.connection));
    expect(await rowsOf(target, 'select * from a')).toEqual([{ n: 21, twice: 42, select: 'x' }]);
  });

  test('rows that a migration inserted come back as last changed; sequences continue', async () => {
    file(
      '0001_kinds',
      "create table kind (id int generated always as identity primary key, name text); insert into kind (name) values ('tea'), ('mint');",
    );
    await up();
    await run(source, "update kind set name = 'coffee' where id = 1; delete from kind where id = 2");
    await restoreInto(target, await backupOf(source.connection));
    await run(target, "insert into kind (name) values ('sahlab')");
    expect(await rowsOf(target, 'select id, name from kind order by id')).toEqual([
      { id: 1, name: 'coffee' },
      { id: 3, name: 'sahlab' },
    ]);
  });
});

describe('backups of other builds', () => {
  test('a newer build restores an older backup, then migrates it', async () => {
    file('0001_a', 'create table a (n int primary key);');
    await up();
    await run(source, 'insert into a values (1), (2)');
    const backup = await backupOf(source.connection);
    file('0002_more', 'alter table a add column m int; update a set m = n * 10;');
    await restoreInto(target, backup);
    expect(await pendingMigrations(target.connection, folder)).toMatchObject([{ id: 2 }]);
    await up(target);
    expect(await rowsOf(target, 'select n, m from a order by n')).toEqual([
      { n: 1, m: 10 },
      { n: 2, m: 20 },
    ]);
  });

  test('an older build and a build with other migrations refuse a backup', async () => {
    file('0001_a', 'create table a (n int primary key);');
    file('0002_b', '-- compatible\ncreate table b (n int primary key);');
    await up();
    const backup = await backupOf(source.connection);
    rmSync(join(folder, '0002_b.sql'));
    expect(await refusalMessage(restoreInto(target, backup))).toBe(
      'The backup was made by Ahwa test with the migration 0002_b, which this build does not know; restore with that build or a newer one.',
    );
    for (const [name, sql] of [
      ['0002_b', '-- compatible\ncreate table b (n bigint primary key);'],
      ['0002_c', '-- compatible\ncreate table b (n int primary key);'],
    ] as const) {
      file(name, sql);
      expect(await refusalMessage(restoreInto(target, backup))).toBe(
        `The migration ${name} of this build is not the one that the backup was made with; restore with the build that made it, Ahwa test.`,
      );
      rmSync(join(folder, `${name}.sql`));
    }
    expect(await namesOf(target)).toEqual([]);
  });

  test('an older build backs up a database that a newer build migrated', async () => {
    file('0001_a', 'create table a (n int primary key);');
    file('0002_b', '-- compatible\ncreate table b (n int primary key); insert into b values (7);');
    await up();
    const backup = await backupOf(source.connection);
    expect(tablesIn(backup).get('b')?.rows).toEqual(['7']);
  });

  test('a restore runs a migration marked `-- no transaction` in its one transaction', async () => {
    file('0001_a', 'create table a (n int primary key, m int);');
    file(
      '0002_index',
      '-- no transaction\n-- An index.\ncreate unique index concurrently if not exists a_m on a (m);\n\ncreate index concurrently if not exists a_n on a ((n + 1));\n',
    );
    await up();
    await run(source, 'insert into a values (1, 1)');
    const backup = await backupOf(source.connection);
    await restoreInto(target, backup);
    const indexes = 'select indexdef from pg_indexes where schemaname = current_schema() order by 1';
    expect(await rowsOf(target, indexes)).toEqual(await rowsOf(source, indexes));
    expect(digestsOf(await backupOf(target.connection))).toEqual(digestsOf(backup));
  });

  test('an unknown table is backed up, and the restore reports it as left out', async () => {
    file('0001_a', 'create table a (n int primary key);');
    await up();
    await run(
      source,
      "create table a_report (line text); insert into a_report values ('x'); insert into a values (1)",
    );
    const backup = await backupOf(source.connection);
    expect(tablesIn(backup).get('a_report')?.rows).toEqual(['x']);
    expect(await restoreInto(target, backup)).toMatchObject({ leftOut: ['a_report'] });
    expect(await namesOf(target)).toEqual(['a', 'migration']);
    expect(await rowsOf(target, 'select n from a')).toEqual([{ n: 1 }]);
  });

  test('a restore refuses a manually changed table by name', async () => {
    file('0001_a', 'create table a (n int primary key); create table b (n int primary key);');
    await up();
    await run(source, 'alter table a add column by_hand int');
    expect(await refusalMessage(restoreInto(target, await backupOf(source.connection)))).toBe(
      'The table a has other columns in the backup than the migrations make; nothing was changed.',
    );
    await run(source, 'alter table a drop column by_hand; drop table b');
    expect(await refusalMessage(restoreInto(target, await backupOf(source.connection)))).toBe(
      'The backup lacks the table b.',
    );
    await run(
      source,
      'create table b (n int primary key); alter table a drop constraint a_pkey; insert into a values (1), (1)',
    );
    expect(await refusalMessage(restoreInto(target, await backupOf(source.connection)))).toMatch(
      /^The database does not take the rows of the table a \(duplicate key .*\); nothing was changed\./,
    );
    expect(await namesOf(target)).toEqual([]);
  });

  test('a backup of a database without tables of Ahwa is refused', async () => {
    await run(source, 'create table other (n int)');
    expect(await refusalMessage(backupOf(source.connection))).toBe(
      'The database has no tables of Ahwa: there is nothing to back up.',
    );
  });
});

describe('backups during concurrent use', () => {
  /**
   * Two accounts whose sum is always 100, and enough other rows that a backup cannot run ahead of its reader.
   */
  const accounts = async (): Promise<void> => {
    file(
      '0001_accounts',
      'create table a (n int primary key); create table filling (n int primary key, t text); create table z (n int primary key);',
    );
    await up();
    await run(
      source,
      `insert into a values (60); insert into z values (40);
       insert into filling select n, repeat(md5(n::text), 20) from generate_series(1, 40000) n`,
    );
  };

  test('a backup shows one instant and does not block writes', async () => {
    await accounts();
    const backup = await backupOf(source.connection, async () => {
      await run(source, 'update a set n = n - 50; update z set n = n + 50; delete from filling');
    });
    const tables = tablesIn(backup);
    expect([tables.get('a')?.rows, tables.get('z')?.rows]).toEqual([['60'], ['40']]);
    expect(tables.get('filling')?.rows).toHaveLength(40_000);
    expect(await rowsOf(source, 'select a.n as a, z.n as z from a, z')).toEqual([{ a: 10, z: 90 }]);
  });

  test('a backup is not subject to the statement timeouts of the database', async () => {
    await accounts();
    for (const limit of ['statement_timeout', 'idle_in_transaction_session_timeout'])
      await run(
        source,
        `do $$ begin execute format('alter database %I set ${limit} = 1500', current_database()); end $$`,
      );
    const backup = await backupOf(source.connection, async () => {
      // A later transaction under the same limit has been cancelled by now.
      await inDatabase(source, async (client) => {
        await expect(client.query('select pg_sleep(3600)')).rejects.toThrow(/statement timeout/);
      });
    });
    expect(tablesIn(backup).get('filling')?.rows).toHaveLength(40_000);
  });

  test('a backup holds the migration lock while it runs', async () => {
    await accounts();
    await backupOf(source.connection, async () => {
      const sql = `select pg_try_advisory_xact_lock(${MIGRATION_LOCK}) as free`;
      expect(await rowsOf(source, sql)).toEqual([{ free: false }]);
    });
  });

  test('a backup waits for a running migration and includes its tables', async () => {
    await accounts();
    let now = NOW;
    const backing = await inDatabase(source, async (migrating) => {
      await migrating.query('begin');
      await migrating.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
      await migrating.query('create table late (n int primary key); insert into late values (7)');
      const begun = backupOf(source.connection, undefined, () => now);
      const sessions = `select 1 from pg_stat_activity
        where application_name = 'ahwa backup' and datname = current_database() and query = 'rollback'`;
      await eventually(
        async () => ((await rowsOf(source, sessions)).length === 0 ? null : true),
        'the backup to try and give way',
      );
      now += 60_000;
      await migrating.query('commit');
      return { begun };
    });
    const backup = await backing.begun;
    expect(tablesIn(backup).get('late')?.rows).toEqual(['7']);
    expect(headerOf(backup)['taken_at']).toBe(new Date(now).toISOString());
  });

  test('a backup fails when its connection breaks', async () => {
    await accounts();
    const backing = backupOf(source.connection, () =>
      run(
        source,
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and application_name = 'ahwa backup'`,
      ),
    );
    await expect(backing).rejects.toSatisfy(
      (fault) =>
        fault instanceof DatabaseUnavailable ||
        /^BackupError: PostgreSQL refused: terminating/.test(String(fault)),
    );
  });
});

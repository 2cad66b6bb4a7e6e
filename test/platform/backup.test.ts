/** Backup and restore of the whole database, and its refusals. */
import { createPictureRenderer } from '../../src/adapters/picture-renderer.ts';
import { systemRandom } from '../../src/adapters/system.ts';
import { aChangePublisher } from '../support/server/change-publisher.ts';
import { Readable, Writable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { importShops } from '../../src/shopfile/app/shopfile.ts';
import {
  backUp,
  BackupError,
  BackupStreamError,
  checkBackup,
  restore,
} from '../../src/platform/store/backup.ts';
import { byReference } from '../../src/platform/store/backup/catalog.ts';
import { connect, DatabaseUnavailable } from '../../src/platform/store/db.ts';
import { MIGRATION_LOCK, pendingMigrations } from '../../src/platform/store/migrate.ts';
import type { Database } from '../../src/platform/store/schema.ts';
import { MIGRATIONS } from '../../src/wiring.ts';
import {
  BACKED_UP_AT,
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
  streamed,
  tablesIn,
} from '../support/database/backups.ts';
import { aFullShopFile } from '../support/shops/full-shop-file.ts';
import { aShopFile } from '../support/shops/cafe.ts';
import { PATIENT } from '../support/database/patient-options.ts';
import { emptyDatabase, freshDatabase, type TestDatabase } from '../support/database/test-database.ts';
import { eventually } from '../support/programs/program.ts';
import { watchEvents } from '../support/server/security-events.ts';

const NOW = Date.UTC(2026, 10, 20, 12);

/** Dropped after the test. */
const anEmptyDatabase = async (): Promise<TestDatabase> => {
  const database = await emptyDatabase();
  onTestFinished(() => database.release());
  return database;
};

/** Asserts a refusal that leaves the database without tables. */
const refusedUntouched = async (target: TestDatabase, work: Promise<unknown>): Promise<string> => {
  const sentence = await refusalMessage(work);
  expect(await namesOf(target)).toEqual([]);
  return sentence;
};

describe('a database with shops', () => {
  let source: TestDatabase;
  let backup: Buffer;

  beforeAll(async () => {
    source = await freshDatabase();
    const db = connect<Database>(source.connection, PATIENT);
    const shops = [aFullShopFile(), aShopFile()];
    await importShops(
      {
        ...{ db, clock: { now: () => NOW }, random: systemRandom, security: watchEvents() },
        changePublisher: aChangePublisher(),
        pictureRenderer: createPictureRenderer(),
      },
      shops.map((shop) => ({ name: `${shop.slug}.json`, text: JSON.stringify(shop) })),
      { state: true },
    );
    await db.close();
    await run(
      source,
      `insert into outbox (org_id, id, kind, lane, subject_id, payload, created_at, waiting_since, next_at)
       select org_id, md5(slug || n)::uuid, 'message', 'a lane', org_id, '{}', created_at, created_at, created_at
       from shop, generate_series(1, 20) n`,
    );
    backup = await backupOf(source.connection);
  });

  afterAll(() => source.release());

  test('a backup has every table and its origin, and a restore returns every row', async () => {
    expect([...tablesIn(backup).keys()].sort()).toEqual((await namesOf(source)).sort());
    expect(headerOf(backup)).toMatchObject({
      program: 'test',
      taken_at: new Date(BACKED_UP_AT).toISOString(),
      migrations: await rowsOf(source, 'select id, name, checksum from migration order by id'),
    });
    const target = await anEmptyDatabase();
    const { tables, rows, leftOut } = await restored(target.connection, backup);
    expect(await allRows(target)).toEqual(await allRows(source));
    expect([tables, leftOut]).toEqual([(await namesOf(source)).length, []]);
    expect(rows).toBe([...tablesIn(backup).values()].reduce((sum, table) => sum + table.rows.length, 0));
    expect(await pendingMigrations(target.connection, MIGRATIONS)).toEqual([]);
  });

  test('a backup has no counts of request limits; their table is restored empty', async () => {
    await run(source, "insert into request_limit (bucket, client, full_at) values ('writes', '\\x01', 1)");
    const again = await backupOf(source.connection);
    expect(tablesIn(again).has('request_limit')).toBe(false);
    const target = await anEmptyDatabase();
    expect(await restored(target.connection, again)).toMatchObject({ leftOut: [] });
    expect(await rowsOf(target, 'select count(*)::int as count from request_limit')).toEqual([{ count: 0 }]);
  });

  test('a backup of the restored database has the same digests; sequences continue', async () => {
    const target = await anEmptyDatabase();
    await restored(target.connection, backup);
    const again = await backupOf(target.connection);
    expect(digestsOf(again)).toEqual(digestsOf(backup));
    expect(headerOf(again)).toEqual(headerOf(backup));
    const next = `select nextval(pg_get_serial_sequence('outbox', 'position'))::text as next`;
    const [at, expected] = [await rowsOf(target, next), await rowsOf(source, next)];
    expect(at).toEqual(expected);
  });

  test('a restore recreates every constraint and index', async () => {
    const target = await anEmptyDatabase();
    await restored(target.connection, backup);
    for (const sql of [
      `select conrelid::regclass::text as "table", conname, pg_get_constraintdef(oid), convalidated
         from pg_constraint where connamespace = current_schema()::regnamespace order by 1, 2`,
      'select indexdef from pg_indexes where schemaname = current_schema() order by 1',
    ])
      expect(await rowsOf(target, sql)).toEqual(await rowsOf(source, sql));
  });

  test('a backup truncated anywhere is refused, whatever the chunk size', async () => {
    const text = gunzipSync(backup);
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: text.length - 1 }),
        fc.integer({ min: 1, max: 5_000 }),
        fc.boolean(),
        async (end, size, packedLater) => {
          const cut = packedLater
            ? gzipSync(text.subarray(0, end))
            : backup.subarray(0, Math.floor((end / text.length) * backup.length));
          expect(
            await refusalMessage(checkBackup({ from: streamed(cut, size), folder: MIGRATIONS })),
          ).toMatch(/^The backup is cut short|^This is not a backup that Ahwa made/);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('a backup with one changed byte anywhere is refused', async () => {
    const text = gunzipSync(backup);
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: text.length - 1 }),
        fc.integer({ min: 1, max: 255 }),
        async (at, change) => {
          const changed = Buffer.from(text);
          changed.writeUInt8((changed[at] ?? 0) ^ change, at);
          const from = streamed(gzipSync(changed));
          expect(await refusalMessage(checkBackup({ from, folder: MIGRATIONS }))).toMatch(/backup|migration/);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('a restore of a damaged file is refused and leaves no tables', async () => {
    const target = await anEmptyDatabase();
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 10, max: backup.length - 1 }),
        fc.integer({ min: 0, max: 7 }),
        async (at, bit) => {
          const changed = Buffer.from(backup);
          changed.writeUInt8((changed[at] ?? 0) ^ (1 << bit), at);
          expect(await refusedUntouched(target, restored(target.connection, changed))).toMatch(/backup/);
        },
      ),
      { numRuns: 12 },
    );
  });

  test('another file, an empty file, data after the end and a newer format are refused', async () => {
    const check = (bytes: Buffer): Promise<string> =>
      refusalMessage(checkBackup({ from: streamed(bytes), folder: MIGRATIONS }));
    for (const other of [
      Buffer.from('a letter'),
      gzipSync('a packed letter\n'),
      gzipSync('{"table":"shop"}\n'),
    ])
      expect(await check(other)).toBe('This is not a backup that Ahwa made.');
    expect(await check(Buffer.alloc(0))).toBe('The backup is cut short: its end is missing.');
    expect(await check(Buffer.concat([backup, backup]))).toBe(
      'The backup is damaged: something follows its end.',
    );
    const newer = gunzipSync(backup).toString().replace('{"ahwa_backup":1', '{"ahwa_backup":3');
    expect(await check(gzipSync(newer))).toBe(
      'The backup is in a format that this build does not know; restore with a newer one.',
    );
  });

  test('a restore into a database that is not empty is refused without changes', async () => {
    for (const [made, named] of [
      ['create table till_roll (n int); insert into till_roll values (7)', 'till_roll'],
      ['create view four as select 4 as n', 'four'],
      ['create sequence count_me', 'count_me'],
    ] as const) {
      const target = await anEmptyDatabase();
      await run(target, made);
      const before = await allRows(target);
      expect(await refusalMessage(restored(target.connection, backup))).toBe(
        `The database is not empty (it has ${named}); nothing was changed. Restore into a new database or a new DATA_DIR.`,
      );
      expect(await allRows(target)).toEqual(before);
    }
    expect(await refusalMessage(restored(source.connection, backup))).toMatch(
      /^The database is not empty \(it has \w+, \w+, \w+ and others\); nothing was changed\./,
    );
  });

  test('a restore fails while a migration or another restore runs', async () => {
    const target = await anEmptyDatabase();
    await inDatabase(target, async (other) => {
      await other.query('begin');
      await other.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
      expect(await refusedUntouched(target, restored(target.connection, backup))).toBe(
        'Another process is making tables in this database; nothing was changed.',
      );
      await other.query('rollback');
    });
    const both = await Promise.allSettled([1, 2].map(() => restored(target.connection, backup)));
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(digestsOf(await backupOf(target.connection))).toEqual(digestsOf(backup));
  });

  test('a restore whose connection breaks leaves no tables, and a second restore succeeds', async () => {
    const target = await anEmptyDatabase();
    const broken = Readable.from(
      (async function* () {
        yield backup.subarray(0, backup.length / 2);
        await eventually(
          async () =>
            (
              await rowsOf(
                target,
                `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
                 and application_name = 'ahwa restore' and query like 'copy%'`,
              )
            ).length === 0
              ? null
              : true,
          'the restore to write',
        );
        yield backup.subarray(backup.length / 2);
      })(),
    );
    const fault: unknown = await restore({
      ...{ connection: target.connection, from: broken, folder: MIGRATIONS, now: () => BACKED_UP_AT },
    }).catch((raised: unknown) => raised);
    expect(fault instanceof DatabaseUnavailable || fault instanceof BackupError).toBe(true);
    expect(await namesOf(target)).toEqual([]);
    const sessions =
      "select 1 from pg_stat_activity where application_name = 'ahwa restore' and datname = current_database()";
    await eventually(
      async () => ((await rowsOf(target, sessions)).length === 0 ? true : null),
      'its session to end',
    );
    await restored(target.connection, backup);
    expect(digestsOf(await backupOf(target.connection))).toEqual(digestsOf(backup));
  });

  test('a read error and a full disk are reported as BackupStreamError', async () => {
    const target = await anEmptyDatabase();
    const from = new Readable({ read: () => undefined });
    from.push(backup.subarray(0, backup.length / 2));
    const failing = restore({
      ...{ connection: target.connection, from, folder: MIGRATIONS, now: () => BACKED_UP_AT },
    });
    from.destroy(Object.assign(new Error('read error'), { code: 'EIO' }));
    await expect(failing).rejects.toThrow(BackupStreamError);
    expect(await namesOf(target)).toEqual([]);

    const full = Object.assign(new Error('no space'), { code: 'ENOSPC' });
    const to = new Writable({ write: (_piece, _encoding, done) => done(full) });
    const failed = backUp({ connection: source.connection, shop: null, to, program: 'test', now: () => NOW });
    const fault: unknown = await failed.catch((raised: unknown) => raised);
    expect(fault).toBeInstanceOf(BackupStreamError);
    expect(fault).toMatchObject({ cause: full });
  });
});

test('tables are ordered after the tables they reference; a cycle is refused', () => {
  const table = (name: string, ...refersTo: string[]): { name: string; refersTo: string[] } => ({
    name,
    refersTo,
  });
  const order = byReference([table('a', 'c'), table('b'), table('c', 'd'), table('d'), table('e', 'a', 'b')]);
  expect(order.map(({ name }) => name)).toEqual(['b', 'd', 'c', 'a', 'e']);
  expect(() => byReference([table('a', 'b'), table('b', 'a'), table('c')])).toThrow(
    /^These tables refer to each other in a circle, .*: a, b\.$/,
  );
});

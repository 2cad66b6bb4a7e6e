/** Backup and restore of one shop: nothing is forgotten, and nothing of other shops is touched. */
import { gunzipSync, gzipSync } from 'node:zlib';
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { ShopMark } from '../../src/platform/store/backup.ts';
import { openShop } from '../../src/shopfile/app/move-shop.ts';
import {
  backupOf,
  headerOf,
  inDatabase,
  namesOf,
  refusalMessage,
  restored,
  rowsOf,
  run,
  tablesIn,
} from '../support/database/backups.ts';
import { emptyDatabase, freshDatabase, type TestDatabase } from '../support/database/test-database.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { makeDemo } from '../support/shops/demo.ts';

let source: World;
let shops: readonly ShopMark[];
let backup: Buffer;

const shopsOf = async (database: TestDatabase): Promise<ShopMark[]> =>
  (await rowsOf(database, 'select org_id as "orgId", slug from shop order by slug')) as ShopMark[];

const backupOfShop = (shop: ShopMark): Promise<Buffer> =>
  backupOf(source.database.owner, undefined, undefined, shop);

const shopAt = (place: number): ShopMark => {
  const shop = shops[place];
  if (shop === undefined) throw new Error('The demo has fewer shops.');
  return shop;
};

beforeAll(async () => {
  ({ world: source } = await makeDemo());
  shops = await shopsOf(source.database);
  backup = await backupOfShop(shopAt(0));
});
afterAll(() => source.close());

const aDatabase = async (): Promise<TestDatabase> => {
  const database = await freshDatabase();
  onTestFinished(() => database.release());
  return database;
};

/** Why the rows of no shop are in them. */
const TABLES_WITHOUT_SHOP: Readonly<Record<string, string>> = {
  account_failure: 'wrong passwords of an account, by a hash of its address',
  device_token: 'of a guest, whatever the shop',
  feed_clock: 'how far the sweeps of this installation are',
  guest_phone: 'of a guest, whatever the shop',
  message_budget: 'what this installation has sent',
  migration: 'the tables',
  otp_phone: 'of a guest, whatever the shop',
  sign_in_failure: 'wrong passwords of a client',
  stream_token: 'lives for a minute',
};

const SHOP_TABLES = `
  select table_name as name from information_schema.columns
  where table_schema = current_schema() and column_name = 'org_id' order by 1`;

const shopTables = async (database: TestDatabase): Promise<string[]> =>
  ((await rowsOf(database, SHOP_TABLES)) as { name: string }[]).map(({ name }) => name);

/** The numbers of changes begin anew. */
const isComparable = (table: string): boolean => table !== 'change' && table !== 'change_counter';

type Rows = Readonly<Record<string, readonly unknown[]>>;

const rowsOfShop = async (database: TestDatabase, { orgId }: ShopMark): Promise<Rows> => {
  const tables = (await shopTables(database)).filter(isComparable);
  return inDatabase(database, async (client) => {
    const all: Record<string, readonly unknown[]> = {};
    for (const table of tables)
      all[table] = (
        await client.query(`select t::text as row from "${table}" t where org_id = $1 order by 1`, [orgId])
      ).rows;
    return all;
  });
};

test('every table either is in the backup of a shop, or is known to have no rows of shops', async () => {
  const tables = await shopTables(source.database);
  const { tables: saved } = headerOf(backup) as { tables: { name: string }[] };
  expect(saved.map(({ name }) => name).sort()).toEqual(tables.filter((name) => name !== 'change'));
  const others = (await namesOf(source.database)).filter((name) => !tables.includes(name));
  expect(others).toEqual(Object.keys(TABLES_WITHOUT_SHOP).sort());
});

/** Only in this file: a day at a demo shop leaves no row in some tables. */
const VALUES: Readonly<Record<string, string>> = {
  uuid: 'gen_random_uuid()',
  text: "'\\.'",
  jsonb: "'{}'",
  bytea: "'\\x5c2e'",
  boolean: 'true',
  date: "'2026-11-20'",
  tstzrange: "'[2026-11-20,2026-11-21)'",
  'timestamp with time zone': "'2026-11-20T12:00:00Z'",
  'uuid[]': "'{}'",
  'text[]': "'{NULL}'",
  'timestamp with time zone[]': "'{}'",
};

interface Fillable {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
}

/** No row need make sense: checks and foreign keys are dropped. */
const dropChecks = (database: TestDatabase): Promise<void> =>
  run(
    database,
    `do $$ declare c record; begin
       for c in select conrelid::regclass as t, conname from pg_constraint
                where connamespace = current_schema()::regnamespace and contype in ('c', 'f')
       loop execute format('alter table %s drop constraint %I', c.t, c.conname); end loop; end $$`,
  );

const fillEmptyTables = async (database: TestDatabase, { orgId }: ShopMark): Promise<void> => {
  const tables = (await rowsOf(
    database,
    `select c.relname as name, json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, null))) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
     group by c.relname`,
  )) as Fillable[];
  const all = await rowsOfShop(database, { orgId, slug: '' });
  for (const { name, columns } of tables)
    if (all[name]?.length === 0) {
      const values = columns.map((column) =>
        column.name === 'org_id' ? `'${orgId}'` : (VALUES[column.type] ?? '1'),
      );
      await run(
        database,
        `insert into "${name}" (${columns.map((column) => `"${column.name}"`).join()}) overriding system value values (${values.join()})`,
      );
    }
};

test('a restore returns each row of the shop, and those of other shops are unchanged', async () => {
  const [first, second] = [shopAt(0), shopAt(1)];
  const whole = await backupOf(source.database.owner);
  const origin = await emptyDatabase();
  onTestFinished(() => origin.release());
  await restored(origin.connection, whole);
  const target = await aDatabase();
  await dropChecks(origin);
  await dropChecks(target);
  await fillEmptyTables(origin, first);
  const ofFirst = await rowsOfShop(origin, first);
  expect(Object.keys(ofFirst).filter((table) => ofFirst[table]?.length === 0)).toEqual([]);
  const ofSecond = await rowsOfShop(origin, second);

  for (const shop of [second, first])
    await restored(target.owner, await backupOf(origin.owner, undefined, undefined, shop));
  expect(await rowsOfShop(target, first)).toEqual(ofFirst);
  expect(await rowsOfShop(target, second)).toEqual(ofSecond);
});

test('rows of a day are restored with all constraints on', async () => {
  const target = await aDatabase();
  await restored(target.owner, backup);
  expect(await rowsOfShop(target, shopAt(0))).toEqual(await rowsOfShop(source.database, shopAt(0)));
});

describe('a backup of a shop', () => {
  test('has no row of another shop', () => {
    const [{ orgId }, other] = [shopAt(0), shopAt(1)];
    for (const [name, { rows }] of tablesIn(backup)) {
      expect(rows.filter((row) => !row.includes(orgId)).length, name).toBe(0);
      expect(rows.filter((row) => row.includes(other.orgId)).length, name).toBe(0);
    }
  });

  test('is refused where the shop is already, and nothing changes', async () => {
    const target = await aDatabase();
    await restored(target.owner, backup);
    const before = await rowsOfShop(target, shopAt(0));
    expect(await refusalMessage(restored(target.owner, backup))).toMatch(
      /^The shop \S+ \(\S+\) is in this database already, in the table \w+; nothing was changed\.$/,
    );
    expect(await rowsOfShop(target, shopAt(0))).toEqual(before);
  });

  test.each([
    ['an address name', 'shop_slug', `insert into shop_slug (slug, org_id) select $2, org_id from shop`],
    ['an id', 'locator', `insert into locator (id, org_id, kind) select $1, org_id, 'branch' from shop`],
    [
      'an e-mail address of the staff',
      'staff',
      `update staff set email = $3 where id = (select id from staff where archived_at is null limit 1)`,
    ],
  ])('is refused where another shop has %s of it', async (_, table, taking) => {
    const target = await aDatabase();
    await restored(target.owner, await backupOfShop(shopAt(1)));
    const { orgId, slug } = shopAt(0);
    const [owner] = (await rowsOf(
      source.database,
      `select email from staff where org_id = '${orgId}' and email is not null limit 1`,
    )) as { email: string }[];
    const values = [orgId, slug, owner?.email ?? ''];
    await run(
      target,
      taking.replace(/\$(\d)/g, (_all, place) => `'${values[Number(place) - 1]}'`),
    );
    expect(await refusalMessage(restored(target.owner, backup))).toMatch(
      new RegExp(
        `^Another shop of this installation has what must be of one shop alone, in the table ${table}: Key .* already exists\\. Nothing was changed\\.$`,
      ),
    );
    expect(await rowsOf(target, `select 1 from branch where org_id = '${orgId}'`)).toEqual([]);
  });

  test('is refused without its end or with a changed byte, and nothing is written', async () => {
    const target = await aDatabase();
    const text = gunzipSync(backup);
    const cut = gzipSync(text.subarray(0, -40));
    expect(await refusalMessage(restored(target.owner, cut))).toBe(
      'The backup is cut short: its end is missing.',
    );
    const changed = Buffer.from(text);
    const at = changed.indexOf('"rows":') - 60;
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(await refusalMessage(restored(target.owner, gzipSync(changed)))).toMatch(/damaged|does not take/);
    expect(await rowsOf(target, 'select 1 from locator')).toEqual([]);
  });

  test('cannot bring rows of another shop', async () => {
    const target = await aDatabase();
    const [{ orgId }, other] = [shopAt(0), shopAt(1)];
    const text = gunzipSync(backup).toString('utf8');
    const start = text.indexOf('\n', text.indexOf('{"table":"audit"}')) + 1;
    const end = text.indexOf('\n\\.\n', start) + 1;
    const rows = text.slice(start, end).replaceAll(orgId, other.orgId);
    const sha = (of: string): string => createHash('sha256').update(of).digest('hex');
    const after = text.slice(end).replace(/"sha256":"[0-9a-f]+"/, `"sha256":"${sha(rows)}"`);
    const forged = `${text.slice(0, start)}${rows}${after}`;
    const last = forged.lastIndexOf('{"tables":');
    const signed =
      forged.slice(0, last) +
      forged.slice(last).replace(/"sha256":"[0-9a-f]+"/, `"sha256":"${sha(forged.slice(0, last))}"`);
    expect(await refusalMessage(restored(target.owner, gzipSync(signed)))).toBe(
      'The backup is damaged: it has rows of another shop.',
    );
    expect(await rowsOf(target, 'select 1 from audit')).toEqual([]);
  });

  test('is refused by a database without tables and by one with other migrations', async () => {
    const empty = await emptyDatabase();
    onTestFinished(() => empty.release());
    expect(await refusalMessage(restored(empty.connection, backup))).toBe(
      'The database has no tables of Ahwa, and this is a backup of one shop: run `ahwa migrate` first.',
    );
    const target = await aDatabase();
    await run(target, 'delete from migration where id = (select max(id) from migration)');
    expect(await refusalMessage(restored(target.owner, backup))).toMatch(
      /^The backup has the tables of migration \d{4}_\w+, this database those of migration \d{4}_\w+; nothing was changed\./,
    );
  });

  test('is no backup of the whole database for older builds', () => {
    expect(headerOf(backup)['ahwa_backup']).toBe(2);
  });
});

test('a table that is not ours stays out of a restore, on either side', async () => {
  const note = 'create table a_note (org_id uuid, words text)';
  await run(source.database, note);
  await run(source.database, `insert into a_note values ('${shopAt(0).orgId}', 'x')`);
  const withNote = await backupOfShop(shopAt(0));
  await run(source.database, 'drop table a_note');
  expect(await restored((await aDatabase()).owner, withNote)).toMatchObject({ leftOut: ['a_note'] });
  const target = await aDatabase();
  await run(target, note);
  expect(await restored(target.owner, backup)).toMatchObject({ leftOut: [] });
});

test('a running server serves the shop as soon as it is opened', async () => {
  const target = await aDatabase();
  const there = await makeWorld({ database: target, now: new Date(source.now).toISOString() });
  onTestFinished(() => there.close());
  const { slug, orgId } = shopAt(0);
  expect((await there.get(`/${slug}`)).status).toBe(404);
  await restored(target.owner, backup);
  expect(await openShop(there.app, { orgId, slug })).toMatchObject({ was: 'restore' });
  await there.hearOfChanges();
  expect((await there.get(`/${slug}`)).status).toBe(200);
});

/** Separate roles for owning and serving, set up as an operator does. */
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { aShopFile, SLUG } from '../support/shops/cafe.ts';
import { demandOneDatabase } from '../../src/platform/store/one-database.ts';
import { placeOf } from '../../src/platform/store/place.ts';
import { backupOf } from '../support/database/backups.ts';
import { openProxy } from '../support/database/proxy.ts';
import {
  asOwner,
  databaseOf,
  emptyDatabase,
  freshDatabase,
  withAdmin,
  type TestDatabase,
} from '../support/database/test-database.ts';
import { useProgram, urlOf, type Server, type Settings } from '../support/programs/program.ts';

const bench = useProgram('test', 'shared');

const warned = (server: Server): boolean =>
  server
    .log()
    .some(({ msg }) => typeof msg === 'string' && msg.includes('owns the tables and could drop them'));

/** Two lines of SQL, two URLs. */
const twoRoles = async (): Promise<{ one: Settings; two: Settings }> => {
  const database = await emptyDatabase();
  onTestFinished(() => database.release());
  const name =
    'url' in database.owner ? new URL(database.owner.url).pathname.slice(1) : database.owner.database;
  await asOwner(database, `revoke temporary on database ${name} from public`);
  const common = { NODE_ENV: 'production', SECRET_KEY: randomBytes(32).toString('hex') };
  const owner = urlOf(database.owner);
  return {
    one: { ...common, DATABASE_URL: owner },
    two: {
      ...{ ...common, MIGRATION_DATABASE_URL: owner },
      DATABASE_URL: urlOf(databaseOf(inject('testServer').serving, name)),
    },
  };
};

const tablesIn = async (databases: readonly TestDatabase[]): Promise<number[]> =>
  Promise.all(
    databases.map((database) =>
      withAdmin(
        database,
        async (client) =>
          (await client.query("select from pg_tables where schemaname = 'public'")).rowCount ?? 0,
      ),
    ),
  );

test('settings that lead to different databases: nothing is migrated or restored, the sentence names both', async () => {
  const [one, other] = [await emptyDatabase(), await emptyDatabase()];
  for (const database of [one, other]) onTestFinished(() => database.release());
  const serving = databaseOf(inject('testServer').serving, other.name);
  const settings = { DATABASE_URL: urlOf(serving), MIGRATION_DATABASE_URL: urlOf(one.owner) };
  const { server } = placeOf(serving);
  const sentence = `ahwa: MIGRATION_DATABASE_URL leads to the database ${one.name} of ${server}, DATABASE_URL to ${other.name} of ${server}; nothing was changed; let both lead to the same database.`;
  const file = JSON.stringify(aShopFile());
  const source = await freshDatabase();
  onTestFinished(() => source.release());
  const backup = join(bench.dataDir(), 'a.backup');
  writeFileSync(backup, await backupOf(source.connection));
  for (const command of [['migrate'], ['import', '-'], ['restore', backup]]) {
    const { code, stdout, stderr } = await bench.ahwa(command, settings, file);
    expect([code, stdout, stderr.trimEnd().split('\n').at(-1)]).toEqual([1, '', sentence]);
  }
  expect(await tablesIn([one, other])).toEqual([0, 0]);
});

test('roles that reach one database by different addresses are accepted, without any right', async () => {
  const database = await emptyDatabase();
  onTestFinished(() => database.release());
  const proxy = await openProxy(database.connection);
  onTestFinished(() => proxy.close());
  const owner = { url: urlOf(proxy.connection), setting: 'MIGRATION_DATABASE_URL' };
  const serving = { url: urlOf(databaseOf(inject('testServer').serving, database.name)) };
  await demandOneDatabase({ owner, serving });
  await demandOneDatabase({ owner: { ...serving, setting: owner.setting }, serving: { url: owner.url } });
});

test('one role owns the tables and another serves them, also for commands', async () => {
  const { two } = await twoRoles();
  const server = await bench.serve(two);
  const imported = await bench.ahwa(['import', '-'], two, JSON.stringify(aShopFile()));
  expect(imported.code).toBe(0);
  expect((await server.get('/ready')).body).toEqual({ status: 'ready' });
  expect((await server.get(`/public/orgs/brand?slug=${SLUG}`)).status).toBe(200);
  expect(warned(server)).toBe(false);
});

test('after a change from one role to two, `ahwa migrate` grants the serving role its rights', async () => {
  const { one, two } = await twoRoles();
  const before = await bench.serve(one);
  expect(warned(before)).toBe(true);
  await bench.ahwa(['import', '-'], one, JSON.stringify(aShopFile()));
  // Not migrated yet: the server reports it, and becomes ready after the migration.
  const serving = { ...two, MIGRATION_DATABASE_URL: '' };
  const early = await bench.serve({ ...serving, MIGRATE_ON_START: 'false' });
  expect((await early.get('/ready')).status).toBe(503);
  expect((await bench.ahwa(['migrate'], two)).code).toBe(0);
  expect((await early.get('/ready')).status).toBe(200);
  expect((await early.get(`/public/orgs/brand?slug=${SLUG}`)).status).toBe(200);
  expect(warned(early)).toBe(false);
});

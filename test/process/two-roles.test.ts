/** Separate roles for owning and serving, set up as an operator does. */
import { randomBytes } from 'node:crypto';
import { expect, inject, onTestFinished, test } from 'vitest';
import { aShopFile, SLUG } from '../support/shops/cafe.ts';
import { asOwner, databaseOf, emptyDatabase } from '../support/database/test-database.ts';
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

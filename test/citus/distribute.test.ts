/** `ahwa distribute` on a database that has shops. */
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { dataFolder, removeDataFolder } from '../support/programs/data-folder.ts';
import { listening, startProgram, urlOf, type Ended, type Program } from '../support/programs/program.ts';
import { emptyDatabase, withAdmin, type TestDatabase } from '../support/database/test-database.ts';
import { aShopFile } from '../support/shops/cafe.ts';

const dataDir = dataFolder();
let database: TestDatabase;
let programs: Program[] = [];

const start = (program: string, args: readonly string[], input?: string): Program => {
  const settings = { DATABASE_URL: urlOf(database.owner), DATA_DIR: dataDir, DEMO: 'false' };
  const started = startProgram(program, args, settings, input);
  programs.push(started);
  return started;
};
const ahwa = (args: readonly string[], input?: string): Promise<Ended> => start('cli.js', args, input).ended;
const ask = <T extends object>(statement: string): Promise<T[]> =>
  withAdmin({ connection: database.owner }, async (client) => (await client.query<T>(statement)).rows);

beforeEach(async () => {
  database = await emptyDatabase();
  await ask('create extension citus');
});
afterEach(async () => {
  for (const program of programs) program.signal('SIGKILL');
  await Promise.all(programs.map(({ ended }) => ended));
  programs = [];
  await ask('drop extension citus cascade');
  await database.release();
  removeDataFolder(dataDir);
});

const shops = async (): Promise<number | undefined> =>
  (await ask<{ shops: number }>('select count(*)::int as shops from shop'))[0]?.shops;

/** Tables that are spread and have pages at the coordinator too. */
const leftAtCoordinator = (): Promise<object[]> =>
  ask(`select logicalrelid::text from pg_dist_partition
       where (partmethod = 'h' or repmodel = 't') and pg_relation_size(logicalrelid) > 0`);

test('rows that were there are on the nodes afterwards, and there alone', async () => {
  expect(await ahwa(['import', '-'], JSON.stringify(aShopFile()))).toMatchObject({ code: 0 });
  const { code, stdout } = await ahwa(['distribute']);
  expect([code, stdout]).toEqual([0, expect.stringContaining('laid out')]);
  expect(await shops()).toBe(1);
  expect(await leftAtCoordinator()).toEqual([]);
  expect(await ahwa(['distribute'])).toMatchObject({ code: 0, stdout: 'Every table is laid out already.\n' });
  expect(await shops()).toBe(1);
});

test('a server does not start while a table is left at the coordinator, and says what to do', async () => {
  await ahwa(['migrate']);
  await ahwa(['distribute']);
  await ask("select undistribute_table('sending_hold')");
  const refused = await start('main.js', []).ended;
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('but not sending_hold as this build wants: run `ahwa distribute`');
  expect(await ahwa(['distribute'])).toMatchObject({ code: 0, stdout: '1 tables are laid out.\n' });
  await listening(start('main.js', []));
});

test('a table that is spread by another column is named, and nothing is changed', async () => {
  await ahwa(['migrate']);
  await ask("select create_reference_table('locator')");
  const { code, stderr } = await ahwa(['distribute']);
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('spread otherwise than this build wants: locator'),
  ]);
  expect(await leftAtCoordinator()).toEqual([]);
  expect(await ask("select 1 from pg_dist_partition where logicalrelid::text <> 'locator'")).toEqual([]);
});

test('a shop moves to such a database, and leaves it, but no address of its staff signs in at two shops', async () => {
  const withOwner = (slug: string, email: string): string =>
    JSON.stringify(aShopFile({ slug, staff: [{ name: 'Nadia', role: 'owner', email }] }));
  const file = join(dataDir, 'one.shop');
  await ahwa(['migrate']);
  await ahwa(['distribute']);
  await ahwa(['import', '-'], withOwner('cafe-one', 'nadia@one.example'));
  expect(await ahwa(['backup', '--org', 'cafe-one', '--close', file])).toMatchObject({ code: 0 });
  expect(await ahwa(['shop', 'remove', 'cafe-one'])).toMatchObject({ code: 0 });
  expect(await shops()).toBe(0);
  expect(await ahwa(['import', '-'], withOwner('cafe-two', 'nadia@one.example'))).toMatchObject({ code: 0 });
  const refused = await ahwa(['restore', file]);
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining('nadia@one.example signs in there'),
  ]);
  expect(await shops()).toBe(1);
  expect(await ahwa(['import', '-'], withOwner('cafe-two', 'nadia@two.example'))).toMatchObject({ code: 0 });
  expect(await ahwa(['restore', file])).toMatchObject({ code: 0 });
  expect(await ahwa(['shop', 'open', 'cafe-one'])).toMatchObject({ code: 0 });
  expect(await shops()).toBe(2);
});

/** The database is gone: what the tools still answer, what they say of the rest, and that they come back by themselves. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ToolName } from '../../src/service/contract/tools.ts';
import { placeOrder } from '../support/activity.ts';
import { aBranch, aShopFile, aTable, branchId, openShops, SLUG } from '../support/cafe.ts';
import { lineTo, type Line } from '../support/cut.ts';
import { ask, refusalOf, type ToolAnswer } from '../support/mcp.ts';
import { asOwner, freshDatabase, type TestDatabase } from '../support/postgres.ts';
import { makeWorld, type World } from '../support/world.ts';

type Call = readonly [ToolName, object];

let world: World;
let line: Line;
let database: TestDatabase;
/** Asked before, so that its answer is kept. */
const KEPT: Call = ['get_shop', { shop: SLUG }];
let fresh: readonly Call[];

beforeEach(async () => {
  database = await freshDatabase();
  line = await lineTo(database.connection);
  // With limits on, what waits and ages goes by `world.elapsed`.
  world = await makeWorld({ database, connection: line.connection, limitScale: 100 });
  const branches = [aBranch({ tables: [aTable('t1', 4)], booking: { enabled: true } })];
  await openShops(world, aShopFile({ branches }), aShopFile({ slug: 'zawya', branches }));
  const order_id = await placeOrder(world);
  fresh = [
    ['get_shop', { shop: 'zawya' }],
    ['get_menu', { shop: SLUG }],
    ['get_menu', { shop: SLUG, branch_id: branchId() }],
    ['get_booking_slots', { branch_id: branchId(), date: '2026-11-21', party_size: 2 }],
    ['track_order', { order_id }],
  ];
  await ask(world, ...KEPT);
});
afterEach(async () => {
  line.mend();
  await world.close();
  await line.close();
  await database.drop();
});

/** Nothing of how the service is made: stacks, SQL, addresses of machines. */
const INSIDES =
  /\bat [^\n]*\.[cm]?[jt]s\b|node_modules|ECONN|127\.0\.0\.1|postgres|\bselect\b|\brelation\b|column "|password|Error:/i;

const expectTemporary = ({ text, isError, structured }: ToolAnswer): void => {
  expect([isError, structured]).toEqual([true, undefined]);
  expect(text).toContain('temporarily');
  expect(text).toMatch(/try .*again/);
  expect(text).not.toMatch(INSIDES);
  expect(text.length).toBeLessThan(300);
};
const works = async ([tool, args]: Call): Promise<boolean> => !(await ask(world, tool, args)).isError;
const expectRecovery = async (): Promise<void> => {
  for (const call of fresh) await expect.poll(() => works(call), { timeout: 20_000 }).toBe(true);
};

test('every tool that needs it says that this is temporary; what is kept and about_ahwa are answered', async () => {
  line.cut();
  for (const [tool, args] of fresh) expectTemporary(await ask(world, tool, args));
  const kept = await ask(world, ...KEPT);
  expect(kept.isError).toBe(false);
  expect(kept.text).toContain('بيت البن');
  expect(await ask(world, 'about_ahwa')).toMatchObject({ isError: false });
});

test('what is wrong with a call is told without asking anybody', async () => {
  line.cut();
  const text = await refusalOf(world, 'get_booking_slots', { branch_id: 'zamalek', date: 'today' });
  expect(text).not.toContain('temporarily');
  expect(text.split('\n')).toHaveLength(3);
});

test('it comes back by itself, with the same answers as before', async () => {
  const answers = () => Promise.all(fresh.map(([tool, args]) => ask(world, tool, args)));
  const before = await answers();
  // A change of the clock past everything that was kept makes all of them ask again.
  for (let round = 0; round < 2; round += 1) {
    line.cut();
    await expect(world.hearOfChanges()).rejects.toThrow();
    world.elapsed += 60_001;
    for (const [tool, args] of fresh) expectTemporary(await ask(world, tool, args));
    expectTemporary(await ask(world, ...KEPT));
    line.mend();
    await expectRecovery();
    expect(await answers()).toEqual(before);
  }
});

test('what is kept is answered for a minute at most while changes cannot be heard of', async () => {
  line.cut();
  await expect(world.hearOfChanges()).rejects.toThrow();
  world.elapsed += 60_000;
  expect(await works(KEPT)).toBe(true);
  world.elapsed += 1;
  expectTemporary(await ask(world, ...KEPT));
});

test('a hundred calls at once are each answered, and the log stays readable', async () => {
  line.cut();
  const calls = Array.from({ length: 100 }, (_, index) => fresh[index % fresh.length] ?? KEPT);
  const answers = await Promise.all(calls.map(([tool, args]) => ask(world, tool, args)));
  for (const answer of answers) expectTemporary(answer);
  expect(world.logged.length).toBeLessThan(10);
  expect(world.logged.join('\n')).not.toMatch(/"level":"error"|password/);
});

test('a database that says nothing is as good as gone, and does not hold answers up for ever', async () => {
  line.silence();
  const answers = await Promise.all(fresh.map(([tool, args]) => ask(world, tool, args)));
  for (const answer of answers) expectTemporary(answer);
  expect(await works(KEPT)).toBe(true);
  line.mend();
  await expectRecovery();
});

test('a table that is not there yet, before migrations have run, is temporary too', async () => {
  await asOwner(world.database, 'alter table menu_item rename to elsewhere');
  expectTemporary(await ask(world, 'get_menu', { shop: SLUG }));
  // An order needs no menu.
  expect(await works(fresh.at(-1) ?? KEPT)).toBe(true);
  await asOwner(world.database, 'alter table elsewhere rename to menu_item');
  expect(await works(['get_menu', { shop: SLUG }])).toBe(true);
});

test('a fault that nobody foresaw is told as ours, and what it was stands in the log alone', async () => {
  // A cart without lines, as nothing of ours writes it.
  const order_id = await placeOrder(world, { row: { cart: {} } });
  const text = await refusalOf(world, 'track_order', { order_id });
  expect(text).toMatch(/on our side/);
  expect(text).not.toMatch(INSIDES);
  expect(world.logged).toHaveLength(1);
  const [logged = ''] = world.logged;
  expect(JSON.parse(logged)).toMatchObject({ level: 'error', tool: 'track_order' });
  expect(logged).toContain('TypeError');
  for (const call of fresh) expect(await works(call)).toBe(true);
});

/** Without a database: cached answers, refusals, and recovery. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ToolName } from '../../src/service/contract/tools.ts';
import { insertOrder } from '../support/database/orders-and-bookings.ts';
import { aBranch, aShopFile, aTable, branchId, openShops, SLUG } from '../support/shops/cafe.ts';
import { openProxy, type DatabaseProxy } from '../support/database/proxy.ts';
import { callTool, toolRefusal, type ToolAnswer } from '../support/server/mcp-client.ts';
import { asOwner, freshDatabase, type TestDatabase } from '../support/database/test-database.ts';
import { makeWorld, type World } from '../support/server/world.ts';

type Call = readonly [ToolName, object];

let world: World;
let proxy: DatabaseProxy;
let database: TestDatabase;
/** Called before, so that its answer is cached. */
const CACHED: Call = ['get_shop', { shop: SLUG }];
let fresh: readonly Call[];

beforeEach(async () => {
  database = await freshDatabase();
  proxy = await openProxy(database.connection);
  // With limits on, time for waiting and ageing is `world.elapsed`.
  world = await makeWorld({ database, connection: proxy.connection, limitScale: 100 });
  const branches = [aBranch({ tables: [aTable('t1', 4)], booking: { enabled: true } })];
  await openShops(world, aShopFile({ branches }), aShopFile({ slug: 'zawya', branches }));
  const order_id = await insertOrder(world);
  fresh = [
    ['get_shop', { shop: 'zawya' }],
    ['get_menu', { shop: SLUG }],
    ['get_menu', { shop: SLUG, branch_id: branchId() }],
    ['get_booking_slots', { branch_id: branchId(), date: '2026-11-21', party_size: 2 }],
    ['track_order', { order_id }],
  ];
  await callTool(world, ...CACHED);
});
afterEach(async () => {
  proxy.restore();
  await world.close();
  await proxy.close();
  await database.release();
});

/** Internals: stacks, SQL, addresses of machines. */
const INTERNALS =
  /\bat [^\n]*\.[cm]?[jt]s\b|node_modules|ECONN|127\.0\.0\.1|postgres|\bselect\b|\brelation\b|column "|password|Error:/i;

const expectTemporary = ({ text, isError, structured }: ToolAnswer): void => {
  expect([isError, structured]).toEqual([true, undefined]);
  expect(text).toContain('temporarily');
  expect(text).toMatch(/try .*again/);
  expect(text).not.toMatch(INTERNALS);
  expect(text.length).toBeLessThan(300);
};
const works = async ([tool, args]: Call): Promise<boolean> => !(await callTool(world, tool, args)).isError;
const expectRecovery = async (): Promise<void> => {
  for (const call of fresh) await expect.poll(() => works(call), { timeout: 20_000 }).toBe(true);
};

test('without the database, tools report a temporary fault, except about_ahwa and cached answers', async () => {
  proxy.cut();
  for (const [tool, args] of fresh) expectTemporary(await callTool(world, tool, args));
  const cached = await callTool(world, ...CACHED);
  expect(cached.isError).toBe(false);
  expect(cached.text).toContain('بيت البن');
  expect(await callTool(world, 'about_ahwa')).toMatchObject({ isError: false });
});

test('invalid arguments are refused without the database', async () => {
  proxy.cut();
  const text = await toolRefusal(world, 'get_booking_slots', { branch_id: 'zamalek', date: 'today' });
  expect(text).not.toContain('temporarily');
  expect(text.split('\n')).toHaveLength(3);
});

test('when the database returns, the tools give the same answers as before', async () => {
  const answers = () => Promise.all(fresh.map(([tool, args]) => callTool(world, tool, args)));
  const before = await answers();
  // After all expiries every call queries the database again.
  for (let round = 0; round < 2; round += 1) {
    proxy.cut();
    await expect(world.hearOfChanges()).rejects.toThrow();
    world.elapsed += 60_001;
    for (const [tool, args] of fresh) expectTemporary(await callTool(world, tool, args));
    expectTemporary(await callTool(world, ...CACHED));
    proxy.restore();
    await expectRecovery();
    expect(await answers()).toEqual(before);
  }
});

test('cached answers are served for a minute after the last successful poll', async () => {
  proxy.cut();
  await expect(world.hearOfChanges()).rejects.toThrow();
  world.elapsed += 60_000;
  expect(await works(CACHED)).toBe(true);
  world.elapsed += 1;
  expectTemporary(await callTool(world, ...CACHED));
});

test('a hundred concurrent calls are each answered, with fewer than ten log lines', async () => {
  proxy.cut();
  const calls = Array.from({ length: 100 }, (_, index) => fresh[index % fresh.length] ?? CACHED);
  const answers = await Promise.all(calls.map(([tool, args]) => callTool(world, tool, args)));
  for (const answer of answers) expectTemporary(answer);
  expect(world.logged.length).toBeLessThan(10);
  expect(world.logged.join('\n')).not.toMatch(/"level":"error"|password/);
});

test('a database that does not answer counts as unreachable after a time limit', async () => {
  proxy.silence();
  const answers = await Promise.all(fresh.map(([tool, args]) => callTool(world, tool, args)));
  for (const answer of answers) expectTemporary(answer);
  expect(await works(CACHED)).toBe(true);
  proxy.restore();
  await expectRecovery();
});

test('a missing table, before migrations have run, is a temporary fault', async () => {
  await asOwner(world.database, 'alter table menu_item rename to elsewhere');
  expectTemporary(await callTool(world, 'get_menu', { shop: SLUG }));
  // An order needs no menu.
  expect(await works(fresh.at(-1) ?? CACHED)).toBe(true);
  await asOwner(world.database, 'alter table elsewhere rename to menu_item');
  expect(await works(['get_menu', { shop: SLUG }])).toBe(true);
});

test('an unexpected fault is reported as internal, and only the log has its cause', async () => {
  // A cart without lines, which the service never writes.
  const order_id = await insertOrder(world, { row: { cart: {} } });
  const text = await toolRefusal(world, 'track_order', { order_id });
  expect(text).toMatch(/on our side/);
  expect(text).not.toMatch(INTERNALS);
  expect(world.logged).toHaveLength(1);
  const [logged = ''] = world.logged;
  expect(JSON.parse(logged)).toMatchObject({ level: 'error', tool: 'track_order' });
  expect(logged).toContain('TypeError');
  for (const call of fresh) expect(await works(call)).toBe(true);
});

/** Request limits that several processes share (Decisions 15), with three servers on one database. */
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { useManualClock, type ManualClock } from '../support/database/manual-clock.ts';
import { openProxy, type DatabaseProxy } from '../support/database/proxy.ts';
import { freshDatabase, type TestDatabase } from '../support/database/test-database.ts';
import { makeWorld, type World, type WorldOptions } from '../support/server/world.ts';

const START = Date.parse('2026-11-20T18:00:00Z');
const MINUTE = 60_000;
const SETTLE_MS = 500;

let database: TestDatabase;
let clock: ManualClock;
let worlds: World[] = [];
let elapsed = 0;
let proxy: DatabaseProxy | null = null;

const openServers = async (options: WorldOptions, behindProxy = false): Promise<void> => {
  database = await freshDatabase();
  clock = await useManualClock(database, START);
  elapsed = 0;
  proxy = behindProxy ? await openProxy(database.connection) : null;
  for (let n = 0; n < 3; n += 1) {
    // The clocks of the machines differ by minutes, and each counts its own time since it was started.
    const now = new Date(START + (n - 1) * 7 * MINUTE).toISOString();
    const route = proxy === null ? {} : { connection: proxy.connection };
    const world = await makeWorld({ database, now, ...route, ...options });
    world.elapsed = n * 1_000_000;
    worlds.push(world);
  }
};

afterEach(async () => {
  proxy?.restore();
  for (const world of worlds) await world.close();
  worlds = [];
  await proxy?.close();
  await database.release();
});

const pass = async (ms: number): Promise<void> => {
  elapsed += ms;
  for (const world of worlds) world.elapsed += ms;
  await clock.set(START + elapsed);
};

const server = (n: number): World => {
  const world = worlds[n];
  if (world === undefined) throw new Error(`There is no server ${n}.`);
  return world;
};

/** A write that is counted and then refused for its body. */
const writes = async (world: World, headers: Record<string, string> = {}): Promise<boolean> =>
  (
    await world.send(
      'POST',
      '/public/delivery-orders',
      { 'content-type': 'application/json', ...headers },
      '{}',
    )
  ).status !== 429;

/** Of `count` writes, those that pass. */
const passing = async (world: World, count: number, headers?: Record<string, string>): Promise<number> => {
  let passed = 0;
  for (let n = 0; n < count; n += 1) if (await writes(world, headers)) passed += 1;
  return passed;
};

const settleAll = async (): Promise<void> => {
  for (const { settling } of worlds) await settling.settle();
};

const rows = async (): Promise<readonly string[]> =>
  (
    await sql<{ row: string }>`select request_limit::text as row from request_limit`.execute(
      server(0).db.kysely,
    )
  ).rows.map(({ row }) => row);

test('a client of three servers gets one limit, whichever of them answers', async () => {
  await openServers({ limitScale: 1 });
  let passed = 0;
  for (let round = 0; round < 120; round += 1) {
    for (const world of worlds) passed += await passing(world, 1);
    await settleAll();
    await pass(SETTLE_MS);
  }
  // 60 at once and one a second for a minute; of three servers two let an eighth more pass before they know, and
  // each may let one more pass at its end.
  expect(passed).toBeGreaterThanOrEqual(118);
  expect(passed).toBeLessThanOrEqual(120 + 2 * 7.5 + 3);
});

test('a limit that was used up on one server is used up on the others a settling later', async () => {
  await openServers({ limitScale: 1 });
  expect(await passing(server(0), 70)).toBe(60);
  await settleAll();
  // The first eight show that the client is busy here too.
  expect(await passing(server(1), 8)).toBe(8);
  await settleAll();
  expect(await passing(server(1), 5)).toBe(0);
  const { headers } = await server(1).send('POST', '/public/delivery-orders', {}, '{}');
  expect(headers['ratelimit']).toMatch(/^"writes";r=0;t=9, /);
  // What was let pass too much is paid back.
  await pass(9_000);
  expect(await passing(server(1), 5)).toBe(1);
});

test('a client that each server alone could serve gets one limit of all of them', async () => {
  await openServers({ limitScale: 1 });
  let passed = 0;
  for (let second = 0; second < 180; second += 1) {
    for (const world of worlds) passed += await passing(world, 1);
    await settleAll();
    await pass(1_000);
  }
  // 60 at once and one a second for three minutes, and of each server the eighth that is not settled.
  expect(passed).toBeGreaterThanOrEqual(60 + 180 - 3);
  expect(passed).toBeLessThanOrEqual(60 + 180 + 3 * 9.5);
});

test('a client that takes no more than an eighth of a limit on each server is not written', async () => {
  await openServers({ limitScale: 1 });
  for (const world of worlds) expect(await passing(world, 7)).toBe(7);
  await settleAll();
  expect(await rows()).toEqual([]);
  expect(await writes(server(0))).toBe(true);
  await settleAll();
  expect(await rows()).toHaveLength(1);
});

test('with a scale of 0 nothing is limited, counted or written', async () => {
  await openServers({ limitScale: 0 });
  for (const world of worlds) expect(await passing(world, 100)).toBe(100);
  await settleAll();
  expect(await rows()).toEqual([]);
});

test('scaled limits are shared too', async () => {
  await openServers({ limitScale: 0.5 });
  expect(await passing(server(0), 40)).toBe(30);
  await settleAll();
  expect(await passing(server(2), 4)).toBe(4);
  await settleAll();
  expect(await passing(server(2), 5)).toBe(0);
});

test('other clients are not concerned, and no row has an address', async () => {
  await openServers({ limitScale: 1, trustedProxies: ['127.0.0.1'] });
  const from = (address: string) => ({ 'x-forwarded-for': address });
  expect(await passing(server(0), 61, from('203.0.113.9'))).toBe(60);
  expect(await passing(server(0), 61, from('2001:db8:1:2::3'))).toBe(60);
  await settleAll();
  expect(await passing(server(1), 10, from('203.0.113.9'))).toBe(10);
  await settleAll();
  expect(await passing(server(1), 1, from('203.0.113.9'))).toBe(0);
  expect(await passing(server(1), 60, from('203.0.113.10'))).toBe(60);
  await settleAll();
  const stored = await rows();
  expect(stored).toHaveLength(3);
  for (const row of stored) expect(row).toMatch(/^\(writes,"\\\\x[0-9a-f]{32}",[\d.]+\)$/);
  const { tokens } = server(0).app;
  const plain = tokens.hashOf('203.0.113.9').subarray(0, 16).toString('hex');
  expect(stored.join('')).not.toContain(plain);
});

test('without its database each server limits alone; afterwards what was taken is shared', async () => {
  await openServers({ limitScale: 1 }, true);
  proxy?.cut();
  for (const world of worlds) expect(await passing(world, 61)).toBe(60);
  await settleAll();
  await settleAll();
  for (const { settling } of worlds) expect([settling.isAlone, settling.waiting]).toEqual([true, 1]);
  await pass(10_000);
  for (const world of worlds) expect(await passing(world, 11)).toBe(10);
  await settleAll();
  proxy?.restore();
  for (const { settling } of worlds)
    await expect.poll(async () => (await settling.settle(), settling.isAlone)).toBe(false);
  // A bucket is overdrawn by its size at most: 120 of 180 are owed, and the first 60 for a minute to come.
  const [row = ''] = await rows();
  expect(Number(/,([\d.]+)\)$/.exec(row)?.[1])).toBe(START + elapsed + 2 * MINUTE);
  await pass(MINUTE);
  expect(await passing(server(2), 5)).toBe(0);
  await pass(1_000);
  expect(await passing(server(2), 5)).toBe(1);
  for (const { logged } of worlds) {
    const lines = logged.map((line) => JSON.parse(line) as { level: string; message: string });
    const shared = lines.filter(({ message }) => message.startsWith('request limits are'));
    expect(shared.map(({ level, message }) => `${level}: ${message}`)).toEqual([
      'warn: request limits are not shared between processes; each limits alone',
      'info: request limits are shared between processes again',
    ]);
  }
});

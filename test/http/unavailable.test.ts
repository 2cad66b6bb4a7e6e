/** The database is down: what still answers, what does not, and the recovery. */
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { aShopFile, branchId, openShops, shopId } from '../support/shops/cafe.ts';
import { openProxy, type DatabaseProxy } from '../support/database/proxy.ts';
import { freshDatabase, withAdmin, type TestDatabase } from '../support/database/test-database.ts';
import { hearAgain, makeWorld, type World } from '../support/server/world.ts';
import type { Reply } from '../support/server/http-client.ts';

let world: World;
let proxy: DatabaseProxy;
let database: TestDatabase;

const CACHED = '/public/orgs/brand?slug=beit-el-bunn';
const READS = [
  '/public/orgs/links?slug=beit-el-bunn',
  `/public/branches?org_id=${shopId()}`,
  `/public/branches/${branchId()}/menu`,
  `/public/branches/${branchId()}/booking-slots?date=2026-11-21&party_size=2`,
  `/public/delivery-orders/${shopId()}/track`,
  `/public/tables/${shopId()}`,
];

beforeEach(async () => {
  database = await freshDatabase();
  proxy = await openProxy(database.connection);
  // With limits on, waiting and ageing follow `world.elapsed`.
  world = await makeWorld({ database, connection: proxy.connection, limitScale: 100 });
  await openShops(world, aShopFile());
  await world.get(CACHED);
});
afterEach(async () => {
  proxy.restore();
  await world.close();
  await proxy.close();
  await database.release();
});

const expectUnavailable = ({ status, headers, body }: Reply): void => {
  expect(status).toBe(503);
  expect(Object.keys(body as object)).toEqual(['error']);
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  expect(headers['cache-control']).toBe('no-store');
};
const statusOf = async (address: string): Promise<number> => (await world.get(address)).status;
const expectRecovery = async (): Promise<void> => {
  for (const address of [READS[0] ?? '', '/ready'])
    await expect.poll(() => statusOf(address), { timeout: 20_000 }).toBe(200);
};

test('reads without a cached answer are 503 with Retry-After; cached answers are served', async () => {
  proxy.cut();
  for (const address of READS) expectUnavailable(await world.get(address));
  expectUnavailable(await world.get('/ready'));
  const cached = await world.get(CACHED);
  expect(cached.status).toBe(200);
  expect((await world.get(CACHED, { 'if-none-match': cached.headers.etag ?? '' })).status).toBe(304);
  for (const address of ['/health', '/', '/openapi.json']) expect(await statusOf(address)).toBe(200);
  // A faulty request is refused without the database.
  expect(await statusOf('/public/orgs/brand')).toBe(400);
  expect(await statusOf('/public/nowhere')).toBe(404);
});

test('the service recovers by itself when the database returns', async () => {
  for (let round = 0; round < 3; round += 1) {
    proxy.cut();
    expectUnavailable(await world.get(READS[round] ?? ''));
    proxy.restore();
    await expectRecovery();
  }
  const { body } = await world.get(CACHED);
  expect(body).toMatchObject({ slug: 'beit-el-bunn' });
});

test('a change that another process made meanwhile is found when the database returns', async () => {
  proxy.cut();
  expect(await statusOf(CACHED)).toBe(200);
  const other = await makeWorld({ database });
  await openShops(other, aShopFile({ name: 'بيت آخر' }));
  await other.close();
  expect((await world.get(CACHED)).body).toMatchObject({ name: 'بيت البن' });
  proxy.restore();
  await hearAgain(world);
  expect((await world.get(CACHED)).body).toMatchObject({ name: 'بيت آخر' });
});

test('cached answers are served for a minute after the last successful poll', async () => {
  proxy.cut();
  await expect(world.hearOfChanges()).rejects.toThrow();
  world.elapsed += 60_000;
  expect(await statusOf(CACHED)).toBe(200);
  world.elapsed += 1;
  expectUnavailable(await world.get(CACHED));
  proxy.restore();
  await expect.poll(() => statusOf(CACHED), { timeout: 20_000 }).toBe(200);
});

test('a hundred concurrent requests are each answered 503, with fewer than ten log lines', async () => {
  proxy.cut();
  const replies = await Promise.all(
    Array.from({ length: 100 }, (_, index) => world.get(READS[index % 6] ?? '')),
  );
  for (const reply of replies) expectUnavailable(reply);
  expect(world.logged.length).toBeLessThan(10);
  expect(world.logged.join('\n')).not.toMatch(/"level":"error"|password/);
});

test('a database that does not answer counts as unreachable: 503 after a time limit', async () => {
  proxy.silence();
  const replies = await Promise.all(READS.map((address) => world.get(address)));
  for (const reply of replies) expectUnavailable(reply);
  expect(await statusOf(CACHED)).toBe(200);
  proxy.restore();
  await expectRecovery();
});

test('requests are 503 while the database refuses connections, then answered again', async () => {
  const server = inject('testServer');
  const name =
    'url' in database.connection
      ? new URL(database.connection.url).pathname.slice(1)
      : database.connection.database;
  const allowConnections = (allowed: boolean) =>
    withAdmin(server, async (client) => {
      await client.query(`alter database ${name} allow_connections ${String(allowed)}`);
      if (!allowed)
        await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
          name,
        ]);
    });
  await allowConnections(false);
  try {
    for (const address of READS) expectUnavailable(await world.get(address));
  } finally {
    await allowConnections(true);
  }
  await expectRecovery();
});

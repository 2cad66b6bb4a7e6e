/** Request limits per client (Decisions 15). */
import { afterEach, describe, expect, test } from 'vitest';
import { aBranch, aShopFile, aTable, branchId, openShops, shopId, tableId } from '../support/shops/cafe.ts';
import { newId } from '../support/database/ids.ts';
import { makeWorld, type World, type WorldOptions } from '../support/server/world.ts';
import type { Reply } from '../support/server/http-client.ts';

let world: World;
const open = async (options: WorldOptions): Promise<void> => {
  world = await makeWorld(options);
  const branch = aBranch({ tables: [aTable('t1', 2)], booking: { enabled: true } });
  await openShops(world, aShopFile({ branches: [branch] }));
};
afterEach(() => world.close());

const BRAND = '/public/orgs/brand?slug=beit-el-bunn';
const menu = (): string => `/public/branches/${branchId()}/menu`;

const send = async (count: number, address: string, headers?: Record<string, string>): Promise<Reply[]> => {
  const replies: Reply[] = [];
  while (replies.length < count) replies.push(await world.get(address, headers));
  return replies;
};
/** Requests that pass before the first refusal. */
const passing = async (address: string, headers?: Record<string, string>): Promise<number> => {
  for (let passed = 0; passed < 5_000; passed += 1)
    if ((await world.get(address, headers)).status === 429) return passed;
  return Number.POSITIVE_INFINITY;
};
const bucketsOf = ({ headers }: Reply): string[] =>
  [...String(headers['ratelimit-policy']).matchAll(/"(\w+)"/g)].map(([, name = '']) => name).sort();

describe('at the scale of 1', () => {
  test('300 ordering reads pass, then 429 with a wait, after which reads pass again', async () => {
    await open({ limitScale: 1 });
    const replies = await send(301, menu());
    expect(replies.slice(0, 300).every(({ status }) => status === 200)).toBe(true);
    const refused = replies[300];
    expect(refused?.status).toBe(429);
    expect(refused?.body).toEqual({
      error: 'Too many requests. Try again in 1 second.',
      code: 'RATE_LIMITED',
      retry_after_seconds: 1,
    });
    expect(refused?.headers['retry-after']).toBe('1');
    world.elapsed += 1_000;
    // Twenty tokens a second.
    expect(await passing(menu())).toBe(20);
    world.elapsed += 15_000;
    expect((await world.get(menu())).headers['ratelimit']).toContain('"ordering_reads";r=299');
  });

  test('each group sends its published policy', async () => {
    await open({ limitScale: 1 });
    const policy = async (address: string) => (await world.get(address)).headers['ratelimit-policy'];
    expect(await policy(BRAND)).toBe('"general";q=2000;w=60');
    expect(await policy(menu())).toContain('"ordering_reads";q=300;w=15');
    expect(
      await policy(`/public/branches/${branchId()}/booking-slots?date=2026-11-21&party_size=2`),
    ).toContain('"booking_and_loyalty_reads";q=300;w=15');
  });
});

describe('every answer', () => {
  test('states the tokens left, whatever its status', async () => {
    await open({ limitScale: 1 });
    const tag = (await world.get(BRAND)).headers.etag ?? '';
    const answers = [
      await world.get(BRAND),
      await world.get(BRAND, { 'if-none-match': tag }),
      await world.send('HEAD', BRAND),
      await world.send('POST', BRAND, { 'content-type': 'application/json' }, '{}'),
      await world.send('OPTIONS', BRAND, {
        origin: 'https://some.example',
        'access-control-request-method': 'GET',
      }),
      await world.get('/nowhere'),
      await world.get('/public/orgs/brand'),
      await world.get('/openapi.json'),
      await world.get(`/public/branches/${branchId()}/menu?channel=umbrella`),
    ];
    const left = answers.map(({ headers }) =>
      Number(/"general";r=(\d+)/.exec(String(headers['ratelimit']))?.[1]),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 304, 200, 405, 204, 404, 400, 200, 404]);
    expect(left).toEqual([1998, 1997, 1996, 1995, 1994, 1993, 1992, 1991, 1990]);
  });

  test('of an ordering read names the policies general and ordering_reads', async () => {
    await open({ limitScale: 1 });
    const ordering = ['general', 'ordering_reads'];
    for (const address of [
      menu(),
      `/public/branches?org_id=${shopId()}`,
      `/public/delivery-orders/${newId()}/track`,
      `/public/tables/${tableId('t1')}/menu`,
    ])
      expect([address, bucketsOf(await world.get(address))]).toEqual([address, ordering]);
    expect(bucketsOf(await world.get(`/public/orgs/links?slug=beit-el-bunn`))).toEqual(['general']);
  });

  test('of /health and /ready is neither counted nor refused', async () => {
    await open({ limitScale: 0.001 });
    expect(await passing('/nowhere')).toBe(2);
    for (const address of ['/health', '/ready'])
      for (const { status, headers } of await send(10, address)) {
        expect(status).toBe(200);
        expect(headers).not.toHaveProperty('ratelimit');
      }
  });
});

describe('the scale', () => {
  test('multiplies every limit', async () => {
    await open({ limitScale: 0.05 });
    expect(await passing(menu())).toBe(15);
    // The general bucket of 100 has served fifteen, and counted the one that its group refused.
    expect(await passing(BRAND)).toBe(84);
    expect((await world.get(menu())).status).toBe(429);
  });

  test('of 0 turns all limits off', async () => {
    await open({ limitScale: 0 });
    const replies = await send(40, menu());
    expect(replies.every(({ status, headers }) => status === 200 && headers['ratelimit'] === undefined)).toBe(
      true,
    );
  });

  test('gives refusals in Arabic the same wait as in English', async () => {
    await open({ limitScale: 0.001 });
    await passing(BRAND);
    const { status, body, headers } = await world.get(BRAND, { 'accept-language': 'ar' });
    expect(status).toBe(429);
    expect(body).toMatchObject({ code: 'RATE_LIMITED', retry_after_seconds: Number(headers['retry-after']) });
    expect(Number(headers['retry-after'])).toBeGreaterThan(1);
    expect((body as { error: string }).error).toMatch(/[\u0600-\u06ff]/);
    world.elapsed += Number(headers['retry-after']) * 1000;
    expect((await world.get(BRAND)).status).toBe(200);
  });
});

describe('the counted client', () => {
  const from = (...hops: string[]) => ({ 'x-forwarded-for': hops.join(', ') });

  test('is the peer address when no proxy is configured, whatever its headers claim', async () => {
    await open({ limitScale: 0.005 });
    expect(await passing(BRAND, from('203.0.113.1'))).toBe(10);
    expect((await world.get(BRAND, from('203.0.113.2'))).status).toBe(429);
    expect(
      (await world.get(BRAND, { forwarded: 'for=203.0.113.3', 'x-real-ip': '203.0.113.4' })).status,
    ).toBe(429);
  });

  test('is the address that the configured proxy received the request from', async () => {
    await open({ limitScale: 0.005, trustedProxies: ['127.0.0.0/8', '10.0.0.1'] });
    expect(await passing(BRAND, from('203.0.113.1'))).toBe(10);
    expect(await passing(BRAND, from('203.0.113.2'))).toBe(10);
    // Entries that a client writes are left of the proxy's own.
    expect((await world.get(BRAND, from('198.51.100.9', '203.0.113.2'))).status).toBe(429);
    expect((await world.get(BRAND, from('198.51.100.9', '203.0.113.2', '10.0.0.1'))).status).toBe(429);
    expect((await world.get(BRAND, from('203.0.113.3'))).status).toBe(200);
    // An invalid hop counts as the proxy.
    expect(await passing(BRAND, from('nobody'))).toBe(10);
    expect((await world.get(BRAND)).status).toBe(429);
  });

  test('is an IPv6 /64 or an IPv4 address, also in IPv4-mapped form', async () => {
    await open({ limitScale: 0.005, trustedProxies: ['127.0.0.1'] });
    expect(await passing(BRAND, from('2001:db8:0:7::1'))).toBe(10);
    for (const same of [
      '2001:db8:0:7:ffff:ffff:ffff:ffff',
      '2001:0DB8:0000:0007::2',
      '[2001:db8:0:7::3]:4711',
    ])
      expect([same, (await world.get(BRAND, from(same))).status]).toEqual([same, 429]);
    for (const other of ['2001:db8:0:8::1', '2001:db8::7'])
      expect([other, (await world.get(BRAND, from(other))).status]).toEqual([other, 200]);
    expect(await passing(BRAND, from('203.0.113.7'))).toBe(10);
    for (const same of ['::ffff:203.0.113.7', '::ffff:cb00:7107', '203.0.113.7:80'])
      expect([same, (await world.get(BRAND, from(same))).status]).toEqual([same, 429]);
    expect((await world.get(BRAND, from('203.0.113.8'))).status).toBe(200);
  });
});

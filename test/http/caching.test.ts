/** Caching of responses: tags, lifetimes, compression, other origins, invalidation. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { insertOrder, publishOrderChange } from '../support/database/orders-and-bookings.ts';
import {
  aBranch,
  aMenu,
  aShopFile,
  aTable,
  branchId,
  openShops,
  shopId,
  tableId,
} from '../support/shops/cafe.ts';
import { makeWorld, type World } from '../support/server/world.ts';

const EVENING = Date.parse('2026-11-20T18:00:00Z');
let world: World;
let orderId: string;

const SHOP = aShopFile({
  branches: [aBranch({ tables: [aTable('t1', 4)], booking: { enabled: true } })],
});
const menu = (query = ''): string => `/public/branches/${branchId()}/menu${query}`;
const slots = (): string => `/public/branches/${branchId()}/booking-slots?date=2026-11-21&party_size=2`;
const brand = '/public/orgs/brand?slug=beit-el-bunn';

/** Every cacheable address, and its lifetime while no change is due. */
const cacheable = (): readonly (readonly [string, string])[] => [
  [brand, 'public, max-age=60'],
  [`/public/orgs/links?org_id=${shopId()}`, 'public, max-age=60'],
  [`/public/branches?org_id=${shopId()}`, 'no-cache'],
  [menu(), 'public, max-age=30'],
  [menu('?channel=pickup'), 'public, max-age=30'],
  [slots(), 'no-cache'],
  [`/public/tables/${tableId('t1')}`, 'no-cache'],
  [`/public/tables/${tableId('t1')}/menu`, 'public, max-age=30'],
  [`/public/delivery-orders/${orderId}/track`, 'private, no-cache'],
  ['/openapi.json', 'public, max-age=3600'],
  ['/', 'public, max-age=3600'],
];

beforeAll(async () => {
  world = await makeWorld();
  await openShops(world, SHOP);
  orderId = await insertOrder(world);
});
beforeEach(() => {
  world.now = EVENING;
});
afterAll(() => world.close());

describe('every cacheable answer', () => {
  test('states its lifetime in Cache-Control', async () => {
    for (const [address, lifetime] of cacheable()) {
      const reply = await world.get(address, { accept: 'application/json' });
      expect([address, reply.status, reply.headers['cache-control']]).toEqual([address, 200, lifetime]);
      expect(reply.headers.vary).toMatch(/accept-encoding/i);
    }
  });

  test('has a separate strong tag per encoding, and any of these tags gets 304', async () => {
    for (const [address, lifetime] of cacheable()) {
      const codings = ['identity', 'gzip', 'br'];
      const replies = await Promise.all(
        codings.map((coding) => world.get(address, { 'accept-encoding': coding })),
      );
      const tags = replies.map(({ headers }) => headers.etag ?? '');
      for (const tag of tags) expect(tag).toMatch(/^"[^"]+"$/);
      const encodings = new Set(replies.map(({ headers }) => headers['content-encoding']));
      expect(new Set(tags).size).toBe(encodings.size);
      expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
      for (const tag of tags)
        for (const coding of codings) {
          const unchanged = await world.get(address, { 'if-none-match': tag, 'accept-encoding': coding });
          expect([address, unchanged.status, unchanged.text]).toEqual([address, 304, '']);
          expect(unchanged.headers).toMatchObject({ etag: tag, 'cache-control': lifetime });
          expect(unchanged.headers['content-length'] ?? '0').toBe('0');
        }
    }
  });

  test('gets 304 for its tag weak, in a list or as `*`, otherwise 200', async () => {
    const { headers } = await world.get(menu());
    const tag = headers.etag ?? '';
    for (const held of [`W/${tag}`, `"x", ${tag}`, `"a,b" ,W/"c",${tag},"d"`, '*', ' * '])
      expect([held, (await world.get(menu(), { 'if-none-match': held })).status]).toEqual([held, 304]);
    for (const held of ['"x"', tag.slice(1, -1), `${tag.slice(0, -1)}x"`, '', 'W/"*"', '"*"'])
      expect([held, (await world.get(menu(), { 'if-none-match': held })).status]).toEqual([held, 200]);
  });

  test('has the same headers for HEAD as for GET, without the body', async () => {
    for (const [address] of cacheable()) {
      const headers = { accept: 'application/json', 'accept-encoding': 'gzip' };
      const [get, head] = [await world.get(address, headers), await world.send('HEAD', address, headers)];
      expect(head.text).toBe('');
      const without = ({ headers: all }: typeof get) =>
        Object.fromEntries(
          Object.entries(all).filter(([name]) => name !== 'x-request-id' && name !== 'date'),
        );
      expect(without(head)).toEqual(without(get));
      expect(Number(head.headers['content-length'])).toBe(get.bytes.length);
      const held = await world.send('HEAD', address, { 'if-none-match': get.headers.etag ?? '' });
      expect(held.status).toBe(304);
    }
  });
});

describe('content encoding', () => {
  test.each([
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['br;q=0, gzip;q=0.1', 'gzip'],
    ['*', 'br'],
    ['deflate', undefined],
    ['identity', undefined],
    ['br;q=0, gzip;q=0', undefined],
    ['', undefined],
  ])('a client that accepts %j receives the encoding %s', async (accepted, coding) => {
    const reply = await world.get('/openapi.json', { 'accept-encoding': accepted });
    expect(reply.headers['content-encoding']).toBe(coding);
    expect(reply.text).toBe((await world.get('/openapi.json')).text);
    if (coding !== undefined) expect(reply.bytes.length).toBeLessThan(reply.text.length / 2);
  });
});

describe('answers that must not be cached', () => {
  test('errors, /health and /ready are `no-store` and have no tag', async () => {
    const addresses = [
      '/health',
      '/ready',
      '/nowhere',
      '/public/orgs/brand',
      '/public/orgs/brand?slug=nobody',
      menu('?channel=umbrella'),
    ];
    for (const address of addresses) {
      const { headers } = await world.get(address);
      expect([address, headers['cache-control'], headers.etag]).toEqual([address, 'no-store', undefined]);
    }
  });

  test('a client’s valid tag does not turn a refusal into 304', async () => {
    world.now = Date.parse('2026-11-20T20:59:59Z');
    const open = await world.get(menu('?channel=pickup'));
    world.now += 1000;
    expect(
      (await world.get(menu('?channel=pickup'), { 'if-none-match': open.headers.etag ?? '' })).status,
    ).toBe(409);
  });
});

describe('an answer that expires soon', () => {
  const lifetimeAt = async (address: string, moment: string): Promise<string | undefined> => {
    world.now = Date.parse(moment);
    return (await world.get(address)).headers['cache-control'];
  };

  test('has a lifetime of the whole seconds until it expires', async () => {
    const pickup = menu('?channel=pickup');
    for (const [moment, seconds] of [
      ['2026-11-20T20:59:00.000Z', 30],
      ['2026-11-20T20:59:30.000Z', 30],
      ['2026-11-20T20:59:30.001Z', 29],
      ['2026-11-20T20:59:45.000Z', 15],
      ['2026-11-20T20:59:59.000Z', 1],
      ['2026-11-20T20:59:59.001Z', 0],
    ] as const)
      expect([moment, await lifetimeAt(pickup, moment)]).toEqual([moment, `public, max-age=${seconds}`]);
    // Answers that do not depend on the closing time keep their lifetime.
    for (const query of ['', '?channel=pickup&preview=true'])
      expect(await lifetimeAt(menu(query), '2026-11-20T20:59:59.500Z')).toBe('public, max-age=30');
  });

  test('expires at the bounds of a sale window and at the end of a snooze', async () => {
    const items = [
      {
        key: 'breakfast',
        name: 'فطار',
        category: 'coffee',
        price: 9000,
        windows: [{ from: '07:00', to: '12:00' }],
      },
      {
        key: 'cake',
        name: 'كيك',
        category: 'coffee',
        price: 7000,
        availability: [{ branch: 'zamalek', sold_out_until: '2026-11-20T15:00:10Z' }],
      },
    ];
    const names = async (): Promise<string[]> =>
      (await world.read('getBranchMenu', menu())).items.map(({ name }) => name);
    await openShops(world, { ...SHOP, menu: { ...aMenu(), items: [...(aMenu().items ?? []), ...items] } });
    expect(await lifetimeAt(menu(), '2026-11-20T09:59:53Z')).toBe('public, max-age=7');
    expect(await names()).toContain('فطار');
    expect(await lifetimeAt(menu(), '2026-11-20T10:00:00Z')).toBe('public, max-age=30');
    expect(await names()).not.toContain('فطار');
    expect(await lifetimeAt(menu(), '2026-11-20T15:00:09.999Z')).toBe('public, max-age=0');
    expect(await names()).not.toContain('كيك');
    world.now += 1;
    expect(await names()).toContain('كيك');
    await openShops(world, SHOP);
  });
});

describe('a change', () => {
  const item = async (at: World): Promise<number | undefined> =>
    (await at.read('getBranchMenu', menu())).items[0]?.price;
  const priced = (price: number) => ({
    ...SHOP,
    menu: { ...aMenu(), items: (aMenu().items ?? []).map((entry) => ({ ...entry, price })) },
  });

  test('of a menu changes that shop’s answer and tag, and no other shop’s', async () => {
    await openShops(world, aShopFile({ slug: 'zawya' }));
    const neighbour = `/public/branches/${branchId('zamalek', 'zawya')}/menu`;
    const [before, neighbourReply] = [await world.get(menu()), await world.get(neighbour)];
    await openShops(world, priced(5_100));
    const after = await world.get(menu(), { 'if-none-match': before.headers.etag ?? '' });
    expect(after.status).toBe(200);
    expect(after.headers.etag).not.toBe(before.headers.etag);
    expect(await item(world)).toBe(5_100);
    expect((await world.get(neighbour, { 'if-none-match': neighbourReply.headers.etag ?? '' })).status).toBe(
      304,
    );
  });

  test('that is reverted restores the tag', async () => {
    await openShops(world, SHOP);
    const before = (await world.get(menu())).headers.etag;
    await openShops(world, priced(4_900));
    expect((await world.get(menu())).headers.etag).not.toBe(before);
    await openShops(world, SHOP);
    expect((await world.get(menu())).headers.etag).toBe(before);
  });

  test('reaches every process on the same database', async () => {
    const other = await makeWorld({ database: world.database });
    try {
      other.now = EVENING;
      expect(await item(other)).toBe(await item(world));
      const track = `/public/delivery-orders/${orderId}/track`;
      await Promise.all([world.get(track), other.get(track)]);
      await world.db.kysely
        .updateTable('delivery_order')
        .set({ status: 'confirmed' })
        .where('id', '=', orderId)
        .execute();
      await publishOrderChange(world, orderId);
      await openShops(other, priced(6_300));
      for (const each of [world, other]) {
        await each.hearOfChanges();
        expect(await item(each)).toBe(6_300);
        expect((await each.read('trackOrder', track)).status).toBe('confirmed');
      }
    } finally {
      await other.close();
      await openShops(world, SHOP);
    }
  });
});

describe('CORS', () => {
  test('any origin may read without credentials and sees the caching and limit headers', async () => {
    for (const [address] of [...cacheable(), ['/nowhere'], [menu('?channel=umbrella')]] as const) {
      const { headers } = await world.get(address, { origin: 'https://some.example' });
      expect([address, headers['access-control-allow-origin']]).toEqual([address, '*']);
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
      const exposed = (headers['access-control-expose-headers'] ?? '').split(/,\s*/);
      expect(exposed.sort()).toEqual(['ETag', 'RateLimit', 'RateLimit-Policy', 'Retry-After']);
    }
  });

  test('a preflight request is answered 204 at every public address', async () => {
    const preflight = {
      origin: 'https://some.example',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'if-none-match',
    };
    for (const [address] of cacheable()) {
      const { status, headers, text } = await world.send('OPTIONS', address, preflight);
      expect([address, status, text]).toEqual([address, 204, '']);
      expect(headers['access-control-allow-methods']).toContain('GET');
      expect(headers['access-control-allow-headers']).toContain('if-none-match');
      expect(headers['access-control-allow-origin']).toBe('*');
    }
  });
});

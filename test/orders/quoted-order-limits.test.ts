/** Limit of new places per client in cart quotes (Decisions 15), shared with delivery quotes. */
import { afterEach, describe, expect, test } from 'vitest';
import { openShops } from '../support/shops/cafe.ts';
import { aQuotingBranch, aQuotingShop, atBranch, line } from '../support/shops/quoting-shop.ts';
import { post } from '../support/server/requests.ts';
import { makeWorld, type World, type WorldOptions } from '../support/server/world.ts';
import type { Reply } from '../support/server/http-client.ts';

let world: World;
let measured = 0;
const open = async (options: WorldOptions): Promise<void> => {
  measured = 0;
  const meters = () => Promise.resolve((measured += 1) > 0 ? 1500 : null);
  world = await makeWorld({ ...options, trustedProxies: ['127.0.0.1'], roads: { meters } });
  const location = { lat: 30.06, lng: 31.22 };
  const channels = { pickup: {}, outside: { fee: 2000, max_distance_meters: 5000 } };
  await openShops(world, aQuotingShop({ branches: [aQuotingBranch({ location, channels })] }));
};
afterEach(() => world.close());

/** `steps` of ten metres from the branch. */
const quoteTo = (steps: number, more: object = {}, client = '203.0.113.1'): Promise<Reply> =>
  post(
    world,
    atBranch(),
    {
      ...{ items: [line('turkish')], channel: 'outside' },
      delivery: { lat: 30.06 + steps / 10_000, lng: 31.22 },
      ...more,
    },
    { 'x-forwarded-for': client },
  );
const statuses = async (places: readonly number[], client?: string): Promise<readonly number[]> => {
  const replies: Reply[] = [];
  for (const place of places) replies.push(await quoteTo(place, {}, client));
  return replies.map(({ status }) => status);
};
const places = (count: number, from = 0) => Array.from({ length: count }, (_, index) => from + index);

describe('a client that quoted carts to 60 new places', () => {
  test('gets 429 for the next place, and 200 one second later', async () => {
    await open({ limitScale: 1 });
    expect(new Set(await statuses(places(60)))).toEqual(new Set([200]));
    const refused = await quoteTo(60);
    expect([refused.status, refused.headers['retry-after'], refused.body]).toEqual([
      429,
      '1',
      {
        error: 'Too many requests. Try again in 1 second.',
        ...{ code: 'RATE_LIMITED', retry_after_seconds: 1 },
      },
    ]);
    expect(measured).toBe(60);
    world.elapsed += 1000;
    expect(await statuses([60, 61])).toEqual([200, 429]);
    expect(measured).toBe(61);
  });

  test('still gets quotes for known places, no place, distant places and other channels', async () => {
    await open({ limitScale: 1 });
    await statuses(places(60));
    for (const more of [
      { delivery: { lat: 30.06 + 59 / 10_000, lng: 31.22 } },
      { delivery: undefined },
      { delivery: { lat: 31.5, lng: 31.22 } },
      { channel: 'pickup' },
    ])
      expect((await quoteTo(60, more)).status).toBe(200);
    expect(measured).toBe(60);
  });

  test('does not use up the limit of another client', async () => {
    await open({ limitScale: 1 });
    await statuses(places(61));
    expect(await statuses(places(2, 100), '203.0.113.2')).toEqual([200, 200]);
    expect(await statuses([102])).toEqual([429]);
  });
});

test('the limit scale multiplies the number of places, and scale 0 lifts the limit', async () => {
  await open({ limitScale: 0.1 });
  expect(await statuses(places(7))).toEqual([200, 200, 200, 200, 200, 200, 429]);
  await world.close();
  await open({});
  expect(new Set(await statuses(places(70)))).toEqual(new Set([200]));
});

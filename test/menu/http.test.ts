/** Menus over HTTP: open and closed channels, refusals, and the demo shops. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CHANNELS } from '../../src/shops/domain/shop.ts';
import { aBranch, aMenu, aShopFile, branchId, openShops, thingId } from '../support/shops/cafe.ts';
import type { BranchEntry } from '../support/shops/shop-file.ts';
import { menuFaults, type Menu } from '../support/oracles/closed-menu.ts';
import { makeDemo } from '../support/shops/demo.ts';
import { makeWorld, type World } from '../support/server/world.ts';

let world: World;
const menuAt = (query: string, branch = branchId()): string => `/public/branches/${branch}/menu${query}`;
const NIGHT = '2026-11-20T22:30:00Z';
const EVENING = '2026-11-20T18:00:00Z';

beforeAll(async () => {
  world = await makeWorld();
});
beforeEach(() => {
  world.now = Date.parse(EVENING);
});
afterAll(() => world.close());

const open = (overrides: Partial<BranchEntry> = {}): Promise<void> =>
  openShops(world, aShopFile({ branches: [aBranch(overrides)] }));

describe('which channel answers', () => {
  const PREVIEWS = ['', '&preview=true', '&preview=false'] as const;

  test('dine-in always answers, with or without preview, and is the default channel', async () => {
    await open({ channels: {} });
    const { text } = await world.get(menuAt(''));
    for (const query of [
      '?channel=dine_in',
      '?preview=true',
      '?preview=false',
      ...PREVIEWS.map((preview) => `?channel=dine_in${preview}`),
    ])
      expect(await world.get(menuAt(query))).toMatchObject({ status: 200, text });
  });

  test.each(['pickup', 'outside', 'in_mall', 'umbrella'] as const)(
    '%s answers while it is open or previewed, and is 404 where it is not offered',
    async (channel) => {
      const status = async (preview: string): Promise<number> =>
        (await world.get(menuAt(`?channel=${channel}${preview}`))).status;
      const answers = async () => Promise.all(PREVIEWS.map(status));
      await open({ channels: { [channel]: {} } });
      expect(await answers()).toEqual([200, 200, 200]);
      world.now = Date.parse(NIGHT);
      expect(await answers()).toEqual([409, 200, 409]);
      for (const channels of [{ [channel]: { enabled: false } }, {}]) {
        await open({ channels });
        expect(await answers()).toEqual([404, 404, 404]);
      }
    },
  );

  test('a channel that is not offered is CHANNEL_NOT_OFFERED with the channel in vars', async () => {
    await open();
    const refusal = await world.refused(menuAt('?channel=umbrella&preview=true'));
    expect(refusal).toMatchObject({
      status: 404,
      code: 'CHANNEL_NOT_OFFERED',
      vars: { channel: 'umbrella' },
    });
  });

  test('parameters in another order or encoding give the same answer', async () => {
    await open();
    const { text } = await world.get(menuAt('?channel=pickup&preview=true'));
    for (const query of [
      '?preview=true&channel=pickup',
      '?&channel=pickup&&preview=true&',
      '?channel=%70ickup&pre%76iew=true',
    ])
      expect(await world.get(menuAt(query))).toMatchObject({ status: 200, text });
  });
});

describe('a closed channel', () => {
  const closed = async (moment = NIGHT) => {
    world.now = Date.parse(moment);
    const refusal = await world.refused(menuAt('?channel=pickup'));
    expect(refusal).toMatchObject({ status: 409, code: 'CHANNEL_CLOSED' });
    return refusal.vars;
  };
  const paused = (until?: string): Partial<BranchEntry> => ({
    channels: { pickup: { state: { mode: 'closed', ...(until === undefined ? {} : { until }) } } },
  });

  test('has its next opening in opens_at', async () => {
    await open();
    expect(await closed()).toEqual({ channel: 'pickup', opens_at: '2026-11-21T07:00:00.000Z' });
    await open({ online_dated_hours: [{ from: '2026-11-21', to: '2026-11-22', hours: [] }] });
    expect(await closed()).toEqual({ channel: 'pickup', opens_at: '2026-11-23T07:00:00.000Z' });
  });

  test('that is paused opens at the end of the pause, or at the next opening after it', async () => {
    await open(paused('2026-11-20T19:00:00Z'));
    expect(await closed(EVENING)).toEqual({ channel: 'pickup', opens_at: '2026-11-20T19:00:00.000Z' });
    await open(paused('2026-11-21T03:00:00Z'));
    expect(await closed(EVENING)).toEqual({ channel: 'pickup', opens_at: '2026-11-21T07:00:00.000Z' });
  });

  test('has no opens_at when paused without an end, without an open till or without future hours', async () => {
    await open(paused());
    expect(await closed(EVENING)).toEqual({ channel: 'pickup' });
    await open({ online_needs_open_till: true });
    expect(await closed(EVENING)).toEqual({ channel: 'pickup' });
    const past = { from: '2026-01-01', hours: [{ open: '09:00', close: '23:00' }] };
    await open({ online_hours: [], online_dated_hours: [past] });
    expect(await closed(EVENING)).toEqual({ channel: 'pickup' });
  });

  test('answers from the millisecond it opens and refuses from the millisecond it closes', async () => {
    await open();
    const statusAt = async (moment: string): Promise<number> => {
      world.now = Date.parse(moment);
      return (await world.get(menuAt('?channel=pickup'))).status;
    };
    expect(await statusAt('2026-11-20T06:59:59.999Z')).toBe(409);
    expect(await statusAt('2026-11-20T07:00:00.000Z')).toBe(200);
    expect(await statusAt('2026-11-20T20:59:59.999Z')).toBe(200);
    expect(await statusAt('2026-11-20T21:00:00.000Z')).toBe(409);
  });
});

describe('prices', () => {
  const priced = (prices: { branch?: string; channel?: 'pickup'; price: number }[]) => {
    const menu = aMenu();
    return { ...menu, items: (menu.items ?? []).map((item) => ({ ...item, prices })) };
  };
  const priceOf = async (channel: string): Promise<number | undefined> => {
    const menu = await world.read('getBranchMenu', menuAt(`?channel=${channel}&preview=true`));
    return menu.items.find(({ id }) => id === thingId('item', 'turkish'))?.price;
  };
  const BRANCH = { branch: 'zamalek', price: 5000 };
  const CHANNEL = { channel: 'pickup', price: 5500 } as const;

  test('come from branch and channel, else channel, else branch, else catalogue', async () => {
    const ladder = [
      { prices: [], pickup: 4500, dineIn: 4500 },
      { prices: [BRANCH], pickup: 5000, dineIn: 5000 },
      { prices: [BRANCH, CHANNEL], pickup: 5500, dineIn: 5000 },
      { prices: [BRANCH, CHANNEL, { ...BRANCH, ...CHANNEL, price: 6000 }], pickup: 6000, dineIn: 5000 },
    ];
    for (const { prices, pickup, dineIn } of ladder) {
      await openShops(world, aShopFile({ menu: priced(prices) }));
      expect([await priceOf('pickup'), await priceOf('dine_in')]).toEqual([pickup, dineIn]);
    }
  });
});

describe('a refused menu', () => {
  test('unknown, inactive and archived branches answer the same 404', async () => {
    const [a, b] = [aBranch(), aBranch({ key: 'b', code: 'B', name: 'ب', active: false })];
    await openShops(world, aShopFile({ branches: [a, b, aBranch({ key: 'c', code: 'C', name: 'ت' })] }));
    await openShops(world, aShopFile({ branches: [a, b] }));
    const unknown = await world.get(menuAt('', branchId('nowhere')));
    expect([unknown.status, Object.keys(unknown.body as object)]).toEqual([404, ['error']]);
    for (const key of ['b', 'c'])
      for (const query of ['', '?channel=pickup', '?channel=umbrella'])
        expect((await world.get(menuAt(query, branchId(key)))).text).toBe(unknown.text);
  });

  test('an unknown value of channel or preview is refused with the field named', async () => {
    await open();
    for (const channel of ['delivery', 'PICKUP', 'pickup%20', '', 'dine-in', '__proto__'])
      expect(await world.refused(menuAt(`?channel=${channel}`))).toMatchObject({
        status: 400,
        fields: [{ path: 'channel' }],
      });
    for (const preview of ['1', 'TRUE', 'yes', '', '%20true'])
      expect(await world.refused(menuAt(`?preview=${preview}`))).toMatchObject({
        status: 400,
        fields: [{ path: 'preview' }],
      });
  });
});

describe('the demo shops', () => {
  // A morning, a Thursday after midnight, a Ramadan afternoon, the night the clock goes back.
  const MOMENTS = [
    '2026-11-20T07:30:00Z',
    '2026-11-19T23:15:00Z',
    '2027-02-12T14:00:00Z',
    '2026-10-29T21:30:00Z',
  ];

  test('have self-contained menus at every branch, on every channel, at four moments', async () => {
    const { world: demo, demo: contents } = await makeDemo();
    const { shops, tables } = contents;
    let read = 0;
    for (const moment of MOMENTS) {
      demo.now = Date.parse(moment);
      for (const { id } of shops.flatMap(({ branches }) => branches))
        for (const channel of CHANNELS) {
          const address = menuAt(`?channel=${channel}&preview=true`, id);
          const { status, body } = await demo.get(address);
          if (status === 404) continue;
          const menu = body as Menu;
          expect([id, channel, menuFaults(menu, id)]).toEqual([id, channel, []]);
          expect(menu.items.length).toBeGreaterThan(20);
          read += 1;
        }
    }
    expect(read).toBeGreaterThan(60);
    for (const { id } of tables) expect((await demo.get(`/public/tables/${id}/menu`)).status).toBe(200);
    await demo.close();
  });
});

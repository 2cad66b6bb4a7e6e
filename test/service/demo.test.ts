/** The demo shops: complete, relative to any date, and consistent across endpoints. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { needsDemo, type DemoContents } from '../../src/service/app/demo.ts';
import { CHANNELS, ONLINE_CHANNELS } from '../../src/shops/domain/shop.ts';
import { ORDER_STATUSES } from '../../src/orders/domain/order.ts';
import { closeShop, openShop } from '../../src/shopfile/app/move-shop.ts';
import { addDays } from '../../src/kernel/time.ts';
import { loadDemo } from '../../src/wiring.ts';
import { shopId } from '../support/shops/cafe.ts';
import type { Menu } from '../support/oracles/closed-menu.ts';
import { importDemo, startDay } from '../support/shops/demo.ts';
import { makeWorld, type World } from '../support/server/world.ts';

/** A Friday, 20:00 in Cairo. */
const START = '2026-11-20T18:00:00Z';
const DAY = 86_400_000;
const TODAY = START.slice(0, 10);
const SLUGS = ['beit-el-bunn', 'layaly', 'zawya'] as const;

let world: World;
let places: DemoContents;

beforeAll(async () => {
  world = await makeWorld({ now: START });
  expect(await needsDemo(world.app)).toBe(true);
  await importDemo(world);
  places = await startDay(world);
});
beforeEach(() => {
  world.now = Date.parse(START);
});
afterAll(() => world.close());

const branchesOf = (slug: string) =>
  world.read('listBranches', `/public/branches?org_id=${shopId(slug)}&browse=true`);
const linksOf = (slug: string) => world.read('getLinks', `/public/orgs/links?slug=${slug}`);
const menuOf = (id: string, channel: string) =>
  world.read('getBranchMenu', `/public/branches/${id}/menu?channel=${channel}&preview=true`);

const readMenus = new Map<string, readonly Menu[]>();
/** Menus from Friday morning to Saturday noon, so that every sale window is open once. */
const menusOf = async (slug: string): Promise<readonly Menu[]> => {
  const cached = readMenus.get(slug);
  if (cached !== undefined) return cached;
  const menus: Menu[] = [];
  for (const hours of [-12, -5, 0, 3, 14]) {
    world.now = Date.parse(START) + hours * 3_600_000;
    for (const branch of await branchesOf(slug)) {
      menus.push(await menuOf(branch.id, 'dine_in'));
      for (const channel of ONLINE_CHANNELS)
        if (branch[`${channel}_enabled`]) menus.push(await menuOf(branch.id, channel));
    }
  }
  world.now = Date.parse(START);
  readMenus.set(slug, menus);
  return menus;
};
const distinct = <T extends { id: string }>(things: readonly T[]): T[] => [
  ...new Map(things.map((thing) => [thing.id, thing])).values(),
];

test('the demo shops are loaded only into an empty database', async () => {
  expect(await needsDemo(world.app)).toBe(false);
  expect(await loadDemo(world.app, () => undefined)).toBe(false);
});

describe('beit-el-bunn, a coffee chain', () => {
  test('has five branches: street, mall, beach, prices without tax, no channel', async () => {
    const branches = await branchesOf('beit-el-bunn');
    expect(branches.length).toBe(5);
    const kinds = branches.map((branch) => ONLINE_CHANNELS.filter((channel) => branch[`${channel}_enabled`]));
    expect(kinds).toContainEqual(expect.arrayContaining(['in_mall']));
    expect(kinds).toContainEqual(expect.arrayContaining(['umbrella']));
    expect(kinds).toContainEqual([]);
    const streets = branches.filter((branch) => branch.pickup_enabled && branch.outside_enabled);
    expect(
      streets.map(({ tax_policy, otp_required }) => [tax_policy.tax_inclusive, otp_required]).sort(),
    ).toEqual([
      [false, false],
      [true, true],
    ]);
  });

  test('has a menu with sizes, add-ons, modifier groups and combos', async () => {
    const menus = await menusOf('beit-el-bunn');
    const items = distinct(menus.flatMap((menu) => menu.items));
    const [plain, combos] = [
      items.filter(({ kind }) => kind === 'item'),
      items.filter(({ kind }) => kind === 'combo'),
    ];
    expect(plain.length).toBeGreaterThanOrEqual(90);
    expect(plain.some(({ sizes }) => sizes.length > 1)).toBe(true);
    expect(
      plain.some(({ optionals }) => optionals.some(({ size_label }) => typeof size_label === 'string')),
    ).toBe(true);
    expect(plain.some(({ meal }) => meal !== undefined)).toBe(true);
    const groups = plain.flatMap(({ modifier_groups }) => modifier_groups);
    expect(new Set(groups.map(({ is_required }) => is_required))).toEqual(new Set([true, false]));
    const types = new Set(menus.flatMap((menu) => menu.addons.map(({ type }) => type)));
    expect(types).toEqual(new Set(['milk_type', 'coffee_type', 'extra']));
    expect(combos.length).toBeGreaterThanOrEqual(5);
    const slots = combos.flatMap(({ combo }) => combo?.slots ?? []);
    expect(slots.some(({ choices }) => choices.length === 2)).toBe(true);
    expect(
      slots.some(({ choices }) => choices.some(({ sizes }) => sizes.some(({ extra }) => extra > 0))),
    ).toBe(true);
  });

  test('has seven deals of both kinds, some with windows and shared items, and a discount', async () => {
    const menus = await menusOf('beit-el-bunn');
    const deals = distinct(menus.flatMap((menu) => menu.deals));
    expect(deals.length).toBeGreaterThanOrEqual(7);
    expect(new Set(deals.map(({ kind }) => kind))).toEqual(new Set(['n_for_price', 'buy_get']));
    expect(deals.some(({ windows }) => windows.some(({ starts_at }) => starts_at !== null))).toBe(true);
    const pools = deals.flatMap(({ id, pool }) =>
      [...new Set(pool.map((entry) => `${entry.category_id ?? ''}${entry.menu_item_id ?? ''}`))].map(
        (entry) => [entry, id] as const,
      ),
    );
    expect(new Set(pools.map(([entry]) => entry)).size).toBeLessThan(pools.length);
    expect(menus.some(({ discount }) => discount !== null && discount !== undefined)).toBe(true);
    expect((await linksOf('beit-el-bunn')).loyalty_mode).toBe('points');
  });
});

test('zawya has one branch with pickup, a visits loyalty program and about 40 items', async () => {
  const branches = await branchesOf('zawya');
  expect(branches.map((branch) => ONLINE_CHANNELS.filter((channel) => branch[`${channel}_enabled`]))).toEqual(
    [['pickup']],
  );
  expect((await linksOf('zawya')).loyalty_mode).toBe('visits');
  const items = distinct((await menusOf('zawya')).flatMap((menu) => menu.items)).length;
  expect(Math.abs(items - 40)).toBeLessThanOrEqual(8);
});

test('layaly has two branches with late bookings and prices that include tax', async () => {
  const branches = await branchesOf('layaly');
  expect(branches.map(({ tax_policy }) => tax_policy.tax_inclusive)).toEqual([true, true]);
  const book = (await linksOf('layaly')).items.find(({ kind }) => kind === 'book');
  expect(book?.branch_names).toEqual(branches.map(({ name }) => name));
  for (const { id } of branches) {
    const { slots } = await world.read(
      'getBookingSlots',
      `/public/branches/${id}/booking-slots?date=${addDays(TODAY, 3)}&party_size=2`,
    );
    expect(slots[0]?.starts_at).toBe(`${addDays(TODAY, 3)}T11:00:00.000Z`);
    // 02:00 less the duration of a booking.
    expect(slots.at(-1)?.starts_at.slice(11, 16)).toMatch(/^22:[03]0$/);
  }
  const rows = await world.db.kysely
    .selectFrom('dining_table')
    .select(['section'])
    .where('org_id', '=', shopId('layaly'))
    .execute();
  expect(new Set(rows.map(({ section }) => section)).size).toBeGreaterThan(1);
  const joins = await world.db.kysely
    .selectFrom('table_join')
    .select('id')
    .where('org_id', '=', shopId('layaly'))
    .execute();
  expect(joins.length).toBeGreaterThan(0);
});

test('kashk is switched off, and every read of it is 404', async () => {
  for (const path of [
    'orgs/brand?slug=kashk',
    'orgs/links?slug=kashk',
    `branches?org_id=${shopId('kashk')}&browse=true`,
  ])
    expect((await world.get(`/public/${path}`)).status).toBe(404);
  expect(places.shops.map(({ slug }) => slug)).toEqual([...SLUGS]);
});

test('every name is in Arabic and English, and every item has a picture of ours', async () => {
  for (const slug of SLUGS) {
    const { brand, branches, ...page } = await linksOf(slug);
    const names = [
      brand,
      ...branches,
      ...distinct(
        (await menusOf(slug)).flatMap((menu) => [
          ...menu.categories,
          ...menu.items,
          ...menu.deals,
          ...menu.items.flatMap(({ optionals }) => optionals),
        ]),
      ),
    ];
    for (const { name, name_translations } of names) {
      expect(name).toMatch(/[\u0600-\u06ff]/);
      expect([name, name_translations?.['en'] ?? '']).toEqual([name, expect.stringMatching(/[a-z]/i)]);
    }
    expect([page.tagline_ar, page.tagline_en]).toEqual([expect.any(String), expect.any(String)]);
    const items = (await menusOf(slug)).flatMap((menu) => menu.items);
    const pictures = [
      brand.logo_url,
      brand.card_image_url,
      page.cover_image_url,
      ...items.map((item) => item.image_url),
    ];
    const isOurs = (address: unknown): boolean =>
      /^https:\/\/ahwa\.example\/pictures\/[0-9a-f-]{36}$/.test(String(address));
    expect(pictures.filter((address) => !isOurs(address))).toEqual([]);
  }
});

describe('a start of the demo on any day', () => {
  const track = (id: string) => world.read('trackOrder', `/public/delivery-orders/${id}/track`);

  /** Starts that bookings take, found by comparison with the last bookable date. */
  const takenStarts = async (): Promise<number> => {
    const corniche = (await branchesOf('layaly')).find(({ code }) => code === 'CRN');
    const addressOf = (date: string, party: number): string =>
      `/public/branches/${corniche?.id ?? ''}/booking-slots?date=${date}&party_size=${party}`;
    const { first, last } = (await world.refused(addressOf('2000-01-01', 2))).vars ?? {};
    const free = async (date: string, party: number): Promise<Map<string, boolean>> => {
      const { slots } = await world.read('getBookingSlots', addressOf(date, party));
      return new Map(slots.map(({ starts_at, available }) => [starts_at.slice(11), available]));
    };
    let taken = 0;
    for (const party of [2, 4, 8, 11]) {
      const lastDay = await free(String(last), party);
      for (const days of [1, 2, 3]) {
        const day = await free(addDays(String(first), days), party);
        taken += [...day].filter(([time, available]) => !available && lastDay.get(time) === true).length;
      }
    }
    return taken;
  };

  test.each([
    ['the same day', 0],
    ['the next day', 1],
    ['ten days later', 10],
    ['at one in the night', 3 + 5 / 24],
    ['in Ramadan', 90],
  ])('%s: has orders in every state from the last 24 hours and some taken slots', async (_, days) => {
    world.now = Date.parse(START) + days * DAY;
    const before = places;
    const after = await startDay(world);
    expect(after).toEqual(before);
    const orders = await Promise.all(after.orders.map(({ id }) => track(id)));
    expect(new Set(orders.map(({ status }) => status))).toEqual(new Set(ORDER_STATUSES));
    for (const [index, order] of orders.entries()) {
      expect(order.status).toBe(after.orders[index]?.status);
      const moments = Object.entries(order).flatMap(([name, value]) =>
        name.endsWith('_at') && typeof value === 'string' ? [Date.parse(value)] : [],
      );
      expect(Math.max(...moments)).toBeLessThanOrEqual(world.now);
      expect(Math.min(...moments)).toBeGreaterThan(world.now - DAY);
      expect(order.customer_name).toMatch(/\S\s\S/);
      expect(order.items?.length ?? 0).toBeGreaterThan(0);
      expect(order.items?.reduce((sum, { line_total }) => sum + line_total, 0)).toBe(order.subtotal);
    }
    expect(await takenStarts()).toBeGreaterThan(0);
  });

  test('repeated at once changes no order and no taken slot', async () => {
    await startDay(world);
    const before = await Promise.all(places.orders.map(({ id }) => track(id)));
    const taken = await takenStarts();
    await startDay(world);
    expect(await Promise.all(places.orders.map(({ id }) => track(id)))).toEqual(before);
    expect(await takenStarts()).toBe(taken);
  });
});

describe('links page, branches, menus and booking times agree', () => {
  test.each(['2026-11-20T07:30:00Z', START, '2026-11-20T23:30:00Z', '2026-10-29T21:30:00Z'])(
    'at %s',
    async (moment) => {
      world.now = Date.parse(moment);
      for (const slug of SLUGS) {
        const [links, all] = [await linksOf(slug), await branchesOf(slug)];
        const online = await world.read('listBranches', `/public/branches?org_id=${shopId(slug)}`);
        const item = (kind: string) => links.items.find((candidate) => candidate.kind === kind);
        expect(links.branches.map(({ id, name }) => [id, name])).toEqual(
          all.map(({ id, name }) => [id, name]),
        );
        expect(item('order')?.branch_names).toEqual(online.map(({ name }) => name));
        expect(online).toEqual(
          all.filter((branch) => ONLINE_CHANNELS.some((channel) => branch[`${channel}_enabled`])),
        );
        const offered = ONLINE_CHANNELS.filter((channel) =>
          all.some((branch) => branch[`${channel}_enabled`]),
        );
        expect(item('order')?.channels).toEqual(
          offered.map((channel) => (channel === 'outside' ? 'delivery' : channel)),
        );
        for (const branch of all) {
          for (const channel of CHANNELS) {
            const { status } = await world.get(`/public/branches/${branch.id}/menu?channel=${channel}`);
            const expected =
              channel === 'dine_in' || branch[`${channel}_open_now`]
                ? 200
                : branch[`${channel}_enabled`]
                  ? 409
                  : 404;
            expect([branch.name, channel, status]).toEqual([branch.name, channel, expected]);
          }
          const books = await world.get(
            `/public/branches/${branch.id}/booking-slots?date=${moment.slice(0, 10)}&party_size=2`,
          );
          expect(books.status).toBe(item('book')?.branch_names.includes(branch.name) === true ? 200 : 404);
        }
      }
    },
  );
});

test('a start leaves a demo shop alone that is closed', async () => {
  const layaly = { slug: 'layaly', orgId: shopId('layaly') };
  await closeShop(world.app, layaly);
  world.now += 7 * DAY;
  const orders = (await startDay(world)).orders.length;
  expect(orders).toBe(places.orders.length);
  await openShop(world.app, layaly);
});

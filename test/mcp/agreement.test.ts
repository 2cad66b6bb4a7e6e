/** Tools agree with the API, and texts with structured contents (Decisions 14). */
import type { ValidateFunction } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import { insertBooking, insertOrder } from '../support/database/orders-and-bookings.ts';
import type { ItemEntry } from '../support/shops/shop-file.ts';
import { anyShopFile } from '../support/shops/any-shop-file.ts';
import { aFullShopFile } from '../support/shops/full-shop-file.ts';
import { branchId, openShops, SLUG, tableId } from '../support/shops/cafe.ts';
import { makeDemo } from '../support/shops/demo.ts';
import { callTool } from '../support/server/mcp-client.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { expectAnswer, idsIn, outputSchemas } from './agreement/answer.ts';
import {
  detailsOf,
  menuOf,
  orderOf,
  readShop,
  timesOf,
  type Shop,
  type SlotsAsked,
} from './agreement/api.ts';
import {
  menuInStructured,
  menuInText,
  orderInStructured,
  orderInText,
  shopInStructured,
  shopInText,
  sumsInStructured,
  sumsInText,
  timesInStructured,
  timesInText,
} from './agreement/text.ts';

/** A Wednesday, noon in Cairo. */
const WEDNESDAY = '2026-12-16T10:00:00Z';
const DAY = 24 * 60 * 60 * 1000;

interface Asked {
  readonly days: readonly number[];
  readonly parties: readonly number[];
  /** Minutes by branch code; default 60. */
  readonly leads?: Readonly<Record<string, number>>;
}
/**
 * Yesterday, today, days with and without bookings, the last bookable day and the next; parties from one to
 * too many.
 */
const MANY = { days: [-1, 0, 1, 2, 21, 30, 31], parties: [1, 4, 9, 40] };
const FEW = { days: [0, 1, 31], parties: [2, 40] };

/** Compares all tools for one shop. */
const agreement = (world: World, schemas: ReadonlyMap<string, ValidateFunction>) => {
  const shopAgrees = async (shop: Shop): Promise<void> => {
    const ids = shop.branches.map(({ id }) => id);
    const args = { shop: shop.page.brand.slug };
    const { text, structured } = await expectAnswer(world, schemas, 'get_shop', args, ids);
    expect(structured).toEqual(detailsOf(shop));
    expect(shopInText(text)).toEqual(shopInStructured(structured));
  };

  const menusAgree = async (shop: Shop): Promise<void> => {
    const { slug } = shop.page.brand;
    const [first] = shop.branches;
    if (first === undefined) {
      expect(await callTool(world, 'get_menu', { shop: slug })).toMatchObject({ isError: true });
      return;
    }
    const asked = shop.branches.map((branch) => ({ branch, args: { shop: slug, branch_id: branch.id } }));
    for (const { branch, args } of [{ branch: first, args: { shop: slug } }, ...asked]) {
      const { text, structured } = await expectAnswer(world, schemas, 'get_menu', args, [branch.id]);
      expect(structured).toEqual(await menuOf(world, shop, branch));
      expect(menuInText(text)).toEqual(menuInStructured(structured));
      // The price of an item with sizes equals that of its cheapest size.
      expect(sumsInText(text)).toEqual(sumsInStructured(structured));
    }
  };

  const timesAgree = async (shop: Shop, asked: SlotsAsked, leadMinutes: number): Promise<void> => {
    const { branch, date, party_size } = asked;
    const args = { branch_id: branch.id, date, party_size };
    const api = await timesOf(world, shop, asked, leadMinutes);
    if ('refused' in api) {
      const { text, isError } = await callTool(world, 'get_booking_slots', args);
      expect(isError, text).toBe(true);
      // The text contains the figures of the refusal.
      for (const figure of Object.values(api.refused.vars ?? {})) expect(text).toContain(String(figure));
      return;
    }
    const { text, structured } = await expectAnswer(world, schemas, 'get_booking_slots', args, [branch.id]);
    expect(structured).toEqual(api.times);
    expect(timesInText(text)).toEqual(timesInStructured(structured));
    expect(sumsInText(text)).toEqual([]);
  };

  return {
    /** Days from today and party sizes, for every branch. */
    shop: async (slug: string, { days, parties, leads = {} }: Asked): Promise<void> => {
      const shop = await readShop(world, slug);
      await shopAgrees(shop);
      await menusAgree(shop);
      for (const branch of shop.branches)
        for (const day of days)
          for (const party_size of parties) {
            const date = new Date(world.now + day * DAY).toISOString().slice(0, 10);
            await timesAgree(shop, { branch, date, party_size }, leads[branch.code] ?? 60);
          }
    },
    order: async (id: string): Promise<void> => {
      const { branch_id } = await world.read('trackOrder', `/public/delivery-orders/${id}/track`);
      const args = { order_id: id };
      const { text, structured } = await expectAnswer(world, schemas, 'track_order', args, [id, branch_id]);
      expect(structured).toEqual(await orderOf(world, id));
      expect(orderInText(text)).toEqual(orderInStructured(structured));
      // The text words a sum of zero.
      expect(sumsInText(text)).toEqual(sumsInStructured(structured).filter((sum) => sum !== 0));
    },
  };
};

describe('the demo shops', () => {
  let world: World;
  let schemas: ReadonlyMap<string, ValidateFunction>;
  let orders: readonly { readonly id: string }[];

  beforeAll(async () => {
    const made = await makeDemo({ now: WEDNESDAY });
    world = made.world;
    orders = made.demo.orders;
    schemas = await outputSchemas(world);
  });
  afterAll(() => world.close());

  // Lead times from shops/layaly.json; the others take no bookings.
  test.each([
    ['beit-el-bunn', FEW],
    ['zawya', FEW],
    ['layaly', { ...MANY, leads: { CRN: 60, ZYD: 120 } }],
  ])('the tools agree with the API about %s', async (slug, asked) => {
    await agreement(world, schemas).shop(slug, asked);
  });

  test('the tools agree with the API about orders in every status and channel', async () => {
    expect(orders.length).toBeGreaterThan(7);
    for (const { id } of orders) await agreement(world, schemas).order(id);
  });

  test('the tools agree with the API after midnight, while the previous business date lasts', async () => {
    world.now = Date.parse('2026-12-16T22:10:00Z');
    await agreement(world, schemas).shop('layaly', { ...FEW, leads: { CRN: 60, ZYD: 120 } });
    world.now = Date.parse(WEDNESDAY);
  });

  test('a shop that is switched off is unknown to the tools and the API', async () => {
    const { status } = await world.refused('/public/orgs/links?slug=kashk');
    const { text, isError } = await callTool(world, 'get_shop', { shop: 'kashk' });
    expect([status, isError]).toEqual([404, true]);
    expect(text).not.toMatch(/switched|closed|inactive|كشك/);
  });

  test('text and object of about_ahwa have the same amounts and links', async () => {
    const { text, structured } = await expectAnswer(world, schemas, 'about_ahwa', {}, []);
    expect(sumsInText(text)).toEqual(sumsInStructured(structured));
    expect(sumsInStructured(structured)).toEqual([0, 45_050]);
    for (const address of Object.values(structured.links)) expect(text).toContain(address);
  });
});

test('the tools agree with the API about a shop with every field set', async () => {
  // A Friday at 09:00, when its combo is sold.
  const world = await makeWorld({ now: '2026-12-04T07:00:00Z' });
  await openShops(world, aFullShopFile());
  await agreement(world, await outputSchemas(world)).shop('rich-beans', { ...FEW, leads: { DT: 90 } });
  await world.close();
});

describe('generated shops', () => {
  const CLOCKS = [
    WEDNESDAY,
    // The nights in which Cairo's clocks go back and forward.
    '2026-10-29T20:30:00Z',
    '2026-04-23T20:30:00Z',
    '2026-07-03T23:59:59Z',
  ];

  /** Gives some items prices per branch and channel, or none. */
  const withBranchPrices = ([file, prices]: [ShopFile, number[]]): ShopFile => {
    const [first] = file.branches;
    const priced = (item: ItemEntry, at: number): ItemEntry => {
      const price = prices[at];
      if (price === undefined || item.price === undefined || first?.key === undefined) return item;
      return { ...item, prices: [...(item.prices ?? []), { branch: first.key, price }] };
    };
    return { ...file, slug: SLUG, menu: { ...file.menu, items: (file.menu.items ?? []).map(priced) } };
  };
  const anyShop = fc
    .tuple(anyShopFile(), fc.array(fc.integer({ min: 0, max: 50_000 }), { maxLength: 8 }))
    .map(withBranchPrices);

  /** Books the first table of every branch for tomorrow afternoon. */
  const takeTables = async (world: World, { branches }: ShopFile): Promise<void> => {
    await world.db.kysely.deleteFrom('booking').execute();
    const serviceDate = new Date(world.now + DAY).toISOString().slice(0, 10);
    const [startsAt, endsAt] = [`${serviceDate}T10:00:00Z`, `${serviceDate}T20:00:00Z`];
    for (const { key = '', tables = [] } of branches)
      if (tables.length > 0)
        await insertBooking(world, {
          branch: key,
          serviceDate,
          startsAt,
          endsAt,
          tables: [tableId('table-0', key)],
        });
  };

  test('the tools agree with the API about any generated shop', async () => {
    const world = await makeWorld();
    const schemas = await outputSchemas(world);
    await fc.assert(
      fc.asyncProperty(anyShop, fc.constantFrom(...CLOCKS), async (file, clock) => {
        world.now = Date.parse(clock);
        await openShops(world, file);
        await takeTables(world, file);
        await agreement(world, schemas).shop(SLUG, FEW);
        const id = await insertOrder(world, { branch: file.branches[0]?.key ?? '', createdAt: clock });
        await agreement(world, schemas).order(id);
      }),
      { numRuns: 25 },
    );
    await world.close();
  });
});

test('a menu over the limit keeps its first items and states the omission', async () => {
  const world = await makeWorld({ now: WEDNESDAY });
  const schemas = await outputSchemas(world);
  const item = (at: number): ItemEntry => ({
    key: `item-${at}`,
    name: { ar: `صنف رقم ${at}`, en: `Item number ${at}` },
    description: { ar: 'وصف طويل', en: 'A long description' },
    category: at < 500 ? 'first' : 'second',
    price: 1000 + at,
  });
  const categories = ['first', 'second'].map((key) => ({ key, name: { ar: `قسم ${key}`, en: key } }));
  const menu = { categories, items: Array.from({ length: 1000 }, (_, at) => item(at)) };
  await openShops(world, {
    format: 1,
    slug: SLUG,
    name: { ar: 'بيت البن', en: 'Beit El Bunn' },
    branches: [{ key: 'zamalek', name: 'الزمالك', code: 'ZML' }],
    menu,
  });
  const id = branchId('zamalek');
  const { text, structured } = await expectAnswer(world, schemas, 'get_menu', { shop: SLUG }, [id]);
  expect(menuInText(text)).toEqual(menuInStructured(structured));
  expect(sumsInText(text)).toEqual(sumsInStructured(structured));
  const prices = structured.categories.flatMap(({ items }) => items.map(({ price_egp }) => price_egp * 100));
  const api = await world.read('getBranchMenu', `/public/branches/${id}/menu?channel=dine_in`);
  expect(prices.map(Math.round)).toEqual(api.items.slice(0, prices.length).map(({ price }) => price));
  expect(prices.length).toBeGreaterThan(200);
  expect(structured.truncated).toBe(true);
  expect(structured.left_out).toContain(`${1000 - prices.length} of 1000 items`);
  expect(text.split('\n').slice(0, 3)).toContain(structured.left_out);
  await world.close();
});

describe('personal data of guests', () => {
  const CANARIES = {
    customer_name: 'كناريا الفاروقي 01001234567',
    address_line: '٧٧ شارع الكناري',
    floor: 'الدور الكناري',
    unit_number: 'شقة كناري',
    place_name: 'شاليه كناري',
    landmark: 'جنب قفص الكناري',
  };

  test('is in no answer of any tool, whatever the order’s status', async () => {
    const { world, demo } = await makeDemo({ now: WEDNESDAY });
    const orders: string[] = [];
    for (const channel of ['pickup', 'outside', 'in_mall', 'umbrella'] as const)
      for (const status of ['received', 'preparing', 'delivered', 'cancelled'] as const) {
        const steps = status === 'received' ? {} : { [status]: WEDNESDAY };
        const facts = { channel, status, steps, createdAt: WEDNESDAY, row: CANARIES };
        orders.push(await insertOrder(world, facts));
      }
    // The API shows the destination to the holder of the link.
    const tracked = await world.read('trackOrder', `/public/delivery-orders/${orders[0] ?? ''}/track`);
    expect(tracked).toMatchObject({ customer_name: CANARIES.customer_name, floor: CANARIES.floor });

    const outputs: string[] = [];
    const collect = async (...[name, args]: [Parameters<typeof callTool>[1], object]): Promise<void> => {
      const { text, structured } = await callTool(world, name, args);
      outputs.push(text, JSON.stringify(structured));
    };
    for (const order_id of orders) await collect('track_order', { order_id });
    for (const { slug, branches } of demo.shops) {
      await collect('get_shop', { shop: slug });
      for (const { id } of branches) {
        await collect('get_menu', { shop: slug, branch_id: id });
        for (const date of ['2026-12-16', '2026-12-17', '2026-12-18'])
          await collect('get_booking_slots', { branch_id: id, date, party_size: 2 });
      }
    }
    const everything = outputs.join('\n');
    expect(idsIn(everything)).toEqual(expect.arrayContaining(orders));
    const guests = await world.db.kysely.selectFrom('booking').select(['guest_name', 'notes']).execute();
    const secrets = [...Object.values(CANARIES), ...guests.flatMap((guest) => Object.values(guest))];
    expect(secrets.length).toBeGreaterThan(20);
    for (const secret of secrets) if (secret !== null) expect(everything).not.toContain(secret);
    expect(everything).not.toMatch(/كناري|01001234567/);
    await world.close();
  });
});

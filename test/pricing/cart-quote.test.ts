/** What a cart costs: sizes, add-ons, combos, deals, discount, service and tax, at a branch and at a table. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { DealEntry } from '../support/shops/shop-file.ts';
import { branchId, openShops, tableId, thingId } from '../support/shops/cafe.ts';
import {
  addon,
  aQuotingBranch,
  aQuotingMenu,
  aQuotingShop,
  atBranch,
  atTable,
  combo,
  item,
  line,
  type Line,
  meal,
  optional,
  pick,
  quoteOf,
  slot,
} from '../support/shops/quoting-shop.ts';
import { post } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';

const EVENING = '2026-11-20T18:00:00Z';
let world: World;

beforeAll(async () => {
  world = await makeWorld();
});
beforeEach(async () => {
  world.now = Date.parse(EVENING);
  await openShops(world, aQuotingShop());
});
afterAll(() => world.close());

const totalOf = async (...items: Line[]): Promise<number> => (await quoteOf(world, items)).total;

test('a quote of two Turkish coffees has every figure', async () => {
  expect(await quoteOf(world, [line('turkish', { quantity: 2, notes: 'سادة' })])).toEqual({
    lines: [
      {
        index: 0,
        quantity: 2,
        unit_price: 4500,
        addons_total: 0,
        line_total: 9000,
        deal_discount: 0,
        reward_units: 0,
        reward_discount: 0,
        name: 'قهوة تركي',
        name_translations: { en: 'Turkish coffee' },
        size_label: null,
      },
    ],
    items_total: 9000,
    deals: [],
    deal_discount: 0,
    total_after_deals: 9000,
    discount_amount: 0,
    service_charge_amount: 0,
    tax_amount: 1105,
    tax_inclusive: true,
    total: 9000,
    delivery: { status: 'ok', zone_id: null, distance_meters: null, fee: 0 },
    order_total: 9000,
    order_tax_amount: 1105,
    optimal: true,
    bound: 0,
    rewards: [],
    reward_cost: 0,
    balance_after: null,
    loyalty: null,
  });
});

test.each(['Large', 'LARGE', ' large ', 'كبير '])(
  'a size that is named as %j has the same quote, with its label',
  async (name) => {
    const cartOf = (size: string): readonly Line[] => [
      line('latte', { size_label: size, optional_field_ids: [optional('latte', 'cup')] }),
      meal([pick('drink', 'latte', { size_label: size }), pick('sweet', 'cake')]),
    ];
    const quote = await quoteOf(world, cartOf('كبير'), { hints: true });
    expect(await quoteOf(world, cartOf(name), { hints: true })).toEqual(quote);
    expect(quote.lines[0]?.size_label).toBe('كبير');
    expect(await quoteOf(world, cartOf(name), { address: atTable() })).toEqual(
      await quoteOf(world, cartOf('كبير'), { address: atTable() }),
    );
  },
);

describe('a line', () => {
  const oat = { addons: [{ addon_item_id: addon('oat') }] };
  test.each<[string, Line, number]>([
    ['of no named size is the cheapest', line('latte'), 5000],
    ['of a null size is the cheapest', line('latte', { size_label: null }), 5000],
    ['in its size has the price of the channel', line('latte', { size_label: 'كبير' }), 7500],
    ['with another milk pays the difference', line('latte', oat), 6200],
    [
      'with its own milk pays nothing for it',
      line('latte', { addons: [{ addon_item_id: addon('whole') }] }),
      5000,
    ],
    ['with two syrups', line('latte', { addons: [{ addon_item_id: addon('syrup'), quantity: 2 }] }), 7400],
    [
      'with an optional of its size',
      line('latte', { size_label: 'كبير', optional_field_ids: [optional('latte', 'cup')] }),
      7800,
    ],
    ['thrice, large, with oat', line('latte', { quantity: 3, size_label: 'كبير', ...oat }), 26_100],
    [
      'with the sauce that it needs',
      line('sandwich', { addons: [{ addon_item_id: addon('tahini') }] }),
      8500,
    ],
    [
      'with both sauces',
      line('sandwich', { addons: [{ addon_item_id: addon('tahini') }, { addon_item_id: addon('ketchup') }] }),
      8500,
    ],
    [
      'with nothing but empty lists',
      line('turkish', { addons: [], optional_field_ids: [], combo: null, staff_drink: null }),
      4500,
    ],
  ])('%s', async (_, one, total) => expect(await totalOf(one)).toBe(total));

  test('names the size sold, also when the cart names none', async () => {
    const { lines } = await quoteOf(world, [line('latte'), line('latte', { size_label: 'كبير' })]);
    expect(lines.map(({ index, size_label }) => [index, size_label])).toEqual([
      [0, 'صغير'],
      [1, 'كبير'],
    ]);
  });

  test('has the prices of its channel, pickup by default', async () => {
    const large = [line('latte', { size_label: 'كبير' })];
    for (const [channel, total] of [
      ['pickup', 7500],
      ['outside', 7000],
    ] as const)
      expect((await quoteOf(world, large, { channel })).total).toBe(total);
    expect((await quoteOf(world, large)).total).toBe(7500);
  });
});

describe('a combo', () => {
  test('costs its price plus larger sizes and add-ons, and lists the share of each part', async () => {
    const picks = [
      pick('drink', 'latte', { size_label: 'كبير', addons: [{ addon_item_id: addon('syrup') }] }),
      pick('sweet', 'cake', { quantity: 2 }),
    ];
    const { lines, total } = await quoteOf(world, [meal(picks, { quantity: 2 })]);
    // 90.00 by 50.00 and 2 × 60.00: 26.47 and 63.53; the large latte adds 10.00, the syrup 12.00; twice.
    expect(total).toBe(22_400);
    expect(lines).toEqual([
      {
        index: 0,
        quantity: 2,
        unit_price: 0,
        addons_total: 1200,
        line_total: 22_400,
        deal_discount: 0,
        reward_units: 0,
        reward_discount: 0,
        name: 'فطار',
        name_translations: { en: 'Breakfast' },
        size_label: null,
        combo: {
          price: 9000,
          unit_total: 10_000,
          saving_unit: 9500,
          parts: [
            {
              slot_id: slot('drink'),
              menu_item_id: item('latte'),
              size_label: 'كبير',
              quantity: 2,
              unit_price: 7500,
              combo_share: 5294,
              combo_surcharge: 2000,
              line_total: 7294,
              addons_total: 2400,
            },
            {
              slot_id: slot('sweet'),
              menu_item_id: item('cake'),
              size_label: null,
              quantity: 4,
              unit_price: 6000,
              combo_share: 12_706,
              combo_surcharge: 0,
              line_total: 12_706,
              addons_total: 0,
            },
          ],
        },
      },
    ]);
  });

  test('adds the surcharge of a choice', async () => {
    expect(await totalOf(meal([pick('drink', 'turkish'), pick('sweet', 'cake')]))).toBe(9500);
  });

  test('has the same quote with its picks in another order', async () => {
    const picks = [pick('sweet', 'cake'), pick('drink', 'latte')];
    expect(await quoteOf(world, [meal(picks)])).toEqual(await quoteOf(world, [meal(picks.toReversed())]));
  });
});

describe('deals', () => {
  const pairs: DealEntry = {
    key: 'pairs',
    name: { ar: 'اتنين بتمانين', en: 'Two for 80' },
    kind: 'n_for_price',
    qty: 2,
    price: 8000,
    pool: [{ item: 'turkish' }],
  };

  test('apply automatically and list the units of each line they took', async () => {
    await openShops(world, aQuotingShop({ menu: aQuotingMenu({ deals: [pairs] }) }));
    const quote = await quoteOf(world, [line('cake'), line('turkish', { quantity: 5 })]);
    expect(quote).toMatchObject({
      items_total: 28_500,
      deal_discount: 2000,
      total_after_deals: 26_500,
      total: 26_500,
      optimal: true,
      bound: 2000,
    });
    expect(quote.deals).toEqual([
      {
        deal_rule_id: thingId('deal', 'pairs'),
        name: 'اتنين بتمانين',
        name_translations: { en: 'Two for 80' },
        times: 2,
        discount: 2000,
        lines: [{ line_index: 1, units: 4, discount: 2000 }],
      },
    ]);
    expect(quote.lines.map(({ deal_discount }) => deal_discount)).toEqual([0, 2000]);
  });

  test('apply at a table by the qr toggle, at a branch by the online toggle', async () => {
    const sold = (sell: object) => aQuotingShop({ menu: aQuotingMenu({ deals: [{ ...pairs, sell }] }) });
    const cart = [line('turkish', { quantity: 2 })];
    const savings = async () => [
      (await quoteOf(world, cart)).deal_discount,
      (await quoteOf(world, cart, { address: atTable() })).deal_discount,
    ];
    await openShops(world, sold({ qr: false }));
    expect(await savings()).toEqual([1000, 0]);
    await openShops(world, sold({ online: false }));
    expect(await savings()).toEqual([0, 1000]);
  });
});

describe('the channel’s discount', () => {
  const discounted = (discount: object) =>
    aQuotingShop({
      menu: aQuotingMenu({
        discounts: [{ key: 'less', name: 'خصم', on: [{ channel: 'pickup' }], ...discount }],
      }),
    });

  test.each([
    [{ percent: 12.5 }, 563, 3937],
    [{ amount: 1000 }, 1000, 3500],
    [{ amount: 9000 }, 4500, 0],
    [{ percent: 100 }, 4500, 0],
  ])('%j on 45.00 takes off %i', async (discount, off, total) => {
    await openShops(world, discounted(discount));
    const { total_after_deals, discount_amount, ...quote } = await quoteOf(world, [line('turkish')]);
    expect([total_after_deals, discount_amount, quote.total]).toEqual([4500, off, total]);
  });

  test('is not applied on another channel or at a table', async () => {
    await openShops(world, discounted({ percent: 50 }));
    for (const where of [{ channel: 'outside' as const }, { address: atTable() }])
      expect((await quoteOf(world, [line('turkish')], where)).discount_amount).toBe(0);
  });

  test('is taken off the total after deals', async () => {
    const deal: DealEntry = {
      name: 'اتنين',
      kind: 'n_for_price',
      qty: 2,
      price: 8000,
      pool: [{ item: 'turkish' }],
    };
    const menu = aQuotingMenu({
      deals: [deal],
      discounts: [{ name: 'خصم', percent: 10, on: [{ channel: 'pickup' }] }],
    });
    await openShops(world, aQuotingShop({ menu }));
    expect(await quoteOf(world, [line('turkish', { quantity: 2 })])).toMatchObject({
      total_after_deals: 8000,
      discount_amount: 800,
      total: 7200,
    });
  });
});

describe('service and tax', () => {
  const taxed = (inclusive: boolean, taxable = false) =>
    aQuotingShop({
      branches: [aQuotingBranch({ tax: { rate: 0.14, inclusive }, service_charge: { rate: 0.12, taxable } })],
    });
  test.each<[string, boolean, boolean, branch: number[], table: number[]]>([
    ['inside', true, false, [0, 553, 4500], [540, 553, 5040]],
    ['inside, service too', true, true, [0, 553, 4500], [540, 619, 5040]],
    ['on top', false, false, [0, 630, 5130], [540, 630, 5670]],
    ['on top, of service too', false, true, [0, 630, 5130], [540, 706, 5746]],
  ])(
    'tax %s: a table pays for service, an online order does not',
    async (_, inclusive, taxable, ...expected) => {
      await openShops(world, taxed(inclusive, taxable));
      for (const [index, address] of [atBranch(), atTable()].entries()) {
        const quote = await quoteOf(world, [line('turkish')], { address });
        expect([quote.service_charge_amount, quote.tax_amount, quote.total]).toEqual(expected[index]);
        expect(quote.tax_inclusive).toBe(inclusive);
      }
    },
  );
});

describe('at a table', () => {
  test('a quote has the branch’s prices and ignores `channel`', async () => {
    const large = [line('latte', { size_label: 'كبير' })];
    const plain = await quoteOf(world, large, { address: atTable() });
    expect(plain.items_total).toBe(7000);
    for (const channel of ['pickup', 'outside', 'dine_in', 'car', null])
      expect((await post(world, atTable(), { items: large, channel })).body).toEqual(plain);
  });

  test('a combo with its qr toggle off is refused', async () => {
    const [breakfast] = aQuotingMenu().combos ?? [];
    if (breakfast === undefined) throw new Error('no breakfast');
    const combos = [{ ...breakfast, sell: { qr: false } }];
    await openShops(world, aQuotingShop({ menu: aQuotingMenu({ combos }) }));
    expect((await post(world, atBranch(), { items: [meal()] })).status).toBe(200);
    expect(await post(world, atTable(), { items: [meal()] })).toMatchObject({
      status: 409,
      body: { code: 'COMBO_UNAVAILABLE', vars: { combo_id: combo(), combo: 'فطار', reason: 'off' } },
    });
  });
});

describe('a quote of a channel', () => {
  test('is priced while the channel is closed', async () => {
    world.now = Date.parse('2026-11-20T22:30:00Z');
    expect((await world.get(`/public/branches/${branchId()}/menu?channel=pickup`)).status).toBe(409);
    expect(await totalOf(line('turkish'))).toBe(4500);
  });

  test('is priced while the channel is paused and no till is open', async () => {
    const pickup = { state: { mode: 'closed' } } as const;
    await openShops(
      world,
      aQuotingShop({ branches: [aQuotingBranch({ channels: { pickup }, online_needs_open_till: true })] }),
    );
    expect(await totalOf(line('turkish'))).toBe(4500);
  });
});

test('prices in the body are ignored, whatever their type', async () => {
  const cheap = { unit_price: 1 };
  const picks = [
    pick('drink', 'latte', { share: 1, surcharge: 0, addons: [{ addon_item_id: addon('oat'), ...cheap }] }),
    pick('sweet', 'cake', { share: null }),
  ];
  const items = [
    line('turkish', cheap),
    line('latte', { unit_price: null, addons: [{ addon_item_id: addon('syrup'), unit_price: -5 }] }),
    meal(picks, cheap),
  ];
  expect(await totalOf(...items)).toBe(4500 + 6200 + 10_200);
  for (const price of ['free', 1.5, 1e300, true, [], { amount: 1 }])
    expect(
      await totalOf(
        line('latte', { unit_price: price, addons: [{ addon_item_id: addon('syrup'), unit_price: price }] }),
        meal([pick('drink', 'latte', { share: price, surcharge: price }), pick('sweet', 'cake')]),
      ),
    ).toBe(6200 + 9000);
});

test('ids are accepted in upper and lower case', async () => {
  const upper = JSON.stringify({
    items: [line('latte', { addons: [{ addon_item_id: addon('oat') }] }), meal()],
  }).replace(/[0-9a-f-]{36}/g, (id) => id.toUpperCase());
  const { status, body } = await post(
    world,
    `/public/tables/${tableId('t1').toUpperCase()}/cart-quote`,
    upper,
  );
  expect([status, (body as { items_total: number }).items_total]).toEqual([200, 6200 + 9000]);
});

test('a cart of 100 lines with 999 units each is priced', async () => {
  const items = Array.from({ length: 100 }, () => line('turkish', { quantity: 999, notes: 'x'.repeat(500) }));
  const quote = await quoteOf(world, items);
  expect([quote.lines.length, quote.total]).toEqual([100, 449_550_000]);
});

test('a quote with hints has the same figures as one without', async () => {
  const cart = [line('turkish')];
  expect(await quoteOf(world, cart, { hints: true })).toMatchObject(
    await quoteOf(world, cart, { hints: false }),
  );
});

test('a repeated quote is identical, is not cacheable and logs no change', async () => {
  const changes = async () => (await world.db.kysely.selectFrom('change').select('seq').execute()).length;
  const before = await changes();
  const cart = { items: [line('latte'), meal()] };
  const [first, second] = [await post(world, atBranch(), cart), await post(world, atBranch(), cart)];
  expect(second.text).toBe(first.text);
  expect(first.headers['cache-control']).toBe('no-store');
  expect(first.headers).not.toHaveProperty('etag');
  expect(await changes()).toBe(before);
});

/** Refused orders: codes, figures, and no side effects. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { aShopFile, branchId, openShops, shopId, tableId } from '../support/shops/cafe.ts';
import {
  aCard,
  aGuest,
  anOrder,
  orderOn,
  place,
  placed,
  refusedAndNothing,
  type OrderInput,
} from '../support/people/guests.ts';
import {
  addon,
  aQuotingBranch,
  aQuotingMenu,
  aQuotingShop,
  atBranch,
  item,
  line,
  quoteOf,
} from '../support/shops/quoting-shop.ts';
import { makeWorld, type World } from '../support/server/world.ts';

let world: World;

const EVENING = Date.parse('2026-11-20T18:00:00Z');
const channels = { pickup: {}, in_mall: {}, umbrella: {}, outside: { max_distance_meters: 5000 } };
const common = { otp_required: false, location: { lat: 30.06, lng: 31.22 }, channels };

/** Two cakes in stock. */
const scarceCake = () => {
  const { items = [], ...rest } = aQuotingMenu();
  const availability = [{ branch: 'zamalek', stock: 2 }];
  return { ...rest, items: items.map((one) => (one.key === 'cake' ? { ...one, availability } : one)) };
};

beforeAll(async () => {
  world = await makeWorld();
  await openShops(
    world,
    aQuotingShop({
      branches: [
        aQuotingBranch(common),
        aQuotingBranch({ ...common, key: 'mall', code: 'MAL', in_mall_require_location: false }),
        aQuotingBranch({
          ...common,
          key: 'counter',
          code: 'CTR',
          channels: { pickup: {}, umbrella: { enabled: false } },
        }),
        aQuotingBranch({ ...common, key: 'off', code: 'OFF', active: false }),
        aQuotingBranch({ ...common, key: 'till', code: 'TIL', online_needs_open_till: true }),
        aQuotingBranch({
          ...common,
          ...{ key: 'paused', code: 'PSD' },
          channels: {
            pickup: { state: { mode: 'closed', until: '2026-11-20T19:30:00Z' } },
            umbrella: { state: { mode: 'closed' } },
            in_mall: {
              hours: [{ open: '09:00', close: '23:00' }],
              dated_hours: [{ from: '2026-11-20', to: '2026-11-22', hours: [] }],
            },
            outside: { state: { mode: 'open' }, hours: [{ open: '09:00', close: '10:00' }] },
          },
        }),
      ],
      menu: scarceCake(),
    }),
    aShopFile({ slug: 'kashk', branches: [aQuotingBranch(common)] }),
    aShopFile({ slug: 'shut', active: false, branches: [aQuotingBranch(common)] }),
  );
});
afterAll(() => world.close());

const refusedWhole = (order: unknown, headers?: Record<string, string>) =>
  refusedAndNothing(world, order, headers);

const without = (order: OrderInput, ...fields: (keyof OrderInput)[]): Partial<OrderInput> =>
  Object.fromEntries(Object.entries(order).filter(([field]) => !fields.includes(field as keyof OrderInput)));

describe('required fields', () => {
  test.each([
    ['pickup', [], []],
    ['umbrella', ['place_name'], []],
    ['in_mall', ['place_name', 'floor', 'unit_number'], ['LOCATION_REQUIRED']],
    ['outside', ['address_line'], ['LOCATION_REQUIRED']],
  ] as const)(
    'all missing fields on %s are reported at once, in field order',
    async (channel, fields, codes) => {
      const order = anOrder({ channel, customer_name: ' \u200b ', customer_phone: '02 2735 1234' });
      const refusal = await refusedWhole(order);
      expect(refusal.status).toBe(400);
      expect(refusal.fields).toEqual([
        { path: 'customer_name', problem: 'is required' },
        {
          path: 'customer_phone',
          problem: 'must be a mobile phone number, of Egypt or of a country that is served',
        },
        ...fields.map((path) => ({ path, problem: expect.stringMatching(/^is required/) as string })),
      ]);
      expect((refusal.faults ?? []).flatMap(({ code }) => code ?? [])).toEqual(codes);
      expect(refusal.error).toBe('customer_name is required.');
      expect(refusal).not.toHaveProperty('code');
    },
  );

  test('a blank text counts as missing', async () => {
    const order = orderOn('in_mall', { place_name: ' ', floor: '\u00a0', unit_number: '\u200f' });
    expect((await refusedWhole(order)).fields?.map(({ path }) => path)).toEqual([
      'place_name',
      'floor',
      'unit_number',
    ]);
  });

  test('a missing location alone is LOCATION_REQUIRED', async () => {
    for (const channel of ['outside', 'in_mall'] as const)
      for (const order of [
        without(orderOn(channel), 'customer_lat', 'customer_lng'),
        orderOn(channel, { customer_lat: null, customer_lng: null }),
      ])
        expect(await refusedWhole(order)).toMatchObject({ status: 400, code: 'LOCATION_REQUIRED' });
  });

  test('a location is optional at a mall that requires none, but half of one is refused', async () => {
    const order = orderOn('in_mall', { branch_id: branchId('mall'), customer_phone: aGuest().typed });
    expect(await placed(world, { ...order, customer_lat: null, customer_lng: null })).toMatchObject({
      customer_lat: null,
    });
    for (const channel of ['pickup', 'umbrella', 'in_mall', 'outside'] as const) {
      const half = orderOn(channel, { branch_id: branchId('mall'), customer_lat: 30.06, customer_lng: null });
      expect((await refusedWhole(half)).fields).toEqual([
        { path: 'customer_lng', problem: 'is required with `customer_lat`' },
      ]);
    }
  });

  test('problems are in Arabic for a client that prefers Arabic', async () => {
    const refusal = await refusedWhole(anOrder({ channel: 'umbrella', customer_phone: '123' }), {
      'accept-language': 'ar-EG,ar;q=0.9,en;q=0.5',
    });
    expect(refusal.fields).toEqual([
      { path: 'customer_phone', problem: 'رقم الموبايل غير صحيح أو من دولة غير مدعومة' },
      { path: 'place_name', problem: 'اسم المكان مطلوب' },
    ]);
  });
});

describe('a branch', () => {
  test.each([
    ['nobody knows', tableId('t1')],
    ['is switched off', branchId('off')],
    ['is of a shop that is switched off', branchId('zamalek', 'shut')],
    ['is no branch but a shop', shopId()],
  ])('that %s is the same 404', async (_, branch_id) => {
    const { status, text } = await place(world, anOrder({ branch_id }));
    expect([status, text]).toEqual([404, '{"error":"Not found."}']);
  });

  test.each(['umbrella', 'in_mall', 'outside'] as const)(
    'that does not offer %s refuses order, menu and delivery quote with CHANNEL_NOT_OFFERED',
    async (channel) => {
      const notOffered = { status: 404, code: 'CHANNEL_NOT_OFFERED', vars: { channel } };
      const order = orderOn(channel, { branch_id: branchId('counter') });
      expect(await refusedWhole(order)).toMatchObject(notOffered);
      const at = `/public/branches/${branchId('counter')}`;
      expect(await world.refused(`${at}/menu?channel=${channel}`)).toMatchObject(notOffered);
      expect(
        await world.refused(`${at}/delivery-quote?channel=${channel}&lat=30.06&lng=31.22`),
      ).toMatchObject(notOffered);
    },
  );

  test.each([
    ['pickup', '2026-11-20T19:30:00.000Z'],
    ['umbrella', undefined],
    ['in_mall', '2026-11-23T07:00:00.000Z'],
  ] as const)(
    'that closed %s refuses orders with opens_at if known, and still quotes carts',
    async (channel, opens_at) => {
      const order = orderOn(channel, { branch_id: branchId('paused'), customer_phone: aGuest().typed });
      const { status, code, vars } = await refusedWhole(order);
      expect([status, code, vars]).toEqual([
        409,
        'CHANNEL_CLOSED',
        { channel, ...(opens_at && { opens_at }) },
      ]);
      await quoteOf(world, order.items, { address: atBranch('paused'), channel });
    },
  );

  describe('at its closing time', () => {
    afterEach(() => {
      world.now = EVENING;
    });
    test('takes orders until the last millisecond, and again from the opening time', async () => {
      const order = anOrder({ customer_phone: aGuest().typed });
      world.now = Date.parse('2026-11-20T21:00:00Z') - 1;
      await placed(world, order);
      for (const moment of ['2026-11-20T21:00:00Z', '2026-11-21T06:59:59.999Z']) {
        world.now = Date.parse(moment);
        expect(await refusedWhole(order)).toMatchObject({
          ...{ code: 'CHANNEL_CLOSED', vars: { channel: 'pickup', opens_at: '2026-11-21T07:00:00.000Z' } },
        });
      }
      world.now = Date.parse('2026-11-21T07:00:00Z');
      await placed(world, order);
    });
  });

  test('that paused a channel takes orders from the end of the pause', async () => {
    const order = anOrder({ branch_id: branchId('paused'), customer_phone: aGuest().typed });
    world.now = Date.parse('2026-11-20T19:30:00Z') - 1;
    expect((await refusedWhole(order)).code).toBe('CHANNEL_CLOSED');
    world.now += 1;
    await placed(world, order);
    world.now = EVENING;
  });

  test('that requires an open till refuses orders without one', async () => {
    const { code, vars } = await refusedWhole(anOrder({ branch_id: branchId('till') }));
    expect([code, vars]).toEqual(['CHANNEL_CLOSED', { channel: 'pickup' }]);
  });

  test('that forced a channel open takes orders outside its hours', async () => {
    await placed(
      world,
      orderOn('outside', { branch_id: branchId('paused'), customer_phone: aGuest().typed }),
    );
  });
});

describe('references to another shop', () => {
  const elsewhere = branchId('zamalek', 'kashk');
  const coffee = { menu_item_id: item('turkish', 'kashk'), quantity: 1 };

  test('a card of another shop is the same 404 as an unknown card', async () => {
    const guest = aGuest();
    const member_token = await aCard(world, guest, 'منى', 'kashk');
    const order = anOrder({ customer_phone: guest.typed });
    for (const token of [member_token, 'mem_nobody', 'x'])
      expect(await refusedWhole({ ...order, member_token: token })).toEqual({
        error: 'Not found.',
        status: 404,
      });
    await placed(world, { ...order, branch_id: elsewhere, items: [coffee], member_token });
  });

  test('a branch of another shop refuses items and add-ons of this shop', async () => {
    expect(await refusedWhole(anOrder({ branch_id: elsewhere }))).toMatchObject({
      status: 404,
      code: 'ITEM_NOT_FOUND',
    });
    const addons = [{ addon_item_id: addon('syrup') }];
    expect(
      await refusedWhole(anOrder({ branch_id: elsewhere, items: [{ ...coffee, addons }] })),
    ).toMatchObject({
      status: 400,
      fields: [{ path: 'items[0].addons[0].addon_item_id' }],
    });
  });
});

test('a refused order does not use up its idempotency key', async () => {
  const order = anOrder({ customer_phone: aGuest().typed, items: [line('cake', { quantity: 3 })] });
  const headers = { 'idempotency-key': 'mended' };
  expect(await refusedWhole(order, headers)).toMatchObject({ code: 'ITEM_UNAVAILABLE' });
  await placed(world, { ...order, items: [line('cake', { quantity: 2 })] }, headers);
});

/** Validation of the request body. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openShops } from '../support/shops/cafe.ts';
import { aGuest, anOrder, orderOn, placed, refused, refusedAndNothing } from '../support/people/guests.ts';
import { refusalOf } from '../support/server/requests.ts';
import {
  addon,
  aQuotingBranch,
  aQuotingMenu,
  aQuotingShop,
  line,
  meal,
  pick,
} from '../support/shops/quoting-shop.ts';
import { makeWorld, type World } from '../support/server/world.ts';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
  const menu = aQuotingMenu();
  const items = [...(menu.items ?? []), { key: 'dear', name: 'ماس', price: 100_000_000 }];
  const channels = { pickup: {}, in_mall: {}, umbrella: {}, outside: {} };
  const branch = aQuotingBranch({ otp_required: false, location: { lat: 30.06, lng: 31.22 }, channels });
  await openShops(world, aQuotingShop({ branches: [branch], menu: { ...menu, items } }));
});
afterAll(() => world.close());

const pathsOf = ({ fields = [] }: { fields?: readonly { path: string }[] }): string[] =>
  fields.map(({ path }) => path);

describe('a field', () => {
  const GONE = Symbol('left out');
  const wrong: Readonly<Record<string, readonly unknown[]>> = {
    branch_id: [GONE, null, 5, true, '', 'zamalek', 'urn:uuid:5d9e3f21-7a4b-5c6d-9e8f-0a1b2c3d4e05'],
    channel: [GONE, null, '', 'dine_in', 'PICKUP', 1],
    customer_name: [GONE, null, '', 5, true, ['منى']],
    customer_phone: [GONE, null, '', 201001234567, '0'.repeat(33)],
    payment_method_hint: [GONE, null, '', 'visa', 'CASH', true],
    items: [GONE, null, [], {}, '[]', 1],
    device_token: [5, false, {}, 'x'.repeat(201)],
    contact_device_token: [5, 'x'.repeat(201)],
    member_token: [5, 'x'.repeat(201)],
    identity_change: ['', 'onetime', 'ONE_TIME', true],
    address_line: [5, true, {}, []],
    floor: [2],
    unit_number: [14],
    landmark: [0],
    place_name: [42],
    delivery_notes: [1],
    customer_lat: ['30.06', true, 90.0001, -91, [30]],
    customer_lng: ['31.22', false, 180.5, -181],
    save_address: ['true', 1, 0, 'yes'],
    quoted_total: ['4500', true, -1, 4500.5, 2_147_483_648, 1e300],
    quoted_reward_cost: ['10', true, -1, 10.5, 2_147_483_648, 1e300],
    locale: ['', 'fr', 'AR', true],
  };
  test.each(Object.entries(wrong))('%s is refused for every invalid value', async (field, values) => {
    for (const value of values) {
      const order: Record<string, unknown> = { ...anOrder(), [field]: value };
      if (value === GONE) Reflect.deleteProperty(order, field);
      const refusal = await refusedAndNothing(world, order);
      expect([refusal.status, pathsOf(refusal)]).toEqual([400, [field]]);
    }
  });

  test.each([
    ['quantity', ['1', true, null, 0, -1, 1000, 1.5, 2 ** 31]],
    ['menu_item_id', [5, 'latte']],
    ['size_label', [5]],
    ['notes', [5]],
    ['addons', [null, {}, [{}]]],
    ['combo', [5, []]],
    ['optional_field_ids', [null, 'x']],
  ])('%s of a line is refused for every invalid value', async (field, values) => {
    for (const value of values) {
      const refusal = await refused(world, { ...anOrder(), items: [{ ...line('turkish'), [field]: value }] });
      expect(refusal.status).toBe(400);
      expect(pathsOf(refusal)[0]).toMatch(new RegExp(`^items\\[0\\]\\.${field}`));
    }
  });

  test('that is optional may be null instead of absent, with the same result', async () => {
    const nulls = {
      ...{ device_token: null, address_line: null, floor: null, unit_number: null, landmark: null },
      ...{ place_name: null, delivery_notes: null, customer_lat: null, customer_lng: null },
      ...{ contact_device_token: null, member_token: null, identity_change: null, save_address: null },
      ...{ quoted_total: null, quoted_reward_cost: null, locale: null },
    };
    const items = [{ ...line('turkish'), size_label: null, notes: null, combo: null, staff_drink: null }];
    const order = anOrder({ customer_phone: aGuest().typed });
    const { cart, ...plain } = await placed(world, order);
    const withNulls = await placed(world, { ...order, ...nulls, items });
    const { id, delivery_ref, customer_id, ...alike } = plain;
    expect(withNulls).toMatchObject({ ...alike, cart });
    expect([id, delivery_ref]).not.toContain(withNulls.id);
    expect([customer_id, withNulls.customer_id]).toEqual([null, null]);
  });

  test('with a price is ignored on lines, add-ons and picks', async () => {
    const priced = (unit_price: unknown) =>
      anOrder({
        customer_phone: aGuest().typed,
        items: [
          { ...line('turkish', { addons: [{ addon_item_id: addon('syrup'), unit_price }] }), unit_price },
          meal([
            { ...pick('drink', 'latte'), share: unit_price, surcharge: unit_price },
            pick('sweet', 'cake'),
          ]),
        ],
      });
    for (const unit_price of [0, 1, -5, '1', null, { device_token: 'x' }])
      expect((await placed(world, priced(unit_price))).total).toBe(4500 + 1200 + 9000);
  });
});

test('unknown fields at any depth are refused and all named', async () => {
  const order = {
    ...anOrder(),
    ...{ total: 1, delivery_fee: 0, status: 'delivered', otp_verified: true, org_id: 'x', id: 'x' },
    items: [
      { ...line('turkish', { addons: [{ addon_item_id: addon('syrup'), price: 1 } as never] }), price: 1 },
      { ...meal(), combo: { picks: [{ ...pick('drink', 'latte'), unit_price: 1 }], price: 1 } },
    ],
  };
  const refusal = await refusedAndNothing(world, order);
  expect(refusal.status).toBe(400);
  expect(pathsOf(refusal).sort()).toEqual(
    [
      ...['delivery_fee', 'id', 'org_id', 'otp_verified', 'status', 'total'],
      ...['items[0].price', 'items[0].addons[0].price'],
      ...['items[1].combo.price', 'items[1].combo.picks[0].unit_price'],
    ].sort(),
  );
  expect(refusal.fields?.every(({ problem }) => problem === 'is not a field here')).toBe(true);
});

test.each([
  ['a NUL character', '\\u0000', 'has a NUL character'],
  ['half a character', '\\ud83d', 'is not well-formed Unicode'],
])('%s in a text field is refused', async (_, text, problem) => {
  const fields = ['customer_name', 'address_line', 'delivery_notes', 'place_name'];
  const order = { ...orderOn('outside'), items: [line('turkish', { notes: '@' })] };
  const body = JSON.stringify({
    ...order,
    ...Object.fromEntries(fields.map((field) => [field, 'a@'])),
  }).replaceAll('@', text);
  const headers = { 'content-type': 'application/json' };
  const refusal = refusalOf(await world.send('POST', '/public/delivery-orders', headers, body));
  expect(refusal.status).toBe(400);
  expect(new Map(refusal.fields?.map((fault) => [fault.path, fault.problem]))).toEqual(
    new Map([...fields, 'items[0].notes'].map((path) => [path, problem])),
  );
});

describe('the input limits', () => {
  const letters = (count: number): string => 'ن'.repeat(count);
  const LIMITS = {
    customer_name: 120,
    floor: 120,
    unit_number: 120,
    landmark: 120,
    place_name: 120,
    address_line: 500,
    delivery_notes: 1000,
  } as const;
  const fields = Object.keys(LIMITS) as (keyof typeof LIMITS)[];
  const texts = (of: (limit: number) => string) =>
    Object.fromEntries(fields.map((field) => [field, of(LIMITS[field])]));
  const oat = { addon_item_id: addon('syrup'), quantity: 99 };

  test.each([
    ['letters', letters],
    ['characters that are two halves', (count: number) => '☕️'.repeat(count / 2)],
    ['emoji', (count: number) => '😀'.repeat(count)],
  ])('accept texts and quantities at their maximum and store them whole (%s)', async (_, of) => {
    const items = [
      line('turkish', { quantity: 999, notes: of(500), addons: [oat] }),
      meal([pick('drink', 'latte', { notes: of(500) }), pick('sweet', 'cake')], { notes: of(500) }),
    ];
    const order = await placed(world, {
      ...orderOn('outside', { customer_phone: aGuest().typed }),
      ...texts(of),
      items,
    });
    expect(order).toMatchObject(texts(of));
    expect(order.cart.lines[0]).toMatchObject({ quantity: 999, notes: of(500), addons: [{ quantity: 99 }] });
    expect(order.cart.lines[1]?.combo?.parts[0]?.notes).toBe(of(500));
    const shown = await world.read('trackOrder', `/public/delivery-orders/${order.id}/track`);
    const { customer_name, address_line } = texts(of);
    expect(shown).toMatchObject({ customer_name, address_line });
  });

  test('refuse texts and quantities above their maximum and name each of them', async () => {
    const items = [
      line('turkish', { quantity: 1000, notes: letters(501), addons: [{ ...oat, quantity: 100 }] }),
      meal([pick('drink', 'latte', { notes: letters(501), size_label: letters(121) })]),
    ];
    const order = { ...orderOn('outside'), ...texts((limit) => letters(limit + 1)), items };
    const refusal = await refusedAndNothing(world, order);
    expect(refusal.status).toBe(400);
    expect(pathsOf(refusal).sort()).toEqual(
      [
        ...fields,
        ...['items[0].quantity', 'items[0].notes', 'items[0].addons[0].quantity'],
        ...['items[1].combo.picks[0].notes', 'items[1].combo.picks[0].size_label'],
      ].sort(),
    );
  });

  test('allow 100 lines', async () => {
    const lines = (count: number) => Array.from({ length: count }, () => line('turkish'));
    const order = anOrder({ customer_phone: aGuest().typed, items: lines(100) });
    expect((await placed(world, order)).cart.lines).toHaveLength(100);
    expect(await refused(world, { ...order, items: lines(101) })).toMatchObject({
      ...{ status: 400, fields: [{ path: 'items', problem: 'must have at most 100 entries' }] },
    });
  });

  test('refuse a cart whose total exceeds the largest amount, at its line', async () => {
    const dear = (quantity: number) =>
      anOrder({ customer_phone: aGuest().typed, items: [line('dear', { quantity })] });
    expect((await placed(world, dear(21))).total).toBe(2_100_000_000);
    const refusal = await refusedAndNothing(world, dear(22));
    expect(refusal.status).toBe(400);
    expect(pathsOf(refusal)[0]).toMatch(/^items/);
  });
});

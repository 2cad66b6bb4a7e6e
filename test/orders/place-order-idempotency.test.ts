/** Repeated orders under one `Idempotency-Key`. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import { branchId, openShops } from '../support/shops/cafe.ts';
import { aMember, setPasswordAndSignIn } from '../support/people/staff.ts';
import {
  aCard,
  aGuest,
  anOrder,
  type Order,
  type OrderInput,
  place,
  placed,
  proveOn,
} from '../support/people/guests.ts';
import { postOk, refusalOf } from '../support/server/requests.ts';
import { aQuotingBranch, aQuotingMenu, aQuotingShop, item } from '../support/shops/quoting-shop.ts';
import { makeWorld, type World } from '../support/server/world.ts';

let world: World;
/** Another process on the same database. */
let otherProcess: World;

const channels = { pickup: {}, umbrella: {}, outside: {} };
const location = { lat: 30.06, lng: 31.22 };
const branch = (more: Parameters<typeof aQuotingBranch>[0] = {}) =>
  aQuotingBranch({ otp_required: false, channels, location, ...more });
const shop = (slug: string, more: Partial<ShopFile> = {}): ShopFile =>
  aQuotingShop({
    slug,
    branches: [branch(), branch({ key: 'maadi', code: 'MAD', otp_required: true })],
    staff: [aMember('teller', 'manager', {}, slug)],
    ...more,
  });

beforeAll(async () => {
  world = await makeWorld();
  otherProcess = await makeWorld({ database: world.database });
  await openShops(world, shop('kashk'), shop('zawya'));
});
afterAll(async () => {
  await otherProcess.close();
  await world.close();
});

/** An unknown id. */
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

const orderAt = (slug: string, more: Partial<OrderInput> = {}): OrderInput =>
  anOrder({
    ...{ branch_id: branchId('zamalek', slug), customer_phone: aGuest().typed },
    ...{ items: [{ menu_item_id: item('turkish', slug), quantity: 1 }], ...more },
  });

let used = 0;
const aKey = () => {
  used += 1;
  return { 'idempotency-key': `checkout-${used}` };
};

const repeated = async (order: OrderInput, headers: Record<string, string>, at = world): Promise<Order> => {
  const { status, body, text } = await place(at, order, headers);
  if (status !== 200) throw new Error(`no repetition: ${status} ${text}`);
  return body as Order;
};
const ordersOf = async ({ customer_phone }: Order): Promise<number> =>
  (
    await world.db.kysely
      .selectFrom('delivery_order')
      .select('id')
      .where('customer_phone', '=', customer_phone)
      .execute()
  ).length;

describe('the same order under the same key', () => {
  test('is answered with 200 and the first order, in every process', async () => {
    const order = orderAt('kashk');
    const key = aKey();
    const made = await placed(world, order, key);
    for (const at of [world, otherProcess, world]) expect(await repeated(order, key, at)).toEqual(made);
    expect(await ordersOf(made)).toBe(1);
  });

  test('is a new order without a key or under another key', async () => {
    const order = orderAt('kashk');
    const ids = [await placed(world, order), await placed(world, order), await placed(world, order, aKey())];
    expect(new Set(ids.map(({ id }) => id)).size).toBe(3);
  });

  test('is answered with the current state after staff moved the order', async () => {
    const teller = await setPasswordAndSignIn(world, 'teller', 'kashk');
    const order = orderAt('kashk');
    const key = aKey();
    const made = await placed(world, order, key);
    await postOk(world, teller, `/staff/orders/${made.id}/move`, { to: 'preparing', from: 'received' });
    expect(await repeated(order, key)).toMatchObject({ id: made.id, status: 'preparing', revision: 2 });
    await postOk(world, teller, `/staff/orders/${made.id}/cancel`, { reason: 'too_busy', from: 'preparing' });
    expect(await repeated(order, key)).toMatchObject({
      status: 'cancelled',
      cancel_reason: 'الفرع مزدحم جدًا الآن',
      cancel_reason_translations: { en: 'The branch is too busy right now' },
      revision: 3,
    });
  });

  test('may carry another device token, an expired one or none', async () => {
    const guest = aGuest();
    const order = orderAt('kashk', { branch_id: branchId('maadi', 'kashk'), customer_phone: guest.typed });
    const key = aKey();
    const device_token = await proveOn(world, guest);
    const made = await placed(world, { ...order, device_token }, key);
    expect(made.otp_verified).toBe(true);
    await sql`update device_token set expires_at = ${new Date(world.now)} where phone = ${guest.phone}`.execute(
      world.db.kysely,
    );
    for (const again of [
      { ...order, device_token },
      { ...order, device_token: 'another' },
      { ...order, device_token: null },
      { ...order, device_token: '', contact_device_token: 'x' },
      order,
    ])
      expect(await repeated(again, key)).toEqual(made);
  });

  test('may have its JSON fields in another order and with other whitespace', async () => {
    const order = orderAt('kashk', {
      items: [{ menu_item_id: item('turkish', 'kashk'), quantity: 2, notes: 'وسط', addons: [] }],
    });
    const key = aKey();
    const made = await placed(world, order, key);
    const turned = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(turned);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([name, child]) => [name, turned(child)]),
      );
    };
    const text = JSON.stringify(turned(order), null, 3).replace('"quantity": 2', '"quantity" :2.0');
    const headers = { 'content-type': 'application/json', ...key };
    const { status, body } = await world.send('POST', '/public/delivery-orders', headers, text);
    expect([status, body]).toEqual([200, made]);
  });

  test('takes stock and a number once and queues one message', async () => {
    const menu = aQuotingMenu();
    const counted = (menu.items ?? []).map((one) =>
      one.key === 'turkish' ? { ...one, availability: [{ branch: 'zamalek', stock: 5 }] } : one,
    );
    await openShops(world, shop('counted', { menu: { ...menu, items: counted } }));
    const order = orderAt('counted');
    const key = aKey();
    const made = await placed(world, order, key);
    for (let again = 0; again < 3; again += 1) await repeated(order, key);
    const { kysely } = world.db;
    const messages = await kysely
      .selectFrom('outbox')
      .select('id')
      .where('subject_id', '=', made.id)
      .execute();
    const left = await kysely
      .selectFrom('availability')
      .select('stock')
      .where('org_id', '=', made.org_id)
      .execute();
    expect([messages.length, left]).toEqual([1, [{ stock: 4 }]]);
    expect((await placed(world, orderAt('counted'))).delivery_ref).toMatch(/-0002$/);
  });
});

describe('a repetition returns the first order after a change of the shop', () => {
  const menu = aQuotingMenu();
  const turkish = (change: object) => ({
    ...menu,
    items: (menu.items ?? []).map((one) => (one.key === 'turkish' ? { ...one, ...change } : one)),
  });
  const cases: Readonly<Record<string, Partial<ShopFile>>> = {
    'the channel closed': { branches: [branch({ channels: { pickup: { state: { mode: 'closed' } } } })] },
    'the channel is offered no more': { branches: [branch({ channels: { umbrella: {} } })] },
    'the branch was switched off': { branches: [branch({ active: false })] },
    'the branch asks for codes': { branches: [branch({ otp_required: true })] },
    'the item is sold out': { menu: turkish({ availability: [{ branch: 'zamalek', stock: 0 }] }) },
    'the item is gone': {
      menu: { ...menu, items: (menu.items ?? []).filter(({ key }) => key !== 'turkish'), combos: [] },
    },
    'the price changed': { menu: turkish({ price: 9900 }) },
  };
  test.each(Object.entries(cases))('%s', async (_, change) => {
    const slug = `since-${Object.values(cases).indexOf(change)}`;
    await openShops(world, shop(slug));
    const order = orderAt(slug, { quoted_total: 4500 });
    const key = aKey();
    const made = await placed(world, order, key);
    await openShops(world, shop(slug, change));
    for (const at of [world, otherProcess]) expect(await repeated(order, key, at)).toEqual(made);
    // A new order uses the present shop; a different order under the key is refused first.
    expect((await place(world, order, aKey())).status).toBeGreaterThanOrEqual(400);
    expect(refusalOf(await place(world, { ...order, customer_name: 'كريم' }, key))).toMatchObject({
      status: 422,
    });
  });

  test('a repetition is 404 like an unknown branch when the shop was switched off', async () => {
    await openShops(world, shop('closing'));
    const order = orderAt('closing');
    const key = aKey();
    await placed(world, order, key);
    await openShops(world, shop('closing', { active: false }));
    const unknown = await place(world, { ...order, branch_id: UNKNOWN_ID }, key);
    for (const at of [world, otherProcess]) {
      const { status, text } = await place(at, order, key);
      expect([status, text]).toEqual([404, unknown.text]);
    }
    await openShops(world, shop('closing'));
    expect((await repeated(order, key)).status).toBe('received');
  });
});

describe('another order under the same key', () => {
  const REUSED = { status: 422, code: 'IDEMPOTENCY_KEY_REUSED' };

  test('is refused with IDEMPOTENCY_KEY_REUSED, even if it is invalid otherwise', async () => {
    const guest = aGuest();
    const card = await aCard(world, guest, 'منى', 'kashk');
    const order = orderAt('kashk', { customer_phone: guest.typed, save_address: true, member_token: card });
    const key = aKey();
    await placed(world, order, key);
    const others: Partial<OrderInput>[] = [
      { customer_name: 'كريم' },
      { customer_phone: aGuest().typed },
      { payment_method_hint: 'card' },
      { save_address: false },
      { save_address: null },
      { member_token: null },
      { quoted_total: 4500 },
      { locale: 'en' },
      { items: [...order.items, ...order.items] },
      // Invalid themselves, but the key is checked first.
      { items: [{ menu_item_id: UNKNOWN_ID, quantity: 1 }] },
      { branch_id: branchId('maadi', 'kashk') },
      { channel: 'umbrella', place_name: '' },
      { customer_phone: 'none' },
    ];
    for (const other of others)
      expect(refusalOf(await place(world, { ...order, ...other }, key))).toMatchObject(REUSED);
    expect((await repeated(order, key)).status).toBe('received');
  });

  test('is refused with 400 when its body is malformed', async () => {
    const key = aKey();
    await placed(world, orderAt('kashk'), key);
    expect(refusalOf(await place(world, orderAt('kashk', { items: [] }), key))).toMatchObject({
      status: 400,
    });
  });

  test('is accepted at another shop, which has its own keys', async () => {
    const key = aKey();
    const here = await placed(world, orderAt('kashk'), key);
    const there = await placed(world, orderAt('zawya'), key);
    expect(here.id).not.toBe(there.id);
  });

  test('sent ten times concurrently makes one order and nine 422', async () => {
    const key = aKey();
    const orders = Array.from({ length: 10 }, () => orderAt('kashk'));
    const answers = await Promise.all(
      orders.map((order, n) => place(n % 2 ? world : otherProcess, order, key)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([
      201,
      ...Array.from({ length: 9 }, () => 422),
    ]);
  });
});

describe('a refused request', () => {
  test('does not use up its idempotency key', async () => {
    const guest = aGuest();
    const key = aKey();
    const order = orderAt('kashk', { branch_id: branchId('maadi', 'kashk'), customer_phone: guest.typed });
    const refusals: [string | undefined, Partial<OrderInput>][] = [
      ['PHONE_NOT_VERIFIED', {}],
      [
        'ITEM_NOT_FOUND',
        {
          branch_id: branchId('zamalek', 'kashk'),
          items: [{ menu_item_id: item('x', 'kashk'), quantity: 1 }],
        },
      ],
      ['QUOTE_CHANGED', { branch_id: branchId('zamalek', 'kashk'), quoted_total: 1 }],
      [undefined, { customer_phone: 'none' }],
    ];
    for (const [code, more] of refusals)
      expect(refusalOf(await place(world, { ...order, ...more }, key)).code).toBe(code);
    await placed(world, { ...order, device_token: await proveOn(world, guest) }, key);
  });
});

describe('an idempotency key', () => {
  test.each([
    ['is empty', ''],
    ['is too long', 'k'.repeat(256)],
    ['has letters that do not print everywhere', 'clé'],
    ['has a tabulator', 'a\tb'],
  ])('that %s is refused with 400', async (_, key) => {
    const refusal = refusalOf(await place(world, orderAt('kashk'), { 'idempotency-key': key }));
    expect(refusal).toMatchObject({ status: 400, fields: [{ path: 'idempotency-key' }] });
  });

  test.each([
    ['one character', '!'],
    ['255 characters', 'k'.repeat(255)],
    ['whatever prints', 'a b~"\\{}[]:;,'],
  ])('of %s is accepted', async (_, key) => {
    const order = orderAt('zawya');
    const made = await placed(world, order, { 'idempotency-key': key });
    expect((await repeated(order, { 'idempotency-key': key })).id).toBe(made.id);
  });
});

describe('twenty concurrent requests with one key', () => {
  test.each([
    ['in one process', () => [world]],
    ['in two processes', () => [world, otherProcess]],
  ])('%s make one order: one gets 201, nineteen get 200', async (_, doors) => {
    for (let round = 0; round < 3; round += 1) {
      const guest = aGuest();
      const order = orderAt('kashk', {
        channel: 'umbrella',
        place_name: 'شمسية',
        customer_phone: guest.typed,
      });
      const key = aKey();
      const answers = await Promise.all(
        Array.from({ length: 20 }, (__, n) => place(doors()[n % doors().length] ?? world, order, key)),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([
        ...Array.from({ length: 19 }, () => 200),
        201,
      ]);
      const [first] = answers;
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      expect(await ordersOf(first?.body as Order)).toBe(1);
    }
  });
});

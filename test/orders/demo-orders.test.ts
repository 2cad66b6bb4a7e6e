/** Demo orders behave like real ones on the board and in price. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { DemoContents } from '../../src/service/app/demo.ts';
import { ORDER_STATUSES } from '../../src/orders/domain/order.ts';
import { branchId, shopId, thingId } from '../support/shops/cafe.ts';
import { changed, orderOf, type SignedIn, type StaffOrder } from '../support/people/staff.ts';
import { makeDemo, startDay } from '../support/shops/demo.ts';
import { anOrder, placed } from '../support/people/guests.ts';
import { done, post } from '../support/server/requests.ts';
import type { World } from '../support/server/world.ts';

/** Friday 20:00 in Cairo. */
const START = Date.parse('2026-11-20T18:00:00Z');
const DAY = 86_400_000;
const SLUGS = ['beit-el-bunn', 'layaly', 'zawya'] as const;

let world: World;
let places: DemoContents;

beforeAll(async () => {
  ({ world } = await makeDemo({ now: new Date(START).toISOString() }));
});
beforeEach(async () => {
  world.now = START;
  places = await startDay(world);
});
afterAll(() => world.close());

const signIn = async (slug: string): Promise<SignedIn> => {
  const given = { email: `owner@${slug}.example`, password: 'ahwa-demo' };
  const { token } = done('staffSignIn', await post(world, '/staff/sign-in', given));
  return { authorization: `Bearer ${token}` };
};

/** By branch code. */
const boardsOf = async (slug: string): Promise<readonly StaffOrder[]> => {
  const owner = await signIn(slug);
  const orders: StaffOrder[] = [];
  const branches = await world.read('listBranches', `/public/branches?org_id=${shopId(slug)}&browse=true`);
  for (const { id } of branches)
    for (const status of ORDER_STATUSES) {
      const address = `/staff/orders?branch_id=${id}&status=${status}`;
      orders.push(...done('listOrders', await world.get(address, { ...owner })));
    }
  return orders;
};
const allBoards = async (): Promise<readonly StaffOrder[]> =>
  (await Promise.all(SLUGS.map((slug) => boardsOf(slug)))).flat();

const idOf = (status: string, slug = 'beit-el-bunn'): string => {
  const order = places.orders.find((each) => each.shop === slug && each.status === status);
  if (order === undefined) throw new Error(`no order of ${slug} is ${status}`);
  return order.id;
};

/** An order that any guest can place. */
const aRealOrder = () =>
  anOrder({ branch_id: branchId('maadi'), items: [{ menu_item_id: water, quantity: 1 }] });
const water = thingId('item', 'water');

test('the boards list every demo order of the day with all fields of the contract', async () => {
  // The client checks shapes against the OpenAPI document.
  const orders = (await allBoards()).filter(({ customer_phone }) => customer_phone === '');
  expect(orders.map(({ id }) => id).sort()).toEqual(places.orders.map(({ id }) => id).sort());
  for (const order of orders) {
    expect(order.delivery_ref).toMatch(/^D-[A-Z]{3}-2611(19|20)-\d{4}$/);
    expect([order.language, order.customer_phone, order.otp_verified]).toEqual(['ar', '', false]);
    expect(order.cart.lines.reduce((sum, line) => sum + line.line_total, 0)).toBe(order.subtotal);
    expect(order.payment_method === null).toBe(order.status !== 'delivered');
    expect(order.order_id === null).toBe(order.status !== 'delivered');
    expect(order.cancel_restocked === null).toBe(!['cancelled', 'rejected'].includes(order.status));
    const steps = Object.entries(order).flatMap(([name, value]) =>
      /^(confirmed|preparing|ready|out_for_delivery|delivered|cancelled|rejected)_at$/.test(name) &&
      typeof value === 'string'
        ? [value]
        : [],
    );
    expect(order.updated_at).toBe(steps.sort().at(-1) ?? order.created_at);
    expect(order.revision).toBeGreaterThan(steps.length);
  }
  expect(orders.some(({ cart }) => cart.lines.some(({ addons }) => addons.length > 0))).toBe(true);
  expect(orders.some(({ cart }) => cart.lines.some(({ notes }) => notes !== null))).toBe(true);
  expect(orders.some(({ cart }) => cart.deals.length > 0)).toBe(true);
});

test('each demo order costs its cart quote and its delivery quote', async () => {
  for (const order of await allBoards()) {
    const items = order.cart.lines.flatMap(({ menu_item_id, size_label, quantity, reward_units, addons }) => {
      // What a card pays for costs nothing and takes part in no deal.
      const paid = quantity - (reward_units ?? 0);
      const options = addons.map(({ addon_item_id, quantity: each }) => ({ addon_item_id, quantity: each }));
      return paid === 0 ? [] : [{ menu_item_id, size_label, quantity: paid, addons: options }];
    });
    const cart = { channel: order.channel, items };
    const quote = done(
      'quoteCart',
      await post(world, `/public/branches/${order.branch_id}/cart-quote`, cart),
    );
    expect([order.subtotal, order.discount_amount]).toEqual([quote.total_after_deals, quote.discount_amount]);
    const { customer_lat: lat, customer_lng: lng } = order;
    const where = typeof lat === 'number' && typeof lng === 'number' ? `&lat=${lat}&lng=${lng}` : '';
    const delivery = await world.read(
      'quoteDelivery',
      `/public/branches/${order.branch_id}/delivery-quote?channel=${order.channel}${where}`,
    );
    expect([order.delivery_fee, order.delivery_zone_id, order.road_distance_meters]).toEqual([
      delivery.fee,
      delivery.zone_id,
      delivery.distance_meters,
    ]);
    expect(order.channel === 'outside').toBe(delivery.distance_meters !== null);
    const added = order.tax_inclusive ? 0 : order.tax_amount;
    expect(order.total).toBe(order.subtotal - order.discount_amount + order.delivery_fee + added);
  }
});

test('demo orders share the numbers of guest orders and keep their references for the day', async () => {
  const referencesOf = async () =>
    new Map((await allBoards()).map(({ id, delivery_ref }) => [id, delivery_ref]));
  const first = await referencesOf();
  const guest = await placed(world, aRealOrder());
  expect([...first.values()]).not.toContain(guest.delivery_ref);
  await startDay(world);
  expect(await referencesOf()).toEqual(new Map([...first, [guest.id, guest.delivery_ref]]));

  // The next day, a guest orders before the restart.
  world.now = START + DAY;
  const early = await placed(world, aRealOrder());
  expect(early.delivery_ref).toBe('D-MAD-261121-0001');
  await startDay(world);
  const next = await referencesOf();
  expect(new Set(next.values()).size).toBe(next.size);
  expect(next.get(early.id)).toBe('D-MAD-261121-0001');
  const others = [...next].filter(
    ([id, name]) => id !== early.id && name?.startsWith('D-MAD-261121-') === true,
  );
  expect(others.map(([, name]) => name).sort()).toEqual(['D-MAD-261121-0002', 'D-MAD-261121-0003']);
});

test('the next start resets a demo order that staff changed', async () => {
  const owner = await signIn('beit-el-bunn');
  const id = idOf('received');
  const before = await orderOf(world, owner, id);
  await changed(world, owner, id, 'move', { to: 'ready', from: 'received' });
  await changed(world, owner, id, 'finalize', { payment_method: 'instapay', from: 'ready' });
  await changed(world, owner, id, 'printed');
  await startDay(world);
  const after = await orderOf(world, owner, id);
  expect(after.revision).toBeGreaterThan(before.revision + 2);
  expect({ ...after, revision: before.revision }).toEqual(before);
});

test('a demo order of a sold-out item keeps its cart, total and reference', async () => {
  const owner = await signIn('beit-el-bunn');
  const id = idOf('received');
  const before = await orderOf(world, owner, id);
  const cappuccino = `/staff/branches/${branchId('zamalek')}/items/${thingId('item', 'cappuccino')}/availability`;
  const snoozed = await world.send(
    'PUT',
    cappuccino,
    { ...owner, 'content-type': 'application/json' },
    JSON.stringify({ available: false }),
  );
  expect(snoozed.status).toBe(200);
  world.now += 60_000;
  await startDay(world);
  const after = await orderOf(world, owner, id);
  expect([after.cart, after.total, after.delivery_ref]).toEqual([
    before.cart,
    before.total,
    before.delivery_ref,
  ]);
  expect(Date.parse(after.created_at) - Date.parse(before.created_at)).toBe(60_000);
});

test('demo orders of an earlier version get complete carts and references that no guest order gets', async () => {
  const { world: old, demo } = await makeDemo({ now: new Date(START).toISOString() });
  try {
    const id = demo.orders.find(({ status }) => status === 'preparing')?.id ?? '';
    await old.db.kysely.deleteFrom('order_number').execute();
    const line = { name: 'مياه', name_translations: {}, size_label: null, quantity: 1, line_total: 1500 };
    await old.db.kysely
      .updateTable('delivery_order')
      .set({ cart: JSON.stringify({ lines: [line], deals: [] }), delivery_ref: 'D-MAD-261120-0002' })
      .where('id', '=', id)
      .execute();
    await startDay(old);
    const rows = await old.db.kysely.selectFrom('delivery_order').select(['cart', 'delivery_ref']).execute();
    expect(JSON.stringify(rows)).not.toContain(JSON.stringify(line));
    const names = rows.map(({ delivery_ref }) => delivery_ref);
    expect(new Set(names).size).toBe(names.length);
    const guests = [await placed(old, aRealOrder()), await placed(old, aRealOrder())];
    for (const { delivery_ref } of guests) expect(names).not.toContain(delivery_ref);
  } finally {
    await old.close();
  }
});

test('demo orders send no messages and take no stock', async () => {
  const rows = await world.db.kysely
    .selectFrom('delivery_order')
    .select(['id', 'stock_taken'])
    .where(
      'id',
      'in',
      places.orders.map(({ id }) => id),
    )
    .execute();
  expect(rows.length).toBe(places.orders.length);
  expect(rows.every(({ stock_taken }) => stock_taken.length === 0)).toBe(true);
  const messages = await world.db.kysely
    .selectFrom('outbox')
    .select('id')
    .where('kind', '=', 'message')
    .where(
      'subject_id',
      'in',
      places.orders.map(({ id }) => id),
    )
    .execute();
  expect(messages).toEqual([]);
});

/** Order limits per phone, and how staff lift them. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import { branchId, openShops, SLUG, thingId } from '../support/shops/cafe.ts';
import { aStaffedShop, changed, setCredentials, type SignedIn, signInAs } from '../support/people/staff.ts';
import { auditOf } from '../support/database/stored-rows.ts';
import { aGuest, anOrder, type Order, place, refusedAndNothing } from '../support/people/guests.ts';
import { done, refusalOf } from '../support/server/requests.ts';
import { freshDatabase, type TestDatabase } from '../support/database/test-database.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import type { Reply } from '../support/server/http-client.ts';

const HOUR = 60 * 60_000;
const SHOPS: Readonly<Record<string, ShopFile['order_brake']>> = {
  [SLUG]: undefined,
  kashk: undefined,
  strict: { open_orders: 2, orders_per_day: null },
  daily: { open_orders: null, orders_per_day: 3 },
  free: { open_orders: null, orders_per_day: null },
};

let database: TestDatabase;
let world: World;
let owner: SignedIn;
beforeAll(async () => {
  database = await freshDatabase();
  world = await makeWorld({ database });
  await openShops(
    world,
    ...Object.entries(SHOPS).map(([slug, order_brake]) =>
      aStaffedShop(slug, order_brake === undefined ? {} : { order_brake }),
    ),
  );
  await setCredentials(world);
  await world.close();
});
afterEach(() => world.close());
afterAll(() => database.release());

const open = async (limitScale = 1): Promise<void> => {
  world = await makeWorld({ database, limitScale });
  owner = await signInAs(world, 'owner');
};

const orderFor = (phone: string, slug = SLUG, branch = 'zamalek') =>
  anOrder({
    branch_id: branchId(branch, slug),
    customer_phone: phone,
    items: [{ menu_item_id: thingId('item', 'turkish', slug), quantity: 1 }],
  });
/** Orders until the first refusal. */
const taken = async (phone: string, slug = SLUG, most = 12): Promise<Order[]> => {
  const orders: Order[] = [];
  while (orders.length < most) {
    world.elapsed += HOUR;
    const reply = await place(world, orderFor(phone, slug));
    if (reply.status !== 201) {
      expect(refusalOf(reply)).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
      break;
    }
    orders.push(reply.body as Order);
  }
  return orders;
};
const deliver = (order: Order) =>
  changed(world, owner, order.id, 'finalize', { payment_method: 'cash', from: 'received' });
const brake = (body: object, who = owner): Promise<Reply> =>
  world.send(
    'PUT',
    '/staff/phones/brake',
    { ...who, 'content-type': 'application/json' },
    JSON.stringify(body),
  );

describe('the order brake of a phone', () => {
  test('refuses a sixth open order at a shop with 429 and without side effects', async () => {
    await open();
    const { typed } = aGuest();
    const orders = await taken(typed);
    expect(orders).toHaveLength(5);
    const refusal = await refusedAndNothing(world, orderFor(typed, SLUG, 'maadi'));
    expect(refusal).toMatchObject({ status: 429, code: 'RATE_LIMITED', retry_after_seconds: 300 });
    expect(refusal.error).toBe(
      'This phone has too many orders here. Call the shop, or try again in 5 minutes.',
    );
    const again = await place(world, orderFor(typed));
    expect(again.headers['retry-after']).toBe('300');
    expect(await taken(typed, 'kashk')).toHaveLength(5);
    expect(await taken(aGuest().typed, SLUG, 1)).toHaveLength(1);
    for (const order of orders.slice(0, 2)) await deliver(order);
    expect(await taken(typed)).toHaveLength(2);
  });

  test('accepts exactly five of thirty concurrent orders', async () => {
    await open();
    const elsewhere = await makeWorld({ database, limitScale: 1 });
    const { typed } = aGuest();
    const replies = await Promise.all(
      Array.from({ length: 30 }, (_, n) => place(n % 2 ? world : elsewhere, orderFor(typed))),
    );
    await elsewhere.close();
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(5);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(25);
  });

  test('accepts twenty orders in any 24 hours', async () => {
    await open();
    const { typed } = aGuest();
    const began = world.now;
    for (let n = 0; n < 20; n += 1) {
      const [order] = await taken(typed, SLUG, 1);
      if (order === undefined) throw new Error(`order ${n} was refused`);
      await deliver(order);
      world.now += 60_000;
    }
    const refusal = refusalOf(await place(world, orderFor(typed)));
    expect(refusal.retry_after_seconds).toBe((24 * HOUR - (world.now - began)) / 1000);
    world.now = began + 24 * HOUR - 1000;
    expect(await taken(typed, SLUG, 1)).toHaveLength(0);
    world.now += 1000;
    expect(await taken(typed)).toHaveLength(1);
  });

  test('counts repetitions of one idempotency key as one order', async () => {
    await open();
    const { typed } = aGuest();
    const wanted = orderFor(typed);
    const headers = { 'idempotency-key': 'the-fifth' };
    expect(await taken(typed, SLUG, 4)).toHaveLength(4);
    const [fifth, ...others] = await Promise.all(
      Array.from({ length: 10 }, () => place(world, wanted, headers)),
    );
    expect([fifth, ...others].map((reply) => reply?.status).sort()).toEqual([
      ...Array<number>(9).fill(200),
      201,
    ]);
    expect((await place(world, wanted, headers)).status).toBe(200);
    expect(await taken(typed)).toHaveLength(0);
  });

  test('uses the limits of the shop file', async () => {
    await open();
    expect(await taken(aGuest().typed, 'strict')).toHaveLength(2);
    expect(await taken(aGuest().typed, 'daily')).toHaveLength(3);
    expect(await taken(aGuest().typed, 'free')).toHaveLength(12);
  });

  test('is off with limit scale 0', async () => {
    await open(0);
    expect(await taken(aGuest().typed)).toHaveLength(12);
  });

  test('accepts ten open orders with limit scale 2', async () => {
    await open(2);
    expect(await taken(aGuest().typed)).toHaveLength(10);
  });

  test('logs one security event for four refusals, without the phone', async () => {
    await open();
    const { typed } = aGuest();
    await taken(typed);
    for (let more = 0; more < 3; more += 1) await place(world, orderFor(typed));
    const lines = world.logged.filter((line) => line.includes('orders_braked'));
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ branch_id: branchId() });
    expect(lines[0]).not.toContain(typed.slice(1));
  });
});

describe('PUT /staff/phones/brake', () => {
  test('lifts the brake of a phone until it is put back or the business day ends', async () => {
    await open();
    world.now = Date.parse('2026-11-20T18:00:00Z');
    const { typed, phone } = aGuest();
    expect(await taken(typed)).toHaveLength(5);
    const lifted = done('setOrderBrake', await brake({ phone: typed, lifted: true }));
    // 05:00 in Cairo.
    expect(lifted).toEqual({
      phone: `•••• ${phone.slice(-4)}`,
      lifted: true,
      until: '2026-11-21T03:00:00.000Z',
    });
    expect(await taken(typed, SLUG, 3)).toHaveLength(3);
    expect(done('setOrderBrake', await brake({ phone: typed, lifted: false })).until).toBeNull();
    expect(await taken(typed)).toHaveLength(0);
    await brake({ phone: typed, lifted: true });
    world.now = Date.parse('2026-11-21T03:00:00Z') - 1;
    expect(await taken(typed, SLUG, 1)).toHaveLength(1);
    world.now += 1;
    expect(await taken(typed)).toHaveLength(0);
  });

  test('adds one audit entry for lifting and one for putting back, without the phone', async () => {
    await open();
    const { typed, phone } = aGuest();
    const [order] = await taken(typed, SLUG, 1);
    for (const lifted of [true, true, false, false]) await brake({ phone: typed, lifted });
    const { customer_id: customerId } = await world.db.kysely
      .selectFrom('delivery_order')
      .select('customer_id')
      .where('id', '=', order?.id ?? '')
      .executeTakeFirstOrThrow();
    const entries = await auditOf(world, customerId ?? '');
    expect(entries.map(({ action }) => action)).toEqual(['order_brake.lifted', 'order_brake.put_back']);
    expect(JSON.stringify(entries)).not.toContain(phone.slice(2));
  });

  test('refuses another branch with 404 and lifts the brake at one shop alone', async () => {
    await open();
    const manager = await signInAs(world, 'manager');
    const { typed } = aGuest();
    expect((await brake({ phone: typed, lifted: true, branch_id: branchId('maadi') }, manager)).status).toBe(
      404,
    );
    expect((await brake({ phone: typed, lifted: true }, manager)).status).toBe(200);
    expect(await taken(typed, 'kashk')).toHaveLength(5);
    expect(await taken(typed, SLUG, 7)).toHaveLength(7);
  });

  test('refuses a teller with NOT_PERMITTED', async () => {
    await open();
    const teller = await signInAs(world, 'teller');
    expect(refusalOf(await brake({ phone: aGuest().typed, lifted: true }, teller))).toMatchObject({
      ...{ status: 403, code: 'NOT_PERMITTED', vars: { permission: 'orders.lift_brake' } },
    });
  });
});

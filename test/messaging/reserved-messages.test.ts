/**
 * Orders spend the message budgets before they are written: no order waits for another shop, and unused
 * messages are refunded.
 */
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { switchSendingOff, switchSendingOn } from '../../src/messaging/app/sending.ts';
import { spentOf } from '../../src/messaging/domain/budget.ts';
import { lockBudgets, saveBudgets, spendings } from '../../src/messaging/store/budget.ts';
import { claimHeads } from '../../src/messaging/store/outbox.ts';
import { newId } from '../support/database/ids.ts';
import { branchId, openShops, shopId, thingId } from '../support/shops/cafe.ts';
import { aGuest, anOrder, type Order, place, placed, proveOn, refused } from '../support/people/guests.ts';
import { post } from '../support/server/requests.ts';
import { manualTimers } from '../support/background/manual-timers.ts';
import { sendersIn } from '../support/background/outbox-worker.ts';
import { lockWait } from '../support/database/lock-wait.ts';
import { asOwner, freshDatabase, type TestDatabase } from '../support/database/test-database.ts';
import { aStaffedShop, changed, setCredentials, signInAs } from '../support/people/staff.ts';
import { makeWorld, type World, type WorldOptions } from '../support/server/world.ts';

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
const SHOPS = ['beit-el-bunn', 'kashk'] as const;
const [SHOP, OTHER] = SHOPS;

let database: TestDatabase;
let world: World;
beforeAll(async () => {
  database = await freshDatabase();
  world = await makeWorld({ database });
  const order_brake = { open_orders: null, orders_per_day: null };
  await openShops(world, ...SHOPS.map((slug) => aStaffedShop(slug, { order_brake })));
  await setCredentials(world);
  await world.close();
});
afterEach(() => world.close());
afterAll(() => database.release());

const open = async (options: WorldOptions = {}): Promise<void> => {
  world = await makeWorld({ limitScale: 1, database, ...options });
  await asOwner(database, 'truncate message_budget, outbox');
};

const orderFor = (phone: string, slug: string = SHOP, more: Partial<ReturnType<typeof anOrder>> = {}) =>
  anOrder({
    ...{ branch_id: branchId('zamalek', slug), customer_phone: phone, ...more },
    items: [{ menu_item_id: thingId('item', 'turkish', slug), quantity: 1 }],
  });
const order = (...options: Parameters<typeof orderFor>): Promise<Order> => {
  // Turns off the per-address rate limits.
  world.elapsed += HOUR;
  return placed(world, orderFor(...options));
};
/** What each budget has spent, once nothing is in flight or leased. */
const spent = async (): Promise<Record<string, number>> => {
  world.leases.end();
  await world.app.backgroundTasks.settled();
  const rows = await spendings(world.db.kysely);
  return Object.fromEntries(rows.map((row) => [row.key, spentOf(row, world.now)]));
};

describe('an order that waits for a row lock', () => {
  const { typed } = aGuest();
  test.each([
    ['its customer', sql`select from customer where org_id = ${shopId(SHOP)} for update`],
    ['the shop’s counter', sql`select from change_counter where org_id = ${shopId(SHOP)} for update`],
    ['its branch’s number', sql`select from order_number where org_id = ${shopId(SHOP)} for update`],
  ])('on %s delays no order of another shop and no code', async (_, holding) => {
    await open();
    await order(typed);
    const waiting = await world.db.tx(async (tx) => {
      await holding.execute(tx);
      const blocked = order(typed);
      await lockWait(world);
      expect((await order(aGuest().typed, OTHER)).notified).toBe(true);
      expect((await post(world, '/public/otp/request', { phone: aGuest().typed })).status).toBe(200);
      return { blocked };
    });
    expect((await waiting.blocked).status).toBe('received');
  });
});

test('a message that waits for its outbox row delays neither other orders nor codes', async () => {
  await open();
  const { id } = await order(aGuest().typed);
  await sql`update outbox set is_budgeted = false where subject_id = ${id}`.execute(world.db.kysely);
  const { now } = world;
  const { rows } = await claimHeads(world.db.kysely, {
    ...{ kind: 'message', now, leaseId: newId(), leaseUntil: now + 60_000, limit: 1, perDestination: 1 },
    ...{ inFlight: new Map(), without: [] },
  });
  const row = rows.find((each) => each.kind === 'message');
  if (row === undefined) throw new Error('no message waits');
  const { sending } = await world.db.tx(async (tx) => {
    await sql`select from outbox where org_id = ${row.orgId} and id = ${row.id} for update`.execute(tx);
    const begun = sendersIn(world).message(row);
    await lockWait(world);
    expect((await order(aGuest().typed, OTHER)).notified).toBe(true);
    expect((await post(world, '/public/otp/request', { phone: aGuest().typed })).status).toBe(200);
    return { sending: begun };
  });
  expect(await sending).toMatchObject({ sent: true });
});

describe('the message reserved for an order', () => {
  test('is spent once for all repetitions of the order', async () => {
    await open();
    const wanted = orderFor(aGuest().typed);
    const headers = { 'idempotency-key': 'again' };
    for (let sent = 0; sent < 3; sent += 1)
      expect(((await place(world, wanted, headers)).body as Order).notified).toBe(true);
    expect(await spent()).toMatchObject({ total: 1, '+20': 1, [`shop:${shopId(SHOP)}`]: 1 });
  });

  test('is refunded by nine of ten concurrent requests with one idempotency key', async () => {
    await open();
    const wanted = orderFor(aGuest().typed);
    const headers = { 'idempotency-key': 'at once' };
    const replies = await Promise.all(Array.from({ length: 10 }, () => place(world, wanted, headers)));
    expect(new Set(replies.map(({ body }) => (body as Order).id)).size).toBe(1);
    expect((await spent())['total']).toBe(1);
  });

  test('is refunded by eight of ten concurrent orders of one unproven phone', async () => {
    await open();
    const { typed } = aGuest();
    const orders = await Promise.all(Array.from({ length: 10 }, () => order(typed)));
    expect(orders.filter(({ notified }) => notified)).toHaveLength(2);
    expect((await spent())['total']).toBe(2);
  });

  test('is not spent while sending is off, and the order has notified false', async () => {
    await open();
    await switchSendingOff(world.app);
    await world.app.sending.silence();
    expect((await order(aGuest().typed)).notified).toBe(false);
    expect(await spent()).toEqual({});
    await switchSendingOn(world.app);
    await world.app.sending.silence();
    expect((await order(aGuest().typed)).notified).toBe(true);
  });

  test('is not spent for a phone without messages left or for a refused order', async () => {
    await open();
    const { typed } = aGuest();
    for (const expected of [true, true, false, false]) expect((await order(typed)).notified).toBe(expected);
    expect((await refused(world, orderFor(aGuest().typed, SHOP, { quoted_total: 1 }))).status).toBe(409);
    expect((await spent())['total']).toBe(2);
  });
});

describe('messages leased ahead', () => {
  const SHARED = [{ key: 'total', limit: 10, isShared: true }];
  const fresh = () => order(aGuest().typed);

  test('let orders continue while the shared budget is locked', async () => {
    await open({ messageBudgets: { address: 100 } });
    for (let n = 0; n < 4; n += 1) await fresh();
    await world.db.tx(async (tx) => {
      await lockBudgets(tx, SHARED, { isDurable: true });
      for (let n = 0; n < 3; n += 1) expect((await fresh()).notified).toBe(true);
    });
    expect((await spent())['total']).toBe(7);
  });

  test('are refunded after their minute', async () => {
    const { timers, fire } = manualTimers();
    await open({ timers });
    const total = async () => {
      await world.app.backgroundTasks.settled();
      const row = (await spendings(world.db.kysely)).find(({ key }) => key === 'total');
      return row === undefined ? 0 : spentOf(row, world.now);
    };
    for (let n = 0; n < 4; n += 1) await fresh();
    expect(await total()).toBe(7);
    fire(60_000);
    expect(await total()).toBe(7);
    world.now += 60_000;
    fire(60_000);
    expect(await total()).toBe(4);
    await fresh();
    expect(await total()).toBe(5);
  });

  test('never exceed the hourly limit with 300 orders in two processes', async () => {
    const messageBudgets = { address: 1_000, shop: 150 };
    await open({ messageBudgets });
    const elsewhere = await makeWorld({ limitScale: 1, database, messageBudgets });
    let notifiedCount = 0;
    for (let round = 0; round < 6; round += 1) {
      for (const each of [world, elsewhere]) each.elapsed += HOUR;
      const orders = await Promise.all(
        Array.from({ length: 50 }, (_, n) => placed(n % 3 ? world : elsewhere, orderFor(aGuest().typed))),
      );
      notifiedCount += orders.filter(({ notified }) => notified).length;
    }
    expect(notifiedCount).toBeLessThanOrEqual(120);
    // The other process leases at most three ahead: a fiftieth of 150.
    expect(notifiedCount).toBeGreaterThan(120 - 4);
    await elsewhere.close();
    expect((await spent())[`shop:${shopId(SHOP)}`]).toBe(notifiedCount);
  });
});

describe('an order with a known phone and without proof', () => {
  test('spends the client address’s budget and cannot spend the reserved fifth', async () => {
    await open({ messageBudgets: { address: 5 } });
    const guest = aGuest();
    const token = await proveOn(world, guest);
    await asOwner(database, 'truncate message_budget');
    const isNotified = async (more = {}) => (await order(guest.typed, SHOP, more)).notified;
    for (const expected of [true, true, true, true, true, false]) expect(await isNotified()).toBe(expected);
    expect(await isNotified({ device_token: token })).toBe(true);
    await world.close();
    await open({ messageBudgets: { total: 5 } });
    for (const expected of [true, true, true, true, false]) expect(await isNotified()).toBe(expected);
    expect(await isNotified({ device_token: token })).toBe(true);
  });
});

describe('a phone is known', () => {
  test('for 90 days after its last proof, regardless of later orders without proof', async () => {
    await open();
    const guest = aGuest();
    await proveOn(world, guest);
    for (let month = 1; month < 3; month += 1) {
      world.now += 30 * DAY;
      for (let more = 0; more < 3; more += 1) expect((await order(guest.typed)).notified).toBe(true);
    }
    world.now += 30 * DAY;
    for (const expected of [true, true, false]) expect((await order(guest.typed)).notified).toBe(expected);
  });

  test('for 90 more days after a delivered order', async () => {
    await open();
    const guest = aGuest();
    await proveOn(world, guest);
    world.now += 80 * DAY;
    const { id } = await order(guest.typed);
    const owner = await signInAs(world, 'owner');
    await changed(world, owner, id, 'finalize', { payment_method: 'cash', from: 'received' });
    world.now += 80 * DAY;
    for (let more = 0; more < 3; more += 1) expect((await order(guest.typed)).notified).toBe(true);
  });
});

test('budget rows are updated in place, without index updates', async () => {
  await open();
  const guest = aGuest();
  await order(guest.typed);
  world.now += 60_000;
  const lines = [{ key: 'total', limit: 10, isShared: true }];
  const { rows } = await world.db.tx(async (tx) => {
    const budgets = await lockBudgets(tx, lines, { isDurable: false });
    await saveBudgets(tx, budgets);
    return sql<{ updated: number; inPlace: number }>`
      select pg_stat_get_xact_tuples_updated('message_budget'::regclass)::int as updated,
             pg_stat_get_xact_tuples_hot_updated('message_budget'::regclass)::int as "inPlace"
    `.execute(tx);
  });
  expect(rows[0]?.updated).toBeGreaterThanOrEqual(2);
  expect(rows[0]?.inPlace).toBe(rows[0]?.updated);
});

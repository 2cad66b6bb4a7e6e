/** Budgets of codes and messages, and the message limit of unproven phones, over HTTP. */
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { later } from '../../src/messaging/domain/outbox.ts';
import type { SecurityEventKind } from '../../src/platform/domain/security-event.ts';
import { branchId, openShops, thingId } from '../support/shops/cafe.ts';
import { aGuest, anOrder, type Order, place, placed, proveOn } from '../support/people/guests.ts';
import { sendMessages } from '../support/background/outbox-worker.ts';
import { post, refusalOf } from '../support/server/requests.ts';
import { asOwner, freshDatabase, type TestDatabase } from '../support/database/test-database.ts';
import { aStaffedShop, changed, orderOf, setCredentials, signInAs } from '../support/people/staff.ts';
import { messagesOf } from '../support/database/stored-rows.ts';
import { makeWorld, type World, type WorldOptions } from '../support/server/world.ts';
import type { Reply } from '../support/server/http-client.ts';

const HOUR = 60 * 60_000;
const SHOPS = ['beit-el-bunn', 'kashk', 'layaly'] as const;

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

/** With limits on, empty budgets and an empty outbox. */
const open = async (options: WorldOptions = {}): Promise<void> => {
  world = await makeWorld({ limitScale: 1, database, ...options });
  await asOwner(database, 'truncate message_budget, outbox');
};

interface OrderOptions {
  readonly phone: string;
  readonly slug?: string;
  readonly device_token?: string;
}
const orderFor = ({ phone, slug = SHOPS[0], device_token = '' }: OrderOptions) =>
  anOrder({
    device_token,
    branch_id: branchId('zamalek', slug),
    customer_phone: phone,
    items: [{ menu_item_id: thingId('item', 'turkish', slug), quantity: 1 }],
  });
/** Turns off the per-address rate limits. */
const refillBuckets = (): void => {
  world.elapsed += HOUR;
};
const order = (options: OrderOptions): Promise<Order> => {
  refillBuckets();
  return placed(world, orderFor(options));
};
const requestCode = (phone: string, headers = {}): Promise<Reply> => {
  refillBuckets();
  return post(world, '/public/otp/request', { phone }, headers);
};
const messageCount = (phone: string): number =>
  world.phones.messages.filter((message) => message.phone === phone).length;
const send = (): Promise<void> => sendMessages(world);
const eventsOf = (kind: SecurityEventKind): Record<string, unknown>[] =>
  world.logged
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter((line) => line['security'] === kind);

describe('an unproven phone', () => {
  test('gets messages about two of 45 orders, and the others have notified false', async () => {
    await open();
    const { typed, phone } = aGuest();
    const orders: Order[] = [];
    while (orders.length < 45) {
      orders.push(await order({ phone: typed, slug: SHOPS[orders.length % 3] ?? '' }));
      await send();
    }
    expect(messageCount(phone)).toBe(2);
    expect(orders.map(({ notified }) => notified)).toEqual(orders.map((_, index) => index < 2));
  });

  test('gets all messages about its first order and no messages about its third', async () => {
    await open();
    const { typed } = aGuest();
    const [first, , third] = [
      await order({ phone: typed }),
      await order({ phone: typed }),
      await order({ phone: typed }),
    ];
    const owner = await signInAs(world, 'owner');
    for (const { id } of [first, third]) {
      await changed(world, owner, id, 'move', { to: 'confirmed', from: 'received' });
      await changed(world, owner, id, 'move', { to: 'ready', from: 'confirmed' });
    }
    expect(await messagesOf(world, first.id)).toEqual(['order_received', 'order_confirmed', 'order_ready']);
    expect(await messagesOf(world, third.id)).toEqual([]);
    expect((await orderOf(world, owner, first.id)).notified).toBe(true);
    expect((await orderOf(world, owner, third.id)).notified).toBe(false);
  });

  test('gets messages about two of twenty concurrent orders at several shops', async () => {
    await open();
    const { typed } = aGuest();
    const elsewhere = await makeWorld({ database, limitScale: 1 });
    const orders = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        placed(n % 2 ? world : elsewhere, orderFor({ phone: typed, slug: SHOPS[n % 3] ?? '' })),
      ),
    );
    await elsewhere.close();
    expect(orders.filter(({ notified }) => notified)).toHaveLength(2);
    await send();
    expect(world.phones.messages).toHaveLength(2);
  });

  test('gets messages again after 24 hours', async () => {
    await open();
    const { typed } = aGuest();
    for (const expected of [true, true, false])
      expect((await order({ phone: typed })).notified).toBe(expected);
    world.now += 24 * HOUR - 1;
    expect((await order({ phone: typed })).notified).toBe(false);
    world.now += 1;
    expect((await order({ phone: typed })).notified).toBe(true);
  });

  test('gets messages about every order after a code proved it', async () => {
    await open();
    const guest = aGuest();
    for (const expected of [true, true, false])
      expect((await order({ phone: guest.typed })).notified).toBe(expected);
    await proveOn(world, guest);
    for (let more = 0; more < 4; more += 1) expect((await order({ phone: guest.typed })).notified).toBe(true);
  });

  test('gets messages about every order after a delivered one, but not after sent codes and messages', async () => {
    await open();
    const { typed } = aGuest();
    expect((await requestCode(typed)).status).toBe(200);
    const [first] = [await order({ phone: typed }), await order({ phone: typed })];
    await send();
    expect((await order({ phone: typed })).notified).toBe(false);
    await changed(world, await signInAs(world, 'owner'), first.id, 'finalize', {
      payment_method: 'cash',
      from: 'received',
    });
    for (let more = 0; more < 4; more += 1) expect((await order({ phone: typed })).notified).toBe(true);
  });

  test('has a repeated request counted once and answered with the first notified', async () => {
    await open();
    const { typed } = aGuest();
    const wanted = orderFor({ phone: typed });
    const headers = { 'idempotency-key': 'once' };
    expect((await placed(world, wanted, headers)).notified).toBe(true);
    for (let again = 0; again < 3; again += 1)
      expect(((await place(world, wanted, headers)).body as Order).notified).toBe(true);
    expect((await order({ phone: typed })).notified).toBe(true);
    expect((await order({ phone: typed })).notified).toBe(false);
  });

  test('gets no messages without a sender', async () => {
    await open();
    world.phones.isReady = false;
    const { id, notified } = await order({ phone: aGuest().typed });
    expect(notified).toBe(false);
    expect(await messagesOf(world, id)).toEqual([]);
  });

  test('gets all messages with limit scale 0', async () => {
    await open({ limitScale: 0 });
    const { typed } = aGuest();
    for (let more = 0; more < 5; more += 1) expect((await order({ phone: typed })).notified).toBe(true);
  });
});

describe('a client address', () => {
  const codes = async (count: number): Promise<Reply[]> => {
    const replies: Reply[] = [];
    while (replies.length < count) {
      replies.push(await requestCode(aGuest().typed));
      world.now += 770;
    }
    return replies;
  };

  test('gets 20 of 39 requested codes, then 429 for the rest of the hour', async () => {
    await open();
    const replies = await codes(39);
    expect(world.phones.codes).toHaveLength(20);
    const refusal = refusalOf(replies[20] ?? (await requestCode('0100')));
    expect(refusal).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
    expect(Number(replies[20]?.headers['retry-after'])).toBe(refusal.retry_after_seconds);
    expect(refusal.retry_after_seconds).toBeGreaterThan(3_500);
    world.now += (refusal.retry_after_seconds ?? 0) * 1000;
    expect((await requestCode(aGuest().typed)).status).toBe(200);
  });

  test('without codes left gets the same 429 for known and unknown phones', async () => {
    await open();
    const regular = aGuest();
    await proveOn(world, regular);
    await codes(25);
    world.now += 60_000;
    const [known, unknown] = [await requestCode(regular.typed), await requestCode(aGuest().typed)];
    expect([known.status, known.text]).toEqual([429, unknown.text]);
  });

  test('does not spend the budget of another address', async () => {
    await open({ trustedProxies: ['127.0.0.1'] });
    await codes(21);
    expect((await requestCode(aGuest().typed, { 'x-forwarded-for': '203.0.113.7' })).status).toBe(200);
  });

  test('gets messages for 20 of 25 orders with unproven phones', async () => {
    await open();
    let notifiedCount = 0;
    for (let n = 0; n < 25; n += 1)
      notifiedCount += (await order({ phone: aGuest().typed })).notified ? 1 : 0;
    expect(notifiedCount).toBe(20);
  });

  test('gets 20 of 28 codes requested concurrently', async () => {
    await open();
    const replies = await Promise.all(
      Array.from({ length: 28 }, () => post(world, '/public/otp/request', { phone: aGuest().typed })),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(world.phones.codes).toHaveLength(20);
  });
});

describe('a message budget', () => {
  test('in all, once spent, makes codes 503 until enough of the hour has passed', async () => {
    await open({ messageBudgets: { total: 4 } });
    for (let n = 0; n < 4; n += 1) {
      expect((await requestCode(aGuest().typed)).status).toBe(200);
      world.now += 10 * 60_000;
    }
    const refused = await requestCode(aGuest().typed);
    expect(refusalOf(refused)).toMatchObject({ status: 503 });
    expect(refused.text).toContain('No more codes');
    const wait = Number(refused.headers['retry-after']);
    expect(wait).toBeGreaterThan(19 * 60);
    expect(wait).toBeLessThanOrEqual(21 * 60);
    world.now += wait * 1000 - 1000;
    expect((await requestCode(aGuest().typed)).status).toBe(503);
    world.now += 1000;
    expect((await requestCode(aGuest().typed)).status).toBe(200);
  });

  test('reserves its last fifth for codes and for orders that prove their phone', async () => {
    await open({ messageBudgets: { total: 10 } });
    const regular = aGuest();
    const device_token = await proveOn(world, regular);
    const proven = { phone: regular.typed, device_token };
    for (let n = 0; n < 7; n += 1) expect((await order({ phone: aGuest().typed })).notified).toBe(true);
    expect((await order({ phone: aGuest().typed })).notified).toBe(false);
    expect((await requestCode(aGuest().typed)).status).toBe(200);
    expect((await order({ phone: regular.typed })).notified).toBe(false);
    expect((await order(proven)).notified).toBe(true);
    expect((await order(proven)).notified).toBe(false);
    expect((await requestCode(aGuest().typed)).status).toBe(503);
  });

  test('of a shop, once spent, leaves its orders without messages, but not those of other shops', async () => {
    await open({ messageBudgets: { shop: 5 } });
    const isNotified = async (slug: string) => (await order({ phone: aGuest().typed, slug })).notified;
    const first: boolean[] = [];
    while (first.length < 6) first.push(await isNotified(SHOPS[0]));
    expect(first).toEqual([true, true, true, true, false, false]);
    expect(await isNotified(SHOPS[1])).toBe(true);
  });

  test('of a shop holds for thirty concurrent orders', async () => {
    await open({ messageBudgets: { shop: 10 } });
    const orders = await Promise.all(
      Array.from({ length: 30 }, () => placed(world, orderFor({ phone: aGuest().typed }))),
    );
    expect(orders.filter(({ notified }) => notified)).toHaveLength(8);
  });

  test('that a country lacks makes its codes 503 and its orders go without messages', async () => {
    await open();
    const refused = await requestCode('+966 50 123 4567');
    expect(refusalOf(refused)).toMatchObject({ status: 503 });
    expect(refused.text).toContain('phones of this country');
    expect(refused.headers['retry-after']).toBeUndefined();
    expect(world.phones.codes).toEqual([]);
    expect((await order({ phone: '+966 50 123 4567' })).notified).toBe(false);
  });

  test('of a country limits the codes and messages of that country alone', async () => {
    await open({
      messageBudgets: {
        prefixes: new Map([
          ['+20', 100],
          ['+966', 2],
        ]),
      },
    });
    expect((await requestCode('+966 50 123 4567')).status).toBe(200);
    expect((await order({ phone: '+966 50 123 4568' })).notified).toBe(true);
    expect((await order({ phone: '+966 50 123 4569' })).notified).toBe(false);
    expect((await requestCode('+966 50 123 4570')).status).toBe(503);
    expect((await requestCode(aGuest().typed)).status).toBe(200);
  });

  test('is not spent by codes that could not be sent', async () => {
    await open({ messageBudgets: { total: 5 } });
    world.phones.outcome = later('down');
    for (let n = 0; n < 8; n += 1) expect(refusalOf(await requestCode(aGuest().typed)).status).toBe(503);
    world.phones.outcome = null;
    for (let n = 0; n < 4; n += 1) expect((await requestCode(aGuest().typed)).status).toBe(200);
  });

  test('is logged once when low and once when spent, and again two hours later', async () => {
    await open({ messageBudgets: { total: 10 } });
    const fill = async () => {
      for (let n = 0; n < 12; n += 1) await requestCode(aGuest().typed);
    };
    await fill();
    expect(eventsOf('message_budget_low')).toMatchObject([{ budget: 'total', spent: 5, limit: 10 }]);
    expect(eventsOf('message_budget_spent')).toMatchObject([{ budget: 'total', spent: 10, limit: 10 }]);
    world.now += 2 * HOUR;
    await fill();
    expect(eventsOf('message_budget_low')).toHaveLength(2);
    expect(eventsOf('message_budget_spent')).toHaveLength(2);
    expect(world.logged.join('\n')).not.toMatch(/2010\d{8}/);
  });
});

describe('the message of a later step', () => {
  const confirmed = async (): Promise<Order> => {
    const made = await order({ phone: aGuest().typed });
    await changed(world, await signInAs(world, 'owner'), made.id, 'move', {
      to: 'confirmed',
      from: 'received',
    });
    return made;
  };
  const spend = async (count: number): Promise<void> => {
    for (let n = 0; n < count; n += 1) expect((await order({ phone: aGuest().typed })).notified).toBe(true);
  };

  test('waits without a try until the budget has room', async () => {
    await open({ messageBudgets: { shop: 3 } });
    await spend(2);
    const { id, customer_phone: phone } = await confirmed();
    await send();
    expect(messageCount(phone)).toBe(1);
    const { rows } = await sql<{ attempts: number; status: string }>`
      select attempts, status from outbox where subject_id = ${id} order by position
    `.execute(world.db.kysely);
    expect(rows).toEqual([
      { attempts: 1, status: 'sent' },
      { attempts: 0, status: 'waiting' },
    ]);
    world.now += HOUR + 7 * 60_000;
    await send();
    expect(messageCount(phone)).toBe(2);
  });

  test('is parked after a day without budget', async () => {
    await open({ messageBudgets: { shop: 3 } });
    await spend(2);
    const { id, customer_phone: phone } = await confirmed();
    await send();
    for (let hour = 0; hour < 26; hour += 1) {
      world.now += HOUR + 7 * 60_000;
      await world.db.kysely
        .updateTable('message_budget')
        .set({ minute: Math.floor(world.now / 60_000), counts: [99] })
        .where('key', 'like', 'shop:%')
        .execute();
      await send();
    }
    const { rows } = await sql<{ status: string; last_error: string | null }>`
      select status, last_error from outbox where subject_id = ${id} order by position
    `.execute(world.db.kysely);
    expect(rows).toEqual([
      { status: 'sent', last_error: null },
      { status: 'parked', last_error: 'a budget of messages is spent' },
    ]);
    expect(messageCount(phone)).toBe(1);
  });

  test('is counted once for all its tries', async () => {
    await open({ messageBudgets: { shop: 10 } });
    await confirmed();
    world.phones.outcome = later('down');
    for (let tried = 0; tried < 5; tried += 1) {
      await send();
      world.now += 60_000;
    }
    world.phones.outcome = null;
    world.now += HOUR / 4;
    await send();
    const { counts } = await world.db.kysely
      .selectFrom('message_budget')
      .select('counts')
      .where('key', 'like', 'shop:%')
      .executeTakeFirstOrThrow();
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(2);
  });
});

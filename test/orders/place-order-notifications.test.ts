/** References and notifications of orders, and where personal data must not appear. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addWebhook } from '../../src/messaging/app/webhook.ts';
import type { Language } from '../../src/kernel/names.ts';
import { aMenu, branchId, openShops, shopId } from '../support/shops/cafe.ts';
import {
  aCard,
  aGuest,
  anOrder,
  orderOn,
  place,
  placed,
  proveOn,
  refused,
  type Order,
  type OrderInput,
} from '../support/people/guests.ts';
import { aQuotingBranch, aQuotingShop, item, line } from '../support/shops/quoting-shop.ts';
import { asOwner } from '../support/database/test-database.ts';
import { makeWorld, type World } from '../support/server/world.ts';

let world: World;

const roundTheClock = [{ open: '00:00', close: '00:00' }];
const branch = (key: string, code: string, more: Parameters<typeof aQuotingBranch>[0] = {}) =>
  aQuotingBranch({
    ...{ key, code, otp_required: false, location: { lat: 30.06, lng: 31.22 }, online_hours: roundTheClock },
    channels: { pickup: {}, in_mall: {}, umbrella: {}, outside: {} },
    ...more,
  });

beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.close());

let opened = 0;
/** A new shop, whose numbers begin at 1. */
const aShop = async (more: Parameters<typeof aQuotingShop>[0] = {}): Promise<string> => {
  opened += 1;
  const slug = `cafe-${opened}`;
  const branches = [
    branch('zamalek', 'ZML'),
    branch('maadi', 'MAD', { day_starts_at: '00:00' }),
    branch('asking', 'ASK', { otp_required: true }),
  ];
  await openShops(world, aQuotingShop({ slug, branches, ...more }));
  return slug;
};
const orderAt = (slug: string, more: Partial<OrderInput> = {}): OrderInput =>
  anOrder({
    ...{ branch_id: branchId('zamalek', slug), customer_phone: aGuest().typed },
    ...{ items: [{ menu_item_id: item('turkish', slug), quantity: 1 }], ...more },
  });

describe('a reference', () => {
  beforeEach(() => {
    world.now = Date.parse('2026-11-20T18:00:00Z');
  });

  test('numbers the orders of a branch and business date across channels', async () => {
    const slug = await aShop();
    const refs: (string | null | undefined)[] = [];
    for (const channel of ['pickup', 'outside', 'in_mall', 'umbrella'] as const) {
      const { branch_id, items, customer_phone } = orderAt(slug);
      refs.push((await placed(world, orderOn(channel, { branch_id, items, customer_phone }))).delivery_ref);
    }
    refs.push((await placed(world, orderAt(slug, { branch_id: branchId('maadi', slug) }))).delivery_ref);
    expect(refs).toEqual([
      ...['D-ZML-261120-0001', 'D-ZML-261120-0002', 'D-ZML-261120-0003', 'D-ZML-261120-0004'],
      'D-MAD-261120-0001',
    ]);
  });

  test('has the previous date until the branch’s day starts', async () => {
    const slug = await aShop();
    const refOf = async (branchKey: string, moment: string) => {
      world.now = Date.parse(moment);
      return (await placed(world, orderAt(slug, { branch_id: branchId(branchKey, slug) }))).delivery_ref;
    };
    // 05:00 in Cairo at one branch, midnight at the other.
    expect(await refOf('zamalek', '2026-11-21T02:59:59.999Z')).toBe('D-ZML-261120-0001');
    expect(await refOf('zamalek', '2026-11-21T03:00:00Z')).toBe('D-ZML-261121-0001');
    expect(await refOf('zamalek', '2026-11-21T03:00:00Z')).toBe('D-ZML-261121-0002');
    expect(await refOf('maadi', '2026-11-20T21:59:59.999Z')).toBe('D-MAD-261120-0001');
    expect(await refOf('maadi', '2026-11-20T22:00:00Z')).toBe('D-MAD-261121-0001');
  });

  test('has no gap after refused orders and concurrent repetitions', async () => {
    const slug = await aShop();
    const numbers = async () => (await placed(world, orderAt(slug))).delivery_ref?.slice(-4);
    expect(await numbers()).toBe('0001');
    for (const more of [{ quoted_total: 1 }, { items: [line('x')] }, { branch_id: branchId('asking', slug) }])
      expect((await refused(world, orderAt(slug, more))).status).toBeGreaterThanOrEqual(400);
    expect(await numbers()).toBe('0002');
    const order = orderAt(slug);
    await Promise.all(Array.from({ length: 10 }, () => place(world, order, { 'idempotency-key': 'one' })));
    expect(await numbers()).toBe('0004');
  });

  test('numbers twenty concurrent orders of two processes 1 to 20', async () => {
    const slug = await aShop();
    const elsewhere = await makeWorld({ database: world.database });
    const orders = await Promise.all(
      Array.from({ length: 20 }, (_, n) => placed(n % 2 ? world : elsewhere, orderAt(slug))),
    );
    await elsewhere.close();
    expect(orders.map(({ delivery_ref }) => Number(delivery_ref?.slice(-4))).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, n) => n + 1),
    );
  });
});

interface QueuedMessage {
  readonly kind: string;
  readonly status: string;
  readonly payload: {
    readonly template?: string;
    readonly language?: Language;
    readonly parameters?: string[];
  };
}
const messagesOf = async ({ id }: Order): Promise<QueuedMessage[]> =>
  (
    await sql<QueuedMessage>`select kind, status, payload from outbox where subject_id = ${id}`.execute(
      world.db.kysely,
    )
  ).rows;

describe('the message to the guest', () => {
  test('is queued once as order_received, with shop and reference', async () => {
    const order = await placed(world, orderAt(await aShop()));
    expect(await messagesOf(order)).toEqual([
      {
        ...{ kind: 'message', status: 'waiting' },
        payload: { template: 'order_received', language: 'ar', parameters: ['بيت البن', order.delivery_ref] },
      },
    ]);
  });

  const cases: readonly [string, Partial<OrderInput>, Record<string, string>, 'ar' | 'en', Language][] = [
    ['the language that the order names', { locale: 'en' }, { 'accept-language': 'ar' }, 'ar', 'en'],
    ['the language that the order names', { locale: 'ar' }, { 'accept-language': 'en' }, 'en', 'ar'],
    ['what the browser speaks', {}, { 'accept-language': 'en-GB,ar;q=0.5' }, 'ar', 'en'],
    [
      'what the browser speaks',
      { locale: null },
      { 'accept-language': 'ar-EG,ar;q=0.9,en;q=0.8' },
      'en',
      'ar',
    ],
    ['the shop’s own', {}, {}, 'ar', 'ar'],
    ['the shop’s own', {}, {}, 'en', 'en'],
  ];
  test.each(cases)('uses %s (%j, %j, shop %s: %s)', async (_, more, headers, main_language, language) => {
    const slug = await aShop({ main_language, menu: aMenu() });
    const [message] = await messagesOf(await placed(world, orderAt(slug, more), headers));
    expect(message?.payload.language).toBe(language);
    expect(message?.payload.parameters?.[0]).toBe(language === 'en' ? 'Beit El Bunn' : 'بيت البن');
  });
});

describe('webhook events', () => {
  test('are queued once for each address, beside one message to the guest', async () => {
    const slug = await aShop();
    for (const path of ['/a', '/b']) await addWebhook(world.app, shopId(slug), `https://till.example${path}`);
    const order = orderAt(slug);
    const headers = { 'idempotency-key': 'told-once' };
    const made = await placed(world, order, headers);
    await place(world, order, headers);
    const queued = await messagesOf(made);
    expect(queued.map(({ kind }) => kind).sort()).toEqual(['message', 'webhook', 'webhook']);
    expect(JSON.stringify(queued)).not.toContain(made.customer_phone.slice(2));
  });
});

describe('the change log', () => {
  test('gets a row for each order, in the scope of that order alone, and one for its guest', async () => {
    const slug = await aShop();
    const lastTwo = async () => {
      const { rows } = await sql<{ seq: number; scope: string; type: string; id: string; at: number }>`
        select seq, scope, type, id, at from change where org_id = ${shopId(slug)} order by seq desc limit 2
      `.execute(world.db.kysely);
      return rows;
    };
    const order = await placed(world, orderAt(slug));
    const [guest, own] = await lastTwo();
    expect(own).toMatchObject({
      ...{ scope: `order:${order.id}`, type: 'delivery', id: order.id, at: world.now },
    });
    expect(guest).toMatchObject({ scope: 'feed', type: 'customer', at: world.now });
    const next = await placed(world, orderAt(slug));
    const [, last] = await lastTwo();
    expect(last).toMatchObject({ seq: (guest?.seq ?? 0) + 1, id: next.id });
  });
});

describe('phones and tokens', () => {
  /** All rows of all tables as text, except columns for phones. */
  const allRowsAsText = async (...but: readonly string[]): Promise<string> => {
    const { rows: tables } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables
      where table_schema = current_schema() and table_type = 'BASE TABLE'
    `.execute(world.db.kysely);
    const texts: string[] = [];
    for (const { name } of tables.filter((table) => !but.includes(table.name))) {
      const rows = sql<{ row: string }>`select t::text as row from ${sql.table(name)} t`;
      texts.push(...(await rows.execute(world.db.kysely)).rows.map(({ row }) => row));
    }
    return texts.join('\n');
  };

  test('of accepted and refused orders are in no log, message, tracking page or refusal', async () => {
    const slug = await aShop();
    const [guest, other] = [aGuest(), aGuest()];
    const member_token = await aCard(world, guest, 'منى', slug);
    const device_token = await proveOn(world, guest);
    const contact_device_token = await proveOn(world, other);
    const canaries = [
      ...[member_token, device_token, contact_device_token, 'canary-key'],
      ...[guest, other].flatMap(({ typed, phone }) => [typed, phone, phone.slice(2)]),
    ];
    const expectAbsent = (text: string, about: readonly string[] = canaries): void => {
      for (const canary of about) expect(text).not.toContain(canary);
    };
    const headers = { 'idempotency-key': 'canary-key', 'x-device-token': device_token };
    const order = orderAt(slug, {
      ...{ branch_id: branchId('asking', slug), customer_phone: other.typed, identity_change: 'one_time' },
      ...{ member_token, device_token, contact_device_token },
    });
    const made = await placed(world, order, headers);
    const again = await place(world, order, headers);
    expect(again.status).toBe(200);
    expectAbsent(again.text, [member_token, device_token, contact_device_token, guest.phone.slice(2)]);
    expectAbsent((await world.get(`/public/delivery-orders/${made.id}/track`)).text);

    const refusals: Partial<OrderInput>[] = [
      { device_token: contact_device_token },
      { contact_device_token: device_token },
      { identity_change: null },
      { customer_phone: guest.phone.slice(2) + guest.phone },
      { quoted_total: 1 },
      { items: [{ menu_item_id: item('x', slug), quantity: 1 }] },
      { branch_id: branchId('zamalek'), customer_name: '' },
      { branch_id: branchId('nowhere') },
    ];
    // The first reuses the key; the others are refused for themselves.
    const tried: [Partial<OrderInput>, string][] = [
      [{ customer_name: 'كريم' }, 'canary-key'],
      ...refusals.map((more): [Partial<OrderInput>, string] => [more, 'canary-key-2']),
    ];
    for (const [more, key] of tried) {
      const answer = await place(world, { ...order, ...more }, { ...headers, 'idempotency-key': key });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expectAbsent(answer.text);
    }
    for (const wrong of [{ ...order, [device_token]: 1 }, [order], JSON.stringify(order)])
      await world.send(
        'POST',
        '/public/delivery-orders',
        { 'content-type': 'application/json', ...headers },
        JSON.stringify(wrong),
      );

    // Makes the database report an error that contains the row.
    await asOwner(
      world.database,
      "alter table delivery_order add constraint canary check (customer_name <> 'كناري') not valid",
    );
    // `place` rejects a 500.
    const failed = await fetch(`${world.baseUrl}/public/delivery-orders`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': 'canary-key-3' },
      body: JSON.stringify({ ...order, customer_name: 'كناري' }),
    });
    await asOwner(world.database, 'alter table delivery_order drop constraint canary');
    expect(failed.status).toBe(500);
    expectAbsent(await failed.text());
    expect(world.logged.length).toBeGreaterThan(0);
    expectAbsent(world.logged.join('\n'));
    const tokens = [member_token, device_token, contact_device_token];
    const everything = await allRowsAsText();
    expectAbsent(everything, tokens);
    expectAbsent(
      everything,
      tokens.map((token) => Buffer.from(token).toString('hex')),
    );
    const phones = [guest, other].flatMap(({ typed, phone }) => [typed, phone, phone.slice(2)]);
    expectAbsent(
      await allRowsAsText('customer', 'delivery_order', 'device_token', 'guest_phone', 'otp_phone'),
      phones,
    );
  });

  test('an order stores the contact’s phone and not the card’s', async () => {
    const slug = await aShop();
    const [guest, other] = [aGuest(), aGuest()];
    const member_token = await aCard(world, guest, 'منى', slug);
    const made = await placed(
      world,
      orderAt(slug, { customer_phone: other.typed, member_token, identity_change: 'one_time' }),
    );
    const { rows } = await sql<{
      row: string;
    }>`select t::text as row from delivery_order t where id = ${made.id}`.execute(world.db.kysely);
    expect(rows[0]?.row).toContain(other.phone);
    expect(rows[0]?.row).not.toContain(guest.phone);
  });
});

/** track_order: the status of an order as text and object, without personal data. */
import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OrderStatusResult } from '../../src/orders/contract/tools.ts';
import { tools } from '../../src/service/contract/tools.ts';
import { CANCEL_REASONS, ORDER_STATUSES } from '../../src/orders/domain/order.ts';
import { ONLINE_CHANNELS } from '../../src/shops/domain/shop.ts';
import { MAX_CHARACTERS } from '../../src/doors/mcp/shorten.ts';
import { insertOrder, type OrderFacts, publishOrderChange } from '../support/database/orders-and-bookings.ts';
import { newId } from '../support/database/ids.ts';
import { aBranch, aShopFile, branchId, openShops, shopId, SLUG } from '../support/shops/cafe.ts';
import { makeDemo } from '../support/shops/demo.ts';
import { callTool, toolRefusal } from '../support/server/mcp-client.ts';
import { makeWorld, type World } from '../support/server/world.ts';

let world: World;

/** Checks the declared schema. */
const checkedOrder = (structured: unknown): OrderStatusResult => {
  const shape = tools.track_order.result;
  if (!Value.Check(shape, structured)) throw new Error(JSON.stringify(Value.Errors(shape, structured)));
  return structured;
};
const track = async (order_id: string): Promise<{ text: string; order: OrderStatusResult }> => {
  const { text, structured, isError } = await callTool(world, 'track_order', { order_id });
  expect(isError, text).toBe(false);
  return { text, order: checkedOrder(structured) };
};
const trackNew = async (facts: OrderFacts = {}) => track(await insertOrder(world, facts));
const headline = async (facts: OrderFacts): Promise<string> =>
  (await trackNew(facts)).text.split('\n')[0] ?? '';

beforeAll(async () => {
  world = await makeWorld();
  await openShops(
    world,
    aShopFile({ branches: [aBranch({ channels: { pickup: {}, outside: {}, in_mall: {}, umbrella: {} } })] }),
    aShopFile({ slug: 'kashk', active: false }),
    aShopFile({ slug: 'english', main_language: 'en' }),
    aShopFile({ slug: 'newfoundland', branches: [aBranch({ time_zone: 'America/St_Johns' })] }),
  );
});
afterAll(() => world.close());

const AT_ZAMALEK = 'بيت البن (Beit El Bunn), الزمالك (Zamalek)';

const LINES = [
  {
    name: 'كابتشينو',
    name_translations: { en: 'Cappuccino' },
    size_label: 'وسط',
    size_translations: { en: 'Medium' },
    quantity: 2,
    line_total: 9_050,
  },
  { name: 'مياه', name_translations: {}, size_label: null, quantity: 1, line_total: 950 },
];

describe('the answer of track_order', () => {
  test('has the status first, then timeline, items, amounts and the tracking link', async () => {
    const id = await insertOrder(world, {
      status: 'preparing',
      createdAt: '2026-12-04T17:00:00Z',
      steps: { confirmed: '2026-12-04T17:02:00Z', preparing: '2026-12-04T17:04:30.250Z' },
      row: {
        delivery_ref: 'D-ZML-261204-0007',
        extra_prep_minutes: 15,
        subtotal: 10_000,
        tax_amount: 1_228,
        total: 10_000,
        cart: { lines: LINES, deals: [] },
      },
    });
    const { text, order } = await track(id);
    expect(text)
      .toBe(`The order D-ZML-261204-0007 at ${AT_ZAMALEK} is being prepared (since 19:04 on Friday 4 December 2026).
Pickup at the branch; preparation is estimated at 35 minutes.
Timeline, on the branch's clock (Africa/Cairo), with UTC in brackets:
- received: 19:00 on Friday 4 December 2026 (2026-12-04T17:00:00.000Z)
- confirmed: 19:02 on Friday 4 December 2026 (2026-12-04T17:02:00.000Z)
- preparing: 19:04 on Friday 4 December 2026 (2026-12-04T17:04:30.250Z)
Items:
- 2 × كابتشينو (Cappuccino), وسط (Medium): 90.50 EGP
- 1 × مياه: 9.50 EGP
Subtotal 100.00 EGP; no discount; no delivery fee; tax 12.28 EGP, inside the total; total 100.00 EGP.
Payment: cash.
The person can follow the order at https://ahwa.example/track/${id}
shop: beit-el-bunn, branch_id: ${branchId()}, order_id: ${id}`);
    expect(order).toEqual({
      order_id: id,
      delivery_ref: 'D-ZML-261204-0007',
      status: 'preparing',
      channel: 'pickup',
      shop: SLUG,
      shop_name: 'بيت البن',
      shop_name_translations: { en: 'Beit El Bunn' },
      branch_id: branchId(),
      branch_name: 'الزمالك',
      branch_name_translations: { en: 'Zamalek' },
      timezone: 'Africa/Cairo',
      estimated_prep_minutes: 35,
      timeline: [
        { status: 'received', at: '2026-12-04T17:00:00.000Z', local: '2026-12-04T19:00+02:00' },
        { status: 'confirmed', at: '2026-12-04T17:02:00.000Z', local: '2026-12-04T19:02+02:00' },
        { status: 'preparing', at: '2026-12-04T17:04:30.250Z', local: '2026-12-04T19:04+02:00' },
      ],
      items: [
        {
          name: 'كابتشينو',
          name_translations: { en: 'Cappuccino' },
          size: 'وسط',
          size_translations: { en: 'Medium' },
          quantity: 2,
          total_egp: 90.5,
        },
        { name: 'مياه', quantity: 1, total_egp: 9.5 },
      ],
      subtotal_egp: 100,
      delivery_fee_egp: 0,
      discount_egp: 0,
      tax_egp: 12.28,
      tax_inclusive: true,
      total_egp: 100,
      currency: 'EGP',
      payment_method_hint: 'cash',
      track_url: `https://ahwa.example/track/${id}`,
    });
  });

  const NOW = '2026-12-04T17:30:00Z';
  const SINCE = '(since 19:30 on Friday 4 December 2026).';
  const AT = '(at 19:30 on Friday 4 December 2026).';

  test.each([
    ['received', 'pickup', `was received and waits for the branch to confirm it ${SINCE}`],
    ['confirmed', 'outside', `is confirmed and waits to be prepared ${SINCE}`],
    ['preparing', 'in_mall', `is being prepared ${SINCE}`],
    ['ready', 'pickup', `is ready: it waits at the counter to be picked up ${SINCE}`],
    ['ready', 'outside', `is ready and waits to be sent out ${SINCE}`],
    ['ready', 'in_mall', `is ready and waits to be brought through the mall ${SINCE}`],
    ['ready', 'umbrella', `is ready and waits to be brought to the umbrella ${SINCE}`],
    ['out_for_delivery', 'outside', `is on its way ${SINCE}`],
    ['delivered', 'outside', `was delivered ${AT}`],
    ['delivered', 'pickup', `was picked up ${AT}`],
    ['cancelled', 'umbrella', `was cancelled ${AT}`],
    ['rejected', 'pickup', `was not accepted by the branch ${AT}`],
  ] as const)('%s, %s', async (status, channel, words) => {
    const steps = status === 'received' ? {} : { [status]: NOW };
    expect(await headline({ status, channel, createdAt: NOW, steps })).toBe(
      `The order at ${AT_ZAMALEK} ${words}`,
    );
  });

  test('has the status on every channel, and the estimate until the order has ended', async () => {
    for (const status of ORDER_STATUSES)
      for (const channel of ONLINE_CHANNELS) {
        const { text, order } = await trackNew({ status, channel });
        expect([order.status, order.channel]).toEqual([status, channel]);
        expect(text).toMatch(/^The order at بيت البن \(Beit El Bunn\), الزمالك \(Zamalek\) (is|was) /);
        const isOver = ['delivered', 'cancelled', 'rejected'].includes(status);
        expect(text.includes('preparation is estimated at 20 minutes')).toBe(!isOver);
      }
  });

  test('has the reason of a cancelled order as guests read it, never the staff’s note', async () => {
    const end = { status: 'cancelled', steps: { cancelled: NOW }, createdAt: NOW } as const;
    const soldOut = { ...end, row: { cancel_reason: 'sold_out' } };
    expect(await headline(soldOut)).toBe(
      `The order at ${AT_ZAMALEK} was cancelled ${AT} Reason: ${CANCEL_REASONS.sold_out.ar} (${CANCEL_REASONS.sold_out.en})`,
    );
    expect(await headline({ ...end, row: { cancel_reason: 'الزبون ده غلس' } })).toContain(
      CANCEL_REASONS.other.ar,
    );
  });

  test('has the reason in Arabic and English, the shop’s main language first', async () => {
    const { ar, en } = CANCEL_REASONS.too_busy;
    const tooBusy = { status: 'rejected', row: { cancel_reason: 'too_busy' } } as const;
    expect((await trackNew(tooBusy)).order).toMatchObject({
      cancel_reason: ar,
      cancel_reason_translations: { en },
    });
    const { text, order } = await trackNew({ ...tooBusy, slug: 'english' });
    expect(order).toMatchObject({ cancel_reason: en, cancel_reason_translations: { ar } });
    expect(text.split('\n')[0]).toMatch(new RegExp(`Reason: ${en} \\(${ar}\\)$`));
    expect((await trackNew()).order).not.toHaveProperty('cancel_reason_translations');
  });

  test('shows the new status after the order has moved', async () => {
    const id = await insertOrder(world);
    expect((await track(id)).text).toContain('was received');
    await world.db.kysely
      .updateTable('delivery_order')
      .set({ status: 'confirmed' })
      .where('id', '=', id)
      .execute();
    await publishOrderChange(world, id);
    await world.hearOfChanges();
    expect((await track(id)).text).toContain('is confirmed');
  });

  test('does not change when only time passes', async () => {
    const started = world.now;
    const id = await insertOrder(world, {
      status: 'delivered',
      steps: { delivered: '2026-11-20T17:30:00Z' },
    });
    const before = await track(id);
    world.now += 400 * 86_400_000;
    expect(await track(id)).toEqual(before);
    world.now = started;
  });
});

describe('the timeline of track_order', () => {
  const stepsOf = ({ timeline }: OrderStatusResult): string[] => timeline.map(({ status }) => status);

  test('starts with `received` and has each step in order of time', async () => {
    const { order } = await trackNew({
      status: 'delivered',
      channel: 'outside',
      createdAt: '2026-11-20T17:00:00Z',
      // Preparing was skipped; ready was set again after a wrong tap.
      steps: {
        confirmed: '2026-11-20T17:00:00Z',
        out_for_delivery: '2026-11-20T17:20:00Z',
        ready: '2026-11-20T17:10:00Z',
        delivered: '2026-11-20T17:40:00Z',
      },
    });
    expect(stepsOf(order)).toEqual(['received', 'confirmed', 'ready', 'out_for_delivery', 'delivered']);
    const moments = order.timeline.map(({ at }) => at);
    expect(moments).toEqual([...moments].sort());
    expect(order.timeline.map(({ local }) => new Date(local).toISOString())).toEqual(moments);
  });

  test('leaves out a step whose time is unknown', async () => {
    const { text, order } = await trackNew({ status: 'ready' });
    expect(stepsOf(order)).toEqual(['received']);
    expect(text).toMatch(
      /^The order at بيت البن \(Beit El Bunn\), الزمالك \(Zamalek\) is ready: it waits at the counter to be picked up\.\n/,
    );
  });

  test('is on the branch’s clock', async () => {
    const { text, order } = await trackNew({ slug: 'newfoundland', createdAt: '2026-12-05T01:00:00Z' });
    expect(order.timezone).toBe('America/St_Johns');
    expect(order.timeline[0]?.local).toBe('2026-12-04T21:30-03:30');
    expect(text).toContain('- received: 21:30 on Friday 4 December 2026 (2026-12-05T01:00:00.000Z)');
  });
});

describe('the amounts of track_order', () => {
  const sumsOf = (text: string): string => text.split('\n').find((line) => line.startsWith('Subtotal')) ?? '';

  test('list discount, delivery fee and added tax separately', async () => {
    const { text, order } = await trackNew({
      channel: 'outside',
      row: {
        subtotal: 10_000,
        discount_amount: 1_000,
        delivery_fee: 2_000,
        tax_inclusive: false,
        tax_amount: 1_260,
        total: 12_260,
      },
    });
    expect(sumsOf(text)).toBe(
      'Subtotal 100.00 EGP; discount 10.00 EGP; delivery fee 20.00 EGP; tax 12.60 EGP, added on top; total 122.60 EGP.',
    );
    expect(order).toMatchObject({
      subtotal_egp: 100,
      discount_egp: 10,
      delivery_fee_egp: 20,
      tax_egp: 12.6,
      tax_inclusive: false,
      total_egp: 122.6,
    });
  });

  test('state that there is no tax', async () => {
    const { text } = await trackNew({ row: { tax_amount: 0, tax_rate_applied: '0' } });
    expect(sumsOf(text)).toBe('Subtotal 45.00 EGP; no discount; no delivery fee; no tax; total 45.00 EGP.');
  });

  test('equal those of the API for the demo’s orders, in text and object', async () => {
    const { world: demo, demo: contents } = await makeDemo({ now: '2026-12-04T18:00:00Z' });
    try {
      const { orders } = contents;
      expect(orders.length).toBeGreaterThan(5);
      for (const { id } of orders) {
        const api = await demo.read('trackOrder', `/public/delivery-orders/${id}/track`);
        const { text, structured } = await callTool(demo, 'track_order', { order_id: id });
        const order = checkedOrder(structured);
        expect(order).toMatchObject({
          status: api.status,
          channel: api.channel,
          timezone: api.timezone,
          subtotal_egp: api.subtotal / 100,
          discount_egp: api.discount_amount / 100,
          delivery_fee_egp: api.delivery_fee / 100,
          tax_egp: api.tax_amount / 100,
          total_egp: api.total / 100,
          items: (api.items ?? []).map(({ quantity, line_total }) => ({
            quantity,
            total_egp: line_total / 100,
          })),
        });
        const amounts = [order.total_egp, order.subtotal_egp, ...order.items.map((item) => item.total_egp)];
        for (const sum of amounts) expect(text).toContain(`${sum.toFixed(2)} EGP`);
        for (const { at } of order.timeline) expect(text).toContain(at);
        for (const { name } of order.items) expect(text).toContain(name);
      }
    } finally {
      await demo.close();
    }
  });
});

describe('personal data of the guest', () => {
  test('is in no part of track_order’s answer', async () => {
    const canary = (field: string): string => `canary-${field}-٧`;
    const fields = ['customer_name', 'address_line', 'floor', 'unit_number', 'landmark', 'place_name'];
    const person = Object.fromEntries(fields.map((field) => [field, canary(field)]));
    const line = {
      ...LINES[0],
      notes: canary('notes'),
      phone: canary('phone'),
      addons: [{ name: canary('addon'), name_translations: {} }],
    };
    for (const channel of ONLINE_CHANNELS) {
      const row = { ...person, cart: { lines: [line], deals: [canary('deal')], phone: canary('cart') } };
      const id = await insertOrder(world, { channel, status: 'ready', row });
      const apiReply = await world.get(`/public/delivery-orders/${id}/track`);
      expect(apiReply.text).toContain(canary('place_name'));
      expect(JSON.stringify(await callTool(world, 'track_order', { order_id: id }))).not.toMatch(/canary|٧/);
    }
  });

  test('has no field in track_order’s object', async () => {
    const { order } = await trackNew({ row: { address_line: 'x', floor: 'x', unit_number: 'x' } });
    expect(Object.keys(order).join(' ')).not.toMatch(/customer|address|floor|unit|place|phone|person/);
  });
});

describe('an order with 100 lines', () => {
  test('and long names stays within the limit and keeps its total', async () => {
    const long = (letter: string): string => letter.repeat(120);
    const lines = Array.from({ length: 100 }, (_, index) => ({
      name: `${index} ${long('ق')}`,
      name_translations: { en: long('a'), fr: long('b'), de: long('c'), it: long('d') },
      size_label: long('و'),
      quantity: 999,
      line_total: 100,
    }));
    const id = await insertOrder(world, {
      row: { cart: { lines, deals: [] }, subtotal: 10_000, tax_amount: 0, total: 10_000 },
    });
    const { text, order } = await track(id);
    expect(text.length).toBeLessThanOrEqual(MAX_CHARACTERS);
    expect(JSON.stringify(order).length).toBeLessThanOrEqual(MAX_CHARACTERS);
    const kept = order.items.length;
    expect(kept).toBeGreaterThan(30);
    expect(order).toMatchObject({ truncated: true, total_egp: 100 });
    expect(order.left_out).toBe(
      `Left out, to stay short: the last ${100 - kept} of 100 items. All of them are on the tracking page: https://ahwa.example/track/${id}`,
    );
    expect(text.split('\n')[1]).toBe(order.left_out);
    expect(text.split('\n').filter((line) => line.startsWith('- 999 ×')).length).toBe(kept);
  });

  test('and ordinary names is listed in full', async () => {
    const lines = Array.from({ length: 100 }, () => LINES[0]);
    const { order } = await trackNew({ row: { cart: { lines, deals: [] } } });
    expect([order.items.length, order.truncated]).toEqual([100, undefined]);
  });
});

describe('an order id', () => {
  test('that is unknown or of an inactive shop is refused with where to find it', async () => {
    const off = await insertOrder(world, { slug: 'kashk' });
    for (const id of [newId(), off, shopId()])
      expect(await toolRefusal(world, 'track_order', { order_id: id })).toBe(
        `There is no order with the id "${id}". The id is the last part of the order's tracking link, as in https://ahwa.example/track/ORDER_ID: ask the person for that link.`,
      );
  });

  test('in upper case finds the same order', async () => {
    const id = await insertOrder(world);
    expect(await track(id.toUpperCase())).toEqual(await track(id));
  });
});

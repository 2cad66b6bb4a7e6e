/** GET /public/delivery-orders/{id}/track. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  CANCEL_REASONS,
  ORDER_STATUSES,
  type OrderStatus,
  type TimedStep,
} from '../../src/orders/domain/order.ts';
import { insertOrder, type OrderFacts, publishOrderChange } from '../support/database/orders-and-bookings.ts';
import { newId } from '../support/database/ids.ts';
import { aBranch, aShopFile, branchId, openShops, shopId, SLUG } from '../support/shops/cafe.ts';
import { makeWorld, type World } from '../support/server/world.ts';

let world: World;
const addressOf = (id: string): string => `/public/delivery-orders/${id}/track`;
const track = (id: string) => world.read('trackOrder', addressOf(id));
const trackNew = async (facts: OrderFacts) => track(await insertOrder(world, facts));

const ADDRESS = {
  address_line: '١٢ شارع البرازيل',
  floor: '٣',
  unit_number: '٩',
  place_name: 'شاليه ١٤',
  landmark: 'جنب الصيدلية',
};

beforeAll(async () => {
  world = await makeWorld();
  await openShops(
    world,
    aShopFile({ branches: [aBranch({ channels: { pickup: {}, outside: {}, in_mall: {}, umbrella: {} } })] }),
    aShopFile({ slug: 'kashk', active: false }),
    aShopFile({ slug: 'english', main_language: 'en' }),
  );
});
afterAll(() => world.close());

describe('the tracked order', () => {
  test('has every field of money, steps, lines and names', async () => {
    const steps = { confirmed: '2026-11-20T17:01:00.250Z', preparing: '2026-11-20T17:03:00Z' };
    const id = await insertOrder(world, {
      channel: 'outside',
      status: 'preparing',
      steps,
      row: {
        ...ADDRESS,
        delivery_ref: 'D-ZML-261120-0007',
        extra_prep_minutes: 15,
        subtotal: 10_000,
        discount_amount: 1_000,
        delivery_fee: 2_000,
        tax_rate_applied: '0.14',
        tax_inclusive: false,
        tax_amount: 1_260,
        total: 12_260,
        cart: {
          lines: [
            {
              name: 'كابتشينو',
              name_translations: { en: 'Cappuccino' },
              size_label: 'وسط',
              size_translations: { en: 'Medium' },
              quantity: 2,
              line_total: 9_000,
              addons: [{ name: 'شوفان', name_translations: { en: 'Oat' }, quantity: 2 }],
              optionals: [{ name: 'ثلج', name_translations: {} }],
            },
            { name: 'مياه', name_translations: {}, size_label: null, quantity: 1, line_total: 1_000 },
          ],
          deals: [],
        },
      },
    });
    expect(await track(id)).toEqual({
      id,
      org_id: shopId(),
      org_slug: SLUG,
      org_name: 'بيت البن',
      org_name_translations: { en: 'Beit El Bunn' },
      branch_id: branchId(),
      branch_name: 'الزمالك',
      branch_name_translations: { en: 'Zamalek' },
      timezone: 'Africa/Cairo',
      channel: 'outside',
      status: 'preparing',
      created_at: '2026-11-20T17:00:00.000Z',
      estimated_prep_minutes: 35,
      subtotal: 10_000,
      delivery_fee: 2_000,
      discount_amount: 1_000,
      tax_amount: 1_260,
      tax_rate_applied: 0.14,
      tax_inclusive: false,
      total: 12_260,
      customer_name: 'منى عبد الله',
      address_line: ADDRESS.address_line,
      floor: ADDRESS.floor,
      unit_number: ADDRESS.unit_number,
      place_name: ADDRESS.place_name,
      delivery_ref: 'D-ZML-261120-0007',
      payment_method_hint: 'cash',
      rewards: [],
      loyalty: null,
      cancel_reason: null,
      cancel_reason_translations: {},
      confirmed_at: '2026-11-20T17:01:00.250Z',
      preparing_at: '2026-11-20T17:03:00.000Z',
      ready_at: null,
      out_for_delivery_at: null,
      delivered_at: null,
      cancelled_at: null,
      rejected_at: null,
      items: [
        {
          name: 'كابتشينو',
          name_translations: { en: 'Cappuccino' },
          size_label: 'وسط',
          size_translations: { en: 'Medium' },
          quantity: 2,
          line_total: 9_000,
          extras: [
            { name: 'شوفان', name_translations: { en: 'Oat' }, quantity: 2 },
            { name: 'ثلج', name_translations: {}, quantity: 1 },
          ],
        },
        {
          name: 'مياه',
          name_translations: {},
          size_label: null,
          size_translations: {},
          quantity: 1,
          line_total: 1_000,
          extras: [],
        },
      ],
    });
  });

  test('has each status, and times only of steps that happened', async () => {
    for (const status of ORDER_STATUSES) {
      const timed: TimedStep[] = status === 'received' ? [] : [status];
      const steps = Object.fromEntries(timed.map((step) => [step, '2026-11-20T17:09:00Z']));
      const order = await trackNew({ status, steps });
      expect(order.status).toBe(status);
      const shown = Object.entries(order).filter(([name, value]) => name.endsWith('_at') && value !== null);
      expect(Object.fromEntries(shown)).toEqual({
        created_at: '2026-11-20T17:00:00.000Z',
        ...Object.fromEntries(timed.map((step) => [`${step}_at`, '2026-11-20T17:09:00.000Z'])),
      });
    }
  });

  test('has its channel, on every online channel', async () => {
    for (const channel of ['pickup', 'outside', 'in_mall', 'umbrella'] as const)
      expect((await trackNew({ channel })).channel).toBe(channel);
  });

  test('has the time zone of its branch', async () => {
    await openShops(
      world,
      aShopFile({ slug: 'athens', branches: [aBranch({ time_zone: 'Europe/Athens' })] }),
    );
    expect((await trackNew({ slug: 'athens' })).timezone).toBe('Europe/Athens');
  });

  test('has no phone, landmark, payment method, revision, cost or margin', async () => {
    const order = await trackNew({
      status: 'delivered',
      steps: { delivered: '2026-11-20T17:30:00Z' },
      row: ADDRESS,
    });
    const text = JSON.stringify(order);
    expect(text).not.toMatch(/phone|landmark|"payment_method"|revision|cost|margin/);
    expect(text).not.toContain(ADDRESS.landmark);
  });

  test('has the new status after the order was changed', async () => {
    const id = await insertOrder(world);
    expect((await track(id)).status).toBe('received');
    await world.db.kysely
      .updateTable('delivery_order')
      .set({ status: 'confirmed' })
      .where('id', '=', id)
      .execute();
    await publishOrderChange(world, id);
    await world.hearOfChanges();
    expect((await track(id)).status).toBe('confirmed');
  });
});

describe('the cancel reason', () => {
  test.each(Object.entries(CANCEL_REASONS))(
    '%s is shown in Arabic and English, the shop’s language first',
    async (reason, words) => {
      const end = {
        status: 'cancelled',
        steps: { cancelled: '2026-11-20T17:30:00Z' },
        row: { cancel_reason: reason },
      } as const;
      const { ar, en } = words;
      expect(await trackNew(end)).toMatchObject({
        cancel_reason: ar,
        cancel_reason_translations: { en },
      });
      expect(await trackNew({ ...end, slug: 'english' })).toMatchObject({
        cancel_reason: en,
        cancel_reason_translations: { ar },
      });
    },
  );

  test('an unlisted stored reason is shown as the reason other', async () => {
    const row = { cancel_reason: 'الزبون ده غلس' };
    const order = await trackNew({ status: 'rejected', steps: { rejected: '2026-11-20T17:30:00Z' }, row });
    expect(order.cancel_reason).toBe(CANCEL_REASONS.other.ar);
    expect((await trackNew({ row: { cancel_reason: 'constructor' } })).cancel_reason).toBe(
      CANCEL_REASONS.other.ar,
    );
  });
});

describe('24 hours after the end of an order', () => {
  const ends: readonly (OrderStatus & TimedStep)[] = ['delivered', 'cancelled', 'rejected'];

  test.each(ends)(
    'a %s order loses its address and all but the first name, to the millisecond',
    async (status) => {
      const createdAt = '2026-11-20T17:00:00.000Z';
      const id = await insertOrder(world, {
        status,
        createdAt,
        steps: { [status]: '2026-11-20T17:30:00.500Z' },
        row: ADDRESS,
      });
      world.now = Date.parse('2026-11-21T17:30:00.499Z');
      const before = await track(id);
      expect(before).toMatchObject({
        customer_name: 'منى عبد الله',
        floor: ADDRESS.floor,
        address_line: ADDRESS.address_line,
      });
      world.now += 1;
      const after = await track(id);
      expect(after).toEqual({
        ...before,
        customer_name: 'منى',
        address_line: null,
        floor: null,
        unit_number: null,
        place_name: null,
      });
      world.now += 400 * 86_400_000;
      expect(await track(id)).toEqual(after);
      world.now = Date.parse('2026-11-20T18:00:00Z');
    },
  );

  test('an open order keeps address and name, however old it is', async () => {
    const id = await insertOrder(world, {
      status: 'ready',
      createdAt: '2026-11-01T17:00:00Z',
      steps: { ready: '2026-11-01T17:30:00Z' },
      row: ADDRESS,
    });
    expect(await track(id)).toMatchObject({
      customer_name: 'منى عبد الله',
      address_line: ADDRESS.address_line,
    });
  });

  test('the first name is the first word, with any kind of whitespace', async () => {
    for (const [typed, first] of [
      ['  هدى\u00a0كمال ', 'هدى'],
      ['عمر', 'عمر'],
      ['Sara\tAdel', 'Sara'],
    ] as const) {
      const steps = { delivered: '2026-11-18T17:30:00Z' };
      const order = await trackNew({
        status: 'delivered',
        createdAt: '2026-11-18T17:00:00Z',
        steps,
        row: { customer_name: typed },
      });
      expect(order.customer_name).toBe(first);
    }
  });
});

describe('the order id', () => {
  test('an unknown id and an order of a switched-off shop are the same 404', async () => {
    const off = await insertOrder(world, { slug: 'kashk' });
    const [unknown, ofOff, ofBranch] = [
      await world.get(addressOf(newId())),
      await world.get(addressOf(off)),
      await world.get(addressOf(shopId())),
    ];
    expect(unknown.status).toBe(404);
    expect(Object.keys(unknown.body as object)).toEqual(['error']);
    for (const reply of [ofOff, ofBranch]) expect([reply.status, reply.text]).toEqual([404, unknown.text]);
  });

  test('an id in upper case names the same order, and a malformed id is 400', async () => {
    const id = await insertOrder(world);
    expect(await track(id.toUpperCase())).toEqual(await track(id));
    expect(await world.refused(addressOf(`${id}0`))).toMatchObject({ status: 400, fields: [{ path: 'id' }] });
  });

  test('an order of an archived branch can still be tracked', async () => {
    await openShops(
      world,
      aShopFile({
        slug: 'moved',
        branches: [aBranch({ key: 'a', code: 'A' }), aBranch({ key: 'b', code: 'B', name: 'ب' })],
      }),
    );
    const id = await insertOrder(world, { slug: 'moved', branch: 'a' });
    await openShops(
      world,
      aShopFile({ slug: 'moved', branches: [aBranch({ key: 'b', code: 'B', name: 'ب' })] }),
    );
    expect((await track(id)).branch_name).toBe('الزمالك');
  });
});

/** For arbitrary shops and places, the quoted total equals the order's total. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { derivedId } from '../../src/shopfile/app/entity-ids.ts';
import { ONLINE_CHANNELS, type OnlineChannel } from '../../src/shops/domain/shop.ts';
import { expectedDelivery, expectedBill, type DeliveryFacts } from '../support/oracles/bill.ts';
import { branchId, openShops, shopId } from '../support/shops/cafe.ts';
import { anyCart } from '../support/shops/any-cart.ts';
import { aGuest, orderOn, place, type Order } from '../support/people/guests.ts';
import {
  aQuotingBranch,
  aQuotingMenu,
  aQuotingShop,
  atBranch,
  quoteOf,
  type Line,
} from '../support/shops/quoting-shop.ts';
import { makeWorld, type World } from '../support/server/world.ts';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.close());

// ── Shops ───────────────────────────────────────────────────────────────────────────────────────

const HERE = { lat: 30.06, lng: 31.22 };
const ISLAND = { lat: 30.08, lng: 31.25 };
const BRANCH = 'zamalek';

const money = fc.oneof(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 0, max: 20_000 }));
const rate = fc.oneof(
  fc.constantFrom('0', '0.14', '0.145', '0.333333', '1'),
  fc.integer({ min: 0, max: 1_000_000 }).map((millionths) => (millionths / 1e6).toFixed(6)),
);

/** Areas, rings, both or none; without coordinates there are no distance limits. */
const deliveries: fc.Arbitrary<DeliveryFacts> = fc
  .record({
    from: fc.option(fc.constant(HERE), { freq: 5 }),
    flatFee: money,
    maxMeters: fc.option(fc.integer({ min: 1000, max: 6000 })),
    roadTenths: fc.integer({ min: 10, max: 20 }),
    rings: fc
      .uniqueArray(fc.integer({ min: 500, max: 5000 }), { maxLength: 3 })
      .chain((radii) => fc.tuple(...radii.map((radius) => money.map((fee) => ({ fee, radius })))))
      .map((rings) => rings.map((ring, index) => ({ ...ring, key: `ring-${index}` }))),
    square: fc.option(money.map((fee) => ({ key: 'island', fee, middle: ISLAND, half: 0.01 }))),
  })
  .map((facts) => (facts.from === null ? { ...facts, rings: [], maxMeters: null } : facts));

const discounts = fc.option(
  fc.oneof(
    fc.integer({ min: 1, max: 10_000 }).map((hundredths) => ({ rate: (hundredths / 10_000).toFixed(4) })),
    fc.integer({ min: 1, max: 20_000 }).map((amount) => ({ amount })),
  ),
);

const dealOf = fc.oneof(
  fc.record({ qty: fc.integer({ min: 2, max: 4 }), price: money }).map(({ qty, price }) => ({
    ...{ key: 'together', name: 'مع بعض', kind: 'n_for_price' as const, qty, price },
    pool: [{ category: 'coffee' }],
  })),
  fc
    .record({ qty: fc.integer({ min: 1, max: 3 }), get_percent: fc.integer({ min: 1, max: 100 }) })
    .map(({ qty, get_percent }) => ({
      ...{ key: 'gift', name: 'هدية', kind: 'buy_get' as const, qty, get_qty: 1, get_percent },
      ...{ pool: [{ category: 'coffee' }], reward_pool: [{ item: 'cake' }] },
    })),
);

const shops = fc.record({
  ...{ taxRate: rate, isTaxInside: fc.boolean(), isFeeTaxed: fc.boolean(), delivery: deliveries },
  fees: fc.record({ pickup: money, in_mall: money, umbrella: money }),
  ...{ discount: discounts, deals: fc.uniqueArray(dealOf, { maxLength: 2, selector: ({ key }) => key }) },
  prices: fc.record({ turkish: money, cake: money }),
});
type Shop = typeof shops extends fc.Arbitrary<infer T> ? T : never;

const square = ({ lat, lng }: { lat: number; lng: number }, half: number) => ({
  type: 'Polygon',
  coordinates: [
    [
      [lng - half, lat - half],
      [lng + half, lat - half],
      [lng + half, lat + half],
      [lng - half, lat + half],
      [lng - half, lat - half],
    ],
  ],
});

const zonesOf = ({ rings, square: drawn }: DeliveryFacts) => [
  ...rings.map(({ key, fee, radius }) => ({ key, name: key, fee, radius_meters: radius })),
  ...(drawn === null
    ? []
    : [{ key: drawn.key, name: drawn.key, fee: drawn.fee, polygon: square(drawn.middle, drawn.half) }]),
];

const branchOf = ({ delivery, fees, taxRate, isTaxInside, isFeeTaxed }: Shop) =>
  aQuotingBranch({
    ...{ key: BRANCH, otp_required: false, delivery_fee_taxable: isFeeTaxed },
    ...(delivery.from === null ? {} : { location: delivery.from }),
    tax: { rate: Number(taxRate), inclusive: isTaxInside },
    in_mall_require_location: false,
    road_factor: delivery.roadTenths / 10,
    channels: {
      ...{ pickup: { fee: fees.pickup }, in_mall: { fee: fees.in_mall }, umbrella: { fee: fees.umbrella } },
      outside: {
        fee: delivery.flatFee,
        ...(delivery.maxMeters === null ? {} : { max_distance_meters: delivery.maxMeters }),
      },
    },
    delivery_zones: zonesOf(delivery),
  });

const fileOf = (shop: Shop) => {
  const menu = aQuotingMenu();
  const { discount, deals, prices } = shop;
  const everywhere = { on: ONLINE_CHANNELS.map((channel) => ({ channel })) };
  const cut =
    discount === null || 'amount' in discount
      ? discount
      : { percent: Math.round(Number(discount.rate) * 10_000) / 100 };
  return aQuotingShop({
    branches: [branchOf(shop)],
    menu: {
      ...menu,
      items: (menu.items ?? []).map((item) =>
        item.key === 'turkish' || item.key === 'cake' ? { ...item, price: prices[item.key] } : item,
      ),
      deals,
      discounts: cut === null ? [] : [{ key: 'cut', name: 'خصم', ...cut, ...everywhere }],
    },
  });
};

// ── Expectations ────────────────────────────────────────────────────────────────────────────────

const zoneId = (key: string) => derivedId(shopId(), 'zone', branchId(BRANCH), { key });
const points = fc.record({
  lat: fc.integer({ min: -450, max: 450 }).map((steps) => HERE.lat + steps / 10_000),
  lng: fc.integer({ min: -450, max: 450 }).map((steps) => HERE.lng + steps / 10_000),
});
type Point = typeof points extends fc.Arbitrary<infer T> ? T : never;

const deliveryOf = ({ delivery, fees }: Shop, channel: OnlineChannel, point: Point) => {
  if (channel !== 'outside') return { status: 'ok' as const, fee: fees[channel], zone_id: null };
  const { status, fee, zone } = expectedDelivery(delivery, point);
  return { status, fee, zone_id: zone === null ? null : zoneId(zone) };
};

const orderFor = (channel: OnlineChannel, items: Line[], { lat, lng }: Point) =>
  orderOn(channel, {
    ...{ branch_id: branchId(BRANCH), customer_phone: aGuest().typed, items },
    ...(channel === 'outside' ? { customer_lat: lat, customer_lng: lng } : {}),
  });

const agrees = async (shop: Shop, channel: OnlineChannel, items: Line[], point: Point): Promise<void> => {
  const request = {
    address: atBranch(BRANCH),
    channel,
    ...(channel === 'outside' ? { delivery: point } : {}),
  };
  const quote = await quoteOf(world, items, request);
  const expected = deliveryOf(shop, channel, point);
  expect(quote.delivery).toMatchObject(expected);
  const order = orderFor(channel, items, point);
  if (expected.fee === null) {
    expect(quote.order_total).toBeNull();
    const { status, body } = await place(world, { ...order, quoted_total: quote.total });
    expect([status, body]).toMatchObject([400, { code: 'OUT_OF_RANGE' }]);
    return;
  }
  const { taxRate, isTaxInside, isFeeTaxed, discount } = shop;
  const facts = { items: quote.total_after_deals, discount, isFeeTaxed, taxRate, isTaxInside };
  const whole = expectedBill({ ...facts, fee: expected.fee });
  const before = expectedBill({ ...facts, fee: 0 });
  expect(quote).toMatchObject({
    ...{ order_total: whole.total, total: before.total },
    ...{ tax_amount: before.tax, discount_amount: before.discount },
  });
  // Other quoted totals are refused.
  for (const quoted_total of [quote.total, quote.total + expected.fee].filter((one) => one !== whole.total)) {
    const { status, body } = await place(world, { ...order, quoted_total });
    expect([status, body]).toMatchObject([409, { code: 'QUOTE_CHANGED', vars: { total: whole.total } }]);
  }
  const taken = await place(world, { ...order, quoted_total: quote.order_total });
  expect(taken.status).toBe(201);
  const { total, tax_amount, delivery_fee, delivery_zone_id } = taken.body as Order;
  expect({ total, tax_amount, delivery_fee, delivery_zone_id }).toEqual({
    ...{ total: whole.total, tax_amount: whole.tax },
    ...{ delivery_fee: expected.fee, delivery_zone_id: expected.zone_id },
  });
};

test('order_total of a quote equals the order’s total on every channel', async () => {
  await fc.assert(
    fc.asyncProperty(
      shops,
      fc.array(fc.tuple(anyCart, points), { minLength: 2, maxLength: 2 }),
      async (shop, carts) => {
        await openShops(world, fileOf(shop));
        for (const [items, point] of carts)
          for (const channel of ONLINE_CHANNELS) await agrees(shop, channel, items, point);
      },
    ),
    { numRuns: 15 },
  );
}, 120_000);

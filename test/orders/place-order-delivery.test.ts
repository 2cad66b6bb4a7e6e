/** Distance and fee of orders, equal to their quotes. */
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { osrmRoadDistance } from '../../src/adapters/osrm.ts';
import { metersBetween } from '../../src/kernel/geo.ts';
import { branchId, openShops } from '../support/shops/cafe.ts';
import {
  aGuest,
  orderOn,
  place,
  placed,
  refusedAndNothing,
  type Order,
  type OrderInput,
} from '../support/people/guests.ts';
import { onRoads, openOsrm, osrmRefusal, osrmRoute, type OsrmServer } from '../support/stand-ins/osrm.ts';
import {
  aQuotingBranch,
  aQuotingShop,
  atBranch,
  quoteOf,
  type CartQuote,
} from '../support/shops/quoting-shop.ts';
import { makeWorld, type ReadOf, type World } from '../support/server/world.ts';

let world: World;
let osrm: OsrmServer;

const HERE = { lat: 30.0626, lng: 31.2197 };
const DAY = 86_400_000;

/** `half` in degrees. */
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
const ISLAND = { lat: 30.08, lng: 31.25 };

const branch = (key: string, code: string, more: Parameters<typeof aQuotingBranch>[0] = {}) =>
  aQuotingBranch({
    ...{ key, code, otp_required: false, location: HERE, online_hours: [{ open: '00:00', close: '00:00' }] },
    channels: { pickup: {}, outside: { fee: 9900 } },
    ...more,
  });
const rings = [
  { key: 'near', name: { ar: 'قريب', en: 'Near' }, fee: 2000, radius_meters: 2000 },
  { key: 'far', name: { ar: 'بعيد', en: 'Far' }, fee: 3500, radius_meters: 4000 },
];

beforeAll(async () => {
  osrm = await openOsrm();
  world = await makeWorld({
    roads: osrmRoadDistance({
      ...{ url: osrm.url, profile: 'driving', timeoutMs: 30_000 },
      ...{ monotonic: () => 0, onFailing: () => undefined },
    }),
  });
  await openShops(
    world,
    aQuotingShop({
      branches: [
        branch('flat', 'FLT', { channels: { outside: { fee: 2500, max_distance_meters: 3000 } } }),
        branch('rings', 'RNG', { delivery_zones: rings }),
        branch('drawn', 'DRW', {
          delivery_zones: [
            ...rings,
            { key: 'island', name: 'الجزيرة', fee: 1500, polygon: square(ISLAND, 0.01) },
          ],
        }),
        branch('island', 'ISL', {
          delivery_zones: [{ key: 'only', name: 'الجزيرة', fee: 1700, polygon: square(ISLAND, 0.01) }],
        }),
        branch('added', 'ADD', {
          tax: { rate: 0.14, inclusive: false },
          delivery_fee_taxable: true,
          delivery_zones: rings,
        }),
        branch('inside', 'INS', {
          tax: { rate: 0.14, inclusive: true },
          delivery_fee_taxable: true,
          delivery_zones: rings,
        }),
        branch('untaxed', 'UNT', { tax: { rate: 0.14, inclusive: false }, delivery_zones: rings }),
        branch('asking', 'ASK', { otp_required: true, delivery_zones: rings }),
      ],
    }),
  );
});
beforeEach(async () => {
  await world.db.kysely.deleteFrom('road_distance').execute();
  osrm.answers = onRoads;
  osrm.asked.length = 0;
});
afterEach(() => {
  world.now = Date.parse('2026-11-20T18:00:00Z');
});
afterAll(async () => {
  await world.close();
  await osrm.stop();
});

interface Point {
  readonly lat: number;
  readonly lng: number;
}
/** As the crow flies, within a metre. */
const north = (meters: number): Point => ({ ...HERE, lat: HERE.lat + meters / 111_195.08 });

const to = (key: string, { lat, lng }: Point): OrderInput =>
  orderOn('outside', {
    ...{ branch_id: branchId(key), customer_phone: aGuest().typed, customer_lat: lat, customer_lng: lng },
  });
const deliveryQuote = (key: string, { lat, lng }: Point): Promise<ReadOf<'quoteDelivery'>> =>
  world.read(
    'quoteDelivery',
    `/public/branches/${branchId(key)}/delivery-quote?channel=outside&lat=${lat.toFixed(6)}&lng=${lng.toFixed(6)}`,
  );
const cartQuote = (key: string): Promise<CartQuote> =>
  quoteOf(world, orderOn('outside').items, { address: atBranch(key), channel: 'outside' });

/** Asserts that order and delivery quote agree. */
const agreed = async (key: string, point: Point): Promise<Order> => {
  const quote = await deliveryQuote(key, point);
  const order = await placed(world, to(key, point));
  expect(quote).toMatchObject({
    ...{ status: 'ok', fee: order.delivery_fee, zone_id: order.delivery_zone_id },
    ...{ distance_meters: order.road_distance_meters, distance_source: order.distance_source },
  });
  return order;
};

describe('the delivery fee', () => {
  test('is flat up to the branch’s maximum distance by road', async () => {
    const order = await agreed('flat', north(2000));
    expect(order).toMatchObject({
      ...{ delivery_fee: 2500, delivery_zone_id: null, distance_source: 'osrm', total: 4500 + 2500 },
      road_distance_meters: Math.round(metersBetween(HERE, north(2000)) * 1.4),
    });
  });

  test('is that of the smallest ring that contains the place', async () => {
    expect((await agreed('rings', north(1000))).delivery_fee).toBe(2000);
    expect((await agreed('rings', north(2500))).delivery_fee).toBe(3500);
  });

  test('is that of a drawn area that contains the place, edges included', async () => {
    for (const point of [ISLAND, { ...ISLAND, lat: 30.07 }, { lat: 30.09, lng: 31.26 }])
      expect((await agreed('drawn', point)).delivery_fee).toBe(1500);
    expect((await agreed('drawn', north(1000))).delivery_fee).toBe(2000);
  });

  test('is part of the total and taxed only with delivery_fee_taxable', async () => {
    const point = north(1000);
    const [untaxed, added, inside] = [
      await agreed('untaxed', point),
      await agreed('added', point),
      await agreed('inside', point),
    ];
    expect(untaxed).toMatchObject({ subtotal: 4500, delivery_fee: 2000, tax_amount: 630, total: 7130 });
    expect(added).toMatchObject({ subtotal: 4500, delivery_fee: 2000, tax_amount: 910, total: 7410 });
    expect(inside).toMatchObject({ subtotal: 4500, delivery_fee: 2000, tax_amount: 798, total: 6500 });
    // Without the fee.
    expect((await cartQuote('untaxed')).total + 2000).toBe(untaxed.total);
    expect((await cartQuote('added')).total + 2000 + 280).toBe(added.total);
    expect((await cartQuote('inside')).total + 2000).toBe(inside.total);
  });
});

describe('a place out of range', () => {
  test.each([
    ['flat', north(2500), 3000],
    ['rings', north(3000), 4000],
    ['drawn', north(-3500), 4000],
  ])(
    'is beyond the maximum or the largest ring (%s) and refused with the quote’s figures',
    async (key, point, max) => {
      const quote = await deliveryQuote(key, point);
      expect(quote).toMatchObject({ status: 'out_of_range', fee: null, max_meters: max });
      expect(await refusedAndNothing(world, to(key, point))).toMatchObject({
        ...{ status: 400, code: 'OUT_OF_RANGE' },
        vars: { distance_meters: quote.distance_meters, tested_meters: quote.tested_meters, max_meters: max },
      });
      expect(quote.distance_meters).toBeGreaterThan(max);
    },
  );

  test('is outside every drawn area and refused with max_meters null', async () => {
    const refusal = await refusedAndNothing(world, to('island', HERE));
    expect(refusal).toMatchObject({ code: 'OUT_OF_RANGE', vars: { distance_meters: 0, max_meters: null } });
    expect((await agreed('island', ISLAND)).delivery_fee).toBe(1700);
  });
});

test('an order to any place is accepted exactly where its delivery quote is ok, for that fee', async () => {
  const degrees = (middle: number) =>
    fc.integer({ min: -500, max: 500 }).map((steps) => middle + steps / 10_000);
  const points = fc.record({ lat: degrees(HERE.lat), lng: degrees(HERE.lng) });
  await fc.assert(
    fc.asyncProperty(points, fc.constantFrom('flat', 'rings', 'drawn', 'island'), async (point, key) => {
      const quote = await deliveryQuote(key, point);
      const { status, body } = await place(world, to(key, point));
      if (quote.status === 'ok')
        expect(body).toMatchObject({ delivery_fee: quote.fee, delivery_zone_id: quote.zone_id });
      else expect(body).toMatchObject({ code: 'OUT_OF_RANGE', vars: { max_meters: quote.max_meters } });
      expect(status).toBe(quote.status === 'ok' ? 201 : 400);
    }),
    { numRuns: 60 },
  );
});

describe('the distance', () => {
  test('is the great circle when the routing server is down, tested with the road factor', async () => {
    await osrm.stop();
    try {
      const point = north(1600);
      const order = await agreed('rings', point);
      // 1.3 times 1,600 m is beyond the ring of 2,000 m.
      expect(order).toMatchObject({ delivery_fee: 3500, distance_source: 'haversine' });
      expect(order.road_distance_meters).toBe(metersBetween(HERE, point));
      const { vars } = await refusedAndNothing(world, to('rings', north(3300)));
      expect(vars).toMatchObject({
        max_meters: 4000,
        tested_meters: Math.ceil(metersBetween(HERE, north(3300)) * 1.3),
      });
    } finally {
      await osrm.start();
    }
  });

  test.each([
    ['knows no way', () => osrmRefusal('NoRoute', 'Impossible route between points')],
    ['answers nonsense', () => ({ status: 200, body: '<html>' })],
    ['fails', () => ({ status: 502, body: '' })],
  ])('is the great circle when the routing server %s', async (_, answers) => {
    osrm.answers = answers;
    expect((await agreed('rings', north(1000))).distance_source).toBe('haversine');
  });

  test('is that of the quote for 24 hours, also when the routing server’s answer changes', async () => {
    const point = north(1000);
    const quoted = await deliveryQuote('rings', point);
    osrm.answers = (from, end) => osrmRoute(from, end, 3900);
    world.now += DAY - 1;
    expect(await placed(world, to('rings', point))).toMatchObject({
      ...{ delivery_fee: quoted.fee, road_distance_meters: quoted.distance_meters, distance_source: 'osrm' },
    });
    world.now += 1;
    expect(await placed(world, to('rings', point))).toMatchObject({
      delivery_fee: 3500,
      road_distance_meters: 3900,
    });
    expect(osrm.asked).toHaveLength(2);
  });

  test('is the same for twenty concurrent orders to one place', async () => {
    const orders = await Promise.all(
      Array.from({ length: 20 }, () => placed(world, to('rings', north(1200)))),
    );
    expect(new Set(orders.map((order) => order.road_distance_meters)).size).toBe(1);
  });

  test('is not queried for an unproven phone, a missing address or a pickup order', async () => {
    await refusedAndNothing(world, to('asking', north(1000)));
    await refusedAndNothing(world, { ...to('rings', north(1000)), address_line: '' });
    await placed(world, { ...to('rings', north(1000)), channel: 'pickup' });
    expect(osrm.asked).toEqual([]);
  });
});

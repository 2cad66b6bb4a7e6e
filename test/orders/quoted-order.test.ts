/** The quoted total includes the fee and its tax, and equals the order's total. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { osrmRoadDistance } from '../../src/adapters/osrm.ts';
import { branchId, openShops } from '../support/shops/cafe.ts';
import { makeDemo } from '../support/shops/demo.ts';
import { aGuest, anOrder, orderOn, placed, refusedAndNothing } from '../support/people/guests.ts';
import { openOsrm, osrmRoute, type OsrmServer } from '../support/stand-ins/osrm.ts';
import {
  aQuotingBranch,
  aQuotingShop,
  atBranch,
  atTable,
  line,
  quoteOf,
  cartRefusal,
} from '../support/shops/quoting-shop.ts';
import { post } from '../support/server/requests.ts';
import { makeWorld, type ReadOf, type World } from '../support/server/world.ts';

const HERE = { lat: 30.0626, lng: 31.2197 };
const NEAR = { lat: 30.0716, lng: 31.2197 };
const FAR = { lat: 30.0626, lng: 31.3197 };
const DAY = 86_400_000;

let world: World;
let osrm: OsrmServer;

const branch = (key: string, code: string, more: Parameters<typeof aQuotingBranch>[0] = {}) =>
  aQuotingBranch({
    ...{ key, code, otp_required: false, location: HERE, online_hours: [{ open: '00:00', close: '00:00' }] },
    ...{ tax: { rate: 0.14, inclusive: false }, delivery_fee_taxable: true },
    channels: { pickup: { fee: 300 }, in_mall: { fee: 700 }, umbrella: {}, outside: { fee: 9900 } },
    delivery_zones: [
      { key: 'near', name: { ar: 'قريب', en: 'Near' }, fee: 2000, radius_meters: 2000 },
      { key: 'far', name: { ar: 'بعيد', en: 'Far' }, fee: 3500, radius_meters: 4000 },
    ],
    ...more,
  });
const shop = (fee = 2000) =>
  aQuotingShop({
    branches: [
      branch('rings', 'RNG', {
        delivery_zones: [
          { key: 'near', name: { ar: 'قريب', en: 'Near' }, fee, radius_meters: 2000 },
          { key: 'far', name: { ar: 'بعيد', en: 'Far' }, fee: 3500, radius_meters: 4000 },
        ],
      }),
      branch('lost', 'LST'),
    ],
  });

beforeAll(async () => {
  osrm = await openOsrm();
  world = await makeWorld({
    roads: osrmRoadDistance({
      ...{ url: osrm.url, profile: 'driving', timeoutMs: 30_000 },
      ...{ monotonic: () => 0, onFailing: () => undefined },
    }),
  });
  await openShops(world, shop());
});
beforeEach(async () => {
  await world.db.kysely.deleteFrom('road_distance').execute();
  osrm.answers = (from, to) => osrmRoute(from, to, 1500);
  osrm.asked.length = 0;
});
afterEach(() => {
  world.now = Date.parse('2026-11-20T18:00:00Z');
});
afterAll(async () => {
  await world.close();
  await osrm.stop();
});

const coffee = [line('turkish')];
const at = { address: atBranch('rings'), channel: 'outside' as const };
const quoteAt = (delivery?: { lat: number; lng: number }) =>
  quoteOf(world, coffee, { ...at, ...(delivery === undefined ? {} : { delivery }) });
const orderTo = ({ lat, lng }: { lat: number; lng: number }) =>
  orderOn('outside', {
    ...{ branch_id: branchId('rings'), customer_phone: aGuest().typed, items: coffee },
    ...{ customer_lat: lat, customer_lng: lng },
  });

test('a demo cart of 22.80 with a taxed fee of 20.00 has an order_total of 45.60', async () => {
  const { world: demo } = await makeDemo({ now: '2026-11-20T18:00:00Z' });
  try {
    const at = { address: atBranch('maadi'), channel: 'outside' as const };
    const delivery = { lat: 29.962, lng: 31.26 };
    // The neighbours' discount: 20.00.
    const items = [line('water'), line('water', { size_label: 'لتر ونص' })];
    const quote = await quoteOf(demo, items, { ...at, delivery });
    expect([quote.total, quote.delivery?.fee]).toEqual([2280, 2000]);
    expect(quote.order_total).toBe(4560);
    const order = {
      ...anOrder({ branch_id: branchId('maadi'), channel: 'outside', items, customer_phone: aGuest().typed }),
      ...{ address_line: 'شارع ٩', customer_lat: delivery.lat, customer_lng: delivery.lng },
    };
    expect(await refusedAndNothing(demo, { ...order, quoted_total: 4280 })).toMatchObject({
      ...{ status: 409, code: 'QUOTE_CHANGED', vars: { total: 4560, delivery_fee: 2000 } },
    });
    expect(await placed(demo, { ...order, quoted_total: 4560 })).toMatchObject({
      total: 4560,
      tax_amount: 560,
    });
  } finally {
    await demo.close();
  }
});

describe('order_total is known', () => {
  test.each([
    ['pickup', 300, 5472],
    ['in_mall', 700, 5928],
    ['umbrella', 0, 5130],
  ] as const)('on %s, which has a flat fee, without measuring a distance', async (channel, fee, total) => {
    for (const place of [{}, { delivery: NEAR }, { delivery: FAR }]) {
      const quote = await quoteOf(world, coffee, { ...at, channel, ...place });
      expect(quote).toMatchObject({
        ...{ total: 5130, tax_amount: 630, order_total: total },
        delivery: { status: 'ok', fee, zone_id: null, distance_meters: null },
      });
    }
    expect(osrm.asked).toEqual([]);
    const order = orderOn(channel, {
      branch_id: branchId('rings'),
      customer_phone: aGuest().typed,
      items: coffee,
    });
    expect((await placed(world, { ...order, quoted_total: total })).total).toBe(total);
  });

  test('at a table, with service charge and without delivery', async () => {
    const { total, delivery, order_total, service_charge_amount } = await quoteOf(world, coffee, {
      address: atTable('t1', 'rings'),
    });
    expect({ delivery, order_total, service_charge_amount }).toEqual({
      ...{ delivery: null, order_total: total, service_charge_amount: 540 },
    });
    expect(total).toBe(4500 + 540 + 630);
  });

  test('with hints, in a quote equal to the one without hints', async () => {
    const { hints, ...quote } = await quoteOf(world, coffee, { ...at, delivery: NEAR, hints: true });
    expect(hints).toEqual([]);
    expect(quote).toEqual(await quoteAt(NEAR));
  });
});

describe('order_total is null', () => {
  test('on outside without a place, while the rest of the quote is the same', async () => {
    const known = await quoteAt(NEAR);
    expect(known).toMatchObject({ total: 5130, order_total: 7410 });
    expect(await quoteAt()).toEqual({ ...known, delivery: null, order_total: null, order_tax_amount: null });
  });

  test('out of range, where the distance is returned', async () => {
    osrm.answers = (from, to) => osrmRoute(from, to, 4001);
    const { delivery, order_total } = await quoteAt(NEAR);
    expect([delivery, order_total]).toEqual([
      { status: 'out_of_range', zone_id: null, distance_meters: 4001, fee: null },
      null,
    ]);
    expect(await refusedAndNothing(world, orderTo(NEAR))).toMatchObject({ code: 'OUT_OF_RANGE' });
  });

  test('when the fee depends on distance and the branch has no location', async () => {
    await world.db.kysely
      .updateTable('branch')
      .set({ lat: null, lng: null })
      .where('id', '=', branchId('lost'))
      .execute();
    const { delivery, order_total } = await quoteOf(world, coffee, {
      ...at,
      ...{ address: atBranch('lost'), delivery: NEAR },
    });
    expect([delivery, order_total]).toEqual([
      { status: 'unavailable', zone_id: null, distance_meters: null, fee: null },
      null,
    ]);
  });
});

describe('the distance', () => {
  const deliveryQuote = ({ lat, lng }: { lat: number; lng: number }): Promise<ReadOf<'quoteDelivery'>> =>
    world.read(
      'quoteDelivery',
      `/public/branches/${branchId('rings')}/delivery-quote?channel=outside&lat=${lat}&lng=${lng}`,
    );

  test('is queried once in 24 hours for cart quotes, delivery quotes and orders', async () => {
    const quote = await quoteAt(NEAR);
    const { status, fee, zone_id, distance_meters } = await deliveryQuote(NEAR);
    expect(quote.delivery).toEqual({ status, fee, zone_id, distance_meters });
    osrm.answers = (from, to) => osrmRoute(from, to, 3900);
    world.now += DAY - 1;
    for (const tap of [1, 2, 3])
      expect(
        await quoteOf(world, [line('turkish', { quantity: tap })], { ...at, delivery: NEAR }),
      ).toMatchObject({
        delivery: quote.delivery,
      });
    // A few metres away: the same place to four decimals.
    expect((await quoteAt({ ...NEAR, lat: NEAR.lat + 0.00004 })).delivery).toEqual(quote.delivery);
    expect((await placed(world, { ...orderTo(NEAR), quoted_total: quote.order_total })).total).toBe(7410);
    expect(osrm.asked).toHaveLength(1);
    world.now += 1;
    expect((await quoteAt(NEAR)).delivery).toMatchObject({ fee: 3500, distance_meters: 3900 });
    expect(osrm.asked).toHaveLength(2);
  });

  test('is the same for twenty concurrent quotes and the order', async () => {
    let metres = 1000;
    osrm.answers = (from, to) => osrmRoute(from, to, (metres += 10));
    const quotes = await Promise.all(Array.from({ length: 20 }, () => quoteAt(NEAR)));
    expect(new Set(quotes.map(({ delivery }) => delivery?.distance_meters)).size).toBe(1);
    const [quote] = quotes;
    expect((await placed(world, orderTo(NEAR))).road_distance_meters).toBe(quote?.delivery?.distance_meters);
  });

  test('stays the same when the routing server stops between quote and order', async () => {
    const { order_total: quoted_total } = await quoteAt(NEAR);
    await osrm.stop();
    try {
      expect((await placed(world, { ...orderTo(NEAR), quoted_total })).distance_source).toBe('osrm');
    } finally {
      await osrm.start();
    }
  });
});

test('a fee that changed between quote and order is QUOTE_CHANGED, and the next quote has it', async () => {
  const { order_total: quoted_total } = await quoteAt(NEAR);
  await openShops(world, shop(2100));
  try {
    expect(await refusedAndNothing(world, { ...orderTo(NEAR), quoted_total })).toMatchObject({
      ...{ code: 'QUOTE_CHANGED', vars: { total: 7524, delivery_fee: 2100 } },
    });
    expect((await quoteAt(NEAR)).order_total).toBe(7524);
  } finally {
    await openShops(world, shop());
  }
});

describe('delivery in the body of a cart quote', () => {
  test.each<[string, unknown, readonly string[]]>([
    ['null', null, ['delivery']],
    ['text', '30.0716,31.2197', ['delivery']],
    ['a list', [30.0716, 31.2197], ['delivery']],
    ['nothing', {}, ['delivery.lat', 'delivery.lng']],
    ['half a place', { lat: 30 }, ['delivery.lng']],
    ['the other half', { lng: 31 }, ['delivery.lat']],
    ['texts', { lat: '30.0', lng: '31.0' }, ['delivery.lat', 'delivery.lng']],
    ['nulls', { lat: null, lng: null }, ['delivery.lat', 'delivery.lng']],
    ['truth', { lat: true, lng: false }, ['delivery.lat', 'delivery.lng']],
    ['beyond the poles', { lat: 90.000001, lng: 31 }, ['delivery.lat']],
    ['beyond the date line', { lat: 30, lng: -180.5 }, ['delivery.lng']],
    ['another field', { ...NEAR, city: 'القاهرة' }, ['delivery.city']],
  ])('is refused when it is %s', async (_, delivery, fields) => {
    for (const channel of ['outside', 'pickup', 'in_mall'])
      for (const language of ['en', 'ar'] as const) {
        const body = { items: coffee, channel, delivery };
        const refusal = await cartRefusal(world, body, atBranch('rings'), language);
        expect([refusal.status, refusal.fields?.map(({ path }) => path)]).toEqual([400, fields]);
      }
    expect(osrm.asked).toEqual([]);
  });

  test('may be at the poles and the date line', async () => {
    for (const delivery of [
      { lat: 90, lng: 180 },
      { lat: -90, lng: -180 },
      { lat: 0, lng: 0 },
    ])
      expect((await quoteAt(delivery)).delivery?.status).toBe('out_of_range');
    const { status } = await post(
      world,
      atBranch('rings'),
      `{"items":${JSON.stringify(coffee)},"channel":"outside","delivery":{"lat":-0.0,"lng":1e-320}}`,
    );
    expect(status).toBe(200);
  });

  test('is refused at a table', async () => {
    const refusal = await cartRefusal(world, { items: coffee, delivery: NEAR }, atTable('t1', 'rings'));
    expect([refusal.status, refusal.fields?.map(({ path }) => path)]).toEqual([400, ['delivery']]);
  });
});

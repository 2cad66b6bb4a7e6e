import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  deliveryOf,
  type Delivery,
  type DeliveryTerms,
  type DeliveryZone,
  type Distance,
} from './delivery.ts';
import type { Ring } from '../../kernel/geo.ts';

const HOME = { lat: 30.06, lng: 31.22 };
const byRoad = (meters: number): Distance => ({ meters, source: 'osrm' });
const asTheCrowFlies = (meters: number): Distance => ({ meters, source: 'haversine' });

const terms = (overrides: Partial<DeliveryTerms> = {}): DeliveryTerms => ({
  flatFee: 1500,
  maxMeters: null,
  roadFactor: '1.30',
  zones: [],
  ...overrides,
});

const zone = (id: string, fee: number, shape: DeliveryZone['shape']): DeliveryZone => ({
  id,
  name: `منطقة ${id}`,
  nameTranslations: {},
  fee,
  shape,
});
const ring = (id: string, radiusMeters: number, fee: number): DeliveryZone =>
  zone(id, fee, { kind: 'ring', radiusMeters });
/** `reach` in degrees. */
const square = (reach: number, { lat, lng } = HOME): Ring => [
  [lng - reach, lat - reach],
  [lng + reach, lat - reach],
  [lng + reach, lat + reach],
  [lng - reach, lat + reach],
  [lng - reach, lat - reach],
];
const around = (id: string, fee: number, place = HOME): DeliveryZone =>
  zone(id, fee, { kind: 'polygon', area: { type: 'Polygon', coordinates: [square(0.01, place)] } });
const elsewhere = (id: string, fee: number): DeliveryZone => around(id, fee, { lat: 31.2, lng: 29.9 });

const outside = (of: Partial<DeliveryTerms>, distance: Distance | null = byRoad(2_000)): Delivery =>
  deliveryOf('outside', terms(of), HOME, distance);

/** Zone and fee, or the status. */
const short = (delivery: Delivery): string =>
  delivery.status === 'ok' ? `${delivery.zoneId ?? 'flat'} ${delivery.fee}` : delivery.status;

describe('a branch without zones', () => {
  test('delivers everywhere for its flat fee and returns the distance', () => {
    expect(outside({}, byRoad(90_000))).toEqual({
      status: 'ok',
      zoneId: null,
      fee: 1500,
      distance: byRoad(90_000),
    });
  });

  test('delivers up to its maximum, to the metre', () => {
    expect(short(outside({ maxMeters: 2_000 }))).toBe('flat 1500');
    expect(outside({ maxMeters: 1_999 })).toEqual({
      status: 'out_of_range',
      distanceMeters: 2_000,
      testedMeters: 2_000,
      maxMeters: 1_999,
    });
  });

  test('needs a distance only with a maximum', () => {
    expect(outside({}, null)).toEqual({ status: 'ok', zoneId: null, fee: 1500, distance: null });
    expect(outside({ maxMeters: 5_000 }, null)).toEqual({ status: 'unavailable' });
  });
});

describe('the road factor', () => {
  test('applies to the tested great circle, but not to the returned distance', () => {
    const delivery = outside({ maxMeters: 2_600 }, asTheCrowFlies(2_000));
    expect(delivery).toEqual({ status: 'ok', zoneId: null, fee: 1500, distance: asTheCrowFlies(2_000) });
    expect(outside({ maxMeters: 2_600 }, asTheCrowFlies(2_001))).toEqual({
      status: 'out_of_range',
      distanceMeters: 2_001,
      testedMeters: 2_602,
      maxMeters: 2_600,
    });
  });

  test('is exact: 1.1 times 100 m is 110 m, which floating point exceeds', () => {
    expect(1.1 * 100 <= 110).toBe(false);
    expect(short(outside({ maxMeters: 110, roadFactor: '1.10' }, asTheCrowFlies(100)))).toBe('flat 1500');
  });

  test('does not apply to a distance by road', () => {
    expect(short(outside({ maxMeters: 2_000 }, byRoad(2_000)))).toBe('flat 1500');
    expect(short(outside({ zones: [ring('a', 2_000, 900)] }, byRoad(2_000)))).toBe('a 900');
    expect(short(outside({ zones: [ring('a', 2_000, 900)] }, asTheCrowFlies(2_000)))).toBe('out_of_range');
  });
});

describe('rings', () => {
  const rings = [ring('far', 5_000, 3_000), ring('near', 1_000, 500), ring('middle', 3_000, 4_000)];

  test('the smallest ring around the place sets the fee, even if a larger one is cheaper', () => {
    expect(short(outside({ zones: rings }, byRoad(1_000)))).toBe('near 500');
    expect(short(outside({ zones: rings }, byRoad(1_001)))).toBe('middle 4000');
    expect(short(outside({ zones: rings }, byRoad(5_000)))).toBe('far 3000');
  });

  test('a place beyond the largest ring is out of range, despite the flat fee', () => {
    expect(outside({ zones: rings }, byRoad(5_001))).toEqual({
      status: 'out_of_range',
      distanceMeters: 5_001,
      testedMeters: 5_001,
      maxMeters: 5_000,
    });
  });

  test('of two equal rings the cheaper one counts, then the one with the lower id', () => {
    const two = [ring('b', 3_000, 700), ring('c', 3_000, 600), ring('a', 3_000, 700)];
    expect(short(outside({ zones: two }))).toBe('c 600');
    expect(short(outside({ zones: two.filter(({ id }) => id !== 'c') }))).toBe('a 700');
  });

  test('the branch’s maximum limits every ring', () => {
    expect(outside({ zones: rings, maxMeters: 1_500 })).toEqual({
      status: 'out_of_range',
      distanceMeters: 2_000,
      testedMeters: 2_000,
      maxMeters: 1_500,
    });
  });

  test('rings without a distance are unavailable', () => {
    expect(outside({ zones: rings }, null)).toEqual({ status: 'unavailable' });
  });
});

describe('drawn areas', () => {
  test('a drawn area comes before every ring, even if the ring is cheaper', () => {
    const zones = [ring('r', 5_000, 100), around('drawn', 9_900)];
    expect(short(outside({ zones }))).toBe('drawn 9900');
  });

  test('of several areas that contain the place the cheapest counts, then the lower id', () => {
    const zones = [around('b', 800), around('a', 800), around('c', 900), elsewhere('d', 1)];
    expect(short(outside({ zones }))).toBe('a 800');
  });

  test('the rings decide if no area contains the place', () => {
    expect(short(outside({ zones: [elsewhere('d', 1), ring('r', 5_000, 100)] }))).toBe('r 100');
    expect(outside({ zones: [elsewhere('d', 1), ring('r', 1_000, 100)] })).toEqual({
      status: 'out_of_range',
      distanceMeters: 2_000,
      testedMeters: 2_000,
      maxMeters: 1_000,
    });
  });

  test('areas alone need no distance, and a place outside them has no maximum distance', () => {
    expect(outside({ zones: [around('a', 800)] }, null)).toEqual({
      status: 'ok',
      zoneId: 'a',
      fee: 800,
      distance: null,
    });
    expect(outside({ zones: [elsewhere('d', 1)] }, null)).toEqual({
      status: 'out_of_range',
      distanceMeters: null,
      testedMeters: null,
      maxMeters: null,
    });
    expect(outside({ zones: [elsewhere('d', 1)], maxMeters: 5_000 }, asTheCrowFlies(1_001))).toEqual({
      status: 'out_of_range',
      distanceMeters: 1_001,
      testedMeters: 1_302,
      maxMeters: null,
    });
  });

  test('the branch’s maximum limits every area', () => {
    expect(short(outside({ zones: [around('a', 800)], maxMeters: 1_999 }))).toBe('out_of_range');
    expect(short(outside({ zones: [around('a', 800)], maxMeters: 2_000 }))).toBe('a 800');
    expect(short(outside({ zones: [around('a', 800)], maxMeters: 2_000 }, null))).toBe('unavailable');
  });
});

describe('the other channels', () => {
  test('have their flat fee for every place, regardless of zones and maximum', () => {
    const strict = terms({ zones: [ring('r', 10, 100)], maxMeters: 10 });
    for (const channel of ['pickup', 'in_mall', 'umbrella'] as const)
      for (const place of [HOME, null])
        expect(deliveryOf(channel, strict, place, null)).toEqual({
          status: 'ok',
          zoneId: null,
          fee: 1500,
          distance: null,
        });
  });

  test('need no place, unlike outside', () => {
    expect(deliveryOf('outside', terms(), null, null)).toEqual({ status: 'unavailable' });
  });
});

describe('for any terms', () => {
  const meters = fc.integer({ min: 1, max: 40 });
  const any: fc.Arbitrary<DeliveryZone> = fc
    .record({
      id: fc.constantFrom('a', 'b', 'c', 'd'),
      fee: fc.integer({ min: 0, max: 3 }),
      meters,
      kind: fc.nat(4),
    })
    .map(({ id, fee, meters: radius, kind }) =>
      kind > 1 ? ring(id, radius, fee) : kind === 1 ? around(id, fee) : elsewhere(id, fee),
    );
  const anyTerms: fc.Arbitrary<Partial<DeliveryTerms>> = fc.record({
    flatFee: fc.integer({ min: 0, max: 3 }),
    maxMeters: fc.option(meters, { nil: null }),
    roadFactor: fc.constantFrom('1', '1.30', '1.05', '5.00'),
    zones: fc.uniqueArray(any, { maxLength: 4, selector: ({ id }) => id }),
  });
  const anyDistance: fc.Arbitrary<Distance> = fc.record({
    meters: fc.nat(45),
    source: fc.constantFrom('osrm' as const, 'haversine' as const),
  });

  test('the order of the zones has no effect', () => {
    fc.assert(
      fc.property(anyTerms, anyDistance, ({ zones = [], ...rest }, distance) => {
        expect(outside({ ...rest, zones: [...zones].reverse() }, distance)).toEqual(
          outside({ ...rest, zones }, distance),
        );
      }),
    );
  });

  test('a nearer place is never out of range if a farther one is in range', () => {
    fc.assert(
      fc.property(anyTerms, anyDistance, (of, distance) => {
        if (distance.meters === 0 || outside(of, distance).status !== 'ok') return;
        expect(outside(of, { ...distance, meters: distance.meters - 1 }).status).toBe('ok');
      }),
    );
  });

  test('the returned zone has the returned fee, and out of range is beyond the returned maximum', () => {
    fc.assert(
      fc.property(anyTerms, fc.option(anyDistance), (of, distance) => {
        const delivery = outside(of, distance);
        if (delivery.status === 'ok') {
          const named = of.zones?.find(({ id }) => id === delivery.zoneId);
          expect(delivery.fee).toBe(named?.fee ?? of.flatFee);
          expect(named === undefined).toBe(of.zones?.length === 0);
        }
        if (delivery.status === 'out_of_range' && delivery.maxMeters !== null)
          expect(delivery.testedMeters).toBeGreaterThan(delivery.maxMeters);
        if (delivery.status === 'unavailable') expect(distance).toBeNull();
      }),
    );
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { areaContains, metersBetween, type Area, type GeoPoint, type Ring } from './geo.ts';
import { referenceAreaHolds, type Corner } from './geo.test-support.ts';

const at = (lat: number, lng: number): GeoPoint => ({ lat, lng });

describe('the great-circle distance', () => {
  test('from Tahrir Square to Bibliotheca Alexandrina is 181 km', () => {
    expect(metersBetween(at(30.0444, 31.2357), at(31.2089, 29.9092))).toBe(181_316);
  });

  test('a degree north is 111.195 km everywhere; a degree east is as long at the equator, half at 60°', () => {
    expect(metersBetween(at(0, 0), at(1, 0))).toBe(111_195);
    expect(metersBetween(at(60, 31), at(61, 31))).toBe(111_195);
    expect(metersBetween(at(0, 31), at(0, 32))).toBe(111_195);
    expect(metersBetween(at(60, 31), at(60, 32))).toBe(55_597);
  });

  test('takes the short way over the antimeridian and the pole', () => {
    expect(metersBetween(at(0, 179.9), at(0, -179.9))).toBe(22_239);
    expect(metersBetween(at(89.9, 0), at(89.9, 180))).toBe(22_239);
    expect(metersBetween(at(90, 12), at(90, -140))).toBe(0);
  });

  test('to the opposite point is half the circumference of the Earth', () => {
    expect(metersBetween(at(0, 0), at(0, 180))).toBe(20_015_114);
    expect(metersBetween(at(30.0444, 31.2357), at(-30.0444, -148.7643))).toBe(20_015_114);
  });

  const place = fc.record({
    lat: fc.double({ min: -90, max: 90, noNaN: true }),
    lng: fc.double({ min: -180, max: 180, noNaN: true }),
  });

  /** The angle between two directions from the Earth's centre, by vectors. */
  const byVectors = (a: GeoPoint, b: GeoPoint): number => {
    const vector = ({ lat, lng }: GeoPoint): readonly [number, number, number] => {
      const [north, east] = [(lat * Math.PI) / 180, (lng * Math.PI) / 180];
      return [Math.cos(north) * Math.cos(east), Math.cos(north) * Math.sin(east), Math.sin(north)];
    };
    const [[ax, ay, az], [bx, by, bz]] = [vector(a), vector(b)];
    const across = Math.hypot(ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx);
    return Math.atan2(across, ax * bx + ay * by + az * bz) * 6_371_008.8;
  };

  test('is symmetric, and equals the angle at the centre of the Earth computed with vectors', () => {
    fc.assert(
      fc.property(place, place, (a, b) => {
        expect(metersBetween(a, b)).toBe(metersBetween(b, a));
        expect(Math.abs(metersBetween(a, b) - byVectors(a, b))).toBeLessThan(1);
        expect(metersBetween(a, a)).toBe(0);
      }),
    );
  });
});

const square = (west: number, south: number, east: number, north: number): Ring => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];
const polygon = (...coordinates: readonly Ring[]): Area => ({ type: 'Polygon', coordinates });

describe('an area on the map', () => {
  const zamalek = polygon(square(31.21, 30.05, 31.23, 30.07));

  test('contains its inside, corners and edges, and no point outside', () => {
    expect(areaContains(zamalek, at(30.06, 31.22))).toBe(true);
    for (const [lat, lng] of [
      [30.05, 31.21],
      [30.07, 31.23],
      [30.05, 31.22],
      [30.06, 31.23],
    ] as const)
      expect(areaContains(zamalek, at(lat, lng))).toBe(true);
    expect(areaContains(zamalek, at(30.0499999999999, 31.22))).toBe(false);
    expect(areaContains(zamalek, at(30.06, 31.2300000000001))).toBe(false);
    expect(areaContains(zamalek, at(30.05, 31.2))).toBe(false);
  });

  test('does not contain a hole, but contains the edge of the hole', () => {
    const withPark = polygon(square(0, 0, 9, 9), square(3, 3, 6, 6));
    expect(areaContains(withPark, at(4, 4))).toBe(false);
    expect(areaContains(withPark, at(3, 4))).toBe(true);
    expect(areaContains(withPark, at(6, 6))).toBe(true);
    expect(areaContains(withPark, at(2, 4))).toBe(true);
  });

  test('of several parts contains the points of each part, also inside the hole of another part', () => {
    const parts: Area = {
      type: 'MultiPolygon',
      coordinates: [[square(0, 0, 9, 9), square(3, 3, 6, 6)], [square(4, 4, 5, 5)], [square(20, 0, 21, 1)]],
    };
    expect(areaContains(parts, at(4.5, 4.5))).toBe(true);
    expect(areaContains(parts, at(3.5, 3.5))).toBe(false);
    expect(areaContains(parts, at(0.5, 20.5))).toBe(true);
    expect(areaContains(parts, at(0.5, 15))).toBe(false);
  });

  test('has its edge at the exact decimals, without binary rounding', () => {
    const triangle = polygon([
      [0, 0],
      [1, 0],
      [0, 1],
      [0, 0],
    ]);
    // As binary fractions 0.1 + 0.9 and 0.7 + 0.3 are not exactly 1.
    for (const tenth of [1, 2, 3, 4, 6, 7, 8, 9])
      expect(areaContains(triangle, at(tenth / 10, (10 - tenth) / 10))).toBe(true);
    expect(areaContains(triangle, at(0.1, 0.9000000000000001))).toBe(false);
  });

  test('can be drawn clockwise and counter-clockwise', () => {
    const backwards = polygon([...square(31.21, 30.05, 31.23, 30.07)].reverse());
    expect(areaContains(backwards, at(30.06, 31.22))).toBe(true);
    expect(areaContains(backwards, at(30.08, 31.22))).toBe(false);
  });

  test('that crosses itself contains the points inside each loop', () => {
    const bow = polygon([
      [0, 0],
      [4, 4],
      [4, 0],
      [0, 4],
      [0, 0],
    ]);
    expect(areaContains(bow, at(2, 1))).toBe(true);
    expect(areaContains(bow, at(2, 3))).toBe(true);
    expect(areaContains(bow, at(1, 2))).toBe(false);
    expect(areaContains(bow, at(2, 2))).toBe(true);
  });

  test('can be as small as 3e-300 degrees', () => {
    const tiny = polygon([
      [0, 0],
      [3e-300, 0],
      [0, 3e-300],
      [0, 0],
    ]);
    expect(areaContains(tiny, at(1e-300, 1e-300))).toBe(true);
    expect(areaContains(tiny, at(2e-300, 1e-300))).toBe(true);
    expect(areaContains(tiny, at(2e-300, 1.1e-300))).toBe(false);
    expect(areaContains(tiny, at(-5e-324, 0))).toBe(false);
  });

  test('ends at the antimeridian, which both parts of a divided area contain', () => {
    const taveuni: Area = {
      type: 'MultiPolygon',
      coordinates: [[square(179.9, -17, 180, -16.7)], [square(-180, -17, -179.9, -16.7)]],
    };
    for (const lng of [179.95, 180, -180, -179.95]) expect(areaContains(taveuni, at(-16.8, lng))).toBe(true);
    expect(areaContains(taveuni, at(-16.8, -179.8))).toBe(false);
    expect(areaContains(polygon(square(179.9, -17, 180, -16.7)), at(-16.8, -180))).toBe(true);
  });
});

describe('areaHolds against an exact oracle', () => {
  interface Drawn {
    readonly polygons: readonly (readonly (readonly Corner[])[])[];
    readonly point: Corner;
    /** Scale of the integers. */
    readonly unit: number;
    readonly isSingle: boolean;
  }

  const holds = ({ polygons, point: [x, y], unit, isSingle }: Drawn): boolean => {
    const degrees = (n: bigint): number => Number(n) / unit;
    const drawn = polygons.map((rings) =>
      rings.map((ring) => ring.map(([lng, lat]) => [degrees(lng), degrees(lat)] as const)),
    );
    const place = at(degrees(y), degrees(x));
    const [first = []] = drawn;
    return areaContains(
      isSingle ? { type: 'Polygon', coordinates: first } : { type: 'MultiPolygon', coordinates: drawn },
      place,
    );
  };

  const agree = (drawing: fc.Arbitrary<Drawn>, numRuns: number): void =>
    fc.assert(
      fc.property(drawing, (drawn) => {
        expect(holds(drawn)).toBe(referenceAreaHolds(drawn.polygons, drawn.point));
      }),
      { numRuns },
    );

  const closed = (corners: readonly Corner[]): readonly Corner[] => [...corners, ...corners.slice(0, 1)];
  const areas = (corner: fc.Arbitrary<Corner>) => {
    const ring = fc.array(corner, { minLength: 3, maxLength: 9 }).map(closed);
    return fc.array(fc.array(ring, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 2 });
  };
  const unit = fc.integer({ min: 0, max: 12 }).map((decimals) => 10 ** decimals);
  const drawn = (corner: fc.Arbitrary<Corner>, units: fc.Arbitrary<number>): fc.Arbitrary<Drawn> =>
    fc
      .record({ polygons: areas(corner), point: corner, unit: units, isSingle: fc.boolean() })
      .map((each) => (each.isSingle ? { ...each, polygons: each.polygons.slice(0, 1) } : each));

  test('agrees for any lines on a small grid, where most points lie on an edge or level with a corner', () => {
    const step = fc.bigInt({ min: -3n, max: 3n });
    agree(drawn(fc.tuple(step, step), unit), 4_000);
  });

  test('agrees for any lines over a city, to seven decimals', () => {
    const [lng, lat] = [
      fc.bigInt({ min: 311_000_000n, max: 314_000_000n }),
      fc.bigInt({ min: 299_000_000n, max: 301_000_000n }),
    ];
    agree(drawn(fc.tuple(lng, lat), fc.constant(10_000_000)), 1_000);
  });

  test('agrees for points on a slanted edge or one last decimal beside it', () => {
    const corner = fc.tuple(fc.bigInt({ min: -40n, max: 40n }), fc.bigInt({ min: -40n, max: 40n }));
    const nudge = fc.bigInt({ min: -1n, max: 1n });
    // Corners are multiples of 1000 steps, so that every thousandth of an edge is an integer.
    const drawing = fc
      .record({
        a: corner,
        b: corner,
        c: corner,
        share: fc.bigInt({ min: 0n, max: 1_000n }),
        dx: nudge,
        dy: nudge,
        decimals: fc.integer({ min: 4, max: 14 }),
      })
      .map(({ a, b, c, share, dx, dy, decimals }): Drawn => {
        const whole = ([x, y]: Corner): Corner => [x * 1_000n, y * 1_000n];
        const point: Corner = [
          a[0] * 1_000n + (b[0] - a[0]) * share + dx,
          a[1] * 1_000n + (b[1] - a[1]) * share + dy,
        ];
        return { polygons: [[closed([a, b, c].map(whole))]], point, unit: 10 ** decimals, isSingle: true };
      });
    agree(drawing, 2_000);
  });

  test('agrees for large degrees, where binary fractions are coarser than decimals', () => {
    const corner = fc.tuple(fc.bigInt({ min: 0n, max: 9n }), fc.bigInt({ min: 0n, max: 9n }));
    const far = ([x, y]: Corner): Corner => [179_999_999_999_000n + x, 89_999_999_999_000n + y];
    agree(drawn(corner.map(far), fc.constant(10 ** 12)), 2_000);
  });
});

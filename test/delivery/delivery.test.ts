/** Terms, distances and quotes against PostgreSQL and an OSRM stand-in. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { noRoadDistance, osrmRoadDistance } from '../../src/adapters/osrm.ts';
import { distanceTo, quoteDelivery, type DeliveryParts } from '../../src/delivery/app/delivery.ts';
import type { DeliveryTerms } from '../../src/delivery/domain/delivery.ts';
import { metersBetween, type GeoPoint } from '../../src/kernel/geo.ts';
import { Refusal } from '../../src/kernel/refusal.ts';
import type { OnlineChannel } from '../../src/shops/domain/shop.ts';
import { at, connect, type Db } from '../../src/platform/store/db.ts';
import { deliveryTermsOf, cacheDistance, cachedDistance } from '../../src/delivery/store/delivery.ts';
import type { Database } from '../../src/platform/store/schema.ts';
import { onRoads, openOsrm, osrmRoute, type OsrmServer } from '../support/stand-ins/osrm.ts';
import { PATIENT } from '../support/database/patient-options.ts';
import { freshDatabase, type TestDatabase } from '../support/database/test-database.ts';
import { insert, insertLocated, insertShop, type Row } from '../support/database/rows.ts';

const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [ORG, OTHER_ORG] = [id(1), id(2)];
const [ZAMALEK, SIWA, OFF] = [id(11), id(12), id(13)];
const [NEAR, ISLAND, OLD] = [id(21), id(22), id(23)];
const BRANCH = { lat: 30.0626, lng: 31.2197 };
/** 1.7 km away in a straight line, across the river. */
const [ON_ISLAND, GEZIRA, MAADI] = [
  { lat: 30.0655, lng: 31.2207 },
  { lat: 30.0473, lng: 31.2243 },
  { lat: 29.9602, lng: 31.2569 },
];
const NOON = Date.parse('2026-12-04T10:00:00Z');
const DAY = 24 * 3_600_000;
const HERE = { orgId: ORG, id: ZAMALEK, ...BRANCH };
const NOWHERE = { orgId: ORG, id: SIWA, lat: null, lng: null };
const ANYWHERE: DeliveryTerms = { flatFee: 0, maxMeters: null, roadFactor: '1.3', zones: [] };

const island = {
  type: 'Polygon',
  coordinates: [
    [
      [31.218, 30.063],
      [31.224, 30.063],
      [31.224, 30.07],
      [31.218, 30.07],
      [31.218, 30.063],
    ],
  ],
};

let database: TestDatabase;
let db: Db<Database>;
let osrm: OsrmServer;
let now: number;

const add = (table: string, ...rows: readonly Row[]): Promise<void> =>
  insert(db.kysely, table, ...rows.map((row) => ({ org_id: ORG, ...row })));

const addBranch = (row: Row): Promise<void> =>
  insertLocated(db.kysely, 'branch', 'branch', {
    org_id: ORG,
    name: 'الزمالك',
    code: row['id'],
    tax_rate: 0.14,
    ...row,
  });

beforeAll(async () => {
  osrm = await openOsrm();
  database = await freshDatabase();
  db = connect<Database>(database.connection, PATIENT);
  await insertShop(db.kysely, ORG, 'here');
  await insertShop(db.kysely, OTHER_ORG, 'there');
  await addBranch({ id: ZAMALEK, ...BRANCH, road_factor: 1.25 });
  await addBranch({ id: SIWA });
  await addBranch({ id: OFF, is_active: false });
  await add(
    'branch_channel',
    { branch_id: ZAMALEK, channel: 'outside', flat_fee: 9_900, max_distance_meters: 8_000, enabled: true },
    { branch_id: ZAMALEK, channel: 'in_mall', flat_fee: 300, max_distance_meters: 10, enabled: true },
    { branch_id: ZAMALEK, channel: 'umbrella', flat_fee: 300, max_distance_meters: null, enabled: false },
    { branch_id: SIWA, channel: 'outside', flat_fee: 500, max_distance_meters: 4_000, enabled: true },
    { branch_id: OFF, channel: 'outside', flat_fee: 500, max_distance_meters: null, enabled: true },
  );
  const names = { name: 'قريب', name_translations: { en: 'Near' } };
  await add(
    'delivery_zone',
    { id: NEAR, branch_id: ZAMALEK, ...names, kind: 'ring', radius_meters: 3_000, polygon: null, fee: 2_000 },
    { id: OLD, branch_id: ZAMALEK, ...names, kind: 'ring', radius_meters: 9_000, polygon: null, fee: 1 },
    {
      id: ISLAND,
      branch_id: ZAMALEK,
      ...names,
      kind: 'polygon',
      radius_meters: null,
      polygon: island,
      fee: 1_500,
    },
  );
  await db.kysely
    .updateTable('delivery_zone')
    .set({ archived_at: at(NOON) })
    .where('org_id', '=', ORG)
    .where('id', '=', OLD)
    .execute();
});

afterAll(async () => {
  await db.close();
  await database.release();
  await osrm.stop();
});

beforeEach(async () => {
  await db.kysely.deleteFrom('road_distance').execute();
  osrm.answers = onRoads;
  osrm.asked.length = 0;
  now = NOON;
});

const withoutRoads = (): DeliveryParts => ({ db, clock: { now: () => now }, roads: noRoadDistance });
const withRoads = (): DeliveryParts => ({
  ...withoutRoads(),
  roads: osrmRoadDistance({
    ...{ url: osrm.url, profile: 'driving', timeoutMs: 30_000 },
    ...{ monotonic: () => 0, onFailing: () => undefined },
  }),
});

describe('the delivery terms of a branch', () => {
  test('on outside are its fee, maximum, road factor and unarchived zones', async () => {
    const terms = await deliveryTermsOf(db.kysely, ORG, ZAMALEK, 'outside');
    const named = { name: 'قريب', nameTranslations: { en: 'Near' } };
    expect(terms).toMatchObject({ flatFee: 9_900, maxMeters: 8_000, roadFactor: '1.25' });
    expect([...(terms?.zones ?? [])].sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual([
      { id: NEAR, ...named, fee: 2_000, shape: { kind: 'ring', radiusMeters: 3_000 } },
      { id: ISLAND, ...named, fee: 1_500, shape: { kind: 'polygon', area: island } },
    ]);
  });

  test('on another channel are its fee and maximum, without zones', async () => {
    expect(await deliveryTermsOf(db.kysely, ORG, ZAMALEK, 'in_mall')).toEqual({
      flatFee: 300,
      maxMeters: 10,
      roadFactor: '1.25',
      zones: [],
    });
  });

  test('are null for a channel that is off or missing, and at another shop', async () => {
    expect(await deliveryTermsOf(db.kysely, ORG, ZAMALEK, 'umbrella')).toBeNull();
    expect(await deliveryTermsOf(db.kysely, ORG, ZAMALEK, 'pickup')).toBeNull();
    expect(await deliveryTermsOf(db.kysely, OTHER_ORG, ZAMALEK, 'outside')).toBeNull();
  });
});

describe('a distance', () => {
  const SPOT = { lat: 30.06, lng: 31.22 };
  const route = (to: GeoPoint, branchId = ZAMALEK, from = SPOT) => ({ orgId: ORG, branchId, from, to });
  const osrmSays = (meters: number) => ({ meters, source: 'osrm' }) as const;

  test('is not reused after its branch has moved', async () => {
    await cacheDistance(db.kysely, route(GEZIRA), osrmSays(2_500), NOON);
    const moved = route(GEZIRA, ZAMALEK, { lat: 30.07, lng: 31.22 });
    expect(await cachedDistance(db.kysely, moved, NOON)).toBeNull();
    expect(await cacheDistance(db.kysely, moved, osrmSays(900), NOON)).toEqual(osrmSays(900));
    expect(await cachedDistance(db.kysely, route(GEZIRA), NOON)).toBeNull();
  });

  test('is cached for 24 hours, to the millisecond', async () => {
    await cacheDistance(db.kysely, route(GEZIRA), osrmSays(2_500), NOON);
    expect(await cachedDistance(db.kysely, route(GEZIRA), NOON + DAY - 1)).toEqual(osrmSays(2_500));
    expect(await cachedDistance(db.kysely, route(GEZIRA), NOON + DAY)).toBeNull();
    expect(await cacheDistance(db.kysely, route(GEZIRA), osrmSays(2_600), NOON + DAY)).toEqual(
      osrmSays(2_600),
    );
    expect(await cachedDistance(db.kysely, route(GEZIRA), NOON + 2 * DAY - 1)).toEqual(osrmSays(2_600));
  });

  test('is cached for one branch and a place to four decimals', async () => {
    await cacheDistance(db.kysely, route({ lat: 30.047312, lng: 31.224349 }), osrmSays(2_500), NOON);
    const cached = (to: GeoPoint, branchId?: string) => cachedDistance(db.kysely, route(to, branchId), NOON);
    expect(await cached({ lat: 30.04734, lng: 31.22426 })).toEqual(osrmSays(2_500));
    expect(await cached({ lat: 30.04736, lng: 31.22426 })).toBeNull();
    expect(await cached({ lat: 30.0473, lng: 31.2243 }, SIWA)).toBeNull();
    expect(await cachedDistance(db.kysely, { ...route(GEZIRA), orgId: OTHER_ORG }, NOON)).toBeNull();
  });

  test('is cached for places at the poles and the antimeridian, and for negative zero', async () => {
    for (const to of [
      { lat: -90, lng: -180 },
      { lat: 90, lng: 180 },
      { lat: -0.00001, lng: -1e-9 },
    ]) {
      await cacheDistance(db.kysely, route(to), osrmSays(7), NOON);
      expect(await cachedDistance(db.kysely, route(to), NOON)).toEqual(osrmSays(7));
    }
    expect(await cachedDistance(db.kysely, route({ lat: 0, lng: 0 }), NOON)).toEqual(osrmSays(7));
  });

  test('measured by several requests at once is the first cached one for all of them', async () => {
    const measured = Array.from({ length: 8 }, (_, n) => osrmSays(2_500 + n));
    const kept = await Promise.all(
      measured.map((distance) => cacheDistance(db.kysely, route(GEZIRA), distance, NOON)),
    );
    const first = await cachedDistance(db.kysely, route(GEZIRA), NOON);
    expect(measured).toContainEqual(first);
    expect(kept).toEqual(kept.map(() => first));
  });

  test('that expired is replaced by several requests at once with the same one for all', async () => {
    await cacheDistance(db.kysely, route(GEZIRA), osrmSays(1), NOON - DAY);
    const kept = await Promise.all(
      [2, 3, 4, 5].map((meters) => cacheDistance(db.kysely, route(GEZIRA), osrmSays(meters), NOON)),
    );
    const first = await cachedDistance(db.kysely, route(GEZIRA), NOON);
    expect(first?.meters).toBeGreaterThan(1);
    expect(kept).toEqual(kept.map(() => first));
  });

  test('is queried from the routing server once in 24 hours', async () => {
    const byRoad = { meters: Math.round(metersBetween(BRANCH, GEZIRA) * 1.4), source: 'osrm' };
    expect(await distanceTo(withRoads(), HERE, ANYWHERE, GEZIRA)).toEqual(byRoad);
    osrm.answers = (from, to) => osrmRoute(from, to, 9_999);
    expect(await distanceTo(withRoads(), HERE, ANYWHERE, GEZIRA)).toEqual(byRoad);
    expect(osrm.asked).toHaveLength(1);
    now += DAY;
    expect(await distanceTo(withRoads(), HERE, ANYWHERE, GEZIRA)).toEqual(osrmSays(9_999));
    expect(osrm.asked).toHaveLength(2);
  });

  test('is the great circle for 24 hours after the routing server failed', async () => {
    osrm.answers = () => ({ status: 502, body: 'Bad Gateway' });
    const straight = { meters: metersBetween(BRANCH, GEZIRA), source: 'haversine' };
    expect(await distanceTo(withRoads(), HERE, ANYWHERE, GEZIRA)).toEqual(straight);
    osrm.answers = onRoads;
    expect(await distanceTo(withRoads(), HERE, ANYWHERE, GEZIRA)).toEqual(straight);
    now += DAY;
    expect(await distanceTo(withRoads(), HERE, ANYWHERE, GEZIRA)).toMatchObject({ source: 'osrm' });
  });

  test('is the great circle without a routing server', async () => {
    const straight = { meters: metersBetween(BRANCH, MAADI), source: 'haversine' };
    expect(await distanceTo(withoutRoads(), HERE, ANYWHERE, MAADI)).toEqual(straight);
  });

  test('is neither queried nor cached where even a straight road would be too long', async () => {
    const straight = { meters: metersBetween(BRANCH, MAADI), source: 'haversine' };
    // A route may start and end a kilometre from the two points.
    const near: DeliveryTerms = { ...ANYWHERE, maxMeters: straight.meters - 2_001 };
    expect(await distanceTo(withRoads(), HERE, near, MAADI)).toEqual(straight);
    expect(osrm.asked).toEqual([]);
    expect(await cachedDistance(db.kysely, route(MAADI), now)).toBeNull();
    expect(
      await distanceTo(withRoads(), HERE, { ...near, maxMeters: straight.meters - 2_000 }, MAADI),
    ).toMatchObject({
      source: 'osrm',
    });
  });

  test('is null for a branch without coordinates, without a query', async () => {
    expect(await distanceTo(withRoads(), NOWHERE, ANYWHERE, GEZIRA)).toBeNull();
    expect(osrm.asked).toEqual([]);
  });
});

describe('a delivery quote', () => {
  const quote = (
    branchId: string,
    query: { channel?: OnlineChannel; lat?: number; lng?: number },
    parts = withoutRoads(),
  ) => quoteDelivery(parts)({ path: { id: branchId }, query: { channel: 'outside', ...query } });

  const refusalOf = async (work: Promise<unknown>): Promise<Refusal> => {
    const thrown: unknown = await work.then(
      () => null,
      (fault: unknown) => fault,
    );
    if (!(thrown instanceof Refusal)) throw new Error('was not refused');
    return thrown;
  };

  const taxPolicy = { tax_rate: 0.14, tax_inclusive: true, delivery_fee_taxable: false };
  const notOut = { tested_meters: null, max_meters: null, tax_policy: taxPolicy };

  test('has the zone, its fee and the distance', async () => {
    expect(await quote(ZAMALEK, ON_ISLAND)).toEqual({
      status: 'ok',
      zone_id: ISLAND,
      zone_name: 'قريب',
      zone_name_translations: { en: 'Near' },
      distance_meters: metersBetween(BRANCH, ON_ISLAND),
      distance_source: 'haversine',
      fee: 1_500,
      ...notOut,
    });
  });

  test('uses the distance by road from the routing server', async () => {
    osrm.answers = (from, to) => osrmRoute(from, to, 3_000);
    expect(await quote(ZAMALEK, GEZIRA, withRoads())).toMatchObject({
      ...{ status: 'ok', zone_id: NEAR, fee: 2_000, distance_meters: 3_000, distance_source: 'osrm' },
    });
  });

  test('out of range has the distance, the tested distance and the maximum', async () => {
    const straight = metersBetween(BRANCH, MAADI);
    expect(await quote(ZAMALEK, MAADI)).toEqual({
      status: 'out_of_range',
      zone_id: null,
      zone_name: null,
      distance_meters: straight,
      distance_source: 'haversine',
      fee: null,
      tested_meters: Math.ceil(straight * 1.25),
      max_meters: 8_000,
      tax_policy: taxPolicy,
    });
  });

  test('on another channel is the flat fee, with a place or without, and queries no distance', async () => {
    const flat = {
      ...{ status: 'ok', zone_id: null, zone_name: null, distance_meters: null, distance_source: null },
      ...{ fee: 300, ...notOut },
    };
    expect(await quote(ZAMALEK, { channel: 'in_mall' }, withRoads())).toEqual(flat);
    expect(await quote(ZAMALEK, { channel: 'in_mall', ...MAADI }, withRoads())).toEqual(flat);
    expect(osrm.asked).toEqual([]);
  });

  test('is unavailable at a branch with a maximum and without coordinates', async () => {
    expect(await quote(SIWA, GEZIRA)).toMatchObject({
      status: 'unavailable',
      fee: null,
      distance_meters: null,
    });
  });

  test('is refused on outside without a location, and on any channel with half of one', async () => {
    const faultsOf = async (query: object) => {
      const { refusal, faults } = await refusalOf(quote(ZAMALEK, query));
      return [refusal, ...faults.map(({ path }) => path)];
    };
    expect(await faultsOf({})).toEqual(['INVALID_INPUT', 'lat', 'lng']);
    expect(await faultsOf({ lat: 30 })).toEqual(['INVALID_INPUT', 'lng']);
    expect(await faultsOf({ channel: 'in_mall', lng: 30 })).toEqual(['INVALID_INPUT', 'lat']);
  });

  test('is refused on a channel that is not offered and at an unknown or switched-off branch', async () => {
    expect(await refusalOf(quote(ZAMALEK, { channel: 'umbrella' }))).toMatchObject({
      refusal: 'CHANNEL_NOT_OFFERED',
      figures: { channel: 'umbrella' },
    });
    expect((await refusalOf(quote(OFF, GEZIRA))).refusal).toBe('NOT_FOUND');
    expect((await refusalOf(quote(id(99), GEZIRA))).refusal).toBe('NOT_FOUND');
  });
});

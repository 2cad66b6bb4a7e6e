/** Delivery range and fee (Decisions 8, Fee). */
import { areaContains, type Area, type GeoPoint } from '../../kernel/geo.ts';
import { compareIds, type Uuid } from '../../kernel/ids.ts';
import { parseRate, type Piastres } from '../../kernel/money.ts';
import type { Named } from '../../kernel/names.ts';
import type { OnlineChannel } from '../../shops/domain/shop.ts';

/** Keeps a quote and its order equal (Decisions 8, Fee). */
export const DISTANCE_TTL_MS = 24 * 3_600_000;

/** `osrm`: by road; `haversine`: great circle. */
export const DISTANCE_SOURCES = ['osrm', 'haversine'] as const;
export type DistanceSource = (typeof DISTANCE_SOURCES)[number];

/** Whole metres, without the road factor. */
export interface Distance {
  readonly meters: number;
  readonly source: DistanceSource;
}

/**
 * A place farther than this from any road is unknown to the map. Routes run between the nearest roads, so
 * they may be shorter than the great circle by twice this distance.
 */
export const NEAREST_ROAD_METERS = 1_000;

export type ZoneShape =
  | { readonly kind: 'ring'; readonly radiusMeters: number }
  | { readonly kind: 'polygon'; readonly area: Area };

export interface DeliveryZone extends Named {
  readonly id: Uuid;
  readonly fee: Piastres;
  readonly shape: ZoneShape;
}

/** Only `flatFee` applies to channels other than `outside`. */
export interface DeliveryTerms {
  /** For `outside` only if there are no zones. */
  readonly flatFee: Piastres;
  /** Applies to all zones; null: unbounded. */
  readonly maxMeters: number | null;
  /** Ratio of road to great circle, as decimal text. */
  readonly roadFactor: string;
  readonly zones: readonly DeliveryZone[];
}

export type Delivery =
  | {
      readonly status: 'ok';
      readonly zoneId: Uuid | null;
      readonly fee: Piastres;
      /** Null: not measured. */
      readonly distance: Distance | null;
    }
  | {
      readonly status: 'out_of_range';
      /** Null: the branch has no coordinates, and only areas apply. */
      readonly distanceMeters: number | null;
      /** Compared with the limits: road distance, or great circle × road factor, rounded up. */
      readonly testedMeters: number | null;
      /** The maximum or the largest ring; null: only areas apply. */
      readonly maxMeters: number | null;
    }
  /** The distance is needed, but the branch or guest has no coordinates. */
  | { readonly status: 'unavailable' };

const MILLION = 1_000_000;

/** Millionths of a metre: exact, and below 2^53 for any distance on Earth. */
const testedMillionths = ({ meters, source }: Distance, roadFactor: string): number =>
  meters * (source === 'osrm' ? MILLION : parseRate(roadFactor));

const radiusOf = ({ shape }: DeliveryZone): number | null =>
  shape.kind === 'ring' ? shape.radiusMeters : null;

/** Areas, then rings by radius; then by fee, then by id. */
const byPrecedence = (a: DeliveryZone, b: DeliveryZone): number =>
  (radiusOf(a) ?? 0) - (radiusOf(b) ?? 0) || a.fee - b.fee || compareIds(a.id, b.id);

const outsideDelivery = (terms: DeliveryTerms, point: GeoPoint, distance: Distance | null): Delivery => {
  const { zones, maxMeters } = terms;
  const tested = distance === null ? null : testedMillionths(distance, terms.roadFactor);
  const isWithin = (meters: number): boolean => tested !== null && tested <= meters * MILLION;
  const holds = ({ shape }: DeliveryZone): boolean =>
    shape.kind === 'ring' ? isWithin(shape.radiusMeters) : areaContains(shape.area, point);
  const beyond = (farthest: number | null): Delivery => ({
    status: 'out_of_range',
    distanceMeters: distance?.meters ?? null,
    testedMeters: tested === null ? null : Math.ceil(tested / MILLION),
    maxMeters: farthest,
  });
  const at = (zone: DeliveryZone | null): Delivery => ({
    status: 'ok',
    zoneId: zone?.id ?? null,
    fee: zone?.fee ?? terms.flatFee,
    distance,
  });

  if (maxMeters !== null && tested === null) return { status: 'unavailable' };
  if (maxMeters !== null && !isWithin(maxMeters)) return beyond(maxMeters);
  if (zones.length === 0) return at(null);
  const [zone] = zones.filter(holds).sort(byPrecedence);
  if (zone !== undefined) return at(zone);
  const radii = zones.flatMap((each) => radiusOf(each) ?? []);
  if (radii.length === 0) return beyond(null);
  return tested === null ? { status: 'unavailable' } : beyond(Math.max(...radii));
};

/** Only `outside` depends on place and distance; other channels have a flat fee. */
export const deliveryOf = (
  channel: OnlineChannel,
  terms: DeliveryTerms,
  point: GeoPoint | null,
  distance: Distance | null,
): Delivery => {
  if (channel !== 'outside') return { status: 'ok', zoneId: null, fee: terms.flatFee, distance: null };
  return point === null ? { status: 'unavailable' } : outsideDelivery(terms, point, distance);
};

/** Whether an order can be brought to where its guest is, and for what fee (Decisions 8, Fee). */
import { areaHolds, type Area, type GeoPoint } from '../../kernel/geo.ts';
import { compareIds, type Uuid } from '../../kernel/ids.ts';
import { parseRate, type Piastres } from '../../kernel/money.ts';
import type { Named } from '../../kernel/names.ts';
import type { OnlineChannel } from '../../shops/domain/shop.ts';

/** Measured by a routing server along roads, or as the great circle. */
export const DISTANCE_SOURCES = ['osrm', 'haversine'] as const;
export type DistanceSource = (typeof DISTANCE_SOURCES)[number];

/** As it was measured, in whole metres; a great circle is told and kept without the road factor. */
export interface Distance {
  readonly meters: number;
  readonly source: DistanceSource;
}

/**
 * How far a place may be from the nearest road. Farther, and the map does not know the place: any road there is an
 * accident. A way is measured between the two nearest roads, and may be shorter than the great circle by twice that.
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

/** On what terms a channel of a branch delivers. All but the fee counts for `outside` alone. */
export interface DeliveryTerms {
  /** What `outside` costs where the branch has no zones, and every other channel always. */
  readonly flatFee: Piastres;
  /** No order goes farther, whatever zone the place is in; null: no bound of its own. */
  readonly maxMeters: number | null;
  /** How much longer roads are than the great circle, as exact decimal text. */
  readonly roadFactor: string;
  readonly zones: readonly DeliveryZone[];
}

export type Delivery =
  | {
      readonly status: 'ok';
      readonly zoneId: Uuid | null;
      readonly fee: Piastres;
      /** What the order records; null where nothing was measured. */
      readonly distance: Distance | null;
    }
  | {
      readonly status: 'out_of_range';
      /** As measured; null where the branch has no coordinates and only drawn areas decide. */
      readonly distanceMeters: number | null;
      /** What was held against the bounds: the way by road, or the great circle times the road factor, rounded up. */
      readonly testedMeters: number | null;
      /** How far is delivered: the branch's maximum or the largest ring; null where only drawn areas decide. */
      readonly maxMeters: number | null;
    }
  /** The distance decides, and it cannot be known: the branch, or the guest, has no coordinates. */
  | { readonly status: 'unavailable' };

const MILLION = 1_000_000;

/** A distance as bounds are held against it, in millionths of a metre: exact, and within 53 bits on this planet. */
const testedMillionths = ({ meters, source }: Distance, roadFactor: string): number =>
  meters * (source === 'osrm' ? MILLION : parseRate(roadFactor));

const radiusOf = ({ shape }: DeliveryZone): number | null =>
  shape.kind === 'ring' ? shape.radiusMeters : null;

/** Drawn areas first, then rings, the smallest first; then the lowest fee, then the id. */
const byPrecedence = (a: DeliveryZone, b: DeliveryZone): number =>
  (radiusOf(a) ?? 0) - (radiusOf(b) ?? 0) || a.fee - b.fee || compareIds(a.id, b.id);

const outsideDelivery = (terms: DeliveryTerms, point: GeoPoint, distance: Distance | null): Delivery => {
  const { zones, maxMeters } = terms;
  const tested = distance === null ? null : testedMillionths(distance, terms.roadFactor);
  const isWithin = (meters: number): boolean => tested !== null && tested <= meters * MILLION;
  const holds = ({ shape }: DeliveryZone): boolean =>
    shape.kind === 'ring' ? isWithin(shape.radiusMeters) : areaHolds(shape.area, point);
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

/**
 * What a channel asks for bringing an order to `point`. Only `outside` goes by place and distance; elsewhere the fee is
 * flat, and a place that is given blocks nothing and is not measured.
 */
export const deliveryOf = (
  channel: OnlineChannel,
  terms: DeliveryTerms,
  point: GeoPoint | null,
  distance: Distance | null,
): Delivery => {
  if (channel !== 'outside') return { status: 'ok', zoneId: null, fee: terms.flatFee, distance: null };
  return point === null ? { status: 'unavailable' } : outsideDelivery(terms, point, distance);
};

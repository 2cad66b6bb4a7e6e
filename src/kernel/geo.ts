/** Degrees (WGS 84). */
export interface GeoPoint {
  readonly lat: number;
  readonly lng: number;
}

/** GeoJSON position: longitude first (RFC 7946, 3.1.1). */
export type Position = readonly [lng: number, lat: number];
/** Closed: the last position equals the first. */
export type Ring = readonly Position[];

/** GeoJSON area; the first ring of a polygon is its outline, the others are holes (RFC 7946, 3.1.6). */
export type Area =
  | { readonly type: 'Polygon'; readonly coordinates: readonly Ring[] }
  | { readonly type: 'MultiPolygon'; readonly coordinates: readonly (readonly Ring[])[] };

/** Mean Earth radius (IUGG), in metres. */
const EARTH_RADIUS = 6_371_008.8;

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** Great-circle distance (haversine), rounded to the nearest metre. */
export const metersBetween = (a: GeoPoint, b: GeoPoint): number => {
  const northward = Math.sin(radians(b.lat - a.lat) / 2) ** 2;
  const eastward = Math.sin(radians(b.lng - a.lng) / 2) ** 2;
  const haversine = northward + Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * eastward;
  // Between antipodes, rounding can exceed 1.
  return Math.round(2 * EARTH_RADIUS * Math.asin(Math.sqrt(Math.min(1, haversine))));
};

// ── Side of a line ──────────────────────────────────────────────────────────────────────────────
// A point on an edge counts as inside, so the sign must be exact. Coordinates are compared as the decimals of
// the input, not as binary fractions: 0.1 and 0.9 lie on the line from (1, 0) to (0, 1) only as decimals.

interface Decimal {
  readonly digits: bigint;
  readonly decimals: number;
}

/** The shortest decimal of a number: equal to its source text of up to 15 digits. */
const decimalOf = (value: number): Decimal => {
  const [coefficient = '', exponent = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = coefficient.split('.');
  return { digits: BigInt(whole + fraction), decimals: fraction.length - Number(exponent) };
};

const inCommonUnit = (values: readonly number[]): readonly bigint[] => {
  const all = values.map(decimalOf);
  const maxDecimals = Math.max(0, ...all.map(({ decimals }) => decimals));
  return all.map(({ digits, decimals }) => digits * 10n ** BigInt(maxDecimals - decimals));
};

const exactSide = (from: Position, to: Position, { lat, lng }: GeoPoint): number => {
  const [x1 = 0n, y1 = 0n, x2 = 0n, y2 = 0n, x = 0n, y = 0n] = inCommonUnit([...from, ...to, lng, lat]);
  const cross = (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1);
  return cross > 0n ? 1 : cross < 0n ? -1 : 0;
};

/**
 * Bound of the floating-point error in `sideOf`: relative to the sum of the four differences, plus an
 * absolute minimum. Rounding of a degree is at most 2^-46, of a difference 6e-14, and no difference exceeds
 * 360.
 */
const ERROR_BOUND = 3e-13;
const MIN_ERROR_BOUND = 1e-25;

/** Exact sign: 1 left of the line, −1 right of it, 0 on it. */
const sideOf = (from: Position, to: Position, point: GeoPoint): number => {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const [px, py] = [point.lng - from[0], point.lat - from[1]];
  const turn = dx * py - dy * px;
  const errorBound =
    ERROR_BOUND * (Math.abs(dx) + Math.abs(dy) + Math.abs(px) + Math.abs(py)) + MIN_ERROR_BOUND;
  return Math.abs(turn) > errorBound ? Math.sign(turn) : exactSide(from, to, point);
};

// ── Inside, outside, on the edge ────────────────────────────────────────────────────────────────

type RingRelation = 'inside' | 'edge' | 'outside';

const isBetween = (value: number, a: number, b: number): boolean =>
  Math.min(a, b) <= value && value <= Math.max(a, b);

/** Counts the edges east of the point (even-odd rule). */
const relationTo = (ring: Ring, point: GeoPoint): RingRelation => {
  let isInside = false;
  let from = ring[0];
  for (const to of ring.slice(1)) {
    const edge = from;
    from = to;
    if (edge === undefined || !isBetween(point.lat, edge[1], to[1])) continue;
    const side = sideOf(edge, to, point);
    if (side === 0 && isBetween(point.lng, edge[0], to[0])) return 'edge';
    const [startsAbove, endsAbove] = [edge[1] > point.lat, to[1] > point.lat];
    if (startsAbove !== endsAbove && side > 0 === endsAbove) isInside = !isInside;
  }
  return isInside ? 'inside' : 'outside';
};

/** The edges of the outline and of holes count as inside. */
const polygonHolds = ([outline = [], ...holes]: readonly Ring[], point: GeoPoint): boolean =>
  relationTo(outline, point) !== 'outside' && holes.every((hole) => relationTo(hole, point) !== 'inside');

/** A point on the antimeridian has two longitudes. */
const coordinatesOf = (point: GeoPoint): readonly GeoPoint[] =>
  Math.abs(point.lng) === 180 ? [point, { ...point, lng: -point.lng }] : [point];

/**
 * Whether an area contains a place. Edges count as inside, also those of a hole (Decisions 8, Fee), and are
 * straight in degrees (RFC 7946, 3.1.1). An area across the antimeridian consists of two polygons (RFC 7946,
 * 3.1.9); a point on the antimeridian is in both.
 */
export const areaContains = (area: Area, place: GeoPoint): boolean => {
  const polygons = area.type === 'Polygon' ? [area.coordinates] : area.coordinates;
  return coordinatesOf(place).some((point) => polygons.some((rings) => polygonHolds(rings, point)));
};

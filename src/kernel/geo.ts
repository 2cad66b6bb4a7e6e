/** Places on the Earth: how far apart they are, and whether one lies in an area that was drawn on a map. */

/** A place on the Earth, in degrees (WGS 84). */
export interface GeoPoint {
  readonly lat: number;
  readonly lng: number;
}

/** A place as GeoJSON writes it: the longitude first (RFC 7946, 3.1.1). */
export type Position = readonly [lng: number, lat: number];
/** A closed line: the last position is the first. */
export type Ring = readonly Position[];

/** A GeoJSON area; of each polygon the first ring is its outline, the others are holes (RFC 7946, 3.1.6). */
export type Area =
  | { readonly type: 'Polygon'; readonly coordinates: readonly Ring[] }
  | { readonly type: 'MultiPolygon'; readonly coordinates: readonly (readonly Ring[])[] };

/** The mean radius of the Earth (IUGG), in metres. */
const EARTH_RADIUS = 6_371_008.8;

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** The great circle between two places by the haversine formula, in whole metres, rounded to the nearest. */
export const metersBetween = (a: GeoPoint, b: GeoPoint): number => {
  const northward = Math.sin(radians(b.lat - a.lat) / 2) ** 2;
  const eastward = Math.sin(radians(b.lng - a.lng) / 2) ** 2;
  const haversine = northward + Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * eastward;
  // Between opposite places rounding can carry it a little past 1.
  return Math.round(2 * EARTH_RADIUS * Math.asin(Math.sqrt(Math.min(1, haversine))));
};

// ── Which side of a line ────────────────────────────────────────────────────────────────────────
// A place on an edge counts as inside, so that the side must be right to the last digit. Coordinates are read as the
// decimals they were written as, not as the binary fractions nearest to them: 0.1 and 0.9 lie on the line from (1, 0)
// to (0, 1) as decimals, and beside it as fractions.

/** A number as JSON writes it: `digits` ÷ 10^`decimals`. */
interface Decimal {
  readonly digits: bigint;
  readonly decimals: number;
}

/** The shortest decimal that is this number, which is how it was written where that has at most 15 digits. */
const decimalOf = (value: number): Decimal => {
  const [coefficient = '', exponent = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = coefficient.split('.');
  return { digits: BigInt(whole + fraction), decimals: fraction.length - Number(exponent) };
};

/** The same numbers as integers of one unit. */
const inOneUnit = (values: readonly number[]): readonly bigint[] => {
  const all = values.map(decimalOf);
  const most = Math.max(0, ...all.map(({ decimals }) => decimals));
  return all.map(({ digits, decimals }) => digits * 10n ** BigInt(most - decimals));
};

const exactSide = (from: Position, to: Position, { lat, lng }: GeoPoint): number => {
  const [x1 = 0n, y1 = 0n, x2 = 0n, y2 = 0n, x = 0n, y = 0n] = inOneUnit([...from, ...to, lng, lat]);
  const turn = (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1);
  return turn > 0n ? 1 : turn < 0n ? -1 : 0;
};

/**
 * How far floating point may be off in `sideOf`, as a share of the sum of the four differences and at least: a degree
 * is kept to 2^-46, a difference to 6e-14, and no difference is above 360; with room to spare.
 */
const DOUBT = 3e-13;
const LEAST_DOUBT = 1e-25;

/** 1 where the point is left of the line from one position to another, −1 right of it, 0 on it. Never wrong. */
const sideOf = (from: Position, to: Position, point: GeoPoint): number => {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const [px, py] = [point.lng - from[0], point.lat - from[1]];
  const turn = dx * py - dy * px;
  const doubt = DOUBT * (Math.abs(dx) + Math.abs(dy) + Math.abs(px) + Math.abs(py)) + LEAST_DOUBT;
  return Math.abs(turn) > doubt ? Math.sign(turn) : exactSide(from, to, point);
};

// ── Inside, outside, on the edge ────────────────────────────────────────────────────────────────

type Place = 'inside' | 'edge' | 'outside';

const isBetween = (value: number, a: number, b: number): boolean =>
  Math.min(a, b) <= value && value <= Math.max(a, b);

/** By counting the edges east of the point; where a ring crosses itself, what it goes round twice is outside. */
const placeIn = (ring: Ring, point: GeoPoint): Place => {
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

/** Whether a polygon holds the point: its outline does, edge included, and no hole has it truly inside. */
const polygonHolds = ([outline = [], ...holes]: readonly Ring[], point: GeoPoint): boolean =>
  placeIn(outline, point) !== 'outside' && holes.every((hole) => placeIn(hole, point) !== 'inside');

/** The same place, named from the other side where it is on the antimeridian. */
const namesOf = (point: GeoPoint): readonly GeoPoint[] =>
  Math.abs(point.lng) === 180 ? [point, { ...point, lng: -point.lng }] : [point];

/**
 * Whether an area holds a place; every edge counts as inside, also that of a hole, for the area reaches up to the hole
 * (Decisions 8, Fee). Edges are straight in degrees (RFC 7946, 3.1.1), and an area ends at the antimeridian: one that
 * goes on beyond it is drawn as two polygons, as RFC 7946, 3.1.9 asks; a place on that line is in both.
 */
export const areaHolds = (area: Area, place: GeoPoint): boolean => {
  const polygons = area.type === 'Polygon' ? [area.coordinates] : area.coordinates;
  return namesOf(place).some((point) => polygons.some((rings) => polygonHolds(rings, point)));
};

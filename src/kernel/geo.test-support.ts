/**
 * Reference implementation of `areaContains`: integer coordinates, exact arithmetic, and the winding number of a
 * ring by the quadrants that its corners pass around the point. Odd is inside.
 */

export type Corner = readonly [x: bigint, y: bigint];

const cross = ([ax, ay]: Corner, [bx, by]: Corner): bigint => ax * by - ay * bx;
const dot = ([ax, ay]: Corner, [bx, by]: Corner): bigint => ax * bx + ay * by;

const quarterOf = ([x, y]: Corner): number => {
  if (y >= 0n) return x > 0n ? 0 : y > 0n ? 1 : 2;
  return x < 0n ? 2 : 3;
};

/** Quadrants passed between two corners, −2 to 2; the sign of a turn by two follows the cross product. */
const quartersBetween = (from: Corner, to: Corner): number => {
  const passed = (quarterOf(to) - quarterOf(from) + 4) % 4;
  if (passed === 2) return cross(from, to) > 0n ? 2 : -2;
  return passed === 3 ? -1 : passed;
};

export type RingRelation = 'inside' | 'edge' | 'outside';

export const referenceRelation = (ring: readonly Corner[], [px, py]: Corner): RingRelation => {
  const seen = ring.map(([x, y]): Corner => [x - px, y - py]);
  const edges = seen.slice(1).flatMap((to, index) => {
    const from = seen[index];
    return from === undefined ? [] : [[from, to] as const];
  });
  if (edges.some(([from, to]) => cross(from, to) === 0n && dot(from, to) <= 0n)) return 'edge';
  const quarters = edges.reduce((sum, [from, to]) => sum + quartersBetween(from, to), 0);
  return (quarters / 4) % 2 === 0 ? 'outside' : 'inside';
};

/** Edges count as inside, also those of holes. */
export const referenceAreaHolds = (
  polygons: readonly (readonly (readonly Corner[])[])[],
  point: Corner,
): boolean =>
  polygons.some(
    ([outline = [], ...holes]) =>
      referenceRelation(outline, point) !== 'outside' &&
      !holes.some((hole) => referenceRelation(hole, point) === 'inside'),
  );

/**
 * The slow judge of `areaHolds`: coordinates are whole numbers of one unit, all arithmetic is exact, and inside is what a
 * ring winds around an odd number of times, counted by the quarters of the plane that its corners pass through as seen
 * from the point.
 */

export type Corner = readonly [x: bigint, y: bigint];

const cross = ([ax, ay]: Corner, [bx, by]: Corner): bigint => ax * by - ay * bx;
const dot = ([ax, ay]: Corner, [bx, by]: Corner): bigint => ax * bx + ay * by;

const quarterOf = ([x, y]: Corner): number => {
  if (y >= 0n) return x > 0n ? 0 : y > 0n ? 1 : 2;
  return x < 0n ? 2 : 3;
};

/** Quarters passed from one corner to the next, −2 to 2; two at once go the way the point is not on. */
const quartersBetween = (from: Corner, to: Corner): number => {
  const passed = (quarterOf(to) - quarterOf(from) + 4) % 4;
  if (passed === 2) return cross(from, to) > 0n ? 2 : -2;
  return passed === 3 ? -1 : passed;
};

export type Judged = 'inside' | 'edge' | 'outside';

/** Where a point is as to a closed ring. */
export const judgeRing = (ring: readonly Corner[], [px, py]: Corner): Judged => {
  const seen = ring.map(([x, y]): Corner => [x - px, y - py]);
  const edges = seen.slice(1).flatMap((to, index) => {
    const from = seen[index];
    return from === undefined ? [] : [[from, to] as const];
  });
  if (edges.some(([from, to]) => cross(from, to) === 0n && dot(from, to) <= 0n)) return 'edge';
  const quarters = edges.reduce((sum, [from, to]) => sum + quartersBetween(from, to), 0);
  return (quarters / 4) % 2 === 0 ? 'outside' : 'inside';
};

/** Whether any of the polygons, each an outline and its holes, holds the point; their edges do. */
export const judgeArea = (polygons: readonly (readonly (readonly Corner[])[])[], point: Corner): boolean =>
  polygons.some(
    ([outline = [], ...holes]) =>
      judgeRing(outline, point) !== 'outside' && !holes.some((hole) => judgeRing(hole, point) === 'inside'),
  );

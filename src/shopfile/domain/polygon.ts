/** Validates GeoJSON areas (RFC 7946): Polygon or MultiPolygon, degrees, longitude first. */

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isDegrees = (value: unknown, bound: number): boolean =>
  typeof value === 'number' && Math.abs(value) <= bound;

const positionFault = (position: unknown): string | null => {
  if (!Array.isArray(position) || position.length !== 2) return 'a position must be [longitude, latitude]';
  if (!isDegrees(position[0], 180)) return 'a longitude must be a number from -180 to 180';
  if (!isDegrees(position[1], 90)) return 'a latitude must be a number from -90 to 90';
  return null;
};

const samePosition = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const ringFault = (ring: unknown): string | null => {
  if (!Array.isArray(ring) || ring.length < 4) return 'a ring needs at least four positions';
  for (const position of ring) {
    const fault = positionFault(position);
    if (fault !== null) return fault;
  }
  if (!samePosition(ring[0], ring.at(-1))) return 'a ring must end where it starts';
  const corners = new Set(ring.map((position) => JSON.stringify(position)));
  return corners.size < 3 ? 'a ring needs three different corners' : null;
};

const firstFault = (
  list: unknown,
  wanted: string,
  check: (entry: unknown) => string | null,
): string | null => {
  if (!Array.isArray(list) || list.length === 0) return wanted;
  for (const entry of list) {
    const fault = check(entry);
    if (fault !== null) return fault;
  }
  return null;
};

const ringsFault = (rings: unknown): string | null =>
  firstFault(rings, '`coordinates` must be a list of rings', ringFault);

/** Null if the area is valid. */
export const polygonFault = (area: unknown): string | null => {
  if (!isObject(area)) return 'must be a GeoJSON Polygon or MultiPolygon';
  const unknown = Object.keys(area).find((field) => field !== 'type' && field !== 'coordinates');
  if (unknown !== undefined) return `has an unknown field \`${unknown}\``;
  if (area['type'] === 'Polygon') return ringsFault(area['coordinates']);
  if (area['type'] === 'MultiPolygon')
    return firstFault(area['coordinates'], '`coordinates` must be a list of polygons', ringsFault);
  return '`type` must be Polygon or MultiPolygon';
};

/**
 * Road distances from OSRM (https://project-osrm.org, HTTP API v1). Any failure means no answer, and the
 * great-circle distance is used (Decisions 8, Fee).
 */
import { NEAREST_ROAD_METERS } from '../delivery/domain/delivery.ts';
import { metersBetween, type GeoPoint } from '../kernel/geo.ts';
import type { RoadDistance } from '../ports.ts';
import { entriesOf, fieldOf, MAX_RESPONSE_BYTES, textOf, valueOfJson } from './responses.ts';
import { createTimeoutBreaker, type BreakerParts, type CallFailure } from './timeout-breaker.ts';

export interface OsrmOptions extends BreakerParts {
  /** May have a path before `/route/v1`, but no user or password. */
  readonly url: string;
  /**
   * In the URL, such as `driving`; a self-hosted server ignores it and serves the profile it was built with.
   */
  readonly profile: string;
  /** For the whole response. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 1_500;
/** A plausible route is at most this. */
const LONGEST_DETOUR = { times: 20, meters: 100_000 } as const;

export const noRoadDistance: RoadDistance = { meters: () => Promise.resolve(null) };

// ── Response ────────────────────────────────────────────────────────────────────────────────────

const isLength = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;

/** No road near a point (NoSegment) or no route (NoRoute): valid answers of a healthy server. */
const NO_ROUTE_CODES: readonly unknown[] = ['NoSegment', 'NoRoute'];

/**
 * The route plus access to the nearest roads is at least the great circle, with tolerance for the Earth
 * model, and at most `LONGEST_DETOUR`. A server whose map lacks the region, or that snaps both points to one
 * place, returns other values.
 */
const isPossible = (route: number, toRoads: number, from: GeoPoint, to: GeoPoint): boolean => {
  const straight = metersBetween(from, to);
  return (
    route + toRoads >= 0.99 * straight - 10 &&
    route <= LONGEST_DETOUR.times * straight + LONGEST_DETOUR.meters
  );
};

/**
 * Null when there is no route or it is implausible. Throws for invalid responses only, which count as server
 * failures: any guest can ask about a place in the sea.
 */
const metersIn = (answer: unknown, from: GeoPoint, to: GeoPoint): number | null => {
  const code = fieldOf(answer, 'code');
  if (NO_ROUTE_CODES.includes(code)) return null;
  if (code !== 'Ok') throw new Error(`answered with the code ${String(code).slice(0, 40)}`);
  const route = fieldOf(entriesOf(answer, 'routes')[0], 'distance');
  if (!isLength(route)) throw new Error('answered without a distance');
  // Servers before 5.21 do not return it, but respect the requested radius.
  const toRoads = entriesOf(answer, 'waypoints')
    .map((waypoint) => fieldOf(waypoint, 'distance'))
    .map((distance) => (isLength(distance) ? distance : NEAREST_ROAD_METERS))
    .reduce((sum, meters) => sum + meters, 0);
  return isPossible(route, toRoads, from, to) ? Math.round(route) : null;
};

// ── Request ─────────────────────────────────────────────────────────────────────────────────────

/** OSRM stores six decimals. */
const coordinates = ({ lat, lng }: GeoPoint): string => `${lng.toFixed(6)},${lat.toFixed(6)}`;

const addressOf = ({ url, profile }: OsrmOptions, from: GeoPoint, to: GeoPoint): string =>
  `${url.replace(/\/+$/, '')}/route/v1/${encodeURIComponent(profile)}/${coordinates(from)};${coordinates(to)}` +
  `?overview=false&generate_hints=false&radiuses=${NEAREST_ROAD_METERS};${NEAREST_ROAD_METERS}`;

const requestMeters = async (options: OsrmOptions, from: GeoPoint, to: GeoPoint): Promise<number | null> => {
  const response = await fetch(addressOf(options, from, to), {
    signal: AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS),
    redirect: 'error',
    headers: { accept: 'application/json' },
  });
  const text = await textOf(response);
  if (text === null) throw new Error(`answered more than ${MAX_RESPONSE_BYTES} bytes`);
  if (response.status !== 200 && response.status !== 400)
    throw new Error(`answered with status ${response.status}`);
  const answer = valueOfJson(text);
  if (answer === undefined) throw new Error('answered something else than JSON');
  return metersIn(answer, from, to);
};

/** Without the URL, which contains a guest's location. */
const failureOf = (thrown: unknown): CallFailure => {
  if (!(thrown instanceof Error)) return { reason: 'failed', isTimeout: false };
  if (thrown.name === 'TimeoutError') return { reason: 'did not answer in time', isTimeout: true };
  const { cause, message } = thrown;
  const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : message;
  return { reason, isTimeout: false };
};

export const osrmRoadDistance = (options: OsrmOptions): RoadDistance => {
  const breaker = createTimeoutBreaker(options);
  return {
    meters: async (from, to) => {
      if (!breaker.mayCall()) return null;
      try {
        const meters = await requestMeters(options, from, to);
        breaker.succeeded();
        return meters;
      } catch (thrown) {
        breaker.failed(failureOf(thrown));
        return null;
      }
    },
  };
};

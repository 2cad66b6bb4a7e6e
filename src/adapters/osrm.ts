/**
 * Road distances from an OSRM server (https://project-osrm.org, its HTTP API v1). Orders never wait for it long nor
 * depend on it: whatever goes wrong is no answer, and the great circle is taken instead (Decisions 8, Fee).
 */
import { NEAREST_ROAD_METERS } from '../delivery/domain/delivery.ts';
import { metersBetween, type GeoPoint } from '../kernel/geo.ts';
import type { RoadDistance } from '../ports.ts';
import { entriesOf, fieldOf, MOST_BYTES, textOf, valueOfJson } from './answers.ts';
import { createBreaker, type BreakerParts, type Failure } from './breaker.ts';

export interface OsrmOptions extends BreakerParts {
  /** The server, with a path before `/route/v1` where it has one; no user or password in it. */
  readonly url: string;
  /** The profile in the address, such as `driving`; a server of one's own serves the one it was built with, under any name. */
  readonly profile: string;
  /** For the whole answer. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 1_500;
/** A way longer than this many great circles, and this much besides, is none that anybody brings a coffee on. */
const LONGEST_DETOUR = { times: 20, meters: 100_000 } as const;

/** No server is set up: every distance is a great circle. */
export const noRoads: RoadDistance = { meters: () => Promise.resolve(null) };

// ── What the server says ────────────────────────────────────────────────────────────────────────

const isLength = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;

/** No road near one of the two (NoSegment), no way between them (NoRoute): answers of a server in good health. */
const KNOWS_NO_WAY: readonly unknown[] = ['NoSegment', 'NoRoute'];

/**
 * Whether a route can be so long: with the ways from both places to the nearest road it is no shorter than the great
 * circle, give or take what two models of the Earth differ by, and it is no journey around the world. A server without
 * this region on its map tells such nonsense, and so it does for two places that it takes to one spot.
 */
const isPossible = (route: number, toRoads: number, from: GeoPoint, to: GeoPoint): boolean => {
  const straight = metersBetween(from, to);
  return (
    route + toRoads >= 0.99 * straight - 10 &&
    route <= LONGEST_DETOUR.times * straight + LONGEST_DETOUR.meters
  );
};

/**
 * The metres of an answer; null where it knows no way, or tells of one that cannot be. Throws where it is no answer: those
 * count as failures of the server, the others do not, for any guest can ask about a place in the sea.
 */
const metersTold = (answer: unknown, from: GeoPoint, to: GeoPoint): number | null => {
  const code = fieldOf(answer, 'code');
  if (KNOWS_NO_WAY.includes(code)) return null;
  if (code !== 'Ok') throw new Error(`answered with the code ${String(code).slice(0, 40)}`);
  const route = fieldOf(entriesOf(answer, 'routes')[0], 'distance');
  if (!isLength(route)) throw new Error('answered without a distance');
  // Servers before 5.21 do not say how far the roads are, but keep to what was asked.
  const toRoads = entriesOf(answer, 'waypoints')
    .map((waypoint) => fieldOf(waypoint, 'distance'))
    .map((distance) => (isLength(distance) ? distance : NEAREST_ROAD_METERS))
    .reduce((sum, meters) => sum + meters, 0);
  return isPossible(route, toRoads, from, to) ? Math.round(route) : null;
};

// ── Asking ──────────────────────────────────────────────────────────────────────────────────────

/** As OSRM keeps them: six decimals, never an exponent. */
const coordinates = ({ lat, lng }: GeoPoint): string => `${lng.toFixed(6)},${lat.toFixed(6)}`;

const addressOf = ({ url, profile }: OsrmOptions, from: GeoPoint, to: GeoPoint): string =>
  `${url.replace(/\/+$/, '')}/route/v1/${encodeURIComponent(profile)}/${coordinates(from)};${coordinates(to)}` +
  `?overview=false&generate_hints=false&radiuses=${NEAREST_ROAD_METERS};${NEAREST_ROAD_METERS}`;

/** One question; refusals come with status 400 and a code, and are answers too. */
const ask = async (options: OsrmOptions, from: GeoPoint, to: GeoPoint): Promise<number | null> => {
  const response = await fetch(addressOf(options, from, to), {
    signal: AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS),
    redirect: 'error',
    headers: { accept: 'application/json' },
  });
  const text = await textOf(response);
  if (text === null) throw new Error(`answered more than ${MOST_BYTES} bytes`);
  if (response.status !== 200 && response.status !== 400)
    throw new Error(`answered with status ${response.status}`);
  const answer = valueOfJson(text);
  if (answer === undefined) throw new Error('answered something else than JSON');
  return metersTold(answer, from, to);
};

/** Why a request failed, without its address: that has a guest's place in it. */
const failureOf = (thrown: unknown): Failure => {
  if (!(thrown instanceof Error)) return { reason: 'failed', isSilence: false };
  if (thrown.name === 'TimeoutError') return { reason: 'did not answer in time', isSilence: true };
  const { cause, message } = thrown;
  const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : message;
  return { reason, isSilence: false };
};

/** Null where the server has no answer to give: it knows no way, is away, slow, or talks nonsense. */
export const osrmRoads = (options: OsrmOptions): RoadDistance => {
  const breaker = createBreaker(options);
  return {
    meters: async (from, to) => {
      if (!breaker.mayAsk()) return null;
      try {
        const meters = await ask(options, from, to);
        breaker.answered();
        return meters;
      } catch (thrown) {
        breaker.failed(failureOf(thrown));
        return null;
      }
    },
  };
};

/**
 * Road distances from an OSRM server (https://project-osrm.org, its HTTP API v1). Orders never wait for it long nor
 * depend on it: whatever goes wrong is no answer, and the great circle is taken instead (Decisions 8, Fee).
 */
import { metersBetween, type GeoPoint } from '../domain/geo.ts';
import type { RoadDistance } from '../ports.ts';

export interface OsrmOptions {
  /** The server, with a path before `/route/v1` where it has one; no user or password in it. */
  readonly url: string;
  /** The profile in the address, such as `driving`; a server of one's own serves the one it was built with, under any name. */
  readonly profile: string;
  /** Milliseconds of real time since any moment; never goes back. */
  readonly monotonic: () => number;
  /** Hears why when the server begins to be left alone; again only once it has answered in between. */
  readonly onPause: (reason: string) => void;
  /** For the whole answer. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 1_500;
/** So many failures in a row, and the server is left alone for a while; then one request tries whether it is back. */
const FAILURES = 3;
const PAUSE_MS = 10_000;
/** How far a place may be from a road. Farther, and the map does not know the place: any road there is an accident. */
const SNAP_METERS = 1_000;
/** An answer has some hundred bytes. */
const MOST_BYTES = 65_536;
const HIGHEST_INT32 = 2_147_483_647;

/** No server is set up: every distance is a great circle. */
export const noRoads: RoadDistance = { meters: () => Promise.resolve(null) };

// ── What the server says ────────────────────────────────────────────────────────────────────────

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

const objectsIn = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isObject) : []);

const isLength = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= HIGHEST_INT32;

/** No road near one of the two (NoSegment), no way between them (NoRoute): answers of a server in good health. */
const KNOWS_NO_WAY: readonly unknown[] = ['NoSegment', 'NoRoute'];

/**
 * Whether a route can be this short: with the ways from both places to the nearest road it is no shorter than the great
 * circle, give or take what two models of the Earth differ by. A server without this region on its map tells such
 * nonsense, and so it does for two places that it takes to one spot.
 */
const isPossible = (route: number, toRoads: number, from: GeoPoint, to: GeoPoint): boolean =>
  route + toRoads >= 0.99 * metersBetween(from, to) - 10;

/**
 * The metres of an answer; null where it knows no way, or tells of one that cannot be. Throws where it is no answer: those
 * count as failures of the server, the others do not, for any guest can ask about a place in the sea.
 */
const metersTold = (answer: unknown, from: GeoPoint, to: GeoPoint): number | null => {
  if (!isObject(answer)) throw new Error('answered something else than an object');
  if (KNOWS_NO_WAY.includes(answer['code'])) return null;
  if (answer['code'] !== 'Ok')
    throw new Error(`answered with the code ${String(answer['code']).slice(0, 40)}`);
  const route = objectsIn(answer['routes'])[0]?.['distance'];
  if (!isLength(route)) throw new Error('answered without a distance');
  // Servers before 5.21 do not say how far the roads are, but keep to what was asked.
  const toRoads = objectsIn(answer['waypoints'])
    .map(({ distance }) => (isLength(distance) ? distance : SNAP_METERS))
    .reduce((sum, meters) => sum + meters, 0);
  return isPossible(route, toRoads, from, to) ? Math.round(route) : null;
};

// ── Asking ──────────────────────────────────────────────────────────────────────────────────────

/** As OSRM keeps them: six decimals, never an exponent. */
const coordinates = ({ lat, lng }: GeoPoint): string => `${lng.toFixed(6)},${lat.toFixed(6)}`;

const addressOf = ({ url, profile }: OsrmOptions, from: GeoPoint, to: GeoPoint): string =>
  `${url.replace(/\/+$/, '')}/route/v1/${encodeURIComponent(profile)}/${coordinates(from)};${coordinates(to)}` +
  `?overview=false&generate_hints=false&radiuses=${SNAP_METERS};${SNAP_METERS}`;

/** The body as text; throws where it is longer than any answer. */
const textOf = async (response: Response): Promise<string> => {
  const body: ReadableStream<Uint8Array> | null = response.body;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw new Error(`answered more than ${MOST_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
};

/** One question; refusals come with status 400 and a code, and are answers too. */
const ask = async (options: OsrmOptions, from: GeoPoint, to: GeoPoint): Promise<number | null> => {
  const response = await fetch(addressOf(options, from, to), {
    signal: AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS),
    redirect: 'error',
    headers: { accept: 'application/json' },
  });
  const text = await textOf(response);
  if (response.status !== 200 && response.status !== 400)
    throw new Error(`answered with status ${response.status}`);
  const answer: unknown = JSON.parse(text);
  return metersTold(answer, from, to);
};

// ── Leaving a dead server alone ─────────────────────────────────────────────────────────────────

interface Breaker {
  /** Whether to ask now; after a pause only the first may, and the others wait for what it hears. */
  mayAsk(): boolean;
  answered(): void;
  failed(reason: string): void;
}

const createBreaker = ({ monotonic, onPause }: OsrmOptions): Breaker => {
  let failures = 0;
  let pausedUntil = -Infinity;
  return {
    mayAsk: () => {
      if (failures < FAILURES) return true;
      if (monotonic() < pausedUntil) return false;
      pausedUntil = monotonic() + PAUSE_MS;
      return true;
    },
    answered: () => {
      failures = 0;
    },
    failed: (reason) => {
      failures += 1;
      pausedUntil = monotonic() + PAUSE_MS;
      if (failures === FAILURES) onPause(reason);
    },
  };
};

/** Why a request failed, without its address: that has a guest's place in it. */
const reasonOf = (thrown: unknown): string => {
  if (!(thrown instanceof Error)) return 'failed';
  if (thrown.name === 'TimeoutError') return 'did not answer in time';
  if (thrown instanceof SyntaxError) return 'answered something else than JSON';
  return thrown.cause instanceof Error && 'code' in thrown.cause ? String(thrown.cause.code) : thrown.message;
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
        breaker.failed(reasonOf(thrown));
        return null;
      }
    },
  };
};

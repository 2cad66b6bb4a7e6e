/** Sends a cached response: content coding, 304 and `Cache-Control`. */
import type { CachePolicy } from '../../platform/contract/endpoint.ts';
import type { Clock } from '../../ports.ts';
import type { Coding } from './cache/encodings.ts';
import { acceptanceOf, matchingTag } from './cache/encodings.ts';
import type { ResponseWriter, Exchange } from './exchange.ts';
import type { Metrics } from './metrics.ts';
import type { Entry } from './cache/published-reads.ts';

const LONGEST_SECONDS = 3600;
const MAX_AGE = Array.from({ length: LONGEST_SECONDS + 1 }, (_, seconds) => `public, max-age=${seconds}`);

/** Decisions 15: the listed seconds, or fewer where the response expires sooner. */
const cacheControl = (policy: CachePolicy, msLeft: number): string => {
  if (typeof policy === 'string') return policy;
  const seconds = Math.max(0, Math.min(policy.maxAge, Math.floor(msLeft / 1000)));
  return MAX_AGE[seconds] ?? `public, max-age=${seconds}`;
};

/**
 * Sends the response and returns null; or returns a coding in which the body must be compressed before it can be
 * sent.
 */
export type SendCached = (exchange: Exchange, entry: Entry, outcome: 'hit' | 'miss') => Coding | null;

export const createSendCached =
  (responses: ResponseWriter, clock: Clock, metrics: Metrics): SendCached =>
  (exchange, entry, outcome) => {
    const { headers } = exchange.request;
    const coding = entry.body.chosen(acceptanceOf(headers['accept-encoding']));
    const lifetime = cacheControl(entry.endpoint.cache, entry.until - clock.now());
    const ifNoneMatch = headers['if-none-match'];
    const tag = ifNoneMatch === undefined ? null : matchingTag(ifNoneMatch, entry.body.tags, coding);
    if (tag !== null) {
      responses.write(
        exchange,
        304,
        [...entry.body.notModified, 'ETag', tag, 'Cache-Control', lifetime],
        null,
      );
      metrics.published(outcome, 0);
      return null;
    }
    const representation = entry.body.ready(coding);
    if (representation === null) return coding;
    const { bytes } = representation;
    responses.write(exchange, 200, [...representation.headers, 'Cache-Control', lifetime], bytes);
    metrics.published(outcome, bytes.length);
    return null;
  };

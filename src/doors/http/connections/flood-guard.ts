/**
 * Blocks clients that send floods of requests. Node parses all of one read in one turn of the event loop, so every
 * pipelined request is charged, whether answered, refused or dropped; so are small chunks of bodies, and crowds of
 * requests on many connections. Beyond the bound a client's connections are closed unread, except those of signed-in
 * staff, and it gets no new one until its bucket is full. Where all clients together pass a larger bound, pipelined
 * requests end their connections.
 */
import type { IncomingMessage } from 'node:http';
import { Buckets } from '../../../platform/domain/buckets.ts';
import type { Peer } from '../limits/client.ts';

/**
 * Of one client: 1,500 pipelined requests are answered; 2,000 block the event loop for 0.5 s, 200 a second take a
 * twentieth of it.
 */
const OF_ONE = { burst: 2_000, seconds: 10 };
const OF_ALL = { burst: 6_000, seconds: 6 };
const ALL = 'all';
const MAX_CLIENTS = 50_000;

/** A browser behind two proxies sends at most 64 header fields; each further 32 cost as much as a short request. */
const USUAL_FIELDS = 64;
const FIELDS_A_REQUEST = 32;

/** Beyond that of a usual head. */
export const costOfHead = ({ rawHeaders }: IncomingMessage): number =>
  Math.floor(Math.max(0, rawHeaders.length / 2 - USUAL_FIELDS) / FIELDS_A_REQUEST);

/** The cost of a pipelined request; `chunks.ts` charges its body. */
export const costOf = (request: IncomingMessage): number => 1 + costOfHead(request);

export interface FloodGuard {
  /**
   * Charges a client; false: the connection is to end. Connections of a proxy stay, since its other clients use them.
   */
  readonly charge: (peer: Peer, cost: number) => boolean;
  readonly isBlocked: (peer: Peer) => boolean;
  /** Requests whose connection was to end. */
  readonly ended: () => number;
}

interface FloodGuardParts {
  readonly monotonic: () => number;
  /** False: request limits are off. */
  readonly isDivided: boolean;
  /** Called once when a client is blocked, before its connections close. */
  readonly onBlocked: (client: string) => void;
}

export const createFloodGuard = ({ monotonic, isDivided, onBlocked }: FloodGuardParts): FloodGuard => {
  const clients = new Buckets(OF_ONE, MAX_CLIENTS);
  const all = new Buckets(OF_ALL, 1);
  let ended = 0;
  const isOver = (key: string, now: number): boolean => clients.owedMs(key, now) > clients.bucket.spanMs;
  return {
    charge: ({ key, isProxy }, cost) => {
      if (!isDivided || isProxy) return true;
      const now = monotonic();
      const wasOver = isOver(key, now);
      clients.overdraw(key, cost, now);
      if (!wasOver) all.overdraw(ALL, cost, now);
      if (!wasOver && isOver(key, now)) {
        // The whole time of the bucket, however little the bound was passed.
        clients.overdraw(key, OF_ONE.burst, now);
        onBlocked(key);
      }
      const mayGoOn = !isOver(key, now) && all.owedMs(ALL, now) <= all.bucket.spanMs;
      if (!mayGoOn) ended += 1;
      return mayGoOn;
    },
    isBlocked: ({ key, isProxy }) => !isProxy && isOver(key, monotonic()),
    ended: () => ended,
  };
};

/**
 * Clients that send on without waiting for answers. Node parses all that a read brings in one turn of the event loop,
 * whatever becomes of it: what a client sends ahead, answered, refused or dropped, counts alike; so do the small pieces of
 * its bodies, and requests on very many connections at once. Who passes the bound has its connections closed unread, but
 * for those of people who are signed in, and gets no new one until it has been quiet for as long as that takes to be made
 * good.
 * Where all clients together pass a larger bound, requests that are sent ahead end their connections.
 */
import type { IncomingMessage } from 'node:http';
import { Buckets } from '../limits/buckets.ts';
import type { Peer } from '../limits/client.ts';

/** Of one client: six times 250 are answered; 2,000 cost the loop half a second at once, and 200 a second a twentieth. */
const OF_ONE = { burst: 2_000, seconds: 10 };
/** Of all. */
const OF_ALL = { burst: 6_000, seconds: 6 };
const ALL = 'all';
/** Clients remembered. */
const MOST_CLIENTS = 50_000;

/** Header fields that a browser sends through two proxies at most; so many more cost as much as a short request. */
const USUAL_FIELDS = 64;
const FIELDS_A_REQUEST = 32;

/** What the head of a request costs beyond a usual one. */
export const costOfHead = ({ rawHeaders }: IncomingMessage): number =>
  Math.floor(Math.max(0, rawHeaders.length / 2 - USUAL_FIELDS) / FIELDS_A_REQUEST);

/** What a request costs that is sent ahead; its body is counted by its pieces (`pieces.ts`). */
export const costOf = (request: IncomingMessage): number => 1 + costOfHead(request);

export interface CutOff {
  /**
   * Counts what was sent ahead, in the cost of a short request; false: its connection is to end. Other clients of a proxy
   * use its connections: they stay.
   */
  readonly ahead: (peer: Peer, cost: number) => boolean;
  /** Whether a client gets no connection now. */
  readonly isCutOff: (peer: Peer) => boolean;
  /** Requests whose connection was to end. */
  readonly ended: () => number;
}

interface CutOffParts {
  readonly monotonic: () => number;
  /** False: nobody is cut off (request limits are off). */
  readonly isDivided: boolean;
  /** Called once for each client, with every connection of it open. */
  readonly onCut: (client: string) => void;
}

export const createCutOff = ({ monotonic, isDivided, onCut }: CutOffParts): CutOff => {
  const clients = new Buckets(OF_ONE, MOST_CLIENTS);
  const all = new Buckets(OF_ALL, 1);
  let ended = 0;
  const isOver = (key: string, now: number): boolean => clients.owedMs(key, now) > clients.spanMs;
  return {
    ahead: ({ key, isProxy }, cost) => {
      if (!isDivided || isProxy) return true;
      const now = monotonic();
      const wasOver = isOver(key, now);
      clients.overdraw(key, cost, now);
      if (!wasOver) all.overdraw(ALL, cost, now);
      if (!wasOver && isOver(key, now)) {
        // For as long as the bucket takes to fill, however little it was passed.
        clients.overdraw(key, OF_ONE.burst, now);
        onCut(key);
      }
      const goesOn = !isOver(key, now) && all.owedMs(ALL, now) <= all.spanMs;
      if (!goesOn) ended += 1;
      return goesOn;
    },
    isCutOff: ({ key, isProxy }) => !isProxy && isOver(key, monotonic()),
    ended: () => ended,
  };
};

/**
 * Clients that go on asking although each answer tells them to wait. An answer with 429 costs the client nothing, and a
 * thousand connections of 250 requests each, all refused but the first, kept the event loop busy for 20 s: beyond a bound
 * a client's connections are closed unread until the minute is over.
 */
import type { Peer } from './client.ts';

/** Requests of a client refused in a minute: half as many again as it lets through, and 0.1 s of the event loop. */
const MOST_REFUSED = 3_000;
/** Clients counted; a minute later they are forgotten. */
const MOST_CLIENTS = 50_000;

export interface CutOff {
  /** Counts a request that was refused or dropped. Other clients of a proxy use its connections: they stay. */
  readonly refused: (peer: Peer, client: string) => void;
  readonly isCutOff: (peer: Peer) => boolean;
  /** Begins the next minute. */
  readonly forget: () => void;
}

/** `isDivided` false: nobody is cut off (request limits are off). `closeAllOf` closes a client's connections. */
export const createCutOff = (isDivided: boolean, closeAllOf: (client: string) => void): CutOff => {
  let refusals = new Map<string, number>();
  return {
    refused: ({ isProxy }, client) => {
      const before = refusals.get(client);
      if (!isDivided || isProxy || (before === undefined && refusals.size >= MOST_CLIENTS)) return;
      const count = (before ?? 0) + 1;
      refusals.set(client, count);
      if (count === MOST_REFUSED) closeAllOf(client);
    },
    isCutOff: ({ key, isProxy }) => !isProxy && (refusals.get(key) ?? 0) >= MOST_REFUSED,
    forget: () => {
      refusals = new Map();
    },
  };
};

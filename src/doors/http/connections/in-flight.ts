/**
 * Requests in flight, from their turn until the response is sent. Behind a proxy a client has no connections of its
 * own, and could use all of the proxy's: one client may have a tenth as many requests in flight as there may be
 * connections.
 */
import type { ServerResponse } from 'node:http';
import type { Connection } from './connections.ts';
import type { Exchange } from '../exchange.ts';
import { FairShare, type Exhausted } from './fair-share.ts';

/** Younger responses are never evicted, so that slow readers do not evict one another. Milliseconds. */
const PATIENCE_MS = 1_000;

export interface InFlight {
  /** Counts the request until it is over, or returns which part is full. */
  readonly begin: (exchange: Exchange) => Exhausted | null;
  /** The client did not take the whole response at once: it is disconnected when it reads no byte for a while. */
  readonly awaitReader: (exchange: Exchange) => void;
  /** Of the client with the most requests in flight, the response that has been read the longest. */
  readonly slowest: () => Connection | null;
  readonly held: () => number;
}

interface InFlightParts {
  readonly monotonic: () => number;
  readonly most: number;
  readonly isDivided: boolean;
  /** Both in ms: an idle connection, and a client that does not read its response. */
  readonly idle: number;
  readonly stall: number;
}

/** Calls `listener` once, when the response is sent or the connection closes. */
export const onResponseEnd = (
  response: ServerResponse,
  connection: Connection,
  listener: () => void,
): void => {
  const over = (): void => {
    offClose();
    response.off('close', over);
    listener();
  };
  const offClose = connection.onClose(over);
  response.once('close', over);
};

export const createInFlight = (parts: InFlightParts): InFlight => {
  const share = new FairShare(parts.most, parts.isDivided);
  const sent = new Map<Connection, { readonly exchange: Exchange; readonly since: number }>();

  const begin = (exchange: Exchange): Exhausted | null => {
    const { client, response, connection } = exchange;
    const full = share.full(client);
    if (full !== null) return full;
    share.acquire(client);
    connection.holds.inFlight += 1;
    sent.set(connection, { exchange, since: parts.monotonic() });
    onResponseEnd(response, connection, () => {
      share.release(client);
      connection.holds.inFlight -= 1;
      if (sent.get(connection)?.exchange === exchange) sent.delete(connection);
    });
    return null;
  };

  return {
    begin,
    awaitReader: (exchange) => {
      const { response, connection } = exchange;
      const isHeld = sent.get(connection)?.exchange === exchange;
      if (!isHeld && begin(exchange) !== null) {
        connection.socket.destroy();
        return;
      }
      // The socket's timer: Node defers it while the kernel accepts bytes of a large write.
      connection.socket.setTimeout(parts.stall);
      // Before Node's own listener, which sets the keep-alive timeout.
      response.prependOnceListener('finish', () => connection.socket.setTimeout(parts.idle));
    },
    slowest: () => {
      const due = parts.monotonic() - PATIENCE_MS;
      let slowest: { readonly exchange: Exchange; readonly since: number } | null = null;
      for (const one of sent.values()) {
        if (one.since > due || !one.exchange.response.writableEnded) continue;
        const more =
          slowest === null ? 1 : share.heldBy(one.exchange.client) - share.heldBy(slowest.exchange.client);
        if (slowest === null || more > 0 || (more === 0 && one.since < slowest.since)) slowest = one;
      }
      return slowest?.exchange.connection ?? null;
    },
    held: () => share.held,
  };
};

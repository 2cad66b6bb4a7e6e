/**
 * Requests under way, each from its turn until its answer is sent whole. A client behind a proxy has no connections of
 * its own to be counted by, so it could take all that the proxy opens: one client may have a tenth of as many requests
 * under way as there may be connections.
 */
import type { ServerResponse } from 'node:http';
import type { Connection } from './connections.ts';
import type { Exchange } from '../exchange.ts';
import { Share, type Full } from './share.ts';

/** A younger answer is not cut for a newcomer, so that readers do not push one another out in turn. Milliseconds. */
const PATIENCE_MS = 1_000;

export interface UnderWay {
  /** Holds the request whose turn it is, until it is over; what is full otherwise. */
  readonly begin: (exchange: Exchange) => Full | null;
  /** The answer is written, and its reader did not take it at once: it is cut off when it takes nothing for a while. */
  readonly awaitReader: (exchange: Exchange) => void;
  /** The connection whose answer is being read longest, first of the client with the most under way. */
  readonly slowest: () => Connection | null;
  readonly held: () => number;
}

interface UnderWayParts {
  readonly monotonic: () => number;
  /** Connections that may be open at once. */
  readonly most: number;
  readonly isDivided: boolean;
  /** In ms, both: how long a connection may be silent, and a reader take nothing of its answer. */
  readonly silence: number;
  readonly stall: number;
}

/** Calls `listener` once, when the response is sent whole or nobody is left to have it. */
export const whenOver = (response: ServerResponse, connection: Connection, listener: () => void): void => {
  const over = (): void => {
    forgetClose();
    response.off('close', over);
    listener();
  };
  const forgetClose = connection.atClose(over);
  response.once('close', over);
};

export const createUnderWay = (parts: UnderWayParts): UnderWay => {
  const share = new Share(parts.most, parts.isDivided);
  const sent = new Map<Connection, { readonly exchange: Exchange; readonly since: number }>();

  const begin = (exchange: Exchange): Full | null => {
    const { client, response, connection } = exchange;
    const full = share.full(client);
    if (full !== null) return full;
    share.take(client);
    connection.holds.underWay += 1;
    sent.set(connection, { exchange, since: parts.monotonic() });
    whenOver(response, connection, () => {
      share.give(client);
      connection.holds.underWay -= 1;
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
      // The socket's own timer: Node puts it off while the kernel takes bytes of a large write.
      connection.socket.setTimeout(parts.stall);
      // Before Node's own listener, which sets the time of an idle connection.
      response.prependOnceListener('finish', () => connection.socket.setTimeout(parts.silence));
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

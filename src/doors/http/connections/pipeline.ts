/**
 * Requests that wait behind others on their connection (pipelining, RFC 9112, 9.3.2). Node parses whatever one read
 * brings, about 1,900 requests, and goes on reading while none is answered: what waits is a shared resource, and the
 * connection that would pass a bound is closed.
 *
 * No pause of the socket: Node resumes it after every message, and a paused socket does not notice a hang-up.
 */
import type { IncomingMessage } from 'node:http';
import type { Exchange } from '../exchange.ts';
import { Share } from './share.ts';
import type { UnderWay } from './under-way.ts';

/** On one connection. Six times 250 of one client are answered; without a bound 386,000 were held after 6 s. */
const MOST_OF_A_CONNECTION = 256;
const MOST_BYTES = 64 * 1024 * 1024;
/** A short request and its answer hold this much: 6,250 held 3.1 KB each. */
const REQUEST_BYTES = 3 * 1024;
/** Of a waiting request's body Node reads what it buffers by itself, 16 KiB, and the rest of one read of 64 KiB. */
const MOST_BODY_BYTES = 80 * 1024;

/** The memory that a waiting request holds, estimated from above. */
const bytesOf = ({ rawHeaders, url = '', headers }: IncomingMessage): number => {
  const isChunked = headers['transfer-encoding'] !== undefined;
  const length = isChunked ? MOST_BODY_BYTES : Number(headers['content-length'] ?? 0);
  const text = rawHeaders.reduce((sum, { length: size }) => sum + size, url.length);
  return REQUEST_BYTES + text + Math.min(length, MOST_BODY_BYTES);
};

export interface Pipeline {
  /** Holds what the request needs until its turn comes; false, and its connection is closed, when a bound is passed. */
  wait(exchange: Exchange): boolean;
  readonly counts: () => { readonly requests: number; readonly bytes: number; readonly cut: number };
}

/** Whether an answer of the connection has to be sent before this one. */
export const isBehindOthers = ({ response }: Exchange): boolean => response.socket === null;

export const createPipeline = (
  isDivided: boolean,
  { awaitReader }: Pick<UnderWay, 'awaitReader'>,
): Pipeline => {
  const bytes = new Share(MOST_BYTES, isDivided);
  let [requests, cut] = [0, 0];
  return {
    wait: (exchange) => {
      const { client, request, response, connection } = exchange;
      const size = bytesOf(request);
      if (connection.waiting >= MOST_OF_A_CONNECTION || bytes.full(client, size) !== null) {
        cut += 1;
        connection.socket.destroy();
        return false;
      }
      bytes.take(client, size);
      connection.holds.queuedBytes += size;
      connection.waiting += 1;
      requests += 1;
      const leave = (): void => {
        forgetClose();
        response.off('socket', leave);
        bytes.give(client, size);
        connection.holds.queuedBytes -= size;
        connection.waiting -= 1;
        requests -= 1;
        // Its answer is sent now, in whole.
        if (response.writableEnded && !connection.isClosed) awaitReader(exchange);
      };
      const forgetClose = connection.atClose(leave);
      // Node gives a response its socket when those before it are sent.
      response.once('socket', leave);
      return true;
    },
    counts: () => ({ requests, bytes: bytes.held, cut }),
  };
};

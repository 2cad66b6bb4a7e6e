/**
 * Pipelined requests (RFC 9112, 9.3.2). Node parses all of one read, about 1,900 requests, and reads on while none is
 * answered: what waits is a shared resource, and a connection beyond a bound is closed.
 *
 * Pausing the socket does not work: Node resumes it after every message, and a paused socket does not notice a hang-up.
 */
import type { IncomingMessage } from 'node:http';
import type { Exchange } from '../exchange.ts';
import { FairShare } from './fair-share.ts';
import type { InFlight } from './in-flight.ts';

/** On one connection. Without a bound 386,000 requests were held after 6 s. */
const MAX_PER_CONNECTION = 256;
const MAX_BYTES = 64 * 1024 * 1024;
/** Memory of a short request and its response: 6,250 held 3.1 KB each. */
const REQUEST_BYTES = 3 * 1024;
/** Node buffers 16 KiB of a waiting request's body, and the rest of one read of 64 KiB. */
const MAX_BODY_BYTES = 80 * 1024;

/** Estimated from above. */
const bytesOf = ({ rawHeaders, url = '', headers }: IncomingMessage): number => {
  const isChunked = headers['transfer-encoding'] !== undefined;
  const length = isChunked ? MAX_BODY_BYTES : Number(headers['content-length'] ?? 0);
  const text = rawHeaders.reduce((sum, { length: size }) => sum + size, url.length);
  return REQUEST_BYTES + text + Math.min(length, MAX_BODY_BYTES);
};

export interface Pipeline {
  /** Counts the request until its turn; beyond a bound it closes the connection and returns false. */
  wait(exchange: Exchange): boolean;
  readonly counts: () => { readonly requests: number; readonly bytes: number; readonly cut: number };
}

/** An earlier response of the connection is not sent yet. */
export const isBehindOthers = ({ response }: Exchange): boolean => response.socket === null;

export const createPipeline = (
  isDivided: boolean,
  { awaitReader }: Pick<InFlight, 'awaitReader'>,
): Pipeline => {
  const bytes = new FairShare(MAX_BYTES, isDivided);
  let [requests, cut] = [0, 0];
  return {
    wait: (exchange) => {
      const { client, request, response, connection } = exchange;
      const size = bytesOf(request);
      if (connection.waiting >= MAX_PER_CONNECTION || bytes.full(client, size) !== null) {
        cut += 1;
        connection.socket.destroy();
        return false;
      }
      bytes.acquire(client, size);
      connection.holds.queuedBytes += size;
      connection.waiting += 1;
      requests += 1;
      const leave = (): void => {
        offClose();
        response.off('socket', leave);
        bytes.release(client, size);
        connection.holds.queuedBytes -= size;
        connection.waiting -= 1;
        requests -= 1;
        // The response was written before its turn, and is sent now.
        if (response.writableEnded && !connection.isClosed) awaitReader(exchange);
      };
      const offClose = connection.onClose(leave);
      // Node gives a response its socket when the earlier ones are sent.
      response.once('socket', leave);
      return true;
    },
    counts: () => ({ requests, bytes: bytes.held, cut }),
  };
};

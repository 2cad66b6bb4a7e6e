/**
 * Counts the small chunks of request bodies as Node's parser delivers them, whether the body is read or not: one read
 * may contain 10,900 chunks of one byte, which take 12 ms.
 */
import { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** A smaller chunk costs more than its bytes. Bytes. */
const SMALL_BYTES = 256;
/** Small chunks of one body that are free. */
const FREE_CHUNKS = 64;
/** Further small chunks are reported in batches of this size. */
const BATCH = 16;

/** Calls `onChunks` for every sixteen small chunks of a connection. */
export const chunkCountingRequests = (onChunks: (socket: Socket) => unknown): typeof IncomingMessage =>
  class extends IncomingMessage {
    #small = 0;

    override push(chunk: Buffer | null, encoding?: BufferEncoding): boolean {
      if (chunk !== null && chunk.length < SMALL_BYTES) {
        this.#small += 1;
        if (this.#small > FREE_CHUNKS && this.#small % BATCH === 0) onChunks(this.socket);
      }
      return super.push(chunk, encoding);
    }

    /** Node calls it once the response is sent; its own makes the parser skip `push` for the rest of the body. */
    _dump(): void {
      this.resume();
    }
  };

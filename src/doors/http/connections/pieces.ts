/**
 * Requests whose small pieces of a body are counted as Node's parser delivers them, whether anybody reads the body or not:
 * one read may bring 10,900 chunks of a byte each, which take 12 ms.
 */
import { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** A smaller piece costs the parser more than its bytes do. Bytes. */
const SMALL_BYTES = 256;
/** Small pieces of one body that are not counted. */
const MOST_UNCOUNTED = 64;
/** Of the others so many are told of at once. */
const PIECES_TOLD = 16;

/** The class of a server's requests; calls `onPieces` for each sixteen small pieces that a connection brings. */
export const requestsThatCountPieces = (onPieces: (socket: Socket) => unknown): typeof IncomingMessage =>
  class extends IncomingMessage {
    #small = 0;

    override push(piece: Buffer | null, encoding?: BufferEncoding): boolean {
      if (piece !== null && piece.length < SMALL_BYTES) {
        this.#small += 1;
        if (this.#small > MOST_UNCOUNTED && this.#small % PIECES_TOLD === 0) onPieces(this.socket);
      }
      return super.push(piece, encoding);
    }

    /** Called by Node once the answer is sent; its own lets the parser skip `push` for the rest of the body. */
    _dump(): void {
      this.resume();
    }
  };

/**
 * Reads request bodies, before a request takes a place (`places.ts`). Bodies that arrive share two resources, how many
 * and how many bytes; one client may hold a tenth of each. Where one is full, the slowest sender is cut off with 408:
 * of the same client when its part is full, else of the client that holds the most.
 */
import { invalidInput, Refusal } from '../domain/refusal.ts';
import type { Connection } from './connections.ts';
import type { Exchange } from './exchange.ts';
import { Share, type Full } from './share.ts';

const MOST_BODIES = 1_000;
const MOST_BYTES = 64 * 1024 * 1024;
/** A sender is not called slow before this; a body of honest size is there long before. Milliseconds. */
const PATIENCE_MS = 1_000;
/** Pieces of a chunked body: each costs the parser as much as a kilobyte. */
const MOST_PIECES = 4_096;

/** The client closed the connection: nobody is left to be answered. */
export class ClientGone extends Error {}

export interface BodyReader {
  /**
   * The whole body, of at most `limit` bytes. Throws BODY_TOO_LARGE, INVALID_INPUT, REQUEST_TIMEOUT, RATE_LIMITED,
   * UNAVAILABLE, after which the connection is to end: the rest of the body is not worth reading; and ClientGone.
   */
  read(exchange: Exchange, limit: number, connection: Connection): Promise<Buffer>;
  counts(): { readonly bodies: number; readonly bytes: number; readonly cut: number };
}

/** `limit` in bytes. */
const tooLarge = (limit: number): Refusal => new Refusal('BODY_TOO_LARGE', { limit: limit / 1024 });

const tooSlow = (): Refusal => new Refusal('REQUEST_TIMEOUT');

const inPieces = (): Refusal =>
  invalidInput({ path: 'body', problem: `is sent in more than ${MOST_PIECES} pieces` });

/** The refusal of who finds a shared resource full. */
export const fullRefusal = (full: Full): Refusal =>
  full === 'client' ? new Refusal('RATE_LIMITED', { retry_after_seconds: 1 }) : new Refusal('UNAVAILABLE');

/** Bytes as they arrive, in a buffer that doubles. */
class Arriving {
  #buffer = Buffer.alloc(0);
  size = 0;
  pieces = 0;

  add(piece: Buffer, limit: number): void {
    const size = this.size + piece.length;
    if (size > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.min(limit, Math.max(size, 2 * this.#buffer.length)));
      this.#buffer.copy(larger, 0, 0, this.size);
      this.#buffer = larger;
    }
    piece.copy(this.#buffer, this.size);
    this.size = size;
    this.pieces += 1;
  }

  whole(): Buffer {
    return this.#buffer.subarray(0, this.size);
  }
}

interface Reading {
  readonly client: string;
  readonly startedAt: number;
  readonly arriving: Arriving;
  readonly cut: () => void;
}

interface ReaderParts {
  readonly monotonic: () => number;
  /** Whether one client may hold a part alone. */
  readonly isDivided: boolean;
}

export const createBodyReader = ({ monotonic, isDivided }: ReaderParts): BodyReader => {
  const bodies = new Share(MOST_BODIES, isDivided);
  const bytes = new Share(MOST_BYTES, isDivided);
  const readings = new Set<Reading>();
  let cut = 0;

  /** Cuts the sender of this client that has sent the least for its time; false where none was slow. */
  const cutSlowest = (client: string | null, except: Reading | null): boolean => {
    const now = monotonic();
    let slowest: Reading | null = null;
    let slowestRate = Infinity;
    for (const reading of readings) {
      const age = now - reading.startedAt;
      if (reading === except || reading.client !== client || age < PATIENCE_MS) continue;
      const rate = reading.arriving.size / age;
      if (rate < slowestRate) [slowest, slowestRate] = [reading, rate];
    }
    if (slowest === null) return false;
    cut += 1;
    slowest.cut();
    return true;
  };
  /** What is full although slow senders were cut off to make room; null where there is room. */
  const fullFor = (share: Share, amount: number, client: string, except: Reading | null): Full | null => {
    for (;;) {
      const full = share.full(client, amount);
      if (full === null || !cutSlowest(full === 'client' ? client : share.greatest(), except)) return full;
    }
  };

  /** Reads until the end; calls `settle` once, with the body or why there is none. */
  const follow = (
    { request, client }: Exchange,
    limit: number,
    connection: Connection,
    settle: (outcome: Buffer | Error) => void,
  ): void => {
    const arriving = new Arriving();
    let isSettled = false;
    const finish = (outcome: Buffer | Error): void => {
      if (isSettled) return;
      isSettled = true;
      readings.delete(reading);
      bodies.give(client);
      bytes.give(client, arriving.size);
      forgetClose();
      request.off('data', take).off('end', end).off('error', lose);
      settle(outcome);
    };
    const take = (piece: Buffer): void => {
      if (arriving.size + piece.length > limit) return finish(tooLarge(limit));
      if (arriving.pieces >= MOST_PIECES) return finish(inPieces());
      const full = fullFor(bytes, piece.length, client, reading);
      if (full !== null) return finish(fullRefusal(full));
      bytes.take(client, piece.length);
      arriving.add(piece, limit);
    };
    const end = (): void => finish(arriving.whole());
    const lose = (): void => finish(new ClientGone());
    const reading: Reading = { client, startedAt: monotonic(), arriving, cut: () => finish(tooSlow()) };
    bodies.take(client);
    readings.add(reading);
    const forgetClose = connection.atClose(lose);
    request.on('data', take).on('end', end).on('error', lose);
  };

  return {
    read: (exchange, limit, connection) =>
      new Promise((resolve, reject) => {
        const settle = (outcome: Buffer | Error): void => {
          if (!(outcome instanceof Error)) return resolve(outcome);
          exchange.endsConnection = true;
          reject(outcome);
        };
        const { request, client } = exchange;
        if (connection.isClosed) return settle(new ClientGone());
        if (Number(request.headers['content-length'] ?? 0) > limit) return settle(tooLarge(limit));
        const full = fullFor(bodies, 1, client, null);
        if (full !== null) return settle(fullRefusal(full));
        follow(exchange, limit, connection, settle);
      }),
    counts: () => ({ bodies: bodies.held, bytes: bytes.held, cut }),
  };
};

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
  readonly counts: () => { readonly bodies: number; readonly bytes: number; readonly cut: number };
}

/** `limit` in bytes. */
const tooLarge = (limit: number): Refusal => new Refusal('BODY_TOO_LARGE', { limit: limit / 1024 });

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

  refusalOf(piece: Buffer, limit: number): Refusal | null {
    if (this.size + piece.length > limit) return tooLarge(limit);
    return this.pieces >= MOST_PIECES ? inPieces() : null;
  }

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

/** A body that arrives. */
interface Reading {
  readonly client: string;
  /** Monotonic ms. */
  readonly startedAt: number;
  readonly arriving: Arriving;
  readonly cut: () => void;
}

/** What all bodies that arrive share. */
class Budget {
  readonly bodies: Share;
  readonly bytes: Share;
  cut = 0;
  readonly now: () => number;
  readonly #readings = new Set<Reading>();

  constructor({ monotonic, isDivided }: ReaderParts) {
    this.bodies = new Share(MOST_BODIES, isDivided);
    this.bytes = new Share(MOST_BYTES, isDivided);
    this.now = monotonic;
  }

  /** The refusal of one more body of this client; null where there is room, perhaps because a slow one was cut off. */
  refusalOfBody(client: string): Refusal | null {
    return this.#refusal(this.bodies, 1, client, null);
  }

  /** The same of a further piece of a body. */
  refusalOfPiece({ length }: Buffer, reading: Reading): Refusal | null {
    return this.#refusal(this.bytes, length, reading.client, reading);
  }

  begin(reading: Reading): void {
    this.bodies.take(reading.client);
    this.#readings.add(reading);
  }

  end(reading: Reading): void {
    this.#readings.delete(reading);
    this.bodies.give(reading.client);
    this.bytes.give(reading.client, reading.arriving.size);
  }

  #refusal(share: Share, amount: number, client: string, except: Reading | null): Refusal | null {
    for (;;) {
      const full = share.full(client, amount);
      if (full === null) return null;
      if (!this.#cutSlowest(full === 'client' ? client : share.greatest(), except)) return fullRefusal(full);
    }
  }

  /** Cuts off the sender of this client that has sent the least for its time; false where none was slow. */
  #cutSlowest(client: string | null, except: Reading | null): boolean {
    const now = this.now();
    const rateOf = ({ arriving, startedAt }: Reading): number => arriving.size / (now - startedAt);
    let slowest: Reading | null = null;
    for (const reading of this.#readings) {
      if (reading === except || reading.client !== client) continue;
      if (now - reading.startedAt < PATIENCE_MS) continue;
      if (slowest === null || rateOf(reading) < rateOf(slowest)) slowest = reading;
    }
    if (slowest === null) return false;
    this.cut += 1;
    slowest.cut();
    return true;
  }
}

interface ReaderParts {
  readonly monotonic: () => number;
  /** Whether one client may hold a part alone. */
  readonly isDivided: boolean;
}

/** Reads until the end, until the body is refused, or until its connection closes. */
const arrival = (
  { request, client }: Exchange,
  limit: number,
  connection: Connection,
  budget: Budget,
): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const arriving = new Arriving();
    const stop = (): void => {
      budget.end(reading);
      forgetClose();
      request.off('data', take).off('end', end).off('error', lose);
    };
    const fail = (reason: Error): void => {
      stop();
      reject(reason);
    };
    const lose = (): void => {
      fail(new ClientGone());
    };
    const end = (): void => {
      stop();
      resolve(arriving.whole());
    };
    const take = (piece: Buffer): void => {
      const refusal = arriving.refusalOf(piece, limit) ?? budget.refusalOfPiece(piece, reading);
      if (refusal !== null) {
        fail(refusal);
        return;
      }
      budget.bytes.take(client, piece.length);
      arriving.add(piece, limit);
    };
    const cut = (): void => {
      fail(new Refusal('REQUEST_TIMEOUT'));
    };
    const reading: Reading = { client, startedAt: budget.now(), arriving, cut };
    budget.begin(reading);
    const forgetClose = connection.atClose(lose);
    request.on('data', take).on('end', end).on('error', lose);
  });

export const createBodyReader = (parts: ReaderParts): BodyReader => {
  const budget = new Budget(parts);
  return {
    read: async (exchange, limit, connection) => {
      const { request, client } = exchange;
      try {
        if (connection.isClosed) throw new ClientGone();
        if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
        const refusal = budget.refusalOfBody(client);
        if (refusal !== null) throw refusal;
        return await arrival(exchange, limit, connection, budget);
      } catch (refused) {
        exchange.endsConnection = true;
        throw refused;
      }
    },
    counts: () => ({ bodies: budget.bodies.held, bytes: budget.bytes.held, cut: budget.cut }),
  };
};

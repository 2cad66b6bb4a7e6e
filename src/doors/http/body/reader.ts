/** Reads request bodies, before a request takes a place (`places.ts`), within what bodies share (`body-budget.ts`). */
import { invalidInput, Refusal } from '../../../kernel/refusal.ts';
import type { Connection } from '../connections/connections.ts';
import { Budget, type BudgetParts, type Reading } from './budget.ts';
import type { Exchange } from '../exchange.ts';

/** Pieces of a chunked body: each costs the parser as much as a kilobyte. So many, and one more for each of these bytes. */
const MOST_PIECES = 64;
const BYTES_A_PIECE = 256;

/** The client closed the connection: nobody is left to be answered. */
export class ClientGone extends Error {}

export interface BodyReader {
  /**
   * The whole body, of at most `limit` bytes. Throws BODY_TOO_LARGE, INVALID_INPUT, REQUEST_TIMEOUT, RATE_LIMITED,
   * UNAVAILABLE, after which the connection is to end: the rest of the body is not worth reading; and ClientGone.
   */
  read(exchange: Exchange, limit: number): Promise<Body>;
  readonly counts: () => { readonly bodies: number; readonly bytes: number; readonly cut: number };
}

/** `limit` in bytes. */
const tooLarge = (limit: number): Refusal => new Refusal('BODY_TOO_LARGE', { limit: limit / 1024 });

const inPieces = (): Refusal =>
  invalidInput({ path: 'body', problem: `is sent in too small pieces, of less than ${BYTES_A_PIECE} bytes` });

/** Bytes as they arrive, in a buffer that doubles. */
class Arriving {
  #buffer = Buffer.alloc(0);
  size = 0;
  pieces = 0;

  get capacity(): number {
    return this.#buffer.length;
  }

  /** Bytes to allocate for this piece: the buffer doubles. */
  growthFor({ length }: Buffer, limit: number): number {
    const size = this.size + length;
    if (size <= this.capacity) return 0;
    return Math.min(limit, Math.max(size, 2 * this.capacity)) - this.capacity;
  }

  refusalOf(piece: Buffer, limit: number): Refusal | null {
    if (this.size + piece.length > limit) return tooLarge(limit);
    return this.pieces >= MOST_PIECES + this.size / BYTES_A_PIECE ? inPieces() : null;
  }

  add(piece: Buffer, limit: number): void {
    const growth = this.growthFor(piece, limit);
    if (growth > 0) {
      const larger = Buffer.allocUnsafe(this.capacity + growth);
      this.#buffer.copy(larger, 0, 0, this.size);
      this.#buffer = larger;
    }
    piece.copy(this.#buffer, this.size);
    this.size += piece.length;
    this.pieces += 1;
  }

  whole(): Buffer {
    return this.#buffer.subarray(0, this.size);
  }
}

/** A body that is there. Its bytes count as its client's until they are parsed, or the connection closes. */
export class Body {
  readonly length: number;
  #bytes: Buffer | null;
  readonly #giveBack: () => void;
  readonly #forgetClose: () => void;

  constructor(bytes: Buffer, connection: Connection, giveBack: () => void) {
    this.length = bytes.length;
    this.#bytes = bytes;
    this.#giveBack = giveBack;
    this.#forgetClose = connection.atClose(() => this.drop());
  }

  /** Throws ClientGone once it is dropped. */
  get bytes(): Buffer {
    if (this.#bytes === null) throw new ClientGone();
    return this.#bytes;
  }

  drop(): void {
    if (this.#bytes === null) return;
    this.#bytes = null;
    this.#forgetClose();
    this.#giveBack();
  }
}

/** Reads until the end, until the body is refused, or until its connection closes. */
const arrival = ({ request, client, connection }: Exchange, limit: number, budget: Budget): Promise<Body> =>
  new Promise((resolve, reject) => {
    const arriving = new Arriving();
    const stop = (): void => {
      budget.end(reading);
      forgetClose();
      connection.atFault(null);
      request.off('data', take).off('end', end).off('error', lose);
    };
    const giveBack = (): void => budget.giveBytes(reading, arriving.capacity);
    const fail = (reason: Error): void => {
      stop();
      giveBack();
      reject(reason);
    };
    const lose = (): void => {
      fail(new ClientGone());
    };
    const end = (): void => {
      stop();
      resolve(new Body(arriving.whole(), connection, giveBack));
    };
    const take = (piece: Buffer): void => {
      const growth = arriving.growthFor(piece, limit);
      const refusal = arriving.refusalOf(piece, limit) ?? budget.refusalOfBytes(growth, reading);
      if (refusal !== null) {
        fail(refusal);
        return;
      }
      budget.takeBytes(reading, growth);
      arriving.add(piece, limit);
    };
    const cut = (): void => {
      fail(new Refusal('REQUEST_TIMEOUT'));
    };
    const reading: Reading = { client, connection, startedAt: budget.now(), arriving, cut };
    budget.begin(reading);
    const forgetClose = connection.atClose(lose);
    connection.atFault(() => fail(connection.fault ?? new ClientGone()));
    request.on('data', take).on('end', end).on('error', lose);
  });

export const createBodyReader = (parts: BudgetParts): BodyReader => {
  const budget = new Budget(parts);
  return {
    read: async (exchange, limit) => {
      const { request, client, connection } = exchange;
      try {
        if (connection.isClosed) throw new ClientGone();
        if (connection.fault !== null && !request.complete) throw connection.fault;
        if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
        const refusal = budget.refusalOfBody(client);
        if (refusal !== null) throw refusal;
        return await arrival(exchange, limit, budget);
      } catch (refused) {
        exchange.endsConnection = true;
        throw refused;
      }
    },
    counts: () => ({ bodies: budget.bodies.held, bytes: budget.bytes.held, cut: budget.cut }),
  };
};

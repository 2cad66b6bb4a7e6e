/** Reads request bodies within the shared budgets (`budget.ts`), before they take a permit (`concurrency-limit.ts`). */
import { invalidInput, Refusal } from '../../../kernel/refusal.ts';
import { ClientGone, type Connection } from '../connections/connections.ts';
import { BodyBudget, type BudgetParts, type IncomingBody } from './budget.ts';
import type { Exchange } from '../exchange.ts';

/** A chunk costs the parser as much as a kilobyte: 64 chunks are allowed, and one more per 256 bytes. */
const FREE_CHUNKS = 64;
const BYTES_PER_CHUNK = 256;

export interface BodyReader {
  /**
   * The whole body, of at most `limit` bytes. Throws BODY_TOO_LARGE, INVALID_INPUT, REQUEST_TIMEOUT, RATE_LIMITED,
   * UNAVAILABLE, which all end the connection, and ClientGone.
   */
  read(exchange: Exchange, limit: number): Promise<Body>;
  readonly counts: () => { readonly bodies: number; readonly bytes: number; readonly cut: number };
}

const tooLarge = (limit: number): Refusal => new Refusal('BODY_TOO_LARGE', { limit: limit / 1024 });

const tooManyChunks = (): Refusal =>
  invalidInput({
    path: 'body',
    problem: `is sent in too small pieces, of less than ${BYTES_PER_CHUNK} bytes`,
    arabic: `المحتوى مُرسل في أجزاء أصغر من المسموح: أقل من ${BYTES_PER_CHUNK} بايت`,
  });

class ReceivedBytes {
  #buffer = Buffer.alloc(0);
  size = 0;
  chunks = 0;

  get capacity(): number {
    return this.#buffer.length;
  }

  growthFor({ length }: Buffer, limit: number): number {
    const size = this.size + length;
    if (size <= this.capacity) return 0;
    return Math.min(limit, Math.max(size, 2 * this.capacity)) - this.capacity;
  }

  refusalOf(chunk: Buffer, limit: number): Refusal | null {
    if (this.size + chunk.length > limit) return tooLarge(limit);
    return this.chunks >= FREE_CHUNKS + this.size / BYTES_PER_CHUNK ? tooManyChunks() : null;
  }

  add(chunk: Buffer, limit: number): void {
    const growth = this.growthFor(chunk, limit);
    if (growth > 0) {
      const larger = Buffer.allocUnsafe(this.capacity + growth);
      this.#buffer.copy(larger, 0, 0, this.size);
      this.#buffer = larger;
    }
    chunk.copy(this.#buffer, this.size);
    this.size += chunk.length;
    this.chunks += 1;
  }

  whole(): Buffer {
    return this.#buffer.subarray(0, this.size);
  }
}

/** A received body. Its bytes count for its client until they are parsed, or the connection closes. */
export class Body {
  readonly length: number;
  #bytes: Buffer | null;
  readonly #releaseBuffer: () => void;
  readonly #offClose: () => void;

  constructor(bytes: Buffer, connection: Connection, releaseBuffer: () => void) {
    this.length = bytes.length;
    this.#bytes = bytes;
    this.#releaseBuffer = releaseBuffer;
    this.#offClose = connection.onClose(() => this.drop());
  }

  /** Throws ClientGone once it is dropped. */
  get bytes(): Buffer {
    if (this.#bytes === null) throw new ClientGone();
    return this.#bytes;
  }

  drop(): void {
    if (this.#bytes === null) return;
    this.#bytes = null;
    this.#offClose();
    this.#releaseBuffer();
  }
}

const receiveBody = (
  { request, client, connection }: Exchange,
  limit: number,
  budget: BodyBudget,
): Promise<Body> =>
  new Promise((resolve, reject) => {
    const received = new ReceivedBytes();
    const stop = (): void => {
      budget.end(incoming);
      offClose();
      connection.onFault(null);
      request.off('data', take).off('end', end).off('error', onGone);
    };
    const releaseBuffer = (): void => budget.releaseBytes(incoming, received.capacity);
    const fail = (reason: Error): void => {
      stop();
      releaseBuffer();
      reject(reason);
    };
    const onGone = (): void => {
      fail(new ClientGone());
    };
    const end = (): void => {
      stop();
      resolve(new Body(received.whole(), connection, releaseBuffer));
    };
    const take = (chunk: Buffer): void => {
      const growth = received.growthFor(chunk, limit);
      const refusal = received.refusalOf(chunk, limit) ?? budget.refusalOfBytes(growth, incoming);
      if (refusal !== null) {
        fail(refusal);
        return;
      }
      budget.reserveBytes(incoming, growth);
      received.add(chunk, limit);
    };
    const cut = (): void => {
      fail(new Refusal('REQUEST_TIMEOUT'));
    };
    const incoming: IncomingBody = { client, connection, startedAt: budget.now(), received, cut };
    budget.begin(incoming);
    const offClose = connection.onClose(onGone);
    connection.onFault(() => fail(connection.fault ?? new ClientGone()));
    request.on('data', take).on('end', end).on('error', onGone);
  });

export const createBodyReader = (parts: BudgetParts): BodyReader => {
  const budget = new BodyBudget(parts);
  return {
    read: async (exchange, limit) => {
      const { request, client, connection } = exchange;
      try {
        if (connection.isClosed) throw new ClientGone();
        if (connection.fault !== null && !request.complete) throw connection.fault;
        if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
        const refusal = budget.refusalOfBody(client);
        if (refusal !== null) throw refusal;
        return await receiveBody(exchange, limit, budget);
      } catch (refused) {
        exchange.endsConnection = true;
        throw refused;
      }
    },
    counts: () => ({ bodies: budget.bodies.held, bytes: budget.bytes.held, cut: budget.cut }),
  };
};

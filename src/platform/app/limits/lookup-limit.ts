/**
 * A cart quote with a new place costs a request to the routing server and a row, as a delivery quote does
 * (Decisions 15). A token bucket per client.
 */
import { LRUCache } from 'lru-cache';
import { Refusal } from '../../../kernel/refusal.ts';
import type { RoadDistance } from '../../../ports.ts';
import { TokenBucket } from '../../domain/token-bucket.ts';

/** Same as the limit of delivery quotes: 60 at once, refilled within 60 s. */
const BURST = 60;
const REFILL_SECONDS = 60;
const MAX_CLIENTS = 50_000;

/** Absorbs floating-point rounding: without it, a full bucket lacked its last token at 1.2 % of the instants. */
const WHOLE = 1 - 1e-6;

interface LookupLimitParts {
  /** Multiplies the bucket; 0 disables the limit. */
  readonly scale: number;
  /** Milliseconds of a monotonic clock. */
  readonly monotonic: () => number;
}

export class LookupLimit {
  /** Null: no limit. */
  readonly #bucket: TokenBucket | null;
  readonly #monotonic: () => number;
  readonly #fullAt = new LRUCache<string, number>({ max: MAX_CLIENTS });

  constructor({ scale, monotonic }: LookupLimitParts) {
    const burst = Math.max(1, Math.round(BURST * scale));
    this.#bucket = scale === 0 ? null : new TokenBucket({ burst, seconds: REFILL_SECONDS });
    this.#monotonic = monotonic;
  }

  /** Throws RATE_LIMITED when the client's bucket is empty. */
  on(roads: RoadDistance, client: string): RoadDistance {
    return {
      meters: async (from, to) => {
        this.#take(client);
        return roads.meters(from, to);
      },
    };
  }

  #take(client: string): void {
    if (this.#bucket === null) return;
    const now = this.#monotonic();
    const owed = this.#bucket.owedMs(this.#fullAt.peek(client), now);
    const waitMs = this.#bucket.waitMs(owed, WHOLE);
    if (waitMs > 0)
      throw new Refusal('RATE_LIMITED', { retry_after_seconds: Math.max(1, Math.ceil(waitMs / 1000)) });
    this.#fullAt.set(client, now + this.#bucket.owedAfter(owed));
  }
}

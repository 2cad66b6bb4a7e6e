/**
 * A cart quote with a new place costs a request to the routing server and a row, as a delivery quote does
 * (Decisions 15). A token bucket per client, stored as the instant at which it is full again.
 */
import { LRUCache } from 'lru-cache';
import { Refusal } from '../../kernel/refusal.ts';
import type { RoadDistance } from '../../ports.ts';

/** Same as the limit of delivery quotes: 60 at once, refilled within 60 s. */
const BURST = 60;
const REFILL_SECONDS = 60;
const MAX_CLIENTS = 50_000;

interface LookupLimitParts {
  /** Multiplies the bucket; 0 disables the limit. */
  readonly scale: number;
  /** Milliseconds of a monotonic clock. */
  readonly monotonic: () => number;
}

export class LookupLimit {
  readonly #spanMs = REFILL_SECONDS * 1000;
  readonly #stepMs: number;
  readonly #monotonic: () => number;
  readonly #fullAt = new LRUCache<string, number>({ max: MAX_CLIENTS });

  constructor({ scale, monotonic }: LookupLimitParts) {
    this.#stepMs = scale === 0 ? 0 : this.#spanMs / Math.max(1, Math.round(BURST * scale));
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
    if (this.#stepMs === 0) return;
    const now = this.#monotonic();
    const fullAt = Math.max(now, this.#fullAt.peek(client) ?? now) + this.#stepMs;
    const waitMs = fullAt - now - this.#spanMs;
    if (waitMs > 0)
      throw new Refusal('RATE_LIMITED', { retry_after_seconds: Math.max(1, Math.ceil(waitMs / 1000)) });
    this.#fullAt.set(client, fullAt);
  }
}

/**
 * A cart quote with a new place costs a request to the routing server and a row, as a delivery quote does
 * (Decisions 15). A token bucket per client.
 */
import { Refusal } from '../../../kernel/refusal.ts';
import type { RoadDistance } from '../../../ports.ts';
import { SharedBuckets } from '../../domain/shared-buckets.ts';
import type { LimitSettling } from './settling.ts';

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
  /** Shares the limit with other processes; undefined: this one limits alone. */
  readonly settling?: Pick<LimitSettling, 'add'>;
}

export class LookupLimit {
  /** Null: no limit. */
  readonly #buckets: SharedBuckets | null;
  readonly #monotonic: () => number;

  constructor({ scale, monotonic, settling }: LookupLimitParts) {
    const size = { burst: Math.max(1, Math.round(BURST * scale)), seconds: REFILL_SECONDS };
    this.#buckets =
      scale === 0 ? null : new SharedBuckets({ name: 'quoted_places', size, capacity: MAX_CLIENTS });
    this.#monotonic = monotonic;
    if (this.#buckets !== null) settling?.add(this.#buckets);
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
    const buckets = this.#buckets;
    if (buckets === null) return;
    const now = this.#monotonic();
    const owed = buckets.owedMs(client, now);
    const waitMs = buckets.bucket.waitMs(owed, WHOLE);
    if (waitMs > 0)
      throw new Refusal('RATE_LIMITED', { retry_after_seconds: Math.max(1, Math.ceil(waitMs / 1000)) });
    buckets.take(client, owed, now);
  }
}

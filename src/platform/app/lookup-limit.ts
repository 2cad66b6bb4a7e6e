/**
 * How many distances a client may have looked up by quotes of carts. A quote of a cart is an ordering read, of which a
 * client has many; one with a place that nobody asked about within a day costs a question to the routing server and a
 * row, as a delivery quote does, and counts as one (Decisions 15). A token bucket for each client, kept as one number:
 * the moment at which it is full again.
 */
import { Refusal } from '../../kernel/refusal.ts';
import type { RoadDistance } from '../../ports.ts';

/** As many as delivery quotes: at once, and seconds in which as many more may be asked. */
const BURST = 60;
const SECONDS = 60;
/** Clients remembered; beyond, those who asked longest ago are forgotten first. */
const MOST_CLIENTS = 50_000;

interface LookupLimitParts {
  /** Multiplies the bucket; 0: no limit. */
  readonly scale: number;
  /** Milliseconds that only go forward. */
  readonly monotonic: () => number;
}

export class LookupLimit {
  readonly #spanMs = SECONDS * 1000;
  readonly #stepMs: number;
  readonly #monotonic: () => number;
  readonly #fullAt = new Map<string, number>();

  constructor({ scale, monotonic }: LookupLimitParts) {
    this.#stepMs = scale === 0 ? 0 : this.#spanMs / Math.max(1, Math.round(BURST * scale));
    this.#monotonic = monotonic;
  }

  /** The same roads for one client; a question too many is refused with RATE_LIMITED instead of asked. */
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
    const fullAt = Math.max(now, this.#fullAt.get(client) ?? now) + this.#stepMs;
    const waitMs = fullAt - now - this.#spanMs;
    if (waitMs > 0)
      throw new Refusal('RATE_LIMITED', { retry_after_seconds: Math.max(1, Math.ceil(waitMs / 1000)) });
    // Deleted first, so that the map stays in the order of the last question.
    this.#fullAt.delete(client);
    this.#fullAt.set(client, fullAt);
    for (const oldest of this.#fullAt.keys()) {
      if (this.#fullAt.size <= MOST_CLIENTS) break;
      this.#fullAt.delete(oldest);
    }
  }
}

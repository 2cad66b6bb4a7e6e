/** A resource that all clients share and of which one client may hold a part alone (Decisions 15). */
import { Refusal } from '../../../kernel/refusal.ts';

/** The part of a resource that one client may hold. */
const PART = 0.1;
/** A small resource is not divided further than this. */
const SMALLEST_PART = 8;

/** What is full: the client's own part, or the resource. */
export type Full = 'client' | 'all';

/** The refusal of who finds it full. */
export const fullRefusal = (full: Full): Refusal =>
  full === 'client' ? new Refusal('RATE_LIMITED', { retry_after_seconds: 1 }) : new Refusal('UNAVAILABLE');

export class Share {
  readonly total: number;
  /** What one client may hold. */
  readonly each: number;
  readonly #byClient = new Map<string, number>();
  #held = 0;

  /** `isDivided` false: one client may hold everything (request limits are off). */
  constructor(total: number, isDivided = true) {
    this.total = total;
    this.each = isDivided ? Math.max(SMALLEST_PART, Math.floor(total * PART)) : total;
  }

  get held(): number {
    return this.#held;
  }

  heldBy(client: string): number {
    return this.#byClient.get(client) ?? 0;
  }

  /** The client that holds the most; null when nothing is held. */
  greatest(): string | null {
    let most: readonly [string, number] | null = null;
    for (const entry of this.#byClient) if (most === null || entry[1] > most[1]) most = entry;
    return most === null ? null : most[0];
  }

  /** Why the client cannot have `amount` more; null when it can. */
  full(client: string, amount = 1): Full | null {
    if (this.heldBy(client) + amount > this.each) return 'client';
    return this.#held + amount > this.total ? 'all' : null;
  }

  take(client: string, amount = 1): void {
    this.#held += amount;
    this.#byClient.set(client, this.heldBy(client) + amount);
  }

  give(client: string, amount = 1): void {
    const left = this.heldBy(client) - amount;
    this.#held -= amount;
    if (left > 0) this.#byClient.set(client, left);
    else this.#byClient.delete(client);
  }
}

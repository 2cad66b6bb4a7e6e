/** A resource shared by all clients, of which one client may hold a part (Decisions 15). */
import { Refusal } from '../../../kernel/refusal.ts';

const PART = 0.1;
const SMALLEST_PART = 8;

/** The client's part is full, or the whole resource. */
export type Exhausted = 'client' | 'all';

export const exhaustedRefusal = (full: Exhausted): Refusal =>
  full === 'client' ? new Refusal('RATE_LIMITED', { retry_after_seconds: 1 }) : new Refusal('UNAVAILABLE');

export class FairShare {
  readonly total: number;
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

  greatest(): string | null {
    let most: readonly [string, number] | null = null;
    for (const entry of this.#byClient) if (most === null || entry[1] > most[1]) most = entry;
    return most === null ? null : most[0];
  }

  /** Why `amount` more is refused, or null. */
  full(client: string, amount = 1): Exhausted | null {
    if (this.heldBy(client) + amount > this.each) return 'client';
    return this.#held + amount > this.total ? 'all' : null;
  }

  acquire(client: string, amount = 1): void {
    this.#held += amount;
    this.#byClient.set(client, this.heldBy(client) + amount);
  }

  release(client: string, amount = 1): void {
    const left = this.heldBy(client) - amount;
    this.#held -= amount;
    if (left > 0) this.#byClient.set(client, left);
    else this.#byClient.delete(client);
  }
}

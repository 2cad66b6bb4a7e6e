/**
 * The token buckets of this process, of a kind that several processes share. Each process decides by its own buckets;
 * what it took is settled from time to time (`app/limits/settling.ts`) with a bucket that all of them have in common.
 */
import { Buckets, type ClientBucket } from './buckets.ts';
import type { BucketSize } from './token-bucket.ts';

/** What a client took of one bucket since it was last settled. */
export interface Taking {
  readonly client: string;
  readonly ms: number;
  /** The time from which it is counted: of the first taking, or later (`note`). Monotonic. */
  readonly from: number;
}

/** The part of a bucket that a client may owe, or take, before it is settled: most clients rarely are. */
const QUIET_PART = 1 / 8;

export interface SharedBucketsParts {
  /** Equal in all processes. */
  readonly name: string;
  readonly size: BucketSize;
  /** Clients. */
  readonly capacity: number;
  /** Default: an eighth of the bucket. */
  readonly quietPart?: number;
}

export class SharedBuckets extends Buckets {
  readonly name: string;
  readonly #quietMs: number;
  /** Clients that owe or took more than the quiet part, and took tokens since they were settled, in that order. */
  readonly #unsettled = new Set<string>();

  constructor({ name, size, capacity, quietPart = QUIET_PART }: SharedBucketsParts) {
    super(size, capacity);
    this.name = name;
    this.#quietMs = this.bucket.spanMs * quietPart;
  }

  /** Clients that wait to be settled. */
  get waiting(): number {
    return this.#unsettled.size;
  }

  /** Of at most `count` clients, those that wait longest; they wait no more. */
  collect(count: number): readonly Taking[] {
    const takings: Taking[] = [];
    let looked = 0;
    for (const client of this.#unsettled) {
      if (looked === count) break;
      looked += 1;
      this.#unsettled.delete(client);
      const held = this.heldOf(client);
      if (held === undefined || held.unsettledMs === 0) continue;
      takings.push({ client, ms: held.unsettledMs, from: held.unsettledFrom });
      held.unsettledMs = 0;
    }
    return takings;
  }

  /** After a settling that failed: they wait again, with what was taken since. Those of evicted buckets are dropped. */
  putBack(takings: readonly Taking[]): void {
    for (const { client, ms, from } of takings) {
      const held = this.heldOf(client);
      if (held === undefined) continue;
      held.unsettledMs += ms;
      held.unsettledFrom = from;
      this.#unsettled.add(client);
    }
  }

  /**
   * `owed`: what all processes together owed at `settledAt`, this taking included; negative: full since then. What this
   * process knows to be owed stays: its clients took it, in whatever order the others were settled.
   */
  settle({ client }: Taking, owed: number, settledAt: number, now: number): void {
    const settled = settledAt + Math.min(owed, this.bucket.mostOwedMs);
    const before = this.heldOf(client);
    if (before === undefined && settled <= now) return;
    const held = before ?? this.hold(client, now);
    const { fullAt, unsettledMs, unsettledFrom } = held;
    const all = unsettledMs === 0 ? settled : Math.max(settled, unsettledFrom) + unsettledMs;
    held.fullAt = Math.min(Math.max(fullAt, all), now + this.bucket.mostOwedMs);
  }

  /**
   * Takings are counted from the first, so that a client that each process alone could refill is not refilled by all
   * of them: what each took adds up. At most one whole bucket is refilled for the time before a taking, or else a
   * client that took one token an hour ago could empty a bucket of each process now.
   */
  protected override note(client: string, held: ClientBucket, ms: number, now: number): void {
    const earliest = now - this.bucket.spanMs - held.unsettledMs;
    if (held.unsettledMs === 0) held.unsettledFrom = now;
    else if (held.unsettledFrom < earliest) held.unsettledFrom = earliest;
    held.unsettledMs += ms;
    if (held.unsettledMs > this.#quietMs || held.fullAt - now > this.#quietMs) this.#unsettled.add(client);
  }

  /**
   * A full bucket with takings that are not settled is kept for seven eighths of its span. Whoever takes nothing here
   * for so long takes too little to matter. At capacity it is evicted like others.
   */
  protected override isIdle(held: ClientBucket, now: number): boolean {
    return held.fullAt <= now - (held.unsettledMs === 0 ? 0 : this.bucket.spanMs - this.#quietMs);
  }

  protected override forget(client: string): void {
    super.forget(client);
    this.#unsettled.delete(client);
  }
}

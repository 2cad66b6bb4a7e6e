/**
 * The token buckets of this process, of a kind that several processes share. Each process decides by its own buckets;
 * what it took is settled from time to time (`app/limits/settling.ts`) with a bucket that all of them have in common.
 */
import { Buckets } from './buckets.ts';
import type { BucketSize } from './token-bucket.ts';

/** What a client took of one bucket since it was last settled. */
export interface Taking {
  readonly client: string;
  readonly ms: number;
  /** When the bucket is full, all that is settled here included. Monotonic. */
  readonly fullAt: number;
}

/** The part of a bucket that a client may owe before it is settled: most clients never are. */
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

/** What is owed beyond an earlier moment at which the bucket was to be full. */
const owedBeyond = (fullAt: number, earlier: number, now: number): number =>
  Math.max(0, fullAt - Math.max(earlier, now));

export class SharedBuckets extends Buckets {
  readonly name: string;
  readonly #quietMs: number;
  /** When the buckets would be full if nothing had been taken since they were settled. */
  readonly #settledFullAt = new Map<string, number>();
  /** Clients that owe more than the quiet part and took tokens since they were settled, in that order. */
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

  override take(client: string, owed: number, now: number): number {
    const after = super.take(client, owed, now);
    if (after > this.#quietMs) this.#unsettled.add(client);
    return after;
  }

  override overdraw(client: string, count: number, now: number): void {
    super.overdraw(client, count, now);
    if (this.owedMs(client, now) > this.#quietMs) this.#unsettled.add(client);
  }

  /** Of at most `count` clients, those that wait longest; they wait no more. */
  collect(count: number, now: number): readonly Taking[] {
    const takings: Taking[] = [];
    let looked = 0;
    for (const client of this.#unsettled) {
      if (looked === count) break;
      looked += 1;
      this.#unsettled.delete(client);
      const fullAt = this.fullAtOf(client) ?? now;
      const ms = owedBeyond(fullAt, this.#settledFullAt.get(client) ?? now, now);
      if (ms > 0) takings.push({ client, ms, fullAt });
    }
    return takings;
  }

  /** After a settling that failed: they wait again, with what was taken since. */
  putBack(takings: readonly Taking[]): void {
    for (const { client } of takings) this.#unsettled.add(client);
  }

  /** `owed`: what all processes together owed at `settledAt`, this taking included. */
  settle({ client, fullAt: before }: Taking, owed: number, settledAt: number, now: number): void {
    const since = owedBeyond(this.fullAtOf(client) ?? before, before, now);
    const settled = Math.max(now, settledAt + Math.min(owed, this.bucket.mostOwedMs));
    this.#settledFullAt.set(client, settled);
    this.setFullAt(client, Math.min(settled + since, now + this.bucket.mostOwedMs), now);
  }

  protected override forget(client: string): void {
    super.forget(client);
    this.#settledFullAt.delete(client);
    this.#unsettled.delete(client);
  }
}

/** The token buckets of clients, in bounded memory. */
import { TokenBucket, type BucketSize } from './token-bucket.ts';

/** The bucket of one client, changed in place: a request looks it up and writes no map. Times are monotonic, ms. */
export class ClientBucket {
  fullAt: number;
  /** Taken since it was last settled, and the time from which that is counted (`SharedBuckets`). */
  unsettledMs = 0;
  unsettledFrom = 0;

  constructor(fullAt: number) {
    this.fullAt = fullAt;
  }
}

export class Buckets {
  readonly bucket: TokenBucket;
  readonly #capacity: number;
  readonly #held = new Map<string, ClientBucket>();
  #sweep = this.#held.entries();

  /** `capacity`: clients; beyond, buckets nearest to full are evicted first. */
  constructor(size: BucketSize, capacity: number) {
    this.bucket = new TokenBucket(size);
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#held.size;
  }

  /** Milliseconds until the bucket is full. `now` is monotonic. */
  owedMs(client: string, now: number): number {
    return this.bucket.owedMs(this.#held.get(client)?.fullAt, now);
  }

  take(client: string, owed: number, now: number): number {
    const after = this.bucket.owedAfter(owed);
    const held = this.hold(client, now);
    held.fullAt = now + after;
    this.note?.(client, held, this.bucket.stepMs, now);
    return after;
  }

  /** Takes `count` tokens even of an empty bucket, down to minus its size. */
  overdraw(client: string, count: number, now: number): void {
    const held = this.hold(client, now);
    const owed = this.bucket.owedMs(held.fullAt, now);
    const after = Math.min(this.bucket.owedAfter(owed, count), this.bucket.mostOwedMs);
    held.fullAt = now + after;
    this.note?.(client, held, after - owed, now);
  }

  /** Undefined: full, with nothing to settle. */
  protected heldOf(client: string): ClientBucket | undefined {
    return this.#held.get(client);
  }

  /** A bucket that was not held is full. */
  protected hold(client: string, now: number): ClientBucket {
    const held = this.#held.get(client);
    if (held !== undefined) return held;
    this.#evict(now);
    const full = new ClientBucket(now);
    this.#held.set(client, full);
    return full;
  }

  /** Counts a taking, after it (`SharedBuckets`). */
  protected note?(client: string, held: ClientBucket, ms: number, now: number): void;

  protected isIdle(held: ClientBucket, now: number): boolean {
    return held.fullAt <= now;
  }

  /** The bucket is idle, or evicted. */
  protected forget(client: string): void {
    this.#held.delete(client);
  }

  /** A new client removes up to two idle buckets; at capacity, the fullest of the next sixteen is evicted. */
  #evict(now: number): void {
    this.#sweepIdle(2, now);
    if (this.#held.size < this.#capacity) return;
    const fullest = this.#sweepIdle(16, now);
    if (this.#held.size >= this.#capacity && fullest !== null) this.forget(fullest);
  }

  #sweepIdle(count: number, now: number): string | null {
    let fullest: readonly [string, ClientBucket] | null = null;
    for (let looked = 0; looked < count; looked += 1) {
      const next = this.#sweep.next();
      if (next.done === true) {
        this.#sweep = this.#held.entries();
        continue;
      }
      const [client, held] = next.value;
      if (this.isIdle(held, now)) this.forget(client);
      else if (fullest === null || held.fullAt < fullest[1].fullAt) fullest = next.value;
    }
    return fullest === null ? null : fullest[0];
  }
}

/** The token buckets of clients, in bounded memory. */
import { TokenBucket, type BucketSize } from './token-bucket.ts';

export class Buckets {
  readonly bucket: TokenBucket;
  readonly #capacity: number;
  readonly #fullAt = new Map<string, number>();
  #sweep = this.#fullAt.entries();

  /** `capacity`: clients; beyond, buckets nearest to full are evicted first. */
  constructor(size: BucketSize, capacity: number) {
    this.bucket = new TokenBucket(size);
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#fullAt.size;
  }

  /** Milliseconds until the bucket is full. `now` is monotonic. */
  owedMs(client: string, now: number): number {
    return this.bucket.owedMs(this.#fullAt.get(client), now);
  }

  take(client: string, owed: number, now: number): number {
    const after = this.bucket.owedAfter(owed);
    this.setFullAt(client, now + after, now);
    return after;
  }

  /** Takes `count` tokens even of an empty bucket, down to minus its size. */
  overdraw(client: string, count: number, now: number): void {
    const owed = this.bucket.owedAfter(this.owedMs(client, now), count);
    this.setFullAt(client, now + Math.min(owed, this.bucket.mostOwedMs), now);
  }

  /** Undefined: full. */
  protected fullAtOf(client: string): number | undefined {
    return this.#fullAt.get(client);
  }

  protected setFullAt(client: string, fullAt: number, now: number): void {
    if (!this.#fullAt.has(client)) this.#evict(now);
    this.#fullAt.set(client, fullAt);
  }

  /** The bucket is full, or evicted. */
  protected forget(client: string): void {
    this.#fullAt.delete(client);
  }

  /** A new client removes up to two full buckets; at capacity, the fullest of the next sixteen is evicted. */
  #evict(now: number): void {
    this.#sweepIdle(2, now);
    if (this.#fullAt.size < this.#capacity) return;
    const fullest = this.#sweepIdle(16, now);
    if (this.#fullAt.size >= this.#capacity && fullest !== null) this.forget(fullest);
  }

  #sweepIdle(count: number, now: number): string | null {
    let fullest: readonly [string, number] | null = null;
    for (let looked = 0; looked < count; looked += 1) {
      const next = this.#sweep.next();
      if (next.done === true) {
        this.#sweep = this.#fullAt.entries();
        continue;
      }
      const [client, fullAt] = next.value;
      if (fullAt <= now) this.forget(client);
      else if (fullest === null || fullAt < fullest[1]) fullest = next.value;
    }
    return fullest === null ? null : fullest[0];
  }
}

/** Buckets of tokens, one for each client, kept as one number each (GCRA): the moment at which it would be full again. */

/** What a bucket holds, and seconds in which an empty one fills. */
export interface Bucket {
  readonly burst: number;
  readonly seconds: number;
}

export class Buckets {
  /** Milliseconds in which an empty bucket fills, and in which one token comes. */
  readonly spanMs: number;
  readonly stepMs: number;
  readonly #capacity: number;
  readonly #fullAt = new Map<string, number>();
  #sweep = this.#fullAt.entries();

  /** `capacity`: clients remembered; beyond, those nearest to a full bucket are forgotten first. */
  constructor({ burst, seconds }: Bucket, capacity: number) {
    this.spanMs = seconds * 1000;
    this.stepMs = this.spanMs / burst;
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#fullAt.size;
  }

  /** What is owed to the bucket: milliseconds until it is full. `now` is monotonic. */
  owedMs(client: string, now: number): number {
    return Math.max(0, (this.#fullAt.get(client) ?? now) - now);
  }

  /** Takes one token of a bucket that is owed this much. */
  take(client: string, owed: number, now: number): number {
    const after = owed + this.stepMs;
    this.#set(client, now + after, now);
    return after;
  }

  /** Takes `count` tokens at once, however empty the bucket is: it may owe twice what it holds. */
  overdraw(client: string, count: number, now: number): void {
    const owed = this.owedMs(client, now) + count * this.stepMs;
    this.#set(client, now + Math.min(owed, 2 * this.spanMs), now);
  }

  #set(client: string, fullAt: number, now: number): void {
    if (!this.#fullAt.has(client)) this.#makeRoom(now);
    this.#fullAt.set(client, fullAt);
  }

  /** Each newcomer clears two idle clients away; when full, the most relaxed of the next sixteen goes. */
  #makeRoom(now: number): void {
    this.#forgetIdle(2, now);
    if (this.#fullAt.size < this.#capacity) return;
    const relaxed = this.#forgetIdle(16, now);
    if (this.#fullAt.size >= this.#capacity && relaxed !== null) this.#fullAt.delete(relaxed);
  }

  #forgetIdle(count: number, now: number): string | null {
    let relaxed: readonly [string, number] | null = null;
    for (let looked = 0; looked < count; looked += 1) {
      const next = this.#sweep.next();
      if (next.done === true) {
        this.#sweep = this.#fullAt.entries();
        continue;
      }
      const [client, fullAt] = next.value;
      if (fullAt <= now) this.#fullAt.delete(client);
      else if (relaxed === null || fullAt < relaxed[1]) relaxed = next.value;
    }
    return relaxed === null ? null : relaxed[0];
  }
}

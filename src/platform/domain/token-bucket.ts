/** The size of a bucket, and the seconds in which an empty one fills. */
export interface BucketSize {
  readonly burst: number;
  readonly seconds: number;
}

/**
 * A token bucket (GCRA): its state is one number, the time at which it is full again. What is owed is the milliseconds
 * until then. Times are milliseconds of a monotonic clock.
 */
export class TokenBucket {
  /** Milliseconds in which an empty bucket fills, and in which one token is added. */
  readonly spanMs: number;
  readonly stepMs: number;
  /** Owed by a bucket that is overdrawn by its size, the most that it can be. */
  readonly mostOwedMs: number;

  constructor({ burst, seconds }: BucketSize) {
    this.spanMs = seconds * 1000;
    this.stepMs = this.spanMs / burst;
    this.mostOwedMs = 2 * this.spanMs;
  }

  /** `fullAt` undefined: full. */
  owedMs(fullAt: number | undefined, now: number): number {
    return fullAt === undefined ? 0 : Math.max(0, fullAt - now);
  }

  /** Milliseconds until the bucket has `tokens`; 0 or less: now. */
  waitMs(owed: number, tokens: number): number {
    return owed - this.spanMs + tokens * this.stepMs;
  }

  /** With fractions; negative: overdrawn. */
  tokensLeft(owed: number): number {
    return (this.spanMs - owed) / this.stepMs;
  }

  /** What is owed after `tokens` more were taken. */
  owedAfter(owed: number, tokens = 1): number {
    return owed + tokens * this.stepMs;
  }
}

/** Time of parsing, checking and pricing. */
export class Meter {
  ms = 0;
  readonly #now: () => number;

  /** `now`: milliseconds of a monotonic clock. */
  constructor(now: () => number) {
    this.#now = now;
  }

  measure<T>(work: () => T): T {
    const begunAt = this.#now();
    try {
      return work();
    } finally {
      this.ms += this.#now() - begunAt;
    }
  }
}

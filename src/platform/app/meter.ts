/** Time of parsing, checking and pricing. */
export class Meter {
  ms = 0;
  readonly #now: () => number;

  /** `now`: milliseconds of a monotonic clock. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Work that another thread does meanwhile. */
  async measureAsync<T>(work: () => Promise<T>): Promise<T> {
    const begunAt = this.#now();
    try {
      return await work();
    } finally {
      this.ms += this.#now() - begunAt;
    }
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

/** What a request costs the event loop, as far as it is measured: parsing, checking, pricing. */
export class Meter {
  /** Milliseconds so far. */
  ms = 0;
  readonly #now: () => number;

  /** `now`: milliseconds that only ever grow. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Does `work` and adds the time it takes. */
  measure<T>(work: () => T): T {
    const begunAt = this.#now();
    try {
      return work();
    } finally {
      this.ms += this.#now() - begunAt;
    }
  }
}

/** What a request costs the event loop, as far as it is measured: parsing, checking, pricing. */
export class Meter {
  /** Milliseconds so far. */
  ms = 0;

  /** Does `work` and adds the time it takes. */
  measure<T>(work: () => T): T {
    const begunAt = performance.now();
    try {
      return work();
    } finally {
      this.ms += performance.now() - begunAt;
    }
  }
}

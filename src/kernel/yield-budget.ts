/** One or two milliseconds of work. */
const STEPS_PER_TURN = 300_000;

/** Says when long work must yield to the event loop. It counts steps of work, never time. */
export class YieldBudget {
  #done = 0;
  #pausedAt = 0;

  /** `done`: steps so far. */
  isSpentAt(done: number): boolean {
    if (done - this.#pausedAt < STEPS_PER_TURN) return false;
    this.#pausedAt = done;
    return true;
  }

  /** `more`: steps since the last call. */
  isSpentAfter(more: number): boolean {
    this.#done += more;
    return this.isSpentAt(this.#done);
  }
}

/** Work after which others have their turn; a millisecond or two. */
const WORK_PER_TURN = 300_000;

/** Tells when long work is to pause, so that others can be served meanwhile: by what has been done, never by a clock. */
export class Pace {
  #done = 0;
  #pausedAt = 0;

  /** Now that so much has been done in all. */
  isDueAt(done: number): boolean {
    if (done - this.#pausedAt < WORK_PER_TURN) return false;
    this.#pausedAt = done;
    return true;
  }

  /** Now that so much more has been done. */
  isDueAfter(more: number): boolean {
    this.#done += more;
    return this.isDueAt(this.#done);
  }
}

import type { Stop, Timers } from '../../../ports.ts';

interface ThrottledParts {
  readonly timers: Pick<Timers, 'after'>;
  readonly monotonic: () => number;
  /** At least, from the beginning of one run to that of the next. */
  readonly pauseMs: number;
  /** Must not reject. */
  readonly work: () => Promise<void>;
}

/** Work that is asked for often: one run at a time, and another one for what is asked for meanwhile. */
export class Throttled {
  readonly #parts: ThrottledParts;
  #begunAt = Number.NEGATIVE_INFINITY;
  #dueAt = Number.POSITIVE_INFINITY;
  #isRunning = false;
  #stopTimer: Stop = () => undefined;

  constructor(parts: ThrottledParts) {
    this.#parts = parts;
  }

  /** Begins within `ms`, unless the pause is longer. */
  runWithin(ms: number): void {
    const dueAt = this.#parts.monotonic() + ms;
    if (dueAt >= this.#dueAt) return;
    this.#dueAt = dueAt;
    if (!this.#isRunning) this.#schedule();
  }

  /** Forgets what is due; a run under way ends. */
  cancel(): void {
    this.#dueAt = Number.POSITIVE_INFINITY;
    this.#stopTimer();
  }

  #schedule(): void {
    this.#stopTimer();
    if (this.#dueAt === Number.POSITIVE_INFINITY) return;
    const { monotonic, pauseMs, timers } = this.#parts;
    const beginsAt = Math.max(this.#dueAt, this.#begunAt + pauseMs);
    this.#stopTimer = timers.after(Math.max(0, beginsAt - monotonic()), () => void this.#run());
  }

  async #run(): Promise<void> {
    this.#dueAt = Number.POSITIVE_INFINITY;
    this.#begunAt = this.#parts.monotonic();
    this.#isRunning = true;
    await this.#parts.work();
    this.#isRunning = false;
    this.#schedule();
  }
}

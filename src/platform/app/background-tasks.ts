import type { Timers } from '../../ports.ts';

/** Where the fault came from, and its causes; without what a database quotes of a row. */
export const traceOf = (fault: unknown): string =>
  fault instanceof Error
    ? [fault.stack ?? fault.message, ...(fault.cause === undefined ? [] : [traceOf(fault.cause)])].join('\n')
    : String(fault);

/** Tasks that run after the response, such as recording the use of a session. */
export class BackgroundTasks {
  readonly #running = new Set<Promise<void>>();
  readonly #keys = new Set<string>();
  readonly #onFault: (fault: unknown) => void;

  constructor(onFault: (fault: unknown) => void) {
    this.#onFault = onFault;
  }

  /** Errors go to `onFault` only. */
  run(work: () => Promise<unknown>): void {
    const done: Promise<void> = work()
      .then(() => undefined, this.#onFault)
      .finally(() => this.#running.delete(done));
    this.#running.add(done);
  }

  /** Skipped while a task with the same key runs. */
  runOnce(key: string, work: () => Promise<unknown>): void {
    if (this.#keys.has(key)) return;
    this.#keys.add(key);
    this.run(() => work().finally(() => this.#keys.delete(key)));
  }

  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}

/** The result of `work`, or `otherwise` after `ms`. */
export const withTimeout = <T>(
  timers: Pick<Timers, 'after'>,
  ms: number,
  work: Promise<T>,
  otherwise: T,
): Promise<T> =>
  new Promise((resolve, reject) => {
    const stop = timers.after(ms, () => resolve(otherwise));
    work.finally(stop).then(resolve, reject);
  });

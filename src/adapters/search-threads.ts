import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { SearchThreads, Stop } from '../ports.ts';
import type { SearchInput, SearchName, SearchResult } from '../pricing/domain/searches.ts';
import { systemTimers } from './timers.ts';

/** More threads than that serve a flood of dear carts alone. */
const MAX_THREADS = 4;
/** A thread takes some 10 MB; the next long search starts one again. */
const IDLE_MS = 60_000;

interface Pending {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (fault: unknown) => void;
}

/** One search at a time. */
class SearchThread {
  readonly #worker: Worker;
  #pending: Pending | null = null;
  #hasEnded = false;

  constructor(program: URL) {
    this.#worker = new Worker(program)
      .on('message', (answer) => this.#settle(({ resolve }) => resolve(answer)))
      .on('error', (fault) => this.#end(fault))
      .on('exit', (code) => this.#end(new Error(`A search thread ended with code ${code}.`)));
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  run(task: object): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#pending = { resolve, reject };
      this.#worker.ref();
      this.#worker.postMessage(task);
    });
  }

  async stop(): Promise<void> {
    this.#hasEnded = true;
    await this.#worker.terminate();
  }

  #settle(how: (pending: Pending) => void): void {
    const pending = this.#pending;
    this.#pending = null;
    // An idle thread keeps no process alive.
    this.#worker.unref();
    if (pending !== null) how(pending);
  }

  #end(fault: unknown): void {
    this.#hasEnded = true;
    this.#settle(({ reject }) => reject(fault));
  }
}

/** Threads that run `program`, started when they are needed. A failed search ends its thread. */
export const createSearchThreads = (program: URL): SearchThreads => {
  /** The last one that was used comes last, so that the others end. */
  const idle: { readonly thread: SearchThread; readonly stopTimer: Stop }[] = [];

  const take = (): SearchThread => {
    const free = idle.pop();
    if (free === undefined) return new SearchThread(program);
    free.stopTimer();
    return free.thread.hasEnded ? take() : free.thread;
  };

  const giveBack = (thread: SearchThread): void => {
    if (thread.hasEnded) return;
    const stopTimer = systemTimers.after(IDLE_MS, () => {
      idle.splice(idle.indexOf(own), 1);
      void thread.stop();
    });
    const own = { thread, stopTimer };
    idle.push(own);
  };

  return {
    size: Math.min(MAX_THREADS, Math.max(1, availableParallelism() - 1)),
    run: async <N extends SearchName>(name: N, input: SearchInput<N>) => {
      const thread = take();
      try {
        return (await thread.run({ name, input })) as SearchResult<N>;
      } finally {
        giveBack(thread);
      }
    },
    close: async () => {
      await Promise.all(
        idle.splice(0).map(({ thread, stopTimer }) => {
          stopTimer();
          return thread.stop();
        }),
      );
    },
  };
};

import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { Refusal } from '../kernel/refusal.ts';
import type { SearchThreads, Stop } from '../ports.ts';
import type { SearchInput, SearchName, SearchResult } from '../pricing/domain/searches.ts';
import { systemTimers } from './timers.ts';

/** More threads than that serve a flood of dear carts alone. */
const MAX_THREADS = 4;
/** A thread takes 10 to 35 MB; the next long search starts one again. */
const IDLE_MS = 60_000;

interface Answer {
  readonly result: unknown;
  readonly ms: number;
}

interface Pending {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (fault: unknown) => void;
}

/** One search at a time. */
class SearchThread {
  readonly #worker: Worker;
  #pending: Pending | null = null;
  #hasEnded = false;

  constructor(program: URL) {
    this.#worker = new Worker(program)
      .on('message', (answer: Answer | { readonly fault: unknown }) =>
        this.#settle((pending) =>
          'fault' in answer ? pending.reject(answer.fault) : pending.resolve(answer),
        ),
      )
      .on('messageerror', (fault) => void this.stop(fault))
      .on('error', (fault) => this.#end(fault))
      .on('exit', (code) => this.#end(new Error(`A search thread ended with code ${code}.`)));
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  run(task: object): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#worker.postMessage(task);
      this.#worker.ref();
      this.#pending = { resolve, reject };
    });
  }

  /** A search that runs fails. */
  async stop(cause: unknown = null): Promise<void> {
    this.#end(cause);
    await this.#worker.terminate();
  }

  #settle(how: (pending: Pending) => void): void {
    const pending = this.#pending;
    this.#pending = null;
    // An idle thread keeps no process alive.
    this.#worker.unref();
    if (pending !== null) how(pending);
  }

  /** The next request may have a thread that works. */
  #end(cause: unknown): void {
    this.#hasEnded = true;
    this.#settle(({ reject }) => reject(new Refusal('UNAVAILABLE', {}, { cause })));
  }
}

/** The program as it is now: a build beside a running server changes none of its threads. */
const programIn = (file: URL): URL =>
  new URL(`data:text/javascript;base64,${readFileSync(file).toString('base64')}`);

/** Threads that run the program in `file`, started when they are needed. */
export const createSearchThreads = (file: URL): SearchThreads => {
  const program = programIn(file);
  const all = new Set<SearchThread>();
  /** The last one that was used comes last, so that the others end. */
  const idle: { readonly thread: SearchThread; readonly stopTimer: Stop }[] = [];
  let isClosed = false;

  const start = (): SearchThread => {
    const thread = new SearchThread(program);
    all.add(thread);
    return thread;
  };

  const take = (): SearchThread => {
    if (isClosed) throw new Refusal('UNAVAILABLE');
    const free = idle.pop();
    if (free === undefined) return start();
    free.stopTimer();
    if (!free.thread.hasEnded) return free.thread;
    all.delete(free.thread);
    return take();
  };

  const giveBack = (thread: SearchThread): void => {
    if (thread.hasEnded) {
      all.delete(thread);
      return;
    }
    const stopTimer = systemTimers.after(IDLE_MS, () => {
      idle.splice(idle.indexOf(own), 1);
      all.delete(thread);
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
        const { result, ms } = await thread.run({ name, input });
        return { result: result as SearchResult<N>, ms };
      } finally {
        giveBack(thread);
      }
    },
    close: async () => {
      isClosed = true;
      for (const { stopTimer } of idle.splice(0)) stopTimer();
      await Promise.all([...all].map((thread) => thread.stop()));
    },
  };
};

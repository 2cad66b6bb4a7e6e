/** The program of a worker thread that searches deals and hints (see `adapters/search-threads.ts`). */
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { SEARCHES, type SearchInput, type SearchName } from './pricing/domain/searches.ts';

/** Requests come first where cores are few. On Linux the priority is of this thread, elsewhere of the whole process. */
const yieldToRequests = (): void => {
  if (process.platform !== 'linux') return;
  try {
    setPriority(0, 10);
  } catch {
    // The system may forbid it; the thread works without.
  }
};

interface Task<N extends SearchName> {
  readonly name: N;
  readonly input: SearchInput<N>;
}

yieldToRequests();
parentPort?.on('message', <N extends SearchName>({ name, input }: Task<N>) => {
  const begunAt = performance.now();
  try {
    const result = SEARCHES[name](input);
    parentPort?.postMessage({ result, ms: performance.now() - begunAt });
  } catch (fault) {
    parentPort?.postMessage({ fault });
  }
});

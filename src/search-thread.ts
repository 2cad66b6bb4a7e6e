/** The program of a worker thread that searches deals and hints (see `adapters/search-threads.ts`). */
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { SEARCHES, type SearchInput, type SearchName } from './pricing/domain/searches.ts';

// Requests come first where cores are few. On Linux the priority is of this thread, elsewhere of the whole process.
if (process.platform === 'linux') setPriority(0, 10);

interface Task<N extends SearchName> {
  readonly name: N;
  readonly input: SearchInput<N>;
}

parentPort?.on('message', <N extends SearchName>({ name, input }: Task<N>) => {
  parentPort?.postMessage(SEARCHES[name](input));
});

import { Refusal } from '../../kernel/refusal.ts';
import { ConcurrentChange } from '../store/concurrent-change.ts';

/** Of twelve people at three tables one met a third conflict now and then, and none a fifth. */
const MAX_ATTEMPTS = 5;

/** Runs `work` again after a `ConcurrentChange`. Throws UNAVAILABLE where every attempt met one. */
export const retrying = async <T>(work: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1)
    try {
      return await work();
    } catch (fault) {
      if (!(fault instanceof ConcurrentChange)) throw fault;
    }
  throw new Refusal('UNAVAILABLE');
};

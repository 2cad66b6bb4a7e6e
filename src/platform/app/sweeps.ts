import { deleteFullBuckets } from '../store/request-limits.ts';
import { BATCH, type Sweep } from './sweep.ts';

const MINUTE_MS = 60_000;
/** In one round: after a flood the rest is left to the next ones, so that no other sweep waits long. */
const MAX_BATCHES = 50;

export const sweeps: readonly Sweep[] = [
  {
    name: 'request limits that are whole again',
    everyMs: MINUTE_MS,
    run: async ({ db }, isStopped) => {
      for (let batch = 0; batch < MAX_BATCHES && !isStopped(); batch += 1)
        if ((await deleteFullBuckets(db.kysely, BATCH)) < BATCH) return;
    },
  },
];

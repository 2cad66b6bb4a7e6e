import { BATCH, hourly, inBatches } from '../../platform/app/sweep.ts';
import { DISTANCE_TTL_MS } from '../domain/delivery.ts';
import { deleteExpiredDistances } from '../store/sweep.ts';

export const sweeps = hourly({
  'road distances': inBatches(({ db }, now) =>
    deleteExpiredDistances(db.kysely, now - DISTANCE_TTL_MS, BATCH),
  ),
});

/** Work of the kitchen that falls due by the clock. */
import { addMinutes } from '../../kernel/time.ts';
import { BATCH, hourly, inBatches, type Sweep } from '../../platform/app/sweep.ts';
import { forgetOldFirings } from '../store/forget.ts';

const MINUTES_KEPT = 24 * 60;

export const sweeps: readonly Sweep[] = hourly({
  'words of guests in the kitchen': inBatches(({ db }, now) =>
    forgetOldFirings(db.kysely, { before: addMinutes(now, -MINUTES_KEPT), limit: BATCH, now }),
  ),
});

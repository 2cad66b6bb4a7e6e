/** Work of the kitchen that falls due by the clock. */
import { addMinutes } from '../../kernel/time.ts';
import { BATCH, hourly, inBatches, type Sweep } from '../../platform/app/sweep.ts';
import { MINUTES_ON_BOARD } from '../domain/firing.ts';
import { forgetOldFirings } from '../store/forget.ts';

export const sweeps: readonly Sweep[] = hourly({
  'words of guests in the kitchen': inBatches(({ db }, now) =>
    forgetOldFirings(db.kysely, { before: addMinutes(now, -MINUTES_ON_BOARD), limit: BATCH, now }),
  ),
});

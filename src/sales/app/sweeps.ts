/** Work of sales that falls due by the clock. */
import { addMinutes } from '../../kernel/time.ts';
import { BATCH, hourly, inBatches, type Sweep } from '../../platform/app/sweep.ts';
import { forgetNames } from '../store/sale.ts';

const MINUTES_KEPT = 24 * 60;

export const sweeps: readonly Sweep[] = hourly({
  'names of guests on counter sales': inBatches(({ db }, now) =>
    forgetNames(db.kysely, addMinutes(now, -MINUTES_KEPT), BATCH),
  ),
});

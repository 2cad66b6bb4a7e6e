import { BATCH, HOUR_MS, hourly, inBatches, type Sweep } from '../../platform/app/sweep.ts';
import { deleteVoucherUses } from '../store/voucher.ts';
import { greetMembers } from './greetings.ts';

/** Devices tell of sales for months at most; a voucher itself is good for half an hour. */
const USES_RETENTION_MS = 90 * 24 * HOUR_MS;

export const sweeps: readonly Sweep[] = [
  { name: 'birthdays and absences of members', everyMs: 60_000, run: greetMembers },
  ...hourly({
    'uses of vouchers': inBatches(({ db }, now) =>
      deleteVoucherUses(db.kysely, now - USES_RETENTION_MS, BATCH),
    ),
  }),
];

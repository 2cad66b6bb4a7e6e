import { BATCH, hourly, inBatches } from '../../platform/app/sweep.ts';
import { COUNTED_MS } from '../domain/otp.ts';
import { deleteExpiredCodes, deleteExpiredDeviceTokens } from '../store/sweep.ts';

export const sweeps = hourly({
  'device tokens': inBatches(({ db }, now) => deleteExpiredDeviceTokens(db.kysely, now, BATCH)),
  'one-time codes': inBatches(({ db }, now) => deleteExpiredCodes(db.kysely, now - COUNTED_MS, now, BATCH)),
});

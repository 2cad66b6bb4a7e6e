import { BATCH, HOUR_MS, hourly, inBatches } from '../../platform/app/sweep.ts';
import { KNOWN_MS, NOTIFIED_WINDOW_MS } from '../domain/guest-phone.ts';
import {
  deleteExpiredBudgets,
  deleteExpiredOutboxRows,
  deleteExpiredKnownPhones,
  deleteExpiredTypedPhones,
} from '../store/sweep.ts';

/** Sent rows can be read and parked ones replayed for this long. */
const DONE_RETENTION_MS = 30 * 24 * HOUR_MS;

/** Longer than the 61 minutes that a budget counts. */
const BUDGETS_RETENTION_MS = 2 * HOUR_MS;

export const sweeps = hourly({
  'typed phones': inBatches(({ db }, now) =>
    deleteExpiredTypedPhones(db.kysely, now - NOTIFIED_WINDOW_MS, BATCH),
  ),
  'known phones': inBatches(({ db }, now) =>
    deleteExpiredKnownPhones(
      db.kysely,
      { knownBefore: now - KNOWN_MS, unchangedSince: now - NOTIFIED_WINDOW_MS },
      BATCH,
    ),
  ),
  budgets: inBatches(({ db }, now) => deleteExpiredBudgets(db.kysely, now - BUDGETS_RETENTION_MS, BATCH)),
  'what was sent or parked': inBatches(({ db }, now) =>
    deleteExpiredOutboxRows(db.kysely, now - DONE_RETENTION_MS, BATCH),
  ),
});

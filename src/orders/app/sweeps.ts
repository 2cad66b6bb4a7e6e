import { BATCH, forEachDue, HOUR_MS, hourly, inBatches, type Sweep } from '../../platform/app/sweep.ts';
import {
  deleteExpiredBrakeLifts,
  deleteExpiredIdempotencyKeys,
  deleteExpiredStreamTokens,
  unconfirmedOrders,
} from '../store/sweep.ts';
import { rejectUnconfirmed } from './board.ts';

/** 24 hours are promised (Decisions 8). */
const KEY_RETENTION_MS = 48 * HOUR_MS;

export const sweeps: readonly Sweep[] = [
  {
    name: 'unconfirmed orders',
    everyMs: 0,
    run: forEachDue({
      find: ({ db }, query) => unconfirmedOrders(db.kysely, query),
      handle: (app, { orgId, id, minutes }) => rejectUnconfirmed(app, orgId, id, minutes),
    }),
  },
  ...hourly({
    'brake lifts': inBatches(({ db }, now) => deleteExpiredBrakeLifts(db.kysely, now, BATCH)),
    'stream tokens': inBatches(({ db }, now) => deleteExpiredStreamTokens(db.kysely, now, BATCH)),
    'idempotency keys': inBatches(({ db }, now) =>
      deleteExpiredIdempotencyKeys(db.kysely, now - KEY_RETENTION_MS, BATCH),
    ),
  }),
];

import { BATCH, forEachDue, HOUR_MS, hourly, inBatches } from '../../platform/app/sweep.ts';
import { unusedSince } from '../domain/device.ts';
import { ACCOUNT_COUNTS_FOR, PASSWORD_WINDOW, PINS_COUNT_FOR } from '../domain/throttle.ts';
import {
  startUnusedPeriod,
  deleteExpiredAccountFailures,
  deleteExpiredChallenges,
  deleteExpiredKnownDevices,
  deleteExpiredPairingCodes,
  deleteExpiredSessions,
  deleteUnconfirmedFactors,
  deleteExpiredPasswordFailures,
  deleteExpiredPinFailures,
  unusedDevices,
} from '../store/sweep.ts';
import { endUnusedDevice } from './devices.ts';

export const sweeps = hourly({
  'devices from before their use was written down': inBatches(({ db }, now) =>
    startUnusedPeriod(db.kysely, now, BATCH),
  ),
  'unused devices': forEachDue({
    find: ({ db }, query) => unusedDevices(db.kysely, query, unusedSince(query.now)),
    handle: endUnusedDevice,
  }),
  'pairing codes': inBatches(({ db }, now) => deleteExpiredPairingCodes(db.kysely, now, BATCH)),
  'sign-ins': inBatches(({ db }, now) => deleteExpiredSessions(db.kysely, now, BATCH)),
  'wrong passwords': inBatches(({ db }, now) =>
    deleteExpiredPasswordFailures(db.kysely, now - PASSWORD_WINDOW, BATCH),
  ),
  'challenges of passkeys': inBatches(({ db }, now) => deleteExpiredChallenges(db.kysely, now, BATCH)),
  'second factors that were never confirmed': inBatches(({ db }, now) =>
    deleteUnconfirmedFactors(db.kysely, now - HOUR_MS, BATCH),
  ),
  'wrong passwords of accounts': inBatches(({ db }, now) =>
    deleteExpiredAccountFailures(db.kysely, now - ACCOUNT_COUNTS_FOR, BATCH),
  ),
  'wrong PINs': inBatches(({ db }, now) => deleteExpiredPinFailures(db.kysely, now - PINS_COUNT_FOR, BATCH)),
  'known devices': inBatches(({ db }, now) => deleteExpiredKnownDevices(db.kysely, now, BATCH)),
});

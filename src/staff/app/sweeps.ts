import { BATCH, forEachDue, HOUR_MS, hourly, inBatches } from '../../platform/app/sweep.ts';
import { unusedSince } from '../domain/device.ts';
import { ACCOUNT_COUNTS_FOR, PASSWORD_WINDOW, PINS_COUNT_FOR } from '../domain/throttle.ts';
import {
  startUnusedPeriod,
  forgetAccountFailures,
  forgetChallenges,
  forgetKnownDevices,
  forgetPairingCodes,
  forgetSignIns,
  forgetUnconfirmed,
  forgetWrongPasswords,
  forgetWrongPins,
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
  'pairing codes': inBatches(({ db }, now) => forgetPairingCodes(db.kysely, now, BATCH)),
  'sign-ins': inBatches(({ db }, now) => forgetSignIns(db.kysely, now, BATCH)),
  'wrong passwords': inBatches(({ db }, now) =>
    forgetWrongPasswords(db.kysely, now - PASSWORD_WINDOW, BATCH),
  ),
  'challenges of passkeys': inBatches(({ db }, now) => forgetChallenges(db.kysely, now, BATCH)),
  'second factors that were never confirmed': inBatches(({ db }, now) =>
    forgetUnconfirmed(db.kysely, now - HOUR_MS, BATCH),
  ),
  'wrong passwords of accounts': inBatches(({ db }, now) =>
    forgetAccountFailures(db.kysely, now - ACCOUNT_COUNTS_FOR, BATCH),
  ),
  'wrong PINs': inBatches(({ db }, now) => forgetWrongPins(db.kysely, now - PINS_COUNT_FOR, BATCH)),
  'known devices': inBatches(({ db }, now) => forgetKnownDevices(db.kysely, now, BATCH)),
});

/**
 * Tries at passwords and PINs: each is counted as a wrong one before it is looked at, so that however many come at once no
 * more than the limit are judged, and taken back when it was right (Decisions 12).
 */
import type { Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { emailForm } from '../domain/staff.ts';
import {
  ACCOUNT_PASSWORDS,
  afterWrongTry,
  countedFailures,
  countingPin,
  DEVICE_PINS,
  devicePinWait,
  passwordWaitSeconds,
  takenBack,
  waitSeconds,
  type TryCount,
} from '../domain/throttle.ts';
import type { Instant } from '../../kernel/time.ts';
import type { Database } from '../../platform/store/schema.ts';
import { lockDevice, saveDeviceTries } from '../store/devices.ts';
import {
  deviceWaitUntil,
  forgetAccount,
  forgetPinFailures,
  lockAccount,
  lockFailures,
  lookAtFailures,
  pinFailures,
  saveAccount,
  saveFailures,
  savePinFailures,
} from '../store/failures.ts';
import type { PairedDevice, StaffDeps } from './access.ts';
import type { Comer } from './sign-in-queue.ts';

type Tx = Kysely<Database>;

// ── Passwords ───────────────────────────────────────────────────────────────────────────────────

/** Under what a try at a password counts: with others of the account from there, and with others of the account. */
interface PasswordKeys {
  readonly window: Buffer;
  readonly account: Buffer;
}

/** Strangers share one count of an account, wherever they are; each known device has its own. */
export const passwordKeys = (
  { tokens }: Pick<StaffDeps, 'tokens'>,
  { account, source, isKnown }: Comer,
): PasswordKeys => ({
  window: tokens.keyedHash('sign-in', `${account}\n${source}`),
  account: tokens.keyedHash('sign-in account', isKnown ? `${account}\n${source}` : account),
});

/**
 * Forgives what strangers tried at an account whose password the operator made another: guesses at the one before kept its
 * owner waiting on every device that is not known, and no device is known any more.
 */
export const forgiveStrangers = (
  { tokens }: Pick<StaffDeps, 'tokens'>,
  tx: Tx,
  email: string,
): Promise<void> =>
  forgetAccount(
    tx,
    passwordKeys({ tokens }, { account: emailForm(email), source: '', isKnown: false }).account,
  );

const refuseUntil = (seconds: number): void => {
  if (seconds > 0) throw new Refusal('RATE_LIMITED', { retry_after_seconds: seconds });
};

/** Refuses what would be refused when it is counted, before it takes anybody's turn. Throws RATE_LIMITED. */
export const refuseThrottled = async (
  { db, clock }: Pick<StaffDeps, 'db' | 'clock'>,
  keys: PasswordKeys,
): Promise<void> => {
  const { failures, waitUntil } = await lookAtFailures(db.kysely, keys);
  const now = clock.now();
  refuseUntil(Math.max(passwordWaitSeconds(failures, now), waitSeconds(waitUntil, now)));
};

/** A try at a password as it was counted. */
export interface CountedPassword {
  readonly keys: PasswordKeys;
  readonly at: Instant;
  readonly mine: TryCount;
}

/** Counts a password as wrong. Throws RATE_LIMITED. */
export const countPassword = async (tx: Tx, keys: PasswordKeys, now: Instant): Promise<CountedPassword> => {
  const account = await lockAccount(tx, keys.account, now);
  const failures = countedFailures(await lockFailures(tx, keys.window, now), now);
  refuseUntil(Math.max(passwordWaitSeconds(failures, now), waitSeconds(account.waitUntil, now)));
  const mine = afterWrongTry(account, ACCOUNT_PASSWORDS, now);
  await saveAccount(tx, keys.account, mine);
  await saveFailures(tx, keys.window, [...failures, now]);
  return { keys, at: now, mine };
};

/** The password was right: this try is taken back, and no other. */
export const takeBackPassword = async (tx: Tx, counted: CountedPassword, now: Instant): Promise<void> => {
  const { keys, at, mine } = counted;
  const account = await lockAccount(tx, keys.account, now);
  await saveAccount(tx, keys.account, takenBack(account, mine, ACCOUNT_PASSWORDS, now));
  const failures = await lockFailures(tx, keys.window, now);
  const own = failures.indexOf(at);
  await saveFailures(
    tx,
    keys.window,
    failures.filter((_, index) => index !== own),
  );
};

// ── PINs ────────────────────────────────────────────────────────────────────────────────────────

/** Whoever is named and may not sign in on a device counts as this one. */
export const NOBODY = '00000000-0000-0000-0000-000000000000';

/** Refuses what would be refused when it is counted, before it takes anybody's turn. Throws PIN_THROTTLED. */
export const refuseThrottledPin = async (
  { db, clock }: Pick<StaffDeps, 'db' | 'clock'>,
  { orgId, deviceId }: Pick<PairedDevice, 'orgId' | 'deviceId'>,
): Promise<void> => {
  const wait = waitSeconds(await deviceWaitUntil(db.kysely, orgId, deviceId), clock.now());
  if (wait > 0) throw new Refusal('PIN_THROTTLED', { retry_after_seconds: wait });
};

/** A try at a PIN as it was counted. */
export interface CountedPin {
  readonly staffId: Uuid;
  readonly mine: TryCount;
}

/** Counts a PIN as wrong: of the person on this device, and of the device. Throws SIGN_IN_REQUIRED, PIN_THROTTLED. */
export const countPin = async (
  tx: Tx,
  { orgId, deviceId }: Pick<PairedDevice, 'orgId' | 'deviceId'>,
  staffId: Uuid,
  now: Instant,
): Promise<CountedPin> => {
  const device = await lockDevice(tx, orgId, deviceId);
  if (device === null) throw new Refusal('SIGN_IN_REQUIRED');
  const counts = { device, ...(await pinFailures(tx, orgId, deviceId, staffId)) };
  const wait = devicePinWait(counts, now);
  if (wait > 0) throw new Refusal('PIN_THROTTLED', { retry_after_seconds: wait });
  const counted = countingPin(counts, now);
  await saveDeviceTries(tx, orgId, deviceId, counted.device);
  await savePinFailures(tx, { orgId, deviceId, staffId }, counted.person);
  return { staffId, mine: counted.device };
};

/**
 * The PIN was right: the person's own wrong ones on this device are forgotten, and of the device's this try alone. Throws
 * SIGN_IN_REQUIRED for a device that was revoked meanwhile.
 */
export const takeBackPin = async (
  tx: Tx,
  { orgId, deviceId }: Pick<PairedDevice, 'orgId' | 'deviceId'>,
  { staffId, mine }: CountedPin,
  now: Instant,
): Promise<void> => {
  const device = await lockDevice(tx, orgId, deviceId);
  if (device === null) throw new Refusal('SIGN_IN_REQUIRED');
  await saveDeviceTries(tx, orgId, deviceId, takenBack(device, mine, DEVICE_PINS, now));
  await forgetPinFailures(tx, orgId, staffId, deviceId);
};

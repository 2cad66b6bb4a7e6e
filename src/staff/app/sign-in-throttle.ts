/**
 * Tries at passwords and PINs (Decisions 12): each is counted as wrong before verification, so that
 * concurrent tries cannot exceed the limit, and reverted if right.
 */
import type { Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { emailForm } from '../domain/staff.ts';
import {
  ACCOUNT_PASSWORDS,
  afterWrongTry,
  countedFailures,
  afterCountingPin,
  DEVICE_PINS,
  devicePinWait,
  passwordWaitSeconds,
  reverted,
  waitSeconds,
  type TryCount,
} from '../domain/throttle.ts';
import type { Instant } from '../../kernel/time.ts';
import type { Database } from '../../platform/store/schema.ts';
import { lockDevice, saveDeviceTries } from '../store/devices.ts';
import {
  deviceWaitUntil,
  clearAccountFailures,
  clearPinFailures,
  lockAccount,
  lockFailures,
  readFailures,
  pinFailures,
  saveAccount,
  saveFailures,
  savePinFailures,
} from '../store/failures.ts';
import type { PairedDevice, StaffDeps } from './access.ts';
import type { WaitingSignIn } from './sign-in-queue.ts';

type Tx = Kysely<Database>;

// ── Passwords ───────────────────────────────────────────────────────────────────────────────────

interface PasswordKeys {
  readonly window: Buffer;
  readonly account: Buffer;
}

/** All unknown devices share one counter of an account; each known device has its own. */
export const passwordKeys = (
  { tokens }: Pick<StaffDeps, 'tokens'>,
  { account, source, isKnown }: WaitingSignIn,
): PasswordKeys => ({
  window: tokens.keyedHash('sign-in', `${account}\n${source}`),
  account: tokens.keyedHash('sign-in account', isKnown ? `${account}\n${source}` : account),
});

/**
 * Clears the tries of unknown devices after the operator set a new password: earlier guesses would keep the
 * owner waiting, and no device is known any more.
 */
export const clearUnknownDeviceTries = (
  { tokens }: Pick<StaffDeps, 'tokens'>,
  tx: Tx,
  email: string,
): Promise<void> =>
  clearAccountFailures(
    tx,
    passwordKeys({ tokens }, { account: emailForm(email), source: '', isKnown: false }).account,
  );

const refuseUntil = (seconds: number): void => {
  if (seconds > 0) throw new Refusal('RATE_LIMITED', { retry_after_seconds: seconds });
};

/** Refuses early what counting would refuse, without a place in the queue. Throws RATE_LIMITED. */
export const refuseThrottled = async (
  { db, clock }: Pick<StaffDeps, 'db' | 'clock'>,
  keys: PasswordKeys,
): Promise<void> => {
  const { failures, waitUntil } = await readFailures(db.kysely, keys);
  const now = clock.now();
  refuseUntil(Math.max(passwordWaitSeconds(failures, now), waitSeconds(waitUntil, now)));
};

export interface CountedPassword {
  readonly keys: PasswordKeys;
  readonly at: Instant;
  readonly thisTry: TryCount;
}

/** Throws RATE_LIMITED. */
export const countPassword = async (tx: Tx, keys: PasswordKeys, now: Instant): Promise<CountedPassword> => {
  const account = await lockAccount(tx, keys.account, now);
  const failures = countedFailures(await lockFailures(tx, keys.window, now), now);
  refuseUntil(Math.max(passwordWaitSeconds(failures, now), waitSeconds(account.waitUntil, now)));
  const thisTry = afterWrongTry(account, ACCOUNT_PASSWORDS, now);
  await saveAccount(tx, keys.account, thisTry);
  await saveFailures(tx, keys.window, [...failures, now]);
  return { keys, at: now, thisTry };
};

export const revertPassword = async (tx: Tx, counted: CountedPassword, now: Instant): Promise<void> => {
  const { keys, at, thisTry } = counted;
  const account = await lockAccount(tx, keys.account, now);
  await saveAccount(tx, keys.account, reverted(account, thisTry, ACCOUNT_PASSWORDS, now));
  const failures = await lockFailures(tx, keys.window, now);
  const own = failures.indexOf(at);
  await saveFailures(
    tx,
    keys.window,
    failures.filter((_, index) => index !== own),
  );
};

// ── PINs ────────────────────────────────────────────────────────────────────────────────────────

/** Stands for anyone named who may not sign in on a device. */
export const UNKNOWN_PERSON = '00000000-0000-0000-0000-000000000000';

/** Refuses early what counting would refuse, without a place in the queue. Throws PIN_THROTTLED. */
export const refuseThrottledPin = async (
  { db, clock }: Pick<StaffDeps, 'db' | 'clock'>,
  { orgId, deviceId }: Pick<PairedDevice, 'orgId' | 'deviceId'>,
): Promise<void> => {
  const wait = waitSeconds(await deviceWaitUntil(db.kysely, orgId, deviceId), clock.now());
  if (wait > 0) throw new Refusal('PIN_THROTTLED', { retry_after_seconds: wait });
};

export interface CountedPin {
  readonly staffId: Uuid;
  readonly thisTry: TryCount;
}

/** Throws DEVICE_REVOKED, PIN_THROTTLED. */
export const countPin = async (
  tx: Tx,
  { orgId, deviceId }: Pick<PairedDevice, 'orgId' | 'deviceId'>,
  staffId: Uuid,
  now: Instant,
): Promise<CountedPin> => {
  const device = await lockDevice(tx, orgId, deviceId);
  if (device === null) throw new Refusal('DEVICE_REVOKED');
  const counts = { device, ...(await pinFailures(tx, orgId, deviceId, staffId)) };
  const wait = devicePinWait(counts, now);
  if (wait > 0) throw new Refusal('PIN_THROTTLED', { retry_after_seconds: wait });
  const counted = afterCountingPin(counts, now);
  await saveDeviceTries(tx, orgId, deviceId, counted.device);
  await savePinFailures(tx, { orgId, deviceId, staffId }, counted.person);
  return { staffId, thisTry: counted.device };
};

/**
 * Clears the person's count on this device, and reverts this try alone in the device's count. Throws
 * DEVICE_REVOKED if the device was revoked.
 */
export const revertPin = async (
  tx: Tx,
  { orgId, deviceId }: Pick<PairedDevice, 'orgId' | 'deviceId'>,
  { staffId, thisTry }: CountedPin,
  now: Instant,
): Promise<void> => {
  const device = await lockDevice(tx, orgId, deviceId);
  if (device === null) throw new Refusal('DEVICE_REVOKED');
  await saveDeviceTries(tx, orgId, deviceId, reverted(device, thisTry, DEVICE_PINS, now));
  await clearPinFailures(tx, orgId, staffId, deviceId);
};

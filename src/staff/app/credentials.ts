/**
 * Passwords and PINs: counted, verified, and then used for their purpose (Decisions 12). A wrong address,
 * password, person or PIN gives one answer, after the same time.
 */
import type { Kysely } from 'kysely';
import { unusedSince } from '../domain/device.ts';
import { parseUuid, type Uuid } from '../../kernel/ids.ts';
import { Refusal, type RefusalName } from '../../kernel/refusal.ts';
import { emailForm, isEmailLike, mayAtBranch, passwordIn, pinIn } from '../domain/staff.ts';
import { deviceKnownFor } from '../store/known-devices.ts';
import { keepOpen } from '../../platform/store/closed-shop.ts';
import type { Database } from '../../platform/store/schema.ts';
import {
  activeStaff,
  lockSecret,
  renewSecret,
  staffByEmail,
  type SecretColumn,
  type SignInRow,
} from '../store/staff.ts';
import { verifyFactor, spendFactor, type SecondFactorInput, type FactorAttempt } from './factor-check.ts';
import type { SecretKind } from './passwords.ts';
import { logVerifier } from './secrets.ts';
import type { WaitingSignIn } from './sign-in-queue.ts';
import { refuseSuspended, type Actor, type PairedDevice, type StaffDeps } from './access.ts';
import {
  countPassword,
  countPin,
  UNKNOWN_PERSON,
  passwordKeys,
  refuseThrottled,
  refuseThrottledPin,
  revertPassword,
  revertPin,
  type CountedPassword,
} from './sign-in-throttle.ts';
import { recordWrongTry } from './wrong-tries.ts';

type Tx = Kysely<Database>;

// ── Verification ────────────────────────────────────────────────────────────────────────────────

const COLUMN_OF = { password: 'password_hash', pin: 'pin_hash' } as const satisfies Record<
  SecretKind,
  SecretColumn
>;

interface VerifiedSecret {
  readonly person: SignInRow;
  readonly kind: SecretKind;
  readonly hash: string;
}

const hashOf = (person: SignInRow, kind: SecretKind): string | null =>
  kind === 'pin' ? person.pinHash : person.passwordHash;

/** Null if wrong. A hash of an outdated cost or key is renewed, but for a closed shop, which changes no more. */
const verifySecret = async (
  deps: StaffDeps,
  person: SignInRow | null,
  kind: SecretKind,
  typed: string | null,
): Promise<VerifiedSecret | null> => {
  const { db, clock, passwords } = deps;
  // A malformed secret matches no person, so an early answer reveals no secret.
  if (typed === null) return null;
  const hash = person === null ? null : hashOf(person, kind);
  const isRight = await passwords.verify(hash, typed, kind);
  if (!isRight || person === null || hash === null) return null;
  if (!passwords.isOutdated(hash)) return { person, kind, hash };
  const renewed = await passwords.hash(typed, kind);
  const isRenewed = await db.tx(async (tx) => {
    if (!(await keepOpen(tx, person.orgId))) return null;
    const isSame = await renewSecret(tx, person, COLUMN_OF[kind], hash, renewed);
    if (isSame && kind === 'pin') await logVerifier(tx, person, clock.now());
    return isSame;
  });
  if (isRenewed === null) return { person, kind, hash };
  if (isRenewed) return { person, kind, hash: renewed };
  return verifySecret(deps, await activeStaff(db.kysely, person.orgId, person.id), kind, typed);
};

/**
 * Locks the person of a verified secret until the transaction ends, so that a change waits and then ends this
 * session too. Throws `wrong` if the secret changed, or the person was archived or deactivated.
 */
const lockVerified = async (
  tx: Tx,
  { person: known, kind, hash }: VerifiedSecret,
  { wrong, isToChange }: { readonly wrong: RefusalName; readonly isToChange: boolean },
): Promise<SignInRow> => {
  const person = await lockSecret(tx, known, COLUMN_OF[kind], hash, isToChange);
  if (person === null) throw new Refusal(wrong);
  refuseSuspended(person);
  return person;
};

// ── E-mail and password ─────────────────────────────────────────────────────────────────────────

export interface PasswordTry {
  readonly email: string;
  readonly password: string;
  /** As the rate limits identify clients. */
  readonly client: string;
  /** A known-device token from an earlier sign-in, or a paired device's token. */
  readonly knownDevice?: string | undefined;
  readonly second_factor?: SecondFactorInput | undefined;
}

/**
 * Reverts the count of a right secret after another failure: second factor, suspended shop, or busy database,
 * which is retried once. After `wrong` it is no longer right.
 */
const revertUnlessWrong = async (
  { db, backgroundTasks }: StaffDeps,
  revert: (tx: Tx) => Promise<void>,
  fault: unknown,
  wrong: RefusalName,
): Promise<void> => {
  if (!(fault instanceof Refusal)) backgroundTasks.run(() => db.tx(revert));
  else if (fault.refusal !== wrong) await db.tx(revert);
};

/** Null: nobody has the address. A try that cannot be judged, since the person may be on a silent node, counts as none. */
const personTried = async (
  { db, clock, backgroundTasks }: StaffDeps,
  account: string,
  counted: CountedPassword,
): Promise<SignInRow | null> => {
  try {
    return await staffByEmail(db.kysely, account);
  } catch (fault) {
    backgroundTasks.run(() => db.tx((tx) => revertPassword(tx, counted, clock.now())));
    throw fault;
  }
};

type Then<P, T> = (tx: Tx, person: SignInRow, prepared: P) => Promise<T>;
/** `deviceId`: the paired device at which the password was typed, or null. */
type ThenAt<P, T> = (tx: Tx, person: SignInRow, prepared: P, deviceId: Uuid | null) => Promise<T>;

/** `isToChange`: the transaction changes this password. */
interface RightPassword {
  readonly right: VerifiedSecret;
  readonly counted: CountedPassword;
  /** The refusal if another transaction has changed this password. */
  readonly wrong: RefusalName;
  readonly isToChange: boolean;
}

/**
 * The single path of every verified password, whether it signs in, elevates or changes: checks the second
 * factor, and runs `then` in the transaction that consumes it.
 */
const acceptPassword = async <P, T>(
  deps: StaffDeps,
  { right, counted, wrong, isToChange }: RightPassword,
  shown: FactorAttempt,
  prepare: () => Promise<P>,
  then: Then<P, T>,
): Promise<T> => {
  const { db, clock } = deps;
  const staff = { orgId: right.person.orgId, staffId: right.person.id };
  const revert = (tx: Tx): Promise<void> => revertPassword(tx, counted, clock.now());
  try {
    const factor = await verifyFactor(deps, staff, shown);
    const prepared = await prepare();
    return await db.tx(async (tx) => {
      await revert(tx);
      const person = await lockVerified(tx, right, { wrong, isToChange });
      await spendFactor(deps, tx, staff, factor);
      return then(tx, person, prepared);
    });
  } catch (fault) {
    await revertUnlessWrong(deps, revert, fault, wrong);
    throw fault;
  }
};

interface WaitingPasswordTry extends WaitingSignIn {
  readonly deviceId: Uuid | null;
}

const atDevice = (account: string, deviceId: Uuid): WaitingPasswordTry => ({
  ...{ account, deviceId },
  ...{ source: `device ${deviceId}`, isKnown: true },
});

const waitingSignInOf = async (
  deps: StaffDeps,
  tried: PasswordTry,
  deviceId: Uuid | null,
): Promise<WaitingPasswordTry> => {
  const { db, clock, tokens } = deps;
  const account = emailForm(tried.email);
  if (deviceId !== null) return atDevice(account, deviceId);
  const { knownDevice: token, client } = tried;
  const unknownDevice = { account, source: client, isKnown: false, deviceId: null };
  if (token === undefined) return unknownDevice;
  const hash = tokens.hashOf(token);
  const now = clock.now();
  const known = await deviceKnownFor(db.kysely, hash, account, { now, unused: unusedSince(now) });
  if (known === null) return unknownDevice;
  if (known.deviceId !== null) return atDevice(account, known.deviceId);
  return { account, source: `known ${hash.toString('hex')}`, isKnown: true, deviceId: null };
};

interface SecretUse<P> {
  readonly refusal: RefusalName;
  readonly isToChange?: boolean;
  /** Prepared before the transaction, so that no lock waits for it. */
  readonly prepare: () => Promise<P>;
}

interface PasswordUse<P> extends SecretUse<P> {
  /** If signed in already, the account must be this one's. */
  readonly actor: Actor | null;
}

export const nothingToPrepare = (): Promise<undefined> => Promise.resolve(undefined);

/**
 * Verifies an e-mail address and password, then runs `then` in one transaction. Cheap refusals come before
 * the queue. Throws RATE_LIMITED, UNAVAILABLE, ORG_SUSPENDED, `refusal` if wrong, SECOND_FACTOR_REQUIRED
 * or SECOND_FACTOR_WRONG, and SIGN_IN_REQUIRED if a second factor was added meanwhile.
 */
export const withPassword = async <P, T>(
  deps: StaffDeps,
  tried: PasswordTry,
  { actor, refusal, isToChange = false, prepare }: PasswordUse<P>,
  then: ThenAt<P, T>,
): Promise<T> => {
  const { db, clock, passwords } = deps;
  if (!isEmailLike(tried.email)) throw new Refusal(refusal);
  const signIn = await waitingSignInOf(deps, tried, actor?.deviceId ?? null);
  const keys = passwordKeys(deps, signIn);
  await refuseThrottled(deps, keys);
  return passwords.admit('password', signIn, async () => {
    const counted = await db.tx((tx) => countPassword(tx, keys, clock.now()));
    const named = await personTried(deps, signIn.account, counted);
    const isOther = actor !== null && named?.id !== actor.staffId;
    const right = await verifySecret(deps, isOther ? null : named, 'password', passwordIn(tried.password));
    if (right === null) {
      recordWrongTry(deps, { kind: 'password', person: named, device: null, client: tried.client });
      throw new Refusal(refusal);
    }
    const shown = { input: tried.second_factor, client: tried.client };
    const accepted = { right, counted, wrong: refusal, isToChange };
    return acceptPassword(deps, accepted, shown, prepare, (tx, person, prepared) =>
      then(tx, person, prepared, signIn.deviceId),
    );
  });
};

// ── PINs ────────────────────────────────────────────────────────────────────────────────────────

export interface PinTry {
  readonly staff_id: string;
  readonly pin: string;
  readonly client: string;
}

/**
 * Verifies the PIN of someone of the device's branch, then runs `then` in one transaction. Throws
 * PIN_THROTTLED, DEVICE_REVOKED, ORG_SUSPENDED, UNAVAILABLE, and `refusal` if wrong.
 */
export const withPin = async <P, T>(
  deps: StaffDeps,
  device: PairedDevice,
  { staff_id, pin, client }: PinTry,
  { refusal, isToChange = false, prepare }: SecretUse<P>,
  then: Then<P, T>,
): Promise<T> => {
  const { db, clock, passwords } = deps;
  const { orgId, deviceId, branchId } = device;
  await refuseThrottledPin(deps, device);
  return passwords.admit('pin', { account: deviceId, source: deviceId, isKnown: true }, async () => {
    const staffId = parseUuid(staff_id);
    const named = staffId === null ? null : await activeStaff(db.kysely, orgId, staffId);
    const person = named !== null && mayAtBranch(named, branchId) ? named : null;
    const counted = await db.tx((tx) => countPin(tx, device, person?.id ?? UNKNOWN_PERSON, clock.now()));
    const right = await verifySecret(deps, person, 'pin', pinIn(pin));
    if (right === null) {
      recordWrongTry(deps, { kind: 'pin', person: person ?? { orgId, id: null }, device, client });
      throw new Refusal(refusal);
    }
    const revert = (tx: Tx): Promise<void> => revertPin(tx, device, counted, clock.now());
    try {
      const prepared = await prepare();
      return await db.tx(async (tx) => {
        const entering = await lockVerified(tx, right, { wrong: refusal, isToChange });
        if (!mayAtBranch(entering, branchId)) throw new Refusal(refusal);
        await revert(tx);
        return then(tx, entering, prepared);
      });
    } catch (fault) {
      await revertUnlessWrong(deps, revert, fault, refusal);
      throw fault;
    }
  });
};

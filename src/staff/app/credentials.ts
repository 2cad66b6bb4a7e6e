/**
 * Passwords and PINs as they are given: counted, judged, and only then used for what they were given for (Decisions 12). A
 * wrong address, password, person or PIN is one answer, and takes as long.
 */
import type { Kysely } from 'kysely';
import { unusedSince } from '../domain/device.ts';
import { parseUuid, type Uuid } from '../../kernel/ids.ts';
import { Refusal, type RefusalName } from '../../kernel/refusal.ts';
import { emailForm, isEmailLike, mayAtBranch, passwordIn, pinIn } from '../domain/staff.ts';
import { deviceKnownFor } from '../store/known-devices.ts';
import type { Database } from '../../platform/store/schema.ts';
import {
  activeStaff,
  holdSecret,
  renewSecret,
  staffByEmail,
  type SecretColumn,
  type SignInRow,
} from '../store/staff.ts';
import { judgeFactor, spendFactor, type GivenFactor, type ShownFactor } from './factor-check.ts';
import type { SecretKind } from './passwords.ts';
import type { Comer } from './sign-in-queue.ts';
import { refuseSuspended, type Actor, type PairedDevice, type StaffDeps } from './access.ts';
import {
  countPassword,
  countPin,
  NOBODY,
  passwordKeys,
  refuseThrottled,
  refuseThrottledPin,
  takeBackPassword,
  takeBackPin,
  type CountedPassword,
} from './tries.ts';
import { noteWrongTry } from './wrong-tries.ts';

type Tx = Kysely<Database>;

// ── What was typed ──────────────────────────────────────────────────────────────────────────────

const COLUMN_OF = { password: 'password_hash', pin: 'pin_hash' } as const satisfies Record<
  SecretKind,
  SecretColumn
>;

/** What was typed was found to be the secret of this person, as it stood in `hash`. */
interface Judged {
  readonly person: SignInRow;
  readonly kind: SecretKind;
  readonly hash: string;
}

const hashOf = (person: SignInRow, kind: SecretKind): string | null =>
  kind === 'pin' ? person.pinHash : person.passwordHash;

/** Judges what was typed; null where it is wrong. A secret that is stored at an earlier cost is stored anew. */
const judged = async (
  deps: StaffDeps,
  person: SignInRow | null,
  kind: SecretKind,
  typed: string | null,
): Promise<Judged | null> => {
  const { db, passwords } = deps;
  // What can be nobody's secret is wrong whoever was named: nothing is learnt from how soon that is said.
  if (typed === null) return null;
  const hash = person === null ? null : hashOf(person, kind);
  const isRight = await passwords.verify(hash, typed, kind);
  if (!isRight || person === null || hash === null) return null;
  if (!passwords.isDated(hash)) return { person, kind, hash };
  const renewed = await passwords.hash(typed, kind);
  if (await renewSecret(db.kysely, person, COLUMN_OF[kind], hash, renewed))
    return { person, kind, hash: renewed };
  // Another sign-in of theirs stored it anew meanwhile, or it was changed: what stands there now is judged.
  return judged(deps, await activeStaff(db.kysely, person.orgId, person.id), kind, typed);
};

/**
 * Someone whose secret was right, unless it was changed meanwhile, or they were archived or switched off. Whoever does so
 * from now on waits until the transaction ends, and ends their sign-ins with this one. Throws SIGN_IN_REQUIRED.
 */
const held = async (
  tx: Tx,
  { person: known, kind, hash }: Judged,
  isToChange: boolean,
): Promise<SignInRow> => {
  const person = await holdSecret(tx, known, COLUMN_OF[kind], hash, isToChange);
  if (person === null) throw new Refusal('SIGN_IN_REQUIRED');
  refuseSuspended(person);
  return person;
};

// ── E-mail and password ─────────────────────────────────────────────────────────────────────────

/** The one who gives a password, and from where. */
export interface PasswordTry {
  readonly email: string;
  readonly password: string;
  /** As the limits count clients. */
  readonly client: string;
  /** What a device was given at an earlier sign-in there, or the token of a paired one. */
  readonly knownDevice?: string | undefined;
  /** What they show besides, where they have a second factor. */
  readonly second_factor?: GivenFactor | undefined;
}

/**
 * A secret that was right does not count as wrong for what stood in the way afterwards: a second factor, a shop that is
 * switched off, a busy database, which is asked once more without anybody waiting. One that is right no longer does.
 */
const notWrong = async (
  { db, aside }: StaffDeps,
  takeBack: (tx: Tx) => Promise<void>,
  fault: unknown,
): Promise<void> => {
  if (!(fault instanceof Refusal)) aside.run(() => db.tx(takeBack));
  else if (fault.refusal !== 'SIGN_IN_REQUIRED') await db.tx(takeBack);
};

type Then<P, T> = (tx: Tx, person: SignInRow, prepared: P) => Promise<T>;
/** `deviceId`: the paired device at which the password was typed; null: none. */
type ThenAt<P, T> = (tx: Tx, person: SignInRow, prepared: P, deviceId: Uuid | null) => Promise<T>;

/** A password that was right, how it was counted, and whether it becomes another in this transaction. */
interface RightPassword {
  readonly right: Judged;
  readonly counted: CountedPassword;
  readonly isToChange: boolean;
}

/**
 * Every password that was right comes by here, once, before it opens a session, elevates one or is changed: with the
 * second factor of whoever has one, and in one transaction with what `then` does.
 */
const acceptPassword = async <P, T>(
  deps: StaffDeps,
  { right, counted, isToChange }: RightPassword,
  shown: ShownFactor,
  prepare: () => Promise<P>,
  then: Then<P, T>,
): Promise<T> => {
  const { db, clock } = deps;
  const whose = { orgId: right.person.orgId, staffId: right.person.id };
  const takeBack = (tx: Tx): Promise<void> => takeBackPassword(tx, counted, clock.now());
  try {
    const factor = await judgeFactor(deps, whose, shown);
    const prepared = await prepare();
    return await db.tx(async (tx) => {
      await takeBack(tx);
      const person = await held(tx, right, isToChange);
      await spendFactor(deps, tx, whose, factor);
      return then(tx, person, prepared);
    });
  } catch (fault) {
    await notWrong(deps, takeBack, fault);
    throw fault;
  }
};

/** Who gives a password, and at which paired device. */
interface ComerAt extends Comer {
  readonly deviceId: Uuid | null;
}

const atDevice = (account: string, deviceId: Uuid): ComerAt => ({
  ...{ account, deviceId },
  ...{ source: `device ${deviceId}`, isKnown: true },
});

const comerOf = async (deps: StaffDeps, tried: PasswordTry, deviceId: Uuid | null): Promise<ComerAt> => {
  const { db, clock, tokens } = deps;
  const account = emailForm(tried.email);
  if (deviceId !== null) return atDevice(account, deviceId);
  const { knownDevice: token, client } = tried;
  const stranger = { account, source: client, isKnown: false, deviceId: null };
  if (token === undefined) return stranger;
  const hash = tokens.hashOf(token);
  const now = clock.now();
  const known = await deviceKnownFor(db.kysely, hash, account, { now, unused: unusedSince(now) });
  if (known === null) return stranger;
  if (known.deviceId !== null) return atDevice(account, known.deviceId);
  return { account, source: `known ${hash.toString('hex')}`, isKnown: true, deviceId: null };
};

/** What becomes of a secret that is right, and what is thrown for one that is wrong. */
interface Giving<P> {
  readonly refusal: RefusalName;
  /** Whether the person's secrets become others. */
  readonly isToChange?: boolean;
  /** What is made ready for the transaction once the secret was right: locks do not wait for it. */
  readonly prepare: () => Promise<P>;
}

interface GivingPassword<P> extends Giving<P> {
  /** Whoever is signed in already; the account must be theirs. */
  readonly actor: Actor | null;
}

export const nothingToPrepare = (): Promise<undefined> => Promise.resolve(undefined);

/**
 * Judges an e-mail address and password, and does with a right one what `then` says, in one transaction. What is cheap to
 * refuse is refused before it takes anybody's turn. Throws RATE_LIMITED, UNAVAILABLE, ORG_SUSPENDED, for wrong ones
 * `refusal`, and for a second factor that is missing or wrong SECOND_FACTOR_REQUIRED or SECOND_FACTOR_WRONG.
 */
export const givingPassword = async <P, T>(
  deps: StaffDeps,
  tried: PasswordTry,
  { actor, refusal, isToChange = false, prepare }: GivingPassword<P>,
  then: ThenAt<P, T>,
): Promise<T> => {
  const { db, clock, passwords } = deps;
  if (!isEmailLike(tried.email)) throw new Refusal(refusal);
  const comer = await comerOf(deps, tried, actor?.deviceId ?? null);
  const keys = passwordKeys(deps, comer);
  await refuseThrottled(deps, keys);
  return passwords.admit('password', comer, async () => {
    const counted = await db.tx((tx) => countPassword(tx, keys, clock.now()));
    const named = await staffByEmail(db.kysely, comer.account);
    const isOther = actor !== null && named?.id !== actor.staffId;
    const right = await judged(deps, isOther ? null : named, 'password', passwordIn(tried.password));
    if (right === null) {
      noteWrongTry(deps, { kind: 'password', person: named, device: null, client: tried.client });
      throw new Refusal(refusal);
    }
    const shown = { given: tried.second_factor, client: tried.client };
    return acceptPassword(deps, { right, counted, isToChange }, shown, prepare, (tx, person, prepared) =>
      then(tx, person, prepared, comer.deviceId),
    );
  });
};

// ── PINs ────────────────────────────────────────────────────────────────────────────────────────

export interface PinTry {
  readonly staff_id: string;
  readonly pin: string;
  /** As the limits count clients. */
  readonly client: string;
}

/**
 * Judges the PIN of someone of the device's branch, and does with a right one what `then` says, in one transaction. Throws
 * PIN_THROTTLED, ORG_SUSPENDED, UNAVAILABLE, and for a wrong one `refusal`.
 */
export const givingPin = async <P, T>(
  deps: StaffDeps,
  device: PairedDevice,
  { staff_id, pin, client }: PinTry,
  { refusal, isToChange = false, prepare }: Giving<P>,
  then: Then<P, T>,
): Promise<T> => {
  const { db, clock, passwords } = deps;
  const { orgId, deviceId, branchId } = device;
  await refuseThrottledPin(deps, device);
  return passwords.admit('pin', { account: deviceId, source: deviceId, isKnown: true }, async () => {
    const staffId = parseUuid(staff_id);
    const named = staffId === null ? null : await activeStaff(db.kysely, orgId, staffId);
    const person = named !== null && mayAtBranch(named, branchId) ? named : null;
    const counted = await db.tx((tx) => countPin(tx, device, person?.id ?? NOBODY, clock.now()));
    const right = await judged(deps, person, 'pin', pinIn(pin));
    if (right === null) {
      noteWrongTry(deps, { kind: 'pin', person: person ?? { orgId, id: null }, device, client });
      throw new Refusal(refusal);
    }
    const takeBack = (tx: Tx): Promise<void> => takeBackPin(tx, device, counted, clock.now());
    try {
      const prepared = await prepare();
      return await db.tx(async (tx) => {
        const entering = await held(tx, right, isToChange);
        if (!mayAtBranch(entering, branchId)) throw new Refusal('SIGN_IN_REQUIRED');
        await takeBack(tx);
        return then(tx, entering, prepared);
      });
    } catch (fault) {
      await notWrong(deps, takeBack, fault);
      throw fault;
    }
  });
};

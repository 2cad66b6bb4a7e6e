/**
 * Signing in (Decisions 12): by e-mail and password, or with a PIN on a paired device; and giving the password once more. A
 * wrong address, password, person or PIN is one answer, and takes as long.
 */
import type { Kysely } from 'kysely';
import { unusedSince } from '../domain/device.ts';
import { parseUuid, type Uuid } from '../domain/ids.ts';
import { Refusal, type RefusalName } from '../domain/refusal.ts';
import {
  branchesAllowed,
  elevatedUntil,
  emailForm,
  isEmailLike,
  mayAtBranch,
  passwordIn,
  permissionsInForce,
  pinIn,
  type Permission,
  type Role,
} from '../domain/staff.ts';
import { isoInstant, type Instant } from '../domain/time.ts';
import { addAudit } from '../store/audit.ts';
import { addKnownDevice, deviceKnownFor, keepKnownDevice } from '../store/known-devices.ts';
import type { Database } from '../store/schema.ts';
import { addSession, elevateSession } from '../store/staff-sessions.ts';
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
import {
  refuseSuspended,
  staffEntry,
  type Actor,
  type PairedDevice,
  type StaffDeps,
} from './staff-access.ts';
import {
  countPassword,
  countPin,
  NOBODY,
  passwordKeys,
  refuseThrottled,
  takeBackPassword,
  takeBackPin,
  type CountedPassword,
} from './staff-tries.ts';
import { noticesFor, noteWrongTry, type OwnerNotice } from './wrong-tries.ts';

type Tx = Kysely<Database>;

export interface SignedIn {
  readonly token: string;
  readonly expires_at: string;
  /** Those in force now. */
  readonly permissions: Permission[];
  /** Until when those are in force that ask for the password; null: they are not. */
  readonly elevated_until: string | null;
  readonly org_id: Uuid;
  readonly staff: { readonly id: Uuid; readonly name: string; readonly role: Role };
  /** Null: every branch of the shop. */
  readonly branch_ids: readonly Uuid[] | null;
  /** What an owner is told. */
  readonly notices: OwnerNotice[];
}

/** A sign-in holds for a long shift, however it was made, and is not lengthened by being used. */
const SESSION_MS = 12 * 60 * 60 * 1_000;
/** How long a device is known after a sign-in with a password there. */
const KNOWN_MS = 90 * 24 * 60 * 60 * 1_000;

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

/** Where a session is made: on a device or not, and whether the password was given. */
interface Entrance {
  readonly device: PairedDevice | null;
  readonly passwordAt: Instant | null;
}

/**
 * Someone whose secret was right, unless it was changed meanwhile, or they were archived or switched off. Whoever does so
 * from now on waits until the transaction ends, and ends their sign-ins with this one. Throws SIGN_IN_REQUIRED.
 */
const held = async (tx: Tx, { person: known, kind, hash }: Judged): Promise<SignInRow> => {
  const person = await holdSecret(tx, known, COLUMN_OF[kind], hash);
  if (person === null) throw new Refusal('SIGN_IN_REQUIRED');
  refuseSuspended(person);
  return person;
};

/** Gives someone a session. */
const enter = async (
  deps: StaffDeps,
  tx: Tx,
  person: SignInRow,
  { device, passwordAt }: Entrance,
): Promise<SignedIn> => {
  const { clock, random, tokens } = deps;
  const { orgId, id: staffId, name, role } = person;
  const token = tokens.make('staff');
  const now = clock.now();
  const expiresAt = now + SESSION_MS;
  const deviceId = device?.deviceId ?? null;
  const session = { tokenHash: tokens.hashOf(token), id: random.uuid(), orgId, staffId, deviceId };
  await addSession(tx, { ...session, now, expiresAt, passwordAt });
  const notices = await noticesFor(tx, person, now);
  const branchId = device?.branchId ?? null;
  await addAudit(tx, staffEntry(deps, 'staff.signed_in', { orgId, staffId, deviceId }, branchId));
  const until = elevatedUntil(passwordAt, now);
  return {
    token,
    expires_at: isoInstant(expiresAt),
    permissions: [...permissionsInForce(role, until !== null)],
    elevated_until: until === null ? null : isoInstant(until),
    org_id: orgId,
    staff: { id: staffId, name, role },
    branch_ids: branchesAllowed(person),
    notices,
  };
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
  readonly second_factor?: GivenFactor;
}

/** A password that was right, and how it was counted. */
interface RightPassword {
  readonly right: Judged;
  readonly counted: CountedPassword;
}

/** What may be refused of a second factor: the password was right all the same, and does not count as wrong. */
const OF_FACTORS: ReadonlySet<RefusalName> = new Set([
  ...(['SECOND_FACTOR_REQUIRED', 'SECOND_FACTOR_WRONG', 'RATE_LIMITED', 'INVALID_INPUT'] as const),
]);

/**
 * Every password that was right comes by here, once, before it opens a session, elevates one or is changed: with the
 * second factor of whoever has one, and in one transaction with what `then` does.
 */
const acceptPassword = async <T>(
  deps: StaffDeps,
  { right, counted }: RightPassword,
  shown: ShownFactor,
  then: (tx: Tx, person: SignInRow) => Promise<T>,
): Promise<T> => {
  const { db, clock } = deps;
  const whose = { orgId: right.person.orgId, staffId: right.person.id };
  const takeBack = (tx: Tx): Promise<void> => takeBackPassword(tx, counted, clock.now());
  try {
    const factor = await judgeFactor(deps, whose, shown);
    return await db.tx(async (tx) => {
      await takeBack(tx);
      const person = await held(tx, right);
      await spendFactor(deps, tx, whose, factor);
      return then(tx, person);
    });
  } catch (fault) {
    if (fault instanceof Refusal && OF_FACTORS.has(fault.refusal)) await db.tx(takeBack);
    throw fault;
  }
};

const comerOf = async (deps: StaffDeps, tried: PasswordTry, deviceId: Uuid | null): Promise<Comer> => {
  const { db, clock, tokens } = deps;
  const account = emailForm(tried.email);
  if (deviceId !== null) return { account, source: `device ${deviceId}`, isKnown: true };
  const { knownDevice: token, client } = tried;
  if (token === undefined) return { account, source: client, isKnown: false };
  const hash = tokens.hashOf(token);
  const now = clock.now();
  const known = await deviceKnownFor(db.kysely, hash, account, { now, unused: unusedSince(now) });
  if (known === null) return { account, source: client, isKnown: false };
  const source = known.deviceId === null ? `known ${hash.toString('hex')}` : `device ${known.deviceId}`;
  return { account, source, isKnown: true };
};

interface Giving {
  /** The session's, where one is signed in already. */
  readonly actor: Actor | null;
  /** What is thrown for a wrong password. */
  readonly refusal: RefusalName;
}

/**
 * Judges an e-mail address and password, and does with a right one what `then` says, in one transaction. What is cheap to
 * refuse is refused before it takes anybody's turn. Throws RATE_LIMITED, UNAVAILABLE, ORG_SUSPENDED, for wrong ones
 * `refusal`, and for a second factor that is missing or wrong SECOND_FACTOR_REQUIRED or SECOND_FACTOR_WRONG.
 */
const givingPassword = async <T>(
  deps: StaffDeps,
  tried: PasswordTry,
  { actor, refusal }: Giving,
  then: (tx: Tx, person: SignInRow) => Promise<T>,
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
    return acceptPassword(deps, { right, counted }, shown, then);
  });
};

export interface SignedInByPassword extends SignedIn {
  /** Shows at later sign-ins that this device is known; null: what it was given before still does. */
  readonly known_device: string | null;
}

/** Lengthens what a device is known by, or gives it something new. */
const knowDevice = async (
  { clock, tokens }: StaffDeps,
  tx: Tx,
  { orgId, id: staffId }: SignInRow,
  shown: string | undefined,
): Promise<string | null> => {
  const now = clock.now();
  const expiresAt = now + KNOWN_MS;
  if (shown !== undefined) {
    const isKept = await keepKnownDevice(tx, { orgId, staffId }, tokens.hashOf(shown), now, expiresAt);
    if (isKept) return null;
  }
  const token = tokens.make('known');
  await addKnownDevice(tx, { tokenHash: tokens.hashOf(token), orgId, staffId, now, expiresAt });
  return token;
};

/** Whoever has an e-mail address and a password. Throws SIGN_IN_REQUIRED, RATE_LIMITED, ORG_SUSPENDED, UNAVAILABLE. */
export const signIn =
  (deps: StaffDeps) =>
  async (tried: PasswordTry): Promise<SignedInByPassword> => {
    const signedIn = await givingPassword(
      deps,
      tried,
      { actor: null, refusal: 'SIGN_IN_REQUIRED' },
      async (tx, person) => ({
        ...(await enter(deps, tx, person, { device: null, passwordAt: deps.clock.now() })),
        known_device: await knowDevice(deps, tx, person, tried.knownDevice),
      }),
    );
    deps.security.record('signed_in', {
      org_id: signedIn.org_id,
      staff_id: signedIn.staff.id,
      by: 'password',
    });
    return signedIn;
  };

export interface Elevated {
  readonly permissions: Permission[];
  readonly elevated_until: string;
}

/**
 * The password once more, in a session of the same person: for ten minutes all permissions of their role are in force there.
 * Throws CREDENTIALS_WRONG, RATE_LIMITED, SIGN_IN_REQUIRED, UNAVAILABLE.
 */
export const reauthenticate =
  (deps: StaffDeps) =>
  (actor: Actor, tried: PasswordTry): Promise<Elevated> =>
    givingPassword(deps, tried, { actor, refusal: 'CREDENTIALS_WRONG' }, async (tx, { role }) => {
      const now = deps.clock.now();
      const session = await elevateSession(tx, actor.session, now);
      if (session === null) throw new Refusal('SIGN_IN_REQUIRED');
      await addAudit(tx, staffEntry(deps, 'staff.reauthenticated', actor, session.branchId));
      return {
        permissions: [...permissionsInForce(role, true)],
        elevated_until: isoInstant(elevatedUntil(now, now) ?? now),
      };
    });

// ── PINs ────────────────────────────────────────────────────────────────────────────────────────

/** Someone of the device's branch. Throws SIGN_IN_REQUIRED, PIN_THROTTLED, ORG_SUSPENDED, UNAVAILABLE. */
export const pinSignIn =
  (deps: StaffDeps) =>
  async (
    device: PairedDevice,
    given: { readonly staff_id: string; readonly pin: string },
  ): Promise<SignedIn> => {
    const { db, clock, passwords, security } = deps;
    const { orgId, deviceId, branchId } = device;
    const comer: Comer = { account: deviceId, source: deviceId, isKnown: true };
    const signedIn = await passwords.admit('pin', comer, async () => {
      const staffId = parseUuid(given.staff_id);
      const named = staffId === null ? null : await activeStaff(db.kysely, orgId, staffId);
      const person = named !== null && mayAtBranch(named, branchId) ? named : null;
      const counted = await db.tx((tx) => countPin(tx, device, person?.id ?? NOBODY, clock.now()));
      const right = await judged(deps, person, 'pin', pinIn(given.pin));
      if (right === null) {
        noteWrongTry(deps, { kind: 'pin', person: person ?? { orgId, id: null }, device, client: null });
        throw new Refusal('SIGN_IN_REQUIRED');
      }
      return db.tx(async (tx) => {
        const entering = await held(tx, right);
        if (!mayAtBranch(entering, branchId)) throw new Refusal('SIGN_IN_REQUIRED');
        await takeBackPin(tx, device, counted, clock.now());
        return enter(deps, tx, entering, { device, passwordAt: null });
      });
    });
    security.record('signed_in', {
      org_id: orgId,
      staff_id: signedIn.staff.id,
      by: 'pin',
      device_id: deviceId,
    });
    return signedIn;
  };

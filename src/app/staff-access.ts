/**
 * Who is signed in on the staff's side (Decisions 12): by e-mail and password, or with a PIN on a paired device. A wrong
 * address, password, person or PIN is one answer, and takes as long.
 */
import type { Kysely } from 'kysely';
import { parseUuid, type Uuid } from '../domain/ids.ts';
import { Refusal } from '../domain/refusal.ts';
import {
  branchesAllowed,
  emailForm,
  mayAtBranch,
  passwordIn,
  permissionsOf,
  pinIn,
  type Permission,
  type Role,
} from '../domain/staff.ts';
import {
  afterWrongPin,
  countedFailures,
  NO_PIN_FAILURES,
  passwordWaitSeconds,
  pinWaitSeconds,
} from '../domain/throttle.ts';
import { isoInstant } from '../domain/time.ts';
import { addAudit, type AuditEntry } from '../store/audit.ts';
import type { Database } from '../store/schema.ts';
import { deviceByToken, lockDevice, saveThrottle } from '../store/staff-devices.ts';
import {
  activeStaff,
  addSession,
  endSession,
  forgetFailures,
  holdSecret,
  liveSession,
  liveSessionsOf,
  lockFailures,
  renewSecret,
  saveFailures,
  staffByEmail,
  type SecretColumn,
  type SessionRow,
  type SignInRow,
} from '../store/staff.ts';
import {
  judgeFactor,
  spendFactor,
  type FactorDeps,
  type GivenFactor,
  type JudgedFactor,
} from './factor-check.ts';
import type { Passwords, SecretKind } from './passwords.ts';

type Tx = Kysely<Database>;

/** What signing in works with. */
export type StaffDeps = FactorDeps & { readonly passwords: Passwords };

/** Someone of the staff, signed in. */
export interface Actor {
  readonly orgId: Uuid;
  readonly staffId: Uuid;
  readonly name: string;
  readonly role: Role;
  readonly permissions: readonly Permission[];
  /** Null: every branch of the shop. */
  readonly branchIds: readonly Uuid[] | null;
  /** The device they signed in on; null for a sign-in by e-mail. */
  readonly deviceId: Uuid | null;
  /** What is stored of the token they showed. */
  readonly session: Buffer;
}

/** A device of a branch on which staff may sign in. */
export interface PairedDevice {
  readonly orgId: Uuid;
  readonly deviceId: Uuid;
  readonly branchId: Uuid;
  readonly label: string;
}

export interface SignedIn {
  readonly token: string;
  readonly expires_at: string;
  readonly permissions: Permission[];
  readonly org_id: Uuid;
  readonly staff: { readonly id: Uuid; readonly name: string; readonly role: Role };
  /** Null: every branch of the shop. */
  readonly branch_ids: readonly Uuid[] | null;
}

/** A sign-in holds for a long shift, however it was made, and is not lengthened by being used. */
const SESSION_MS = 12 * 60 * 60 * 1_000;

const refuseSuspended = ({ isShopActive }: { readonly isShopActive: boolean }): void => {
  if (!isShopActive) throw new Refusal('ORG_SUSPENDED');
};

// ── Whom a token names ──────────────────────────────────────────────────────────────────────────

const actorIn = (row: SessionRow): Actor => {
  const { orgId, staffId, deviceId, name, role, tokenHash: session } = row;
  const [permissions, branchIds] = [permissionsOf(role), branchesAllowed(row)];
  return { orgId, staffId, deviceId, name, role, permissions, branchIds, session };
};

/**
 * Who signed in with a token; null when it is unknown or has ended: its time is up, the person was archived or switched
 * off, the device revoked. `evenSuspended`: of a shop that is switched off too, which throws ORG_SUSPENDED otherwise.
 */
export const actorOf =
  ({ db, clock, tokens }: Pick<StaffDeps, 'db' | 'clock' | 'tokens'>) =>
  async (token: string, evenSuspended = false): Promise<Actor | null> => {
    const row = await liveSession(db.kysely, tokens.hashOf(token), clock.now());
    if (row === null) return null;
    if (!evenSuspended) refuseSuspended(row);
    return actorIn(row);
  };

/** Of these sign-ins, those with which one may still ask for something: the same rule for many at once. */
export const actorsOf = async (
  { db, clock }: Pick<StaffDeps, 'db' | 'clock'>,
  sessions: readonly Buffer[],
): Promise<readonly Actor[]> => {
  const rows = await liveSessionsOf(db.kysely, sessions, clock.now());
  return rows.filter(({ isShopActive }) => isShopActive).map(actorIn);
};

/** The device that a token names; null when it is unknown or was revoked. Throws ORG_SUSPENDED. */
export const deviceOf =
  ({ db, tokens }: Pick<StaffDeps, 'db' | 'tokens'>) =>
  async (token: string): Promise<PairedDevice | null> => {
    const device = await deviceByToken(db.kysely, tokens.hashOf(token));
    if (device === null) return null;
    refuseSuspended(device);
    const { orgId, id, branchId, label } = device;
    return { orgId, deviceId: id, branchId, label };
  };

/** Both, as the doors ask. */
export const authenticate = (deps: Pick<StaffDeps, 'db' | 'clock' | 'tokens'>) => ({
  staff: actorOf(deps),
  device: deviceOf(deps),
});

/** What the audit log says of someone who came or went. */
const audited = (
  { clock, random }: Pick<StaffDeps, 'clock' | 'random'>,
  action: 'staff.signed_in' | 'staff.signed_out',
  { orgId, staffId, deviceId }: Pick<Actor, 'orgId' | 'staffId' | 'deviceId'>,
  branchId: Uuid | null,
): AuditEntry => ({
  ...{ orgId, id: random.uuid(), at: clock.now(), staffId, deviceId, branchId },
  ...{ action, subject: 'staff', subjectId: staffId },
});

/** Ends this sign-in, and no other of the same person; once is enough. */
export const signOut =
  (deps: Pick<StaffDeps, 'db' | 'clock' | 'random'>) =>
  (actor: Actor): Promise<void> =>
    deps.db.tx(async (tx) => {
      const ended = await endSession(tx, actor.session);
      if (ended !== null) await addAudit(tx, audited(deps, 'staff.signed_out', actor, ended.branchId));
    });

// ── Signing in ──────────────────────────────────────────────────────────────────────────────────

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
  const hash = person === null ? null : hashOf(person, kind);
  const isRight = await passwords.verify(hash, typed ?? '', kind);
  if (!isRight || person === null || hash === null || typed === null) return null;
  if (!passwords.isDated(hash)) return { person, kind, hash };
  const renewed = await passwords.hash(typed, kind);
  if (await renewSecret(db.kysely, person, COLUMN_OF[kind], hash, renewed))
    return { person, kind, hash: renewed };
  // Another sign-in of theirs stored it anew meanwhile, or it was changed: what stands there now is judged.
  return judged(deps, await activeStaff(db.kysely, person.orgId, person.id), kind, typed);
};

/**
 * Lets someone in whose secret was right, unless it was changed meanwhile, or they were archived, switched off or sent to
 * another branch than the device's. Whoever does so while they enter waits, and ends this sign-in with the others.
 */
const enter = async (
  deps: StaffDeps,
  tx: Tx,
  { person: known, kind, hash }: Judged,
  device: PairedDevice | null,
  factor: JudgedFactor = null,
): Promise<SignedIn> => {
  const { clock, tokens } = deps;
  const person = await holdSecret(tx, known, COLUMN_OF[kind], hash);
  if (person === null || (device !== null && !mayAtBranch(person, device.branchId)))
    throw new Refusal('SIGN_IN_REQUIRED');
  refuseSuspended(person);
  const { orgId, id: staffId, name, role } = person;
  if (kind === 'password') await spendFactor(deps, tx, { orgId, staffId }, factor);
  const token = tokens.make('staff');
  const now = clock.now();
  const expiresAt = now + SESSION_MS;
  const deviceId = device?.deviceId ?? null;
  await addSession(tx, { tokenHash: tokens.hashOf(token), orgId, staffId, deviceId, now, expiresAt });
  const branchId = device?.branchId ?? null;
  await addAudit(tx, audited(deps, 'staff.signed_in', { orgId, staffId, deviceId }, branchId));
  return {
    token,
    expires_at: isoInstant(expiresAt),
    permissions: [...permissionsOf(role)],
    org_id: orgId,
    staff: { id: staffId, name, role },
    branch_ids: branchesAllowed(person),
  };
};

/**
 * Counts a password as wrong before it is looked at, so that however many are tried at once no more than the limit are
 * judged. Throws RATE_LIMITED.
 */
const countPassword = async (tx: Tx, key: Buffer, now: number): Promise<void> => {
  const failures = countedFailures(await lockFailures(tx, key, now), now);
  const wait = passwordWaitSeconds(failures, now);
  if (wait > 0) throw new Refusal('RATE_LIMITED', { retry_after_seconds: wait });
  await saveFailures(tx, key, [...failures, now]);
};

/** The one who tried to sign in, and from where (as the limits count clients). */
export interface PasswordTry {
  readonly email: string;
  readonly password: string;
  readonly client: string;
  /** What they showed besides, where they have a second factor. */
  readonly second_factor?: GivenFactor;
}

/** Whoever has an e-mail address and a password. Throws SIGN_IN_REQUIRED, RATE_LIMITED, ORG_SUSPENDED, UNAVAILABLE. */
export const signIn =
  (deps: StaffDeps) =>
  ({ email, password, client, second_factor }: PasswordTry): Promise<SignedIn> =>
    deps.passwords.admit('password', async () => {
      const { db, clock, tokens } = deps;
      const account = emailForm(email);
      const key = tokens.keyedHash('sign-in', `${account}\n${client}`);
      await db.tx((tx) => countPassword(tx, key, clock.now()));
      const person = await staffByEmail(db.kysely, account);
      const right = await judged(deps, person, 'password', passwordIn(password));
      if (right === null) throw new Refusal('SIGN_IN_REQUIRED');
      await db.tx((tx) => forgetFailures(tx, key));
      const { orgId, id: staffId } = right.person;
      const factor = await judgeFactor(deps, { orgId, staffId }, second_factor);
      return db.tx((tx) => enter(deps, tx, right, null, factor));
    });

/** Counts a PIN as wrong before it is looked at. Throws SIGN_IN_REQUIRED, PIN_THROTTLED. */
const countPin = async (tx: Tx, { orgId, deviceId }: PairedDevice, now: number): Promise<void> => {
  const throttle = await lockDevice(tx, orgId, deviceId);
  if (throttle === null) throw new Refusal('SIGN_IN_REQUIRED');
  const wait = pinWaitSeconds(throttle, now);
  if (wait > 0) throw new Refusal('PIN_THROTTLED', { retry_after_seconds: wait });
  await saveThrottle(tx, orgId, deviceId, afterWrongPin(throttle, now));
};

/** Someone of the device's branch. Throws SIGN_IN_REQUIRED, PIN_THROTTLED, ORG_SUSPENDED, UNAVAILABLE. */
export const pinSignIn =
  (deps: StaffDeps) =>
  (device: PairedDevice, given: { readonly staff_id: string; readonly pin: string }): Promise<SignedIn> =>
    deps.passwords.admit('pin', async () => {
      const { db, clock } = deps;
      const { orgId, deviceId, branchId } = device;
      await db.tx((tx) => countPin(tx, device, clock.now()));
      const staffId = parseUuid(given.staff_id);
      const named = staffId === null ? null : await activeStaff(db.kysely, orgId, staffId);
      const person = named !== null && mayAtBranch(named, branchId) ? named : null;
      const right = await judged(deps, person, 'pin', pinIn(given.pin));
      if (right === null) throw new Refusal('SIGN_IN_REQUIRED');
      return db.tx(async (tx) => {
        if ((await lockDevice(tx, orgId, deviceId)) === null) throw new Refusal('SIGN_IN_REQUIRED');
        await saveThrottle(tx, orgId, deviceId, NO_PIN_FAILURES);
        return enter(deps, tx, right, device);
      });
    });

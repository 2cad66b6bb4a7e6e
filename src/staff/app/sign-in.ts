/** Signing in (Decisions 12): by e-mail and password, or with a PIN on a paired device; and giving the password once more. */
import type { Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { elevatedUntil, permissionsInForce, type Permission, type Role } from '../../kernel/permission.ts';
import { branchesAllowed } from '../domain/staff.ts';
import { isoInstant } from '../../kernel/time.ts';
import { addAudit } from '../../platform/store/audit.ts';
import { addKnownDevice, keepKnownDevice } from '../store/known-devices.ts';
import type { Database } from '../../platform/store/schema.ts';
import { deviceOfShop } from '../store/devices.ts';
import { addSession, elevateSession, endOldestSessions } from '../store/sessions.ts';
import type { SignInRow } from '../store/staff.ts';
import type { SecretKind } from './passwords.ts';
import { staffEntry, type Actor, type PairedDevice, type StaffDeps } from './access.ts';
import { givingPassword, givingPin, nothingToPrepare, type PasswordTry, type PinTry } from './credentials.ts';
import { noticesFor, type OwnerNotice } from './wrong-tries.ts';

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

/** Sign-ins of one person at once: nobody has so many, and no program fills the table with them. */
const MOST_SESSIONS = 1_000;

type Place = Pick<PairedDevice, 'deviceId' | 'branchId'>;

/** Where a session is made: on a device or not, and whether the password was given. */
interface Entrance {
  readonly device: Place | null;
  readonly by: SecretKind;
}

/** Gives someone a session. */
const enter = async (
  deps: StaffDeps,
  tx: Tx,
  person: SignInRow,
  { device, by }: Entrance,
): Promise<SignedIn> => {
  const { clock, random, tokens } = deps;
  const { orgId, id: staffId, name, role } = person;
  const token = tokens.make('staff');
  const now = clock.now();
  const expiresAt = now + SESSION_MS;
  const deviceId = device?.deviceId ?? null;
  const passwordAt = by === 'password' ? now : null;
  const session = { tokenHash: tokens.hashOf(token), id: random.uuid(), orgId, staffId, deviceId };
  await addSession(tx, { ...session, now, expiresAt, passwordAt });
  await endOldestSessions(tx, { orgId, staffId }, MOST_SESSIONS);
  const notices = await noticesFor(tx, person, now);
  const branchId = device?.branchId ?? null;
  const entry = staffEntry(deps, 'staff.signed_in', { orgId, staffId, deviceId }, branchId);
  await addAudit(tx, { ...entry, detail: { by } });
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

/** Who was in, on which device, and from where. */
const recordSignIn = (
  { security }: Pick<StaffDeps, 'security'>,
  { org_id, staff }: SignedIn,
  { device, by }: Entrance,
  client: string,
): void =>
  security.record('signed_in', {
    ...{ org_id, staff_id: staff.id, by, device_id: device?.deviceId ?? null, client },
  });

// ── By password ─────────────────────────────────────────────────────────────────────────────────

export interface SignedInByPassword extends SignedIn {
  /** Shows at later sign-ins that this device is known; null: what it was given before still does. */
  readonly known_device: string | null;
}

/** Lengthens what a device is known by, or gives it something new. */
export const knowDevice = async (
  { clock, tokens }: StaffDeps,
  tx: Tx,
  { orgId, id: staffId }: Pick<SignInRow, 'orgId' | 'id'>,
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

/** The paired device at which someone gives their password; a session on one that has ended meanwhile names nobody. */
const placeAt = async (tx: Tx, orgId: Uuid, deviceId: Uuid | null): Promise<Place | null> => {
  const device = deviceId === null ? null : await deviceOfShop(tx, orgId, deviceId);
  return device === null ? null : { deviceId: device.id, branchId: device.branchId };
};

/** Whoever has an e-mail address and a password. Throws SIGN_IN_REQUIRED, RATE_LIMITED, ORG_SUSPENDED, UNAVAILABLE. */
export const signIn =
  (deps: StaffDeps) =>
  async (tried: PasswordTry): Promise<SignedInByPassword> => {
    const { device, signedIn } = await givingPassword(
      deps,
      tried,
      { actor: null, refusal: 'SIGN_IN_REQUIRED', prepare: nothingToPrepare },
      async (tx, person, _, deviceId) => {
        const device = await placeAt(tx, person.orgId, deviceId);
        const entered = await enter(deps, tx, person, { device, by: 'password' });
        const known_device = await knowDevice(deps, tx, person, tried.knownDevice);
        return { device, signedIn: { ...entered, known_device } };
      },
    );
    recordSignIn(deps, signedIn, { device, by: 'password' }, tried.client);
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
    givingPassword(
      deps,
      tried,
      { actor, refusal: 'CREDENTIALS_WRONG', prepare: nothingToPrepare },
      async (tx, { role }) => {
        const now = deps.clock.now();
        const session = await elevateSession(tx, actor.session, now);
        if (session === null) throw new Refusal('SIGN_IN_REQUIRED');
        await addAudit(tx, staffEntry(deps, 'staff.reauthenticated', actor, session.branchId));
        return {
          permissions: [...permissionsInForce(role, true)],
          elevated_until: isoInstant(elevatedUntil(now, now) ?? now),
        };
      },
    );

// ── By PIN ──────────────────────────────────────────────────────────────────────────────────────

/** Someone of the device's branch. Throws SIGN_IN_REQUIRED, PIN_THROTTLED, ORG_SUSPENDED, UNAVAILABLE. */
export const pinSignIn =
  (deps: StaffDeps) =>
  async (device: PairedDevice, given: PinTry): Promise<SignedIn> => {
    const giving = { refusal: 'SIGN_IN_REQUIRED', prepare: nothingToPrepare } as const;
    const signedIn = await givingPin(deps, device, given, giving, (tx, person) =>
      enter(deps, tx, person, { device, by: 'pin' }),
    );
    recordSignIn(deps, signedIn, { device, by: 'pin' }, given.client);
    return signedIn;
  };

/** Sign-in by e-mail and password, or by PIN on a paired device; and re-authentication (Decisions 12). */
import type { Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { elevatedUntil, permissionsInForce, type Permission, type Role } from '../../kernel/permission.ts';
import { branchesAllowed } from '../domain/staff.ts';
import { isoInstant } from '../../kernel/time.ts';
import { recordAudit } from '../../platform/app/audit.ts';
import { addKnownDevice, extendKnownDevice } from '../store/known-devices.ts';
import type { Database } from '../../platform/store/schema.ts';
import { deviceOfShop } from '../store/devices.ts';
import { addSession, elevateSession, endOldestSessions } from '../store/sessions.ts';
import type { SignInRow } from '../store/staff.ts';
import type { SecretKind } from './passwords.ts';
import { staffEvent, type Actor, type PairedDevice, type StaffDeps } from './access.ts';
import { withPassword, withPin, nothingToPrepare, type PasswordTry, type PinTry } from './credentials.ts';
import { noticesFor, type OwnerNotice } from './wrong-tries.ts';

type Tx = Kysely<Database>;

export interface SignedIn {
  readonly token: string;
  readonly expires_at: string;
  readonly permissions: Permission[];
  /** Null: the session is not elevated. */
  readonly elevated_until: string | null;
  readonly org_id: Uuid;
  readonly staff: { readonly id: Uuid; readonly name: string; readonly role: Role };
  /** Null: every branch of the shop. */
  readonly branch_ids: readonly Uuid[] | null;
  readonly notices: OwnerNotice[];
}

/** A long shift; use does not extend it. */
export const SESSION_MS = 12 * 60 * 60 * 1_000;
const KNOWN_MS = 90 * 24 * 60 * 60 * 1_000;

/** Per person; bounds the table against programs that sign in repeatedly. */
const MAX_SESSIONS = 1_000;

type Place = Pick<PairedDevice, 'deviceId' | 'branchId'>;

interface SignInContext {
  readonly device: Place | null;
  readonly by: SecretKind;
}

const openSession = async (
  deps: StaffDeps,
  tx: Tx,
  person: SignInRow,
  { device, by }: SignInContext,
): Promise<SignedIn> => {
  const { clock, random, tokens, shopCodes } = deps;
  const { orgId, id: staffId, name, role } = person;
  const token = tokens.make('staff', await shopCodes.codeOf(tx, orgId));
  const now = clock.now();
  const expiresAt = now + SESSION_MS;
  const deviceId = device?.deviceId ?? null;
  const passwordAt = by === 'password' ? now : null;
  const session = { tokenHash: tokens.hashOf(token), id: random.uuid(), orgId, staffId, deviceId };
  await addSession(tx, { ...session, now, expiresAt, passwordAt });
  await endOldestSessions(tx, { orgId, staffId }, MAX_SESSIONS);
  const notices = await noticesFor(tx, person, now);
  const branchId = device?.branchId ?? null;
  const entry = staffEvent('staff.signed_in', { orgId, staffId, deviceId }, branchId);
  await recordAudit(deps, tx, { ...entry, detail: { by } });
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

const recordSignIn = (
  { security }: Pick<StaffDeps, 'security'>,
  { org_id, staff }: SignedIn,
  { device, by }: SignInContext,
  client: string,
): void =>
  security.record('signed_in', {
    ...{ org_id, staff_id: staff.id, by, device_id: device?.deviceId ?? null, client },
  });

// ── By password ─────────────────────────────────────────────────────────────────────────────────

export interface SignedInByPassword extends SignedIn {
  /** Null: the token sent with the request is still valid. */
  readonly known_device: string | null;
}

/** Extends the known-device token, or issues a new one. */
export const rememberDevice = async (
  { clock, tokens }: StaffDeps,
  tx: Tx,
  { orgId, id: staffId }: Pick<SignInRow, 'orgId' | 'id'>,
  shown: string | undefined,
): Promise<string | null> => {
  const now = clock.now();
  const expiresAt = now + KNOWN_MS;
  if (shown !== undefined) {
    const isKept = await extendKnownDevice(tx, { orgId, staffId }, tokens.hashOf(shown), now, expiresAt);
    if (isKept) return null;
  }
  const token = tokens.make('known');
  await addKnownDevice(tx, { tokenHash: tokens.hashOf(token), orgId, staffId, now, expiresAt });
  return token;
};

const pairedDeviceAt = async (tx: Tx, orgId: Uuid, deviceId: Uuid | null): Promise<Place | null> => {
  const device = deviceId === null ? null : await deviceOfShop(tx, orgId, deviceId);
  return device === null ? null : { deviceId: device.id, branchId: device.branchId };
};

/** Throws WRONG_PASSWORD, SIGN_IN_REQUIRED, RATE_LIMITED, ORG_SUSPENDED, UNAVAILABLE. */
export const signIn =
  (deps: StaffDeps) =>
  async (tried: PasswordTry): Promise<SignedInByPassword> => {
    const { device, signedIn } = await withPassword(
      deps,
      tried,
      { actor: null, refusal: 'WRONG_PASSWORD', prepare: nothingToPrepare },
      async (tx, person, _, deviceId) => {
        const device = await pairedDeviceAt(tx, person.orgId, deviceId);
        const entered = await openSession(deps, tx, person, { device, by: 'password' });
        const known_device = await rememberDevice(deps, tx, person, tried.knownDevice);
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
 * Re-authentication by password in a session of the same person: all permissions of their role for ten minutes. Throws
 * CREDENTIALS_WRONG, RATE_LIMITED, SESSION_ENDED, SIGN_IN_REQUIRED, UNAVAILABLE.
 */
export const reauthenticate =
  (deps: StaffDeps) =>
  (actor: Actor, tried: PasswordTry): Promise<Elevated> =>
    withPassword(
      deps,
      tried,
      { actor, refusal: 'CREDENTIALS_WRONG', prepare: nothingToPrepare },
      async (tx, { role }) => {
        const now = deps.clock.now();
        const session = await elevateSession(tx, actor.orgId, actor.session, now);
        if (session === null) throw new Refusal('SESSION_ENDED');
        await recordAudit(deps, tx, staffEvent('staff.reauthenticated', actor, session.branchId));
        return {
          permissions: [...permissionsInForce(role, true)],
          elevated_until: isoInstant(elevatedUntil(now, now) ?? now),
        };
      },
    );

// ── By PIN ──────────────────────────────────────────────────────────────────────────────────────

/** Throws WRONG_PIN, DEVICE_REVOKED, PIN_THROTTLED, ORG_SUSPENDED, UNAVAILABLE. */
export const pinSignIn =
  (deps: StaffDeps) =>
  async (device: PairedDevice, tried: PinTry): Promise<SignedIn> => {
    const use = { refusal: 'WRONG_PIN', prepare: nothingToPrepare } as const;
    const signedIn = await withPin(deps, device, tried, use, (tx, person) =>
      openSession(deps, tx, person, { device, by: 'pin' }),
    );
    recordSignIn(deps, signedIn, { device, by: 'pin' }, tried.client);
    return signedIn;
  };

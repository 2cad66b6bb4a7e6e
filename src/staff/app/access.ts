/** Who is signed in on the staff's side (Decisions 12), and on which device; signing in is in `staff-sign-in.ts`. */
import { isToNote, notedBefore, unusedSince } from '../domain/device.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { elevatedUntil, permissionsInForce, type Permission, type Role } from '../../kernel/permission.ts';
import { branchesAllowed } from '../domain/staff.ts';
import type { Instant } from '../../kernel/time.ts';
import { addAudit, type AuditEntry } from '../../platform/store/audit.ts';
import { deviceByToken, touchDevices } from '../store/devices.ts';
import {
  endSession,
  liveSession,
  liveSessionsOf,
  touchSessions,
  type Living,
  type SessionRow,
} from '../store/sessions.ts';
import type { App } from '../../platform/app/app.ts';

/** What signing in works with. */
export type StaffDeps = Pick<
  App,
  | 'db'
  | 'clock'
  | 'random'
  | 'tokens'
  | 'keyring'
  | 'passwords'
  | 'passkeys'
  | 'security'
  | 'aside'
  | 'commonPasswords'
>;

/** Streams that go on while their sign-in does: boards of orders. They end here at once, at another process with its next poll. */
export interface SessionStreams {
  /** `session`: the hash of the sign-in's token. */
  endOf(session: Buffer): void;
  endOn(deviceId: Uuid): void;
}

/** Someone of the staff, signed in. */
export interface Actor {
  readonly orgId: Uuid;
  readonly staffId: Uuid;
  readonly name: string;
  readonly role: Role;
  /** Those in force: some are only while the session is elevated. */
  readonly permissions: readonly Permission[];
  /** Until when the session is elevated; null: the password was not given within the last ten minutes. */
  readonly elevatedUntil: Instant | null;
  /** Null: every branch of the shop. */
  readonly branchIds: readonly Uuid[] | null;
  /** The paired device they signed in on; null where it was none. */
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

/** A session on a device that others use too ends when it is unused for so long. */
export const IDLE_MS = 30 * 60 * 1_000;
/** The last use of a session is written no more often than this. */
const TOUCH_MS = 60 * 1_000;

export const living = (now: Instant): Living => ({ now, idleMs: IDLE_MS });

export const refuseSuspended = ({ isShopActive }: { readonly isShopActive: boolean }): void => {
  if (!isShopActive) throw new Refusal('ORG_SUSPENDED');
};

// ── Whom a token names ──────────────────────────────────────────────────────────────────────────

const actorIn = (row: SessionRow, now: Instant): Actor => {
  const { orgId, staffId, deviceId, name, role, tokenHash: session } = row;
  const elevated = elevatedUntil(row.passwordAt, now);
  const permissions = permissionsInForce(role, elevated !== null);
  const branchIds = branchesAllowed(row);
  return { orgId, staffId, deviceId, name, role, permissions, elevatedUntil: elevated, branchIds, session };
};

/** Notes that devices are in use; nobody waits for it. */
const noteDevices = (
  { db, aside }: Pick<StaffDeps, 'db' | 'aside'>,
  devices: Parameters<typeof touchDevices>[1],
  now: Instant,
): void => {
  if (devices.length === 0) return;
  const ids = devices.map(({ id }) => id);
  aside.runOnce(`devices ${ids.join()}`, () => touchDevices(db.kysely, devices, now, notedBefore(now)));
};

/** Notes that these sign-ins are in use, and their devices; nobody waits for it. */
const noteUse = (
  { db, aside }: Pick<StaffDeps, 'db' | 'aside'>,
  rows: readonly SessionRow[],
  now: Instant,
): void => {
  const devices = rows.flatMap(({ orgId, deviceId, deviceUsedAt }) =>
    deviceId !== null && isToNote(deviceUsedAt, now) ? [{ orgId, id: deviceId }] : [],
  );
  noteDevices({ db, aside }, devices, now);
  const stale = rows.filter(({ lastUsedAt }) => lastUsedAt <= now - TOUCH_MS);
  const [first] = stale;
  if (first === undefined) return;
  const hashes = stale.map(({ tokenHash }) => tokenHash);
  const key = stale.length === 1 ? first.tokenHash.toString('hex') : 'boards';
  aside.runOnce(`use ${key}`, () => touchSessions(db.kysely, hashes, now, now - TOUCH_MS));
};

type Recognising = Pick<StaffDeps, 'db' | 'clock' | 'tokens' | 'aside'>;

/**
 * Who signed in with a token; null when it is unknown or has ended: its time is up, nobody used it for long on a device,
 * the person was archived or switched off, the device revoked. `evenSuspended`: of a shop that is switched off too, which
 * throws ORG_SUSPENDED otherwise.
 */
export const actorOf =
  (deps: Recognising) =>
  async (token: string, evenSuspended = false): Promise<Actor | null> => {
    const { db, clock, tokens } = deps;
    const now = clock.now();
    const row = await liveSession(db.kysely, tokens.hashOf(token), living(now));
    if (row === null) return null;
    if (!evenSuspended) refuseSuspended(row);
    noteUse(deps, [row], now);
    return actorIn(row, now);
  };

/**
 * Of these sign-ins, those with which one may still ask for something: the same rule for many at once. Whoever has a board
 * open uses the sign-in: a kitchen's screen that is looked at all evening is never tapped.
 */
export const actorsOf = async (
  deps: Pick<StaffDeps, 'db' | 'clock' | 'aside'>,
  sessions: readonly Buffer[],
): Promise<readonly Actor[]> => {
  const now = deps.clock.now();
  const rows = await liveSessionsOf(deps.db.kysely, sessions, living(now));
  const able = rows.filter(({ isShopActive }) => isShopActive);
  noteUse(deps, able, now);
  return able.map((row) => actorIn(row, now));
};

/** The device that a token names; null when it is unknown, was revoked or not used for long. Throws ORG_SUSPENDED. */
export const deviceOf =
  ({ db, clock, tokens, aside }: Recognising) =>
  async (token: string): Promise<PairedDevice | null> => {
    const now = clock.now();
    const device = await deviceByToken(db.kysely, tokens.hashOf(token), unusedSince(now));
    if (device === null) return null;
    refuseSuspended(device);
    const { orgId, id, branchId, label, lastUsedAt } = device;
    if (isToNote(lastUsedAt, now)) noteDevices({ db, aside }, [{ orgId, id }], now);
    return { orgId, deviceId: id, branchId, label };
  };

/** Both, as the doors ask. */
export const authenticate = (deps: Recognising) => ({
  staff: actorOf(deps),
  device: deviceOf(deps),
});

// ── Coming and going ────────────────────────────────────────────────────────────────────────────

type StaffAction =
  | 'staff.signed_in'
  | 'staff.signed_out'
  | 'staff.reauthenticated'
  | 'staff.session_ended'
  | 'staff.password_set'
  | 'staff.pin_set'
  | 'staff.password_wrong'
  | 'staff.pin_wrong';

/** What the audit log says that someone did, or that was tried in their name. */
export const staffEntry = (
  { clock, random }: Pick<StaffDeps, 'clock' | 'random'>,
  action: StaffAction,
  { orgId, staffId, deviceId }: Pick<Actor, 'orgId' | 'staffId' | 'deviceId'>,
  branchId: Uuid | null,
): AuditEntry => ({
  ...{ orgId, id: random.uuid(), at: clock.now(), staffId, deviceId, branchId },
  ...{ action, subject: 'staff', subjectId: staffId },
});

/** Ends this sign-in, and no other of the same person; once is enough. */
export const signOut =
  (deps: Pick<StaffDeps, 'db' | 'clock' | 'random' | 'security'>) =>
  async (actor: Actor): Promise<void> => {
    const { orgId, staffId, session } = actor;
    const isEnded = await deps.db.tx(async (tx) => {
      const ended = await endSession(tx, session);
      if (ended !== null) await addAudit(tx, staffEntry(deps, 'staff.signed_out', actor, ended.branchId));
      return ended !== null;
    });
    if (isEnded)
      deps.security.record('sessions_ended', { org_id: orgId, staff_id: staffId, why: 'sign_out' });
  };

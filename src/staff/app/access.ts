/** Authentication of staff and devices (Decisions 12). */
import { endedSince, isTouchDue, touchedBefore, unusedSince } from '../domain/device.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { elevatedUntil, permissionsInForce, type Permission, type Role } from '../../kernel/permission.ts';
import { branchesAllowed } from '../domain/staff.ts';
import type { Instant } from '../../kernel/time.ts';
import { recordUnlogged, type AuditEvent } from '../../platform/app/audit.ts';
import { deviceByToken, deviceOnceOfToken, touchDevices } from '../store/devices.ts';
import {
  endSession,
  liveSession,
  liveSessionsOf,
  touchSessions,
  type SessionLiveness,
  type SessionRow,
} from '../store/sessions.ts';
import { shopOfDevice, shopOfSession } from '../store/shop-by-secret.ts';
import { shopCodeInToken } from '../../platform/app/tokens.ts';
import type { App } from '../../platform/app/app.ts';

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
  | 'backgroundTasks'
  | 'commonPasswords'
  | 'shopCodes'
>;

/**
 * Open streams of a session, such as order boards. In this process they end at once, in others with their
 * next poll.
 */
export interface SessionStreams {
  /** `session`: the hash of the session's token. */
  endStreamsOfSession(session: Buffer): void;
  endStreamsOnDevice(deviceId: Uuid): void;
}

export interface Actor {
  readonly orgId: Uuid;
  readonly staffId: Uuid;
  readonly name: string;
  readonly role: Role;
  /** The permissions in force; some need an elevated session. */
  readonly permissions: readonly Permission[];
  /** Null: the password was not given within the last ten minutes. */
  readonly elevatedUntil: Instant | null;
  /** Null: every branch of the shop. */
  readonly branchIds: readonly Uuid[] | null;
  /** The paired device of the session; null: none. */
  readonly deviceId: Uuid | null;
  /** The hash of the session's token. */
  readonly session: Buffer;
}

export interface PairedDevice {
  readonly orgId: Uuid;
  readonly deviceId: Uuid;
  readonly branchId: Uuid;
  readonly label: string;
  /** It is revoked or long unused, or its branch is archived; most operations refuse such a device. */
  readonly hasEnded: boolean;
}

/** A session on a shared device ends after this long without use. */
export const IDLE_MS = 30 * 60 * 1_000;
/** The last use of a session is stored at most this often. */
const TOUCH_MS = 60 * 1_000;

export const sessionLiveness = (now: Instant): SessionLiveness => ({ now, idleMs: IDLE_MS });

export const refuseSuspended = ({ isShopActive }: { readonly isShopActive: boolean }): void => {
  if (!isShopActive) throw new Refusal('ORG_SUSPENDED');
};

// ── Authentication ──────────────────────────────────────────────────────────────────────────────

const actorIn = (row: SessionRow, now: Instant): Actor => {
  const { orgId, staffId, deviceId, name, role, tokenHash: session } = row;
  const elevated = elevatedUntil(row.passwordAt, now);
  const permissions = permissionsInForce(role, elevated !== null);
  const branchIds = branchesAllowed(row);
  return { orgId, staffId, deviceId, name, role, permissions, elevatedUntil: elevated, branchIds, session };
};

const touchDevicesInBackground = (
  { db, backgroundTasks }: Pick<StaffDeps, 'db' | 'backgroundTasks'>,
  devices: Parameters<typeof touchDevices>[1],
  now: Instant,
): void => {
  if (devices.length === 0) return;
  const ids = devices.map(({ id }) => id);
  backgroundTasks.runOnce(`devices ${ids.join()}`, () =>
    touchDevices(db.kysely, devices, now, touchedBefore(now)),
  );
};

const touchInBackground = (
  { db, backgroundTasks }: Pick<StaffDeps, 'db' | 'backgroundTasks'>,
  rows: readonly SessionRow[],
  now: Instant,
): void => {
  const devices = rows.flatMap(({ orgId, deviceId, deviceUsedAt }) =>
    deviceId !== null && isTouchDue(deviceUsedAt, now) ? [{ orgId, id: deviceId }] : [],
  );
  touchDevicesInBackground({ db, backgroundTasks }, devices, now);
  const stale = rows.filter(({ lastUsedAt }) => lastUsedAt <= now - TOUCH_MS);
  const [first] = stale;
  if (first === undefined) return;
  const hashes = stale.map(({ tokenHash }) => tokenHash);
  const key = stale.length === 1 ? first.tokenHash.toString('hex') : 'boards';
  backgroundTasks.runOnce(`use ${key}`, () => touchSessions(db.kysely, hashes, now, now - TOUCH_MS));
};

type AuthDeps = Pick<StaffDeps, 'db' | 'clock' | 'tokens' | 'backgroundTasks' | 'shopCodes'>;

/** Null: no shop has it. `ofOlder` finds the shop of a token of an older build, which does not carry it. */
export const shopOfToken = (
  { db, shopCodes }: Pick<StaffDeps, 'db' | 'shopCodes'>,
  token: string,
  ofOlder: (db: StaffDeps['db']['kysely']) => Promise<Uuid | null>,
): Promise<Uuid | null> => {
  const code = shopCodeInToken(token);
  return code === null ? ofOlder(db.kysely) : shopCodes.shopOf(db.kysely, code);
};

/**
 * The staff member of a shop's session, by the hash of its token; null if unknown or ended: expired, idle on a device,
 * person archived or inactive, device revoked. `evenSuspended` accepts a suspended shop, which otherwise throws
 * ORG_SUSPENDED.
 */
export const actorOfSession =
  (deps: Omit<AuthDeps, 'tokens' | 'shopCodes'>) =>
  async (orgId: Uuid, session: Buffer, evenSuspended = false): Promise<Actor | null> => {
    const { db, clock } = deps;
    const now = clock.now();
    const row = await liveSession(db.kysely, orgId, session, sessionLiveness(now));
    if (row === null) return null;
    if (!evenSuspended) refuseSuspended(row);
    touchInBackground(deps, [row], now);
    return actorIn(row, now);
  };

/** The same by the token. */
export const actorOf =
  (deps: AuthDeps) =>
  async (token: string, evenSuspended = false): Promise<Actor | null> => {
    const session = deps.tokens.hashOf(token);
    const orgId = await shopOfToken(deps, token, (db) => shopOfSession(db, session));
    return orgId === null ? null : actorOfSession(deps)(orgId, session, evenSuspended);
  };

/**
 * The same check for many sessions at once. An open board counts as use: a kitchen screen is watched all evening and
 * never touched. `unheard`: shops whose sessions are not known now.
 */
export const actorsOf = async (
  deps: Pick<StaffDeps, 'db' | 'clock' | 'backgroundTasks'>,
  sessions: readonly Buffer[],
): Promise<{ readonly actors: readonly Actor[]; readonly unheard: ReadonlySet<Uuid> }> => {
  const now = deps.clock.now();
  const { rows, unheard } = await liveSessionsOf(deps.db.kysely, sessions, sessionLiveness(now));
  const able = rows.filter(({ isShopActive }) => isShopActive);
  touchInBackground(deps, able, now);
  return { actors: able.map((row) => actorIn(row, now)), unheard };
};

/**
 * The device of a token; null if unknown, revoked or long unused. Throws ORG_SUSPENDED. `evenEnded` also finds one that ended
 * within 30 days, and accepts a suspended shop.
 */
export const deviceOf =
  (deps: AuthDeps) =>
  async (token: string, evenEnded = false): Promise<PairedDevice | null> => {
    const { db, clock, tokens, backgroundTasks } = deps;
    const now = clock.now();
    const tokenHash = tokens.hashOf(token);
    const orgId = await shopOfToken(deps, token, (kysely) => shopOfDevice(kysely, tokenHash));
    if (orgId === null) return null;
    const device = await deviceByToken(db.kysely, orgId, tokenHash, unusedSince(now));
    if (device === null) {
      const ended = evenEnded ? await deviceOnceOfToken(db.kysely, orgId, tokenHash, endedSince(now)) : null;
      return ended && { ...ended, deviceId: ended.id, hasEnded: true };
    }
    if (!evenEnded) refuseSuspended(device);
    const { id, branchId, label, lastUsedAt } = device;
    if (isTouchDue(lastUsedAt, now)) touchDevicesInBackground({ db, backgroundTasks }, [{ orgId, id }], now);
    return { orgId, deviceId: id, branchId, label, hasEnded: false };
  };

export const authenticate = (deps: AuthDeps) => ({
  staff: actorOf(deps),
  device: deviceOf(deps),
});

// ── Signing out ─────────────────────────────────────────────────────────────────────────────────

type StaffAction =
  | 'staff.signed_in'
  | 'staff.signed_out'
  | 'staff.reauthenticated'
  | 'staff.session_ended'
  | 'staff.password_set'
  | 'staff.pin_set'
  | 'staff.password_wrong'
  | 'staff.pin_wrong';

export const staffEvent = (
  action: StaffAction,
  { orgId, staffId, deviceId }: Pick<Actor, 'orgId' | 'staffId' | 'deviceId'>,
  branchId: Uuid | null,
): AuditEvent => ({
  ...{ orgId, staffId, deviceId, branchId },
  ...{ action, subject: 'staff', subjectId: staffId },
});

/** Ends this session only; idempotent. Throws SHOP_MOVING: the session goes on where the shop has moved to. */
export const signOut =
  (deps: Pick<StaffDeps, 'db' | 'clock' | 'random' | 'security'>) =>
  async (actor: Actor): Promise<void> => {
    const { orgId, staffId, session } = actor;
    const isEnded = await deps.db.tx(async (tx) => {
      const ended = await endSession(tx, orgId, session);
      if (ended !== null)
        await recordUnlogged(deps, tx, staffEvent('staff.signed_out', actor, ended.branchId));
      return ended !== null;
    });
    if (isEnded)
      deps.security.record('sessions_ended', { org_id: orgId, staff_id: staffId, why: 'sign_out' });
  };

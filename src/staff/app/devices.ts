/**
 * Devices of a branch: an owner or manager makes a pairing code, and staff sign in on the paired device
 * (Decisions 12).
 */
import type { Kysely } from 'kysely';
import { isExpired, unusedSince } from '../domain/device.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { singleLine } from '../../kernel/free-text.ts';
import { byName } from '../../kernel/names.ts';
import { invalidInput, Refusal } from '../../kernel/refusal.ts';
import type { Role } from '../../kernel/permission.ts';
import { mayAtBranch, PAIRING_ALPHABET, PAIRING_LENGTH, pairingCodeIn } from '../domain/staff.ts';
import { isoInstant, type Instant } from '../../kernel/time.ts';
import { recordAudit, recordUnlogged } from '../../platform/app/audit.ts';
import type { Database } from '../../platform/store/schema.ts';
import {
  addDevice,
  deviceOfShop,
  devicesOf,
  expireDevice,
  hasBranch,
  revoke,
  spendPairingCode,
  type ListedDevice,
} from '../store/devices.ts';
import { shopOfPairingCode } from '../store/shop-by-secret.ts';
import { endSessionsOn } from '../store/sessions.ts';
import { staffWithPin } from '../store/staff.ts';
import type { Actor, PairedDevice, StaffDeps } from './access.ts';

/** Time to walk to the device and type the code. */
const PAIRING_MS = 10 * 60 * 1_000;

/** Keyed, because eight characters could be guessed from a plain hash. */
const pairingHash = ({ tokens }: Pick<StaffDeps, 'tokens'>, code: string): Buffer =>
  tokens.keyedHash('pairing', code);

export interface PairingCode {
  readonly pairing_code: string;
  readonly expires_at: string;
  readonly device_id: Uuid;
}

/** Throws INVALID_INPUT. */
const labelIn = (text: string): string => {
  const label = singleLine(text);
  if (label === null)
    throw invalidInput({ path: 'label', problem: 'is required', arabic: 'اسم الجهاز مطلوب' });
  return label;
};

/** A single-use code that pairs one device. Throws NOT_FOUND for another's branch, INVALID_INPUT. */
export const makePairingCode =
  (deps: Pick<StaffDeps, 'db' | 'clock' | 'random' | 'tokens'>) =>
  async (
    actor: Actor,
    { branch_id: branchId, label: typed }: { readonly branch_id: Uuid; readonly label: string },
  ): Promise<PairingCode> => {
    const { db, clock, random } = deps;
    const label = labelIn(typed);
    if (!mayAtBranch(actor, branchId)) throw new Refusal('NOT_FOUND');
    const code = Array.from({ length: PAIRING_LENGTH }, () =>
      PAIRING_ALPHABET.charAt(random.below(PAIRING_ALPHABET.length)),
    ).join('');
    const { orgId, staffId, deviceId } = actor;
    const id = random.uuid();
    const now = clock.now();
    const pairingExpiresAt = now + PAIRING_MS;
    await db.tx(async (tx) => {
      if (!(await hasBranch(tx, orgId, branchId))) throw new Refusal('NOT_FOUND');
      const hash = pairingHash(deps, code);
      await addDevice(tx, { orgId, id, branchId, label, pairingHash: hash, pairingExpiresAt, now });
      await recordUnlogged(deps, tx, {
        orgId,
        at: now,
        staffId,
        deviceId,
        branchId,
        action: 'device.code_made',
        subject: 'device',
        subjectId: id,
        detail: { label },
      });
    });
    return { pairing_code: code, expires_at: isoInstant(pairingExpiresAt), device_id: id };
  };

export interface PinStaff {
  readonly id: Uuid;
  readonly name: string;
  readonly role: Role;
}

const pinStaffAt = async (db: Kysely<Database>, orgId: Uuid, branchId: Uuid): Promise<PinStaff[]> =>
  (await staffWithPin(db, orgId))
    .filter((person) => mayAtBranch(person, branchId))
    .sort(byName)
    .map(({ id, name, role }) => ({ id, name, role }));

/** By name. */
export const listPinStaff =
  ({ db }: Pick<StaffDeps, 'db'>) =>
  ({ orgId, branchId }: PairedDevice): Promise<PinStaff[]> =>
    pinStaffAt(db.kysely, orgId, branchId);

export interface Paired {
  readonly device_token: string;
  readonly device_id: Uuid;
  readonly branch_id: Uuid;
  readonly label: string;
  readonly staff: PinStaff[];
}

/** Throws PAIRING_CODE_INVALID, ORG_SUSPENDED. */
export const pairDevice =
  (deps: Pick<StaffDeps, 'db' | 'clock' | 'random' | 'tokens' | 'security' | 'shopCodes'>) =>
  async ({ pairing_code }: { readonly pairing_code: string }): Promise<Paired> => {
    const { db, clock, tokens, shopCodes } = deps;
    const code = pairingCodeIn(pairing_code);
    if (code === null) throw new Refusal('PAIRING_CODE_INVALID');
    const hash = pairingHash(deps, code);
    const now = clock.now();
    const orgId = await shopOfPairingCode(db.kysely, hash);
    if (orgId === null) throw new Refusal('PAIRING_CODE_INVALID');
    const paired = await db.tx(async (tx) => {
      const token = tokens.make('till', await shopCodes.codeOf(tx, orgId));
      const device = await spendPairingCode(tx, orgId, hash, tokens.hashOf(token), now);
      if (device === null) throw new Refusal('PAIRING_CODE_INVALID');
      if (!device.isShopActive) throw new Refusal('ORG_SUSPENDED');
      const { id, branchId, label } = device;
      await recordUnlogged(deps, tx, {
        orgId,
        at: now,
        deviceId: id,
        branchId,
        action: 'device.paired',
        subject: 'device',
        subjectId: id,
        detail: { label },
      });
      const staff = await pinStaffAt(tx, orgId, branchId);
      return { device_token: token, device_id: id, branch_id: branchId, label, staff };
    });
    deps.security.record('device_paired', { org_id: orgId, device_id: paired.device_id });
    return paired;
  };

export interface DeviceView {
  readonly id: Uuid;
  readonly branch_id: Uuid;
  readonly label: string;
  /** Null until paired. */
  readonly paired_at: string | null;
  readonly revoked_at: string | null;
  /** Stored once a day. */
  readonly last_used_at: string | null;
  /** Unused for 90 days: its token no longer works. */
  readonly expired: boolean;
}

export const hasExpired = (
  { expiredAt, lastUsedAt }: Pick<ListedDevice, 'expiredAt' | 'lastUsedAt'>,
  now: Instant,
): boolean => expiredAt !== null || isExpired(lastUsedAt, now);

const viewOf = (device: ListedDevice, now: Instant): DeviceView => {
  const { id, branchId, label, pairedAt, revokedAt, lastUsedAt } = device;
  return {
    id,
    branch_id: branchId,
    label,
    paired_at: pairedAt === null ? null : isoInstant(pairedAt),
    revoked_at: revokedAt === null ? null : isoInstant(revokedAt),
    last_used_at: lastUsedAt === null ? null : isoInstant(lastUsedAt),
    expired: hasExpired(device, now),
  };
};

/** The paired and pairable devices of the actor's branches, latest first. */
export const listDevices =
  ({ db, clock }: Pick<StaffDeps, 'db' | 'clock'>) =>
  async (actor: Actor): Promise<DeviceView[]> => {
    const now = clock.now();
    const devices = await devicesOf(db.kysely, actor.orgId, now);
    return devices
      .filter(({ branchId }) => mayAtBranch(actor, branchId))
      .map((device) => viewOf(device, now));
  };

type Ending = Pick<StaffDeps, 'db' | 'clock' | 'random' | 'security'>;

/**
 * Ends a device and every session on it; idempotent. `by`: null for the operator. Null if there is no such
 * device at the actor's branches.
 */
export const endDevice = async (
  { db, clock, random, security }: Ending,
  orgId: Uuid,
  id: Uuid,
  by: Actor | null,
): Promise<ListedDevice | null> => {
  const { device, ended } = await db.tx(async (tx) => {
    const device = await deviceOfShop(tx, orgId, id);
    if (device === null || (by !== null && !mayAtBranch(by, device.branchId)))
      return { device: null, ended: false };
    const now = clock.now();
    if (!(await revoke(tx, orgId, id, now)))
      return { device: await deviceOfShop(tx, orgId, id), ended: false };
    await endSessionsOn(tx, orgId, id);
    await recordUnlogged({ clock, random }, tx, {
      orgId,
      at: now,
      staffId: by?.staffId ?? null,
      deviceId: by?.deviceId ?? null,
      branchId: device.branchId,
      action: 'device.revoked',
      subject: 'device',
      subjectId: id,
      detail: { label: device.label },
    });
    return { device: { ...device, revokedAt: now }, ended: true };
  });
  if (ended)
    security.record('device_revoked', { org_id: orgId, device_id: id, staff_id: by?.staffId ?? null });
  return device;
};

/** Throws NOT_FOUND for another's device. */
export const revokeDevice =
  (deps: Ending) =>
  async (actor: Actor, id: Uuid): Promise<DeviceView> => {
    const device = await endDevice(deps, actor.orgId, id, actor);
    if (device === null) throw new Refusal('NOT_FOUND');
    return viewOf(device, deps.clock.now());
  };

/** Ends a device unused for 90 days, and its sessions. */
export const endUnusedDevice = async (
  { db, clock, random, security }: Ending & Pick<StaffDeps, 'security'>,
  { orgId, id }: { readonly orgId: Uuid; readonly id: Uuid },
): Promise<void> => {
  const isEnded = await db.tx(async (tx) => {
    const now = clock.now();
    const device = await expireDevice(tx, orgId, id, unusedSince(now), now);
    if (device === null) return false;
    await endSessionsOn(tx, orgId, id);
    await recordAudit({ clock, random }, tx, {
      ...{ orgId, at: now, branchId: device.branchId },
      ...{ action: 'device.expired', subject: 'device', subjectId: id, detail: { label: device.label } },
    });
    return true;
  });
  if (isEnded) security.record('device_revoked', { org_id: orgId, device_id: id, why: 'unused' });
};

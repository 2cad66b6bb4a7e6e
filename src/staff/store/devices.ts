import { sql, type Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { TryCount } from '../domain/throttle.ts';
import type { Instant } from '../../kernel/time.ts';
import { ofAllShops } from '../../platform/store/nodes/everywhere.ts';
import type { Database } from '../../platform/store/schema.ts';
import { at } from '../../platform/store/types.ts';

type Tx = Kysely<Database>;

/** Includes inactive branches, not archived ones. */
export const hasBranch = async (db: Tx, orgId: Uuid, branchId: Uuid): Promise<boolean> => {
  const row = await db
    .selectFrom('branch')
    .select('id')
    .where('org_id', '=', orgId)
    .where('id', '=', branchId)
    .where('archived_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
};

export interface NewDevice {
  readonly orgId: Uuid;
  readonly id: Uuid;
  readonly branchId: Uuid;
  readonly label: string;
  readonly pairingHash: Buffer;
  readonly pairingExpiresAt: Instant;
  readonly now: Instant;
}

export const addDevice = async (tx: Tx, device: NewDevice): Promise<void> => {
  await tx
    .insertInto('staff_device')
    .values({
      org_id: device.orgId,
      id: device.id,
      branch_id: device.branchId,
      label: device.label,
      pairing_hash: device.pairingHash,
      pairing_expires_at: at(device.pairingExpiresAt),
      created_at: at(device.now),
    })
    .execute();
};

export interface DeviceRow {
  readonly orgId: Uuid;
  readonly id: Uuid;
  readonly branchId: Uuid;
  readonly label: string;
  readonly isShopActive: boolean;
}

export const spendPairingCode = async (
  tx: Tx,
  orgId: Uuid,
  pairingHash: Buffer,
  tokenHash: Buffer,
  now: Instant,
): Promise<DeviceRow | null> => {
  const { rows } = await sql<DeviceRow>`
    update staff_device d
    set pairing_hash = null, pairing_expires_at = null, token_hash = ${tokenHash}, paired_at = ${at(now)},
        last_used_at = ${at(now)}
    from shop s, branch b
    where d.org_id = ${orgId} and d.pairing_hash = ${pairingHash} and d.pairing_expires_at > ${at(now)}
      and d.revoked_at is null and s.org_id = ${orgId}
      and b.org_id = ${orgId} and b.id = d.branch_id and b.archived_at is null
    returning d.org_id as "orgId", d.id, d.branch_id as "branchId", d.label, s.is_active as "isShopActive"
  `.execute(tx);
  return rows[0] ?? null;
};

export interface KnownDeviceRow extends DeviceRow {
  /** Null: not used since use is stored. */
  readonly lastUsedAt: Instant | null;
}

/** For alias `d`: used since `unused`, or paired before use was stored. */
const usedSince = (unused: Instant) => sql`(d.last_used_at is null or d.last_used_at > ${at(unused)})`;

/** Null if revoked, unused since `unused`, or of an archived branch. */
export const deviceByToken = async (
  db: Tx,
  orgId: Uuid,
  tokenHash: Buffer,
  unused: Instant,
): Promise<KnownDeviceRow | null> => {
  const { rows } = await sql<KnownDeviceRow>`
    select d.org_id as "orgId", d.id, d.branch_id as "branchId", d.label, s.is_active as "isShopActive",
           d.last_used_at as "lastUsedAt"
    from staff_device d
    join shop s on s.org_id = ${orgId}
    join branch b on b.org_id = ${orgId} and b.id = d.branch_id and b.archived_at is null
    where d.org_id = ${orgId} and d.token_hash = ${tokenHash} and d.revoked_at is null and ${usedSince(unused)}
  `.execute(db);
  return rows[0] ?? null;
};

/**
 * The device of a token whatever has become of it: one that ended since `ended`, or whose branch is archived, too. Null:
 * none had this token.
 */
export const deviceOnceOfToken = async (
  db: Tx,
  orgId: Uuid,
  tokenHash: Buffer,
  ended: Instant,
): Promise<KnownDeviceRow | null> => {
  const { rows } = await sql<KnownDeviceRow>`
    select d.org_id as "orgId", d.id, d.branch_id as "branchId", d.label, s.is_active as "isShopActive",
           d.last_used_at as "lastUsedAt"
    from staff_device d
    join shop s on s.org_id = ${orgId}
    where d.org_id = ${orgId}
      and (d.token_hash = ${tokenHash}
           or (d.ended_token_hash = ${tokenHash} and coalesce(d.revoked_at, d.expired_at) > ${at(ended)}))
  `.execute(db);
  return rows[0] ?? null;
};

/** Stores use, unless stored after `touchedBefore`, or the node is silent. */
export const touchDevices = async (
  db: Tx,
  devices: readonly Pick<DeviceRow, 'orgId' | 'id'>[],
  now: Instant,
  touchedBefore: Instant,
): Promise<void> => {
  await ofAllShops(
    db,
    (ofShops) => sql`
    update staff_device d set last_used_at = ${at(now)}
    from unnest(${devices.map(({ orgId }) => orgId)}::uuid[], ${devices.map(({ id }) => id)}::uuid[]) as used (org_id, id)
    where d.org_id = used.org_id and d.id = used.id and d.token_hash is not null
      and (d.last_used_at is null or d.last_used_at <= ${at(touchedBefore)}) and ${ofShops('d.org_id')}
  `,
  );
};

/** Null if it was used since `unused` or has ended. */
export const expireDevice = async (
  tx: Tx,
  orgId: Uuid,
  id: Uuid,
  unused: Instant,
  now: Instant,
): Promise<{ readonly branchId: Uuid; readonly label: string } | null> => {
  const row = await tx
    .updateTable('staff_device')
    .set({ expired_at: at(now), ended_token_hash: sql`token_hash`, token_hash: null })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .where('token_hash', 'is not', null)
    .where('last_used_at', '<=', at(unused))
    .returning(['branch_id as branchId', 'label'])
    .executeTakeFirst();
  return row ?? null;
};

/** Locks a paired device and returns its count of wrong PINs; null if it has ended. */
export const lockDevice = async (tx: Tx, orgId: Uuid, id: Uuid): Promise<TryCount | null> => {
  const row = await tx
    .selectFrom('staff_device')
    .select([
      'pin_failures as failures',
      'pin_forgiving_since as forgivingSince',
      'pin_wait_until as waitUntil',
    ])
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .where('paired_at', 'is not', null)
    .where('revoked_at', 'is', null)
    .where('expired_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
};

export const saveDeviceTries = async (
  tx: Tx,
  orgId: Uuid,
  id: Uuid,
  { failures, forgivingSince, waitUntil }: TryCount,
): Promise<void> => {
  await tx
    .updateTable('staff_device')
    .set({
      pin_failures: failures,
      pin_forgiving_since: forgivingSince === null ? null : at(forgivingSince),
      pin_wait_until: waitUntil === null ? null : at(waitUntil),
    })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .execute();
};

export interface ListedDevice {
  readonly id: Uuid;
  readonly branchId: Uuid;
  readonly branch: string;
  readonly label: string;
  /** Null until paired. */
  readonly pairedAt: Instant | null;
  readonly revokedAt: Instant | null;
  /** As stored; null: never. */
  readonly lastUsedAt: Instant | null;
  /** Set by the sweeper, possibly later than the device expired. */
  readonly expiredAt: Instant | null;
}

const listed = (db: Tx, orgId: Uuid) =>
  db
    .selectFrom('staff_device as device')
    .innerJoin('branch', (on) =>
      on.on('branch.org_id', '=', orgId).onRef('branch.id', '=', 'device.branch_id'),
    )
    .select([
      'device.id',
      'device.branch_id as branchId',
      'branch.name as branch',
      'device.label',
      'device.paired_at as pairedAt',
      'device.revoked_at as revokedAt',
      'device.last_used_at as lastUsedAt',
      'device.expired_at as expiredAt',
    ])
    .where('device.org_id', '=', orgId);

/** The paired or pairable devices of a shop, latest first. */
export const devicesOf = (db: Tx, orgId: Uuid, now: Instant): Promise<ListedDevice[]> =>
  listed(db, orgId)
    .where('device.revoked_at', 'is', null)
    .where((row) =>
      row.or([row('device.paired_at', 'is not', null), row('device.pairing_expires_at', '>', at(now))]),
    )
    .orderBy('device.created_at', 'desc')
    .orderBy('device.id')
    .execute();

/** In any state. */
export const deviceOfShop = async (db: Tx, orgId: Uuid, id: Uuid): Promise<ListedDevice | null> =>
  (await listed(db, orgId).where('device.id', '=', id).executeTakeFirst()) ?? null;

/** False if revoked before. */
export const revoke = async (tx: Tx, orgId: Uuid, id: Uuid, now: Instant): Promise<boolean> => {
  const row = await tx
    .updateTable('staff_device')
    .set({
      revoked_at: at(now),
      ended_token_hash: sql`coalesce(token_hash, ended_token_hash)`,
      ...{ token_hash: null, pairing_hash: null, pairing_expires_at: null },
    })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
};

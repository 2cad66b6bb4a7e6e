/** Devices known from an earlier sign-in by password, by the hash of their token. */
import { sql, type Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import type { Database } from '../../platform/store/schema.ts';
import { at } from '../../platform/store/types.ts';
import { shopOfEmail } from './staff.ts';

type Tx = Kysely<Database>;

export const addKnownDevice = async (
  tx: Tx,
  device: {
    readonly tokenHash: Buffer;
    readonly orgId: Uuid;
    readonly staffId: Uuid;
    readonly now: Instant;
    readonly expiresAt: Instant;
  },
): Promise<void> => {
  await tx
    .insertInto('known_device')
    .values({
      token_hash: device.tokenHash,
      org_id: device.orgId,
      staff_id: device.staffId,
      created_at: at(device.now),
      expires_at: at(device.expiresAt),
    })
    .execute();
};

/** False if unknown or expired. */
export const extendKnownDevice = async (
  tx: Tx,
  { orgId, staffId }: { readonly orgId: Uuid; readonly staffId: Uuid },
  tokenHash: Buffer,
  now: Instant,
  expiresAt: Instant,
): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('known_device')
    .set({ expires_at: at(expiresAt) })
    .where('token_hash', '=', tokenHash)
    .where('org_id', '=', orgId)
    .where('staff_id', '=', staffId)
    .where('expires_at', '>', at(now))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** `except`: the token to keep. */
export const deleteKnownDevicesOf = async (
  tx: Tx,
  orgId: Uuid,
  staffIds: readonly Uuid[],
  except: Buffer | null = null,
): Promise<void> => {
  if (staffIds.length === 0) return;
  await tx
    .deleteFrom('known_device')
    .where('org_id', '=', orgId)
    .where('staff_id', 'in', staffIds)
    .$if(except !== null, (query) => query.where('token_hash', '<>', except))
    .execute();
};

/**
 * The device of a token if known for an account: paired at its shop and used since `unused`, or known from a
 * sign-in (`deviceId` null). Null if unknown.
 */
export const deviceKnownFor = async (
  db: Tx,
  tokenHash: Buffer,
  email: string,
  { now, unused }: { readonly now: Instant; readonly unused: Instant },
): Promise<{ readonly deviceId: Uuid | null } | null> => {
  const shop = await shopOfEmail(db, email);
  const { rows } = await sql<{ deviceId: Uuid | null }>`
    select d.id as "deviceId"
    from staff p
    left join staff_device d on d.token_hash = ${tokenHash} and d.org_id = ${shop('p')} and d.revoked_at is null
      and (d.last_used_at is null or d.last_used_at > ${at(unused)})
    where p.org_id = ${shop('p')} and lower(p.email) = ${email} and p.archived_at is null and (d.id is not null or exists (
      select from known_device k
      where k.token_hash = ${tokenHash} and k.org_id = ${shop('p')} and k.staff_id = p.id and k.expires_at > ${at(now)}))
  `.execute(db);
  return rows[0] ?? null;
};

import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import { rowsHeard, type OfShops } from '../../platform/store/nodes/everywhere.ts';
import type { Database } from '../../platform/store/schema.ts';
import { deleteBatch, updateBatch, type DueQuery } from '../../platform/store/sweep.ts';
import { at } from '../../platform/store/types.ts';

type Db = Kysely<Database>;

export interface UnusedDevice {
  readonly orgId: Uuid;
  readonly id: Uuid;
}

const unusedDevicesQuery = (
  { without, limit }: DueQuery,
  unused: Instant,
  ofShops: OfShops,
): RawBuilder<UnusedDevice> => sql`
  select org_id as "orgId", id from staff_device
  where token_hash is not null and last_used_at <= ${at(unused)} and id <> all(${[...without]}::uuid[])
    and ${ofShops('org_id')}
  order by last_used_at
  limit ${limit}
`;

export const unusedDevices = async (
  db: Db,
  query: DueQuery,
  unused: Instant,
): Promise<readonly UnusedDevice[]> =>
  await rowsHeard(db, (ofShops) => unusedDevicesQuery(query, unused, ofShops));

/** Starts the unused period of devices paired before use was stored; returns the count. */
export const startUnusedPeriod = (db: Db, now: Instant, limit: number): Promise<number> =>
  updateBatch(
    db,
    'staff_device',
    { set: sql`last_used_at = ${at(now)}`, where: sql`token_hash is not null and last_used_at is null` },
    limit,
  );

export const deleteExpiredPairingCodes = (db: Db, now: Instant, limit: number): Promise<number> =>
  deleteBatch(
    db,
    'staff_device',
    sql`pairing_hash is not null and paired_at is null and pairing_expires_at <= ${at(now)}`,
    limit,
  );

export const deleteExpiredSessions = (db: Db, now: Instant, limit: number): Promise<number> =>
  deleteBatch(db, 'staff_session', sql`expires_at <= ${at(now)}`, limit);

export const deleteExpiredPasswordFailures = (db: Db, before: Instant, limit: number): Promise<number> =>
  deleteBatch(db, 'sign_in_failure', sql`updated_at <= ${at(before)}`, limit);

export const deleteExpiredChallenges = (db: Db, now: Instant, limit: number): Promise<number> =>
  deleteBatch(db, 'staff_challenge', sql`expires_at <= ${at(now)}`, limit);

export const deleteUnconfirmedFactors = (db: Db, before: Instant, limit: number): Promise<number> =>
  deleteBatch(db, 'staff_factor', sql`confirmed_at is null and created_at <= ${at(before)}`, limit);

export const deleteExpiredAccountFailures = (db: Db, before: Instant, limit: number): Promise<number> =>
  deleteBatch(db, 'account_failure', sql`updated_at <= ${at(before)}`, limit);

export const deleteExpiredPinFailures = (db: Db, before: Instant, limit: number): Promise<number> =>
  deleteBatch(db, 'staff_pin_failure', sql`last_at <= ${at(before)}`, limit);

export const deleteExpiredKnownDevices = (db: Db, now: Instant, limit: number): Promise<number> =>
  deleteBatch(db, 'known_device', sql`expires_at <= ${at(now)}`, limit);

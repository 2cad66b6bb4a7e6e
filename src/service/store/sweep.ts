/** What the sweeper looks for, and what it forgets. Every statement is bounded, and leaves alone what others hold locked. */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import type { Database } from '../../platform/store/schema.ts';
import { at } from '../../platform/store/types.ts';

type Db = Kysely<Database>;

// ── What is due ─────────────────────────────────────────────────────────────────────────────────

export interface Look {
  readonly now: Instant;
  /** Ids that were looked at before. */
  readonly without: readonly Uuid[];
  readonly limit: number;
}

export interface UnconfirmedOrder {
  readonly orgId: Uuid;
  readonly id: Uuid;
  /** How long the branch lets an order wait. */
  readonly minutes: number;
}

/** Orders that nobody confirmed within their branch's minutes, the oldest first; the index is of what is `received`. */
export const findingUnconfirmed = ({ now, without, limit }: Look): RawBuilder<UnconfirmedOrder> => sql`
  select o.org_id as "orgId", o.id, b.auto_reject_minutes as minutes
  from delivery_order o
  join branch b on b.org_id = o.org_id and b.id = o.branch_id
  where o.status = 'received' and o.created_at < ${at(now)}
    and o.created_at + b.auto_reject_minutes * interval '1 minute' < ${at(now)}
    and o.id <> all(${[...without]}::uuid[])
  order by o.created_at
  limit ${limit}
`;

export const unconfirmedOrders = async (db: Db, look: Look): Promise<UnconfirmedOrder[]> =>
  (await findingUnconfirmed(look).execute(db)).rows;

export interface DueShop {
  /** The shop's. */
  readonly id: Uuid;
}

/** Shops with channels whose override has run out. */
export const findingLapsedOverrides = ({ now, without, limit }: Look): RawBuilder<DueShop> => sql`
  select distinct org_id as id from branch_channel
  where mode_until <= ${at(now)} and org_id <> all(${[...without]}::uuid[])
  limit ${limit}
`;

export const shopsWithLapsedOverrides = async (db: Db, look: Look): Promise<DueShop[]> =>
  (await findingLapsedOverrides(look).execute(db)).rows;

/** Shops with things that were sold out until a moment that has come. */
export const findingLapsedSnoozes = ({ now, without, limit }: Look): RawBuilder<DueShop> => sql`
  select distinct org_id as id from availability
  where sold_out_until <= ${at(now)} and org_id <> all(${[...without]}::uuid[])
  limit ${limit}
`;

export const shopsWithLapsedSnoozes = async (db: Db, look: Look): Promise<DueShop[]> =>
  (await findingLapsedSnoozes(look).execute(db)).rows;

export interface UnusedDevice {
  readonly orgId: Uuid;
  readonly id: Uuid;
}

/** Devices that nobody used since a moment. */
export const findingUnusedDevices = (
  { without, limit }: Look,
  unused: Instant,
): RawBuilder<UnusedDevice> => sql`
  select org_id as "orgId", id from staff_device
  where token_hash is not null and last_used_at <= ${at(unused)} and id <> all(${[...without]}::uuid[])
  order by last_used_at
  limit ${limit}
`;

export const unusedDevices = async (db: Db, look: Look, unused: Instant): Promise<UnusedDevice[]> =>
  (await findingUnusedDevices(look, unused).execute(db)).rows;

/** Devices from before their use was written down count from now on; gives how many, `limit` at most. */
export const beginToCount = async (db: Db, now: Instant, limit: number): Promise<number> => {
  const { numAffectedRows } = await sql`
    update staff_device set last_used_at = ${at(now)}
    where ctid = any(array(
      select ctid from staff_device where token_hash is not null and last_used_at is null
      limit ${limit} for update skip locked))
  `.execute(db);
  return Number(numAffectedRows ?? 0n);
};

// ── What is forgotten ───────────────────────────────────────────────────────────────────────────

type Forgettable =
  | 'device_token'
  | 'otp_phone'
  | 'staff_device'
  | 'staff_session'
  | 'sign_in_failure'
  | 'staff_challenge'
  | 'staff_factor'
  | 'account_failure'
  | 'staff_pin_failure'
  | 'known_device'
  | 'idempotency_key'
  | 'road_distance'
  | 'outbox'
  | 'guest_phone'
  | 'message_budget'
  | 'order_brake_lift';

/** Deletes rows of a table, at most so many; gives how many. */
const forget = async (
  db: Db,
  table: Forgettable,
  which: RawBuilder<unknown>,
  limit: number,
): Promise<number> => {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)}
    where ctid = any(array(select ctid from ${sql.table(table)} where ${which} limit ${limit} for update skip locked))
  `.execute(db);
  return Number(numAffectedRows ?? 0n);
};

/** Devices whose proof of a phone has run out. */
export const forgetDeviceTokens = (db: Db, now: Instant, limit: number): Promise<number> =>
  forget(db, 'device_token', sql`expires_at <= ${at(now)}`, limit);

/** Phones of which nothing was heard since a moment, after which nothing of them counts; a live code counts always. */
export const forgetCodes = (db: Db, since: Instant, now: Instant, limit: number): Promise<number> =>
  forget(
    db,
    'otp_phone',
    sql`updated_at <= ${at(since)} and (code_expires_at is null or code_expires_at <= ${at(now)})`,
    limit,
  );

/** Devices whose pairing code ran out before anybody used it. */
export const forgetPairingCodes = (db: Db, now: Instant, limit: number): Promise<number> =>
  forget(
    db,
    'staff_device',
    sql`pairing_hash is not null and paired_at is null and pairing_expires_at <= ${at(now)}`,
    limit,
  );

/** Sign-ins of staff that have ended. */
export const forgetSignIns = (db: Db, now: Instant, limit: number): Promise<number> =>
  forget(db, 'staff_session', sql`expires_at <= ${at(now)}`, limit);

/** Wrong passwords, all of which were entered before a moment. */
export const forgetWrongPasswords = (db: Db, before: Instant, limit: number): Promise<number> =>
  forget(db, 'sign_in_failure', sql`updated_at <= ${at(before)}`, limit);

/** Phones whose owner was never known, and which were told of nothing since a moment. */
export const forgetTypedPhones = (db: Db, before: Instant, limit: number): Promise<number> =>
  forget(db, 'guest_phone', sql`known_at is null and updated_at <= ${at(before)}`, limit);

/** Phones whose owner was last met before a moment, and which were told of nothing since another. */
export const forgetKnownPhones = (
  db: Db,
  { met, told }: { readonly met: Instant; readonly told: Instant },
  limit: number,
): Promise<number> =>
  forget(db, 'guest_phone', sql`known_at <= ${at(met)} and updated_at <= ${at(told)}`, limit);

/** Budgets of which nothing counts and nothing was said since a moment; there are too few for an index. */
export const forgetBudgets = (db: Db, before: Instant, limit: number): Promise<number> => {
  const minute = Math.floor(before / 60_000);
  return forget(db, 'message_budget', sql`greatest(minute, low_minute, spent_minute) <= ${minute}`, limit);
};

/** Lifts of the brake on orders that have ended. */
export const forgetBrakeLifts = (db: Db, now: Instant, limit: number): Promise<number> =>
  forget(db, 'order_brake_lift', sql`until <= ${at(now)}`, limit);

/** Challenges that no passkey answered in time. */
export const forgetChallenges = (db: Db, now: Instant, limit: number): Promise<number> =>
  forget(db, 'staff_challenge', sql`expires_at <= ${at(now)}`, limit);

/** Authenticator apps that were added before a moment and never confirmed. */
export const forgetUnconfirmed = (db: Db, before: Instant, limit: number): Promise<number> =>
  forget(db, 'staff_factor', sql`confirmed_at is null and created_at <= ${at(before)}`, limit);
/** Wrong passwords of accounts, the last of which was entered before a moment. */
export const forgetAccountFailures = (db: Db, before: Instant, limit: number): Promise<number> =>
  forget(db, 'account_failure', sql`updated_at <= ${at(before)}`, limit);

/** Wrong PINs of people, the last of which was typed before a moment. */
export const forgetWrongPins = (db: Db, before: Instant, limit: number): Promise<number> =>
  forget(db, 'staff_pin_failure', sql`last_at <= ${at(before)}`, limit);

/** Devices on which nobody signed in with a password for long. */
export const forgetKnownDevices = (db: Db, now: Instant, limit: number): Promise<number> =>
  forget(db, 'known_device', sql`expires_at <= ${at(now)}`, limit);

export const forgetIdempotencyKeys = (db: Db, before: Instant, limit: number): Promise<number> =>
  forget(db, 'idempotency_key', sql`created_at < ${at(before)}`, limit);

/** Distances by road that were measured before a moment. */
export const forgetDistances = (db: Db, before: Instant, limit: number): Promise<number> =>
  forget(db, 'road_distance', sql`measured_at <= ${at(before)}`, limit);

/** Rows of the outbox that were sent, dropped or parked before a moment. */
export const forgetDone = (db: Db, before: Instant, limit: number): Promise<number> =>
  forget(db, 'outbox', sql`done_at < ${at(before)} and status <> 'waiting'`, limit);

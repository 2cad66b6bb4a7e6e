/** Counts of wrong passwords and PINs. The `lock…` functions lock a row until the transaction ends. */
import { sql, type Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { PinThrottle, TryCount } from '../domain/throttle.ts';
import { NO_PIN_FAILURES } from '../domain/throttle.ts';
import type { Instant } from '../../kernel/time.ts';
import type { Database } from '../../platform/store/schema.ts';
import { at } from '../../platform/store/types.ts';

type Tx = Kysely<Database>;

const atOrNull = (moment: Instant | null): ReturnType<typeof at> | null =>
  moment === null ? null : at(moment);

// ── Passwords, by account and source ────────────────────────────────────────────────────────────

export const lockFailures = async (tx: Tx, keyHash: Buffer, now: Instant): Promise<readonly Instant[]> => {
  const row = await tx
    .insertInto('sign_in_failure')
    .values({ key_hash: keyHash, updated_at: at(now) })
    .onConflict((conflict) => conflict.column('key_hash').doUpdateSet({ updated_at: at(now) }))
    .returning('failures')
    .executeTakeFirstOrThrow();
  return row.failures;
};

export const saveFailures = async (tx: Tx, keyHash: Buffer, failures: readonly Instant[]): Promise<void> => {
  const moments = failures.map((failure) => new Date(failure).toISOString());
  await sql`
    update sign_in_failure set failures = ${moments}::timestamptz[] where key_hash = ${keyHash}
  `.execute(tx);
};

// ── Passwords, by account ───────────────────────────────────────────────────────────────────────

const COUNT = ['failures', 'forgiving_since as forgivingSince', 'wait_until as waitUntil'] as const;

export const lockAccount = async (tx: Tx, keyHash: Buffer, now: Instant): Promise<TryCount> =>
  tx
    .insertInto('account_failure')
    .values({ key_hash: keyHash, updated_at: at(now) })
    .onConflict((conflict) => conflict.column('key_hash').doUpdateSet({ updated_at: at(now) }))
    .returning(COUNT)
    .executeTakeFirstOrThrow();

export const saveAccount = async (tx: Tx, keyHash: Buffer, count: TryCount): Promise<void> => {
  await tx
    .updateTable('account_failure')
    .set({
      failures: count.failures,
      forgiving_since: atOrNull(count.forgivingSince),
      wait_until: atOrNull(count.waitUntil),
    })
    .where('key_hash', '=', keyHash)
    .execute();
};

export const clearAccountFailures = async (tx: Tx, keyHash: Buffer): Promise<void> => {
  await tx.deleteFrom('account_failure').where('key_hash', '=', keyHash).execute();
};

/** Reads both counts without a lock, to refuse early. */
export const readFailures = async (
  db: Tx,
  keys: { readonly window: Buffer; readonly account: Buffer },
): Promise<{ readonly failures: readonly Instant[]; readonly waitUntil: Instant | null }> => {
  const [here, account] = await Promise.all([
    db
      .selectFrom('sign_in_failure')
      .select('failures')
      .where('key_hash', '=', keys.window)
      .executeTakeFirst(),
    db
      .selectFrom('account_failure')
      .select('wait_until')
      .where('key_hash', '=', keys.account)
      .executeTakeFirst(),
  ]);
  return { failures: here?.failures ?? [], waitUntil: account?.wait_until ?? null };
};

// ── PINs, by person and device ──────────────────────────────────────────────────────────────────

/** The caller holds the device's lock. */
export const pinFailures = async (
  tx: Tx,
  orgId: Uuid,
  deviceId: Uuid,
  staffId: Uuid,
): Promise<{ readonly person: PinThrottle; readonly othersUntil: Instant | null }> => {
  const rows = await tx
    .selectFrom('staff_pin_failure')
    .select(['staff_id as staffId', 'failures', 'last_at as lastAt', 'wait_until as waitUntil'])
    .where('org_id', '=', orgId)
    .where('device_id', '=', deviceId)
    .execute();
  const own = rows.find((row) => row.staffId === staffId);
  const others = rows.flatMap((row) =>
    row.staffId === staffId || row.waitUntil === null ? [] : [row.waitUntil],
  );
  return {
    person: own ?? NO_PIN_FAILURES,
    othersUntil: others.length === 0 ? null : Math.max(...others),
  };
};

/** Without a lock. */
export const deviceWaitUntil = async (db: Tx, orgId: Uuid, deviceId: Uuid): Promise<Instant | null> => {
  const { rows } = await sql<{ until: Instant | null }>`
    select greatest(d.pin_wait_until,
                    (select max(p.wait_until) from staff_pin_failure p
                     where p.org_id = ${orgId} and p.device_id = d.id)) as until
    from staff_device d
    where d.org_id = ${orgId} and d.id = ${deviceId}
  `.execute(db);
  return rows[0]?.until ?? null;
};

export const savePinFailures = async (
  tx: Tx,
  key: { readonly orgId: Uuid; readonly deviceId: Uuid; readonly staffId: Uuid },
  { failures, lastAt, waitUntil }: PinThrottle,
): Promise<void> => {
  const counts = { failures, last_at: at(lastAt ?? 0), wait_until: atOrNull(waitUntil) };
  await tx
    .insertInto('staff_pin_failure')
    .values({ org_id: key.orgId, device_id: key.deviceId, staff_id: key.staffId, ...counts })
    .onConflict((conflict) => conflict.columns(['org_id', 'device_id', 'staff_id']).doUpdateSet(counts))
    .execute();
};

/** After a right or new PIN; `deviceId` null: on every device. */
export const clearPinFailures = async (
  tx: Tx,
  orgId: Uuid,
  staffId: Uuid,
  deviceId: Uuid | null,
): Promise<void> => {
  await tx
    .deleteFrom('staff_pin_failure')
    .where('org_id', '=', orgId)
    .where('staff_id', '=', staffId)
    .$if(deviceId !== null, (query) => query.where('device_id', '=', deviceId))
    .execute();
};

// ── Owner notifications ─────────────────────────────────────────────────────────────────────────

export interface TriesOfShop {
  readonly moments: readonly Instant[];
  readonly notifiedAt: Instant | null;
}

export const lockTries = async (tx: Tx, orgId: Uuid): Promise<TriesOfShop> => {
  const { rows } = await sql<TriesOfShop>`
    insert into wrong_tries (org_id) values (${orgId})
    on conflict (org_id) do update set told_at = wrong_tries.told_at
    returning moments, told_at as "notifiedAt"
  `.execute(tx);
  return rows[0] ?? { moments: [], notifiedAt: null };
};

export const saveTries = async (tx: Tx, orgId: Uuid, { moments, notifiedAt }: TriesOfShop): Promise<void> => {
  const texts = moments.map((moment) => new Date(moment).toISOString());
  await sql`
    update wrong_tries set moments = ${texts}::timestamptz[], told_at = ${atOrNull(notifiedAt)}
    where org_id = ${orgId}
  `.execute(tx);
};

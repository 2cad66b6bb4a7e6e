import { sql, type Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { PasskeyRow, TotpRow, StaffRef } from './second-factor.ts';
import { at } from '../../platform/store/types.ts';

type Tx = Kysely<Database>;

/** Accepts a time step once; false unless later than the last accepted one. */
export const spendStep = async (
  tx: Tx,
  { orgId, staffId }: StaffRef,
  id: Uuid,
  step: number,
  now: Instant,
): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('staff_factor')
    .set({ last_step: step, last_used_at: at(now) })
    .where('org_id', '=', orgId)
    .where('staff_id', '=', staffId)
    .where('id', '=', id)
    .where((row) => row.or([row('last_step', 'is', null), row('last_step', '<', step)]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** Stores the same secret under another key, unless done meanwhile. */
export const reseal = async (
  tx: Tx,
  { orgId }: StaffRef,
  { id, sealed: from }: TotpRow,
  to: TotpRow['sealed'],
): Promise<void> => {
  await tx
    .updateTable('staff_factor')
    .set({ sealed_secret: to.bytes, key_id: to.keyId })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .where('sealed_secret', '=', from.bytes)
    .execute();
};

/** Stores a passkey's use; false if it was used or removed since it was read. */
export const spendCount = async (
  tx: Tx,
  { orgId, staffId }: StaffRef,
  { id, signCount }: PasskeyRow,
  count: number,
  now: Instant,
): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('staff_factor')
    .set({ sign_count: count, last_used_at: at(now) })
    .where('org_id', '=', orgId)
    .where('staff_id', '=', staffId)
    .where('id', '=', id)
    .where('sign_count', '=', signCount)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

export const hasRecoveryCode = async (
  db: Tx,
  { orgId, staffId }: StaffRef,
  hash: Buffer,
): Promise<boolean> => {
  const row = await db
    .selectFrom('staff_recovery_code')
    .select('staff_id')
    .where('org_id', '=', orgId)
    .where('staff_id', '=', staffId)
    .where('code_hash', '=', hash)
    .executeTakeFirst();
  return row !== undefined;
};

export const spendRecoveryCode = async (
  tx: Tx,
  { orgId, staffId }: StaffRef,
  hash: Buffer,
): Promise<boolean> => {
  const { numDeletedRows } = await tx
    .deleteFrom('staff_recovery_code')
    .where('org_id', '=', orgId)
    .where('staff_id', '=', staffId)
    .where('code_hash', '=', hash)
    .executeTakeFirst();
  return numDeletedRows > 0n;
};

// ── Challenges ──────────────────────────────────────────────────────────────────────────────────

export type ChallengePurpose = 'register' | 'sign_in';

export const addChallenge = async (
  db: Tx,
  { orgId, staffId }: StaffRef,
  purpose: ChallengePurpose,
  hash: Buffer,
  expiresAt: Instant,
): Promise<void> => {
  await db
    .insertInto('staff_challenge')
    .values({ challenge_hash: hash, org_id: orgId, staff_id: staffId, purpose, expires_at: at(expiresAt) })
    .execute();
};

/** False if not issued for this purpose and person, or expired. */
export const spendChallenge = async (
  db: Tx,
  { orgId, staffId }: StaffRef,
  purpose: ChallengePurpose,
  hash: Buffer,
  now: Instant,
): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('staff_challenge')
    .where('challenge_hash', '=', hash)
    .where('org_id', '=', orgId)
    .where('staff_id', '=', staffId)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', at(now))
    .executeTakeFirst();
  return numDeletedRows > 0n;
};

// ── Failures ────────────────────────────────────────────────────────────────────────────────────

/** Locks and returns the times of a person's wrong second factors. */
export const lockFactorFailures = async (
  tx: Tx,
  { orgId, staffId }: StaffRef,
): Promise<readonly Instant[]> => {
  const { failures } = await tx
    .insertInto('staff_factor_failure')
    .values({ org_id: orgId, staff_id: staffId })
    .onConflict((conflict) => conflict.columns(['org_id', 'staff_id']).doUpdateSet({ staff_id: staffId }))
    .returning('failures')
    .executeTakeFirstOrThrow();
  return failures;
};

export const saveFactorFailures = async (
  tx: Tx,
  { orgId, staffId }: StaffRef,
  failures: readonly Instant[],
): Promise<void> => {
  const moments = failures.map((failure) => new Date(failure).toISOString());
  await sql`
    update staff_factor_failure set failures = ${moments}::timestamptz[]
    where org_id = ${orgId} and staff_id = ${staffId}
  `.execute(tx);
};

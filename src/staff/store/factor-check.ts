/** What second factors are when they are shown: used up once each, asked for by challenges, and counted when wrong. */
import { sql, type Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { PasskeyRow, TotpRow, Whose } from './second-factor.ts';
import { at } from '../../platform/store/types.ts';

type Tx = Kysely<Database>;

/** Accepts the code of a time step, once: false for one that is not later than the last accepted. */
export const spendStep = async (
  tx: Tx,
  { orgId, staffId }: Whose,
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

/** Stores the same secret under another key; nothing where that was done meanwhile. */
export const reseal = async (
  tx: Tx,
  { orgId }: Whose,
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

/** Writes down that a passkey was used; false where it was used, or taken away, since it was looked at. */
export const spendCount = async (
  tx: Tx,
  { orgId, staffId }: Whose,
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

/** Whether a recovery code is one of a person's. */
export const hasRecoveryCode = async (db: Tx, { orgId, staffId }: Whose, hash: Buffer): Promise<boolean> => {
  const row = await db
    .selectFrom('staff_recovery_code')
    .select('staff_id')
    .where('org_id', '=', orgId)
    .where('staff_id', '=', staffId)
    .where('code_hash', '=', hash)
    .executeTakeFirst();
  return row !== undefined;
};

/** Uses a recovery code up; false where it is none, or was used. */
export const spendRecoveryCode = async (
  tx: Tx,
  { orgId, staffId }: Whose,
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
  { orgId, staffId }: Whose,
  purpose: ChallengePurpose,
  hash: Buffer,
  expiresAt: Instant,
): Promise<void> => {
  await db
    .insertInto('staff_challenge')
    .values({ challenge_hash: hash, org_id: orgId, staff_id: staffId, purpose, expires_at: at(expiresAt) })
    .execute();
};

/** Uses a challenge up; false where it was not given for this, to them, or has run out. */
export const spendChallenge = async (
  db: Tx,
  { orgId, staffId }: Whose,
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

// ── Wrong ones ──────────────────────────────────────────────────────────────────────────────────

/** The moments at which a person's second factor was wrong; they stay locked until the transaction ends. */
export const lockFactorFailures = async (tx: Tx, { orgId, staffId }: Whose): Promise<readonly Instant[]> => {
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
  { orgId, staffId }: Whose,
  failures: readonly Instant[],
): Promise<void> => {
  const moments = failures.map((failure) => new Date(failure).toISOString());
  await sql`
    update staff_factor_failure set failures = ${moments}::timestamptz[]
    where org_id = ${orgId} and staff_id = ${staffId}
  `.execute(tx);
};

/** The people who work in a shop, and their sign-ins. Of secrets only hashes come and go here. */
import { sql, type Kysely } from 'kysely';
import type { Uuid } from '../domain/ids.ts';
import { isRole, type Posted, type Role } from '../domain/staff.ts';
import type { Instant } from '../domain/time.ts';
import type { Database } from './schema.ts';
import { at } from './types.ts';

type Tx = Kysely<Database>;

/** A role as the column holds it, which the database keeps to the known ones. */
const roleIn = (text: string): Role => {
  if (!isRole(text)) throw new RangeError(`The database holds the role ${text}, which is unknown here.`);
  return text;
};

/** Someone who may sign in, with what they do so with. */
export interface SignInRow extends Posted {
  readonly orgId: Uuid;
  readonly id: Uuid;
  readonly name: string;
  readonly passwordHash: string | null;
  readonly pinHash: string | null;
  readonly isShopActive: boolean;
}

const signInRows = (db: Tx) =>
  db
    .selectFrom('staff')
    .innerJoin('shop', 'shop.org_id', 'staff.org_id')
    .select([
      'staff.org_id as orgId',
      'staff.id',
      'staff.name',
      'staff.role',
      'staff.branch_ids as branchIds',
      'staff.password_hash as passwordHash',
      'staff.pin_hash as pinHash',
      'shop.is_active as isShopActive',
    ])
    .where('staff.is_active', '=', true)
    .where('staff.archived_at', 'is', null);

const asSignIn = <R extends { readonly role: string }>(row: R | undefined) =>
  row === undefined ? null : { ...row, role: roleIn(row.role) };

/** Whom an e-mail address (in `emailForm`) signs in, at whichever shop. */
export const staffByEmail = async (db: Tx, email: string): Promise<SignInRow | null> =>
  asSignIn(
    await signInRows(db)
      .where(sql<string>`lower(staff.email)`, '=', email)
      .executeTakeFirst(),
  );

/** Someone of a shop who is neither archived nor switched off. */
export const activeStaff = async (db: Tx, orgId: Uuid, id: Uuid): Promise<SignInRow | null> =>
  asSignIn(
    await signInRows(db).where('staff.org_id', '=', orgId).where('staff.id', '=', id).executeTakeFirst(),
  );

/** Those of a shop who have a PIN to sign in with. */
export const staffWithPin = async (db: Tx, orgId: Uuid): Promise<SignInRow[]> => {
  const rows = await signInRows(db)
    .where('staff.org_id', '=', orgId)
    .where('staff.pin_hash', 'is not', null)
    .execute();
  return rows.map((row) => ({ ...row, role: roleIn(row.role) }));
};

/** A member of staff as the operator's list shows them. */
export interface StaffRow extends Posted {
  readonly id: Uuid;
  readonly name: string;
  readonly email: string | null;
  readonly isActive: boolean;
  readonly hasPassword: boolean;
  readonly hasPin: boolean;
}

/** Everybody who is not archived. */
export const staffOf = async (db: Tx, orgId: Uuid): Promise<StaffRow[]> => {
  const rows = await db
    .selectFrom('staff')
    .select((row) => [
      'id',
      'name',
      'role',
      'email',
      'branch_ids as branchIds',
      'is_active as isActive',
      row('password_hash', 'is not', null).$castTo<boolean>().as('hasPassword'),
      row('pin_hash', 'is not', null).$castTo<boolean>().as('hasPin'),
    ])
    .where('org_id', '=', orgId)
    .where('archived_at', 'is', null)
    .execute();
  return rows.map((row) => ({ ...row, role: roleIn(row.role) }));
};

/** Whether a shop has a branch, or had it: an archived one too. */
export const isBranchOf = async (db: Tx, orgId: Uuid, branchId: Uuid): Promise<boolean> => {
  const row = await db
    .selectFrom('branch')
    .select('id')
    .where('org_id', '=', orgId)
    .where('id', '=', branchId)
    .executeTakeFirst();
  return row !== undefined;
};

/** What the branches of a shop are called, archived ones too. */
export const branchNames = async (db: Tx, orgId: Uuid): Promise<ReadonlyMap<Uuid, string>> => {
  const rows = await db.selectFrom('branch').select(['id', 'name']).where('org_id', '=', orgId).execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
};

export type SecretColumn = 'password_hash' | 'pin_hash';

/** Gives people a password or PIN. */
export const setSecret = async (
  tx: Tx,
  orgId: Uuid,
  ids: readonly Uuid[],
  column: SecretColumn,
  hash: string,
): Promise<void> => {
  if (ids.length === 0) return;
  await tx
    .updateTable('staff')
    .set({ [column]: hash })
    .where('org_id', '=', orgId)
    .where('id', 'in', ids)
    .execute();
};

/**
 * Someone who may sign in, if the secret that was judged is still theirs: it and they stay so until the transaction ends,
 * and whoever changes either waits for that, and then sees the sign-in.
 */
export const holdSecret = async (
  tx: Tx,
  { orgId, id }: Pick<SignInRow, 'orgId' | 'id'>,
  column: SecretColumn,
  hash: string,
): Promise<SignInRow | null> =>
  asSignIn(
    await signInRows(tx)
      .where('staff.org_id', '=', orgId)
      .where('staff.id', '=', id)
      .where(`staff.${column}`, '=', hash)
      .forShare('staff')
      .executeTakeFirst(),
  );

/** Stores the same secret in today's form; false where it was changed in the meantime. */
export const renewSecret = async (
  db: Tx,
  { orgId, id }: Pick<SignInRow, 'orgId' | 'id'>,
  column: SecretColumn,
  from: string,
  to: string,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('staff')
    .set({ [column]: to })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .where(column, '=', from)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

// ── Sessions ────────────────────────────────────────────────────────────────────────────────────

export interface NewSession {
  readonly tokenHash: Buffer;
  readonly orgId: Uuid;
  readonly staffId: Uuid;
  readonly deviceId: Uuid | null;
  readonly now: Instant;
  readonly expiresAt: Instant;
}

export const addSession = async (tx: Tx, session: NewSession): Promise<void> => {
  await tx
    .insertInto('staff_session')
    .values({
      token_hash: session.tokenHash,
      org_id: session.orgId,
      staff_id: session.staffId,
      device_id: session.deviceId,
      created_at: at(session.now),
      expires_at: at(session.expiresAt),
    })
    .execute();
};

export interface SessionRow extends Posted {
  readonly tokenHash: Buffer;
  readonly orgId: Uuid;
  readonly staffId: Uuid;
  readonly deviceId: Uuid | null;
  readonly name: string;
  readonly isShopActive: boolean;
}

/** The sign-ins that still hold: not expired, the person active, the device not revoked. */
const liveSessions = (db: Tx, now: Instant) =>
  db
    .selectFrom('staff_session as session')
    .innerJoin('staff', (on) =>
      on.onRef('staff.org_id', '=', 'session.org_id').onRef('staff.id', '=', 'session.staff_id'),
    )
    .innerJoin('shop', 'shop.org_id', 'session.org_id')
    .leftJoin('staff_device as device', (on) =>
      on.onRef('device.org_id', '=', 'session.org_id').onRef('device.id', '=', 'session.device_id'),
    )
    .select([
      'session.token_hash as tokenHash',
      'session.org_id as orgId',
      'session.staff_id as staffId',
      'session.device_id as deviceId',
      'staff.name',
      'staff.role',
      'staff.branch_ids as branchIds',
      'shop.is_active as isShopActive',
    ])
    .where('session.expires_at', '>', at(now))
    .where('staff.is_active', '=', true)
    .where('staff.archived_at', 'is', null)
    .where((row) =>
      row.or([
        row('session.device_id', 'is', null),
        row.and([row('device.id', 'is not', null), row('device.revoked_at', 'is', null)]),
      ]),
    );

/** Who signed in with a token, if that still holds. */
export const liveSession = async (db: Tx, tokenHash: Buffer, now: Instant): Promise<SessionRow | null> =>
  asSignIn(await liveSessions(db, now).where('session.token_hash', '=', tokenHash).executeTakeFirst());

/** Which of these tokens' sign-ins still hold, and whose they are. */
export const liveSessionsOf = async (
  db: Tx,
  tokenHashes: readonly Buffer[],
  now: Instant,
): Promise<SessionRow[]> => {
  const rows = await liveSessions(db, now)
    .where(sql<boolean>`session.token_hash = any(${[...tokenHashes]}::bytea[])`)
    .execute();
  return rows.map((row) => ({ ...row, role: roleIn(row.role) }));
};

/** A sign-in that has ended. */
export interface EndedSession {
  /** Of the device that it was made on; null for a sign-in by e-mail. */
  readonly branchId: Uuid | null;
}

/** Ends one sign-in; null where it has ended before. */
export const endSession = async (tx: Tx, tokenHash: Buffer): Promise<EndedSession | null> => {
  const { rows } = await sql<EndedSession>`
    delete from staff_session s
    where s.token_hash = ${tokenHash}
    returning (select d.branch_id from staff_device d where d.org_id = s.org_id and d.id = s.device_id) as "branchId"
  `.execute(tx);
  return rows[0] ?? null;
};

/** Ends every sign-in of the given people. */
export const endSessionsOf = async (tx: Tx, orgId: Uuid, staffIds: readonly Uuid[]): Promise<void> => {
  if (staffIds.length === 0) return;
  await tx
    .deleteFrom('staff_session')
    .where('org_id', '=', orgId)
    .where('staff_id', 'in', staffIds)
    .execute();
};

export const endSessionsOn = async (tx: Tx, orgId: Uuid, deviceId: Uuid): Promise<void> => {
  await tx
    .deleteFrom('staff_session')
    .where('org_id', '=', orgId)
    .where('device_id', '=', deviceId)
    .execute();
};

// ── Wrong passwords ─────────────────────────────────────────────────────────────────────────────

/** The moments of wrong passwords under a key, which stays locked until the transaction ends. */
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

export const forgetFailures = async (tx: Tx, keyHash: Buffer): Promise<void> => {
  await tx.deleteFrom('sign_in_failure').where('key_hash', '=', keyHash).execute();
};

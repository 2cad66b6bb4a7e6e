import type { Kysely, Selectable } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import { isFactorKind, type FactorKind } from '../domain/second-factor.ts';
import type { Instant } from '../../kernel/time.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { StaffFactorTable } from './schema/staff.ts';
import { at } from '../../platform/store/types.ts';

type Tx = Kysely<Database>;

export interface StaffRef {
  readonly orgId: Uuid;
  readonly staffId: Uuid;
}

interface Known {
  readonly id: Uuid;
  readonly label: string;
  readonly createdAt: Instant;
  readonly lastUsedAt: Instant | null;
}

export interface TotpRow extends Known {
  readonly kind: 'totp';
  readonly sealed: { readonly bytes: Buffer; readonly keyId: string };
  readonly lastStep: number | null;
}

export interface PasskeyRow extends Known {
  readonly kind: 'passkey';
  readonly credentialId: Buffer;
  readonly publicKey: Buffer;
  readonly signCount: number;
  readonly transports: readonly string[];
}

export type FactorRow = TotpRow | PasskeyRow;

const read = (row: Selectable<StaffFactorTable>): FactorRow => {
  const known = { id: row.id, label: row.label, createdAt: row.created_at, lastUsedAt: row.last_used_at };
  if (row.sealed_secret !== null && row.key_id !== null)
    return {
      ...{ ...known, kind: 'totp', lastStep: row.last_step },
      sealed: { bytes: row.sealed_secret, keyId: row.key_id },
    };
  if (row.credential_id !== null && row.public_key !== null && row.sign_count !== null)
    return {
      ...{ ...known, kind: 'passkey', credentialId: row.credential_id, publicKey: row.public_key },
      ...{ signCount: row.sign_count, transports: row.transports ?? [] },
    };
  throw new RangeError(`The database holds the second factor ${row.id}, which is of no kind known here.`);
};

const rowsOf = (db: Tx, { orgId, staffId }: StaffRef) =>
  db.selectFrom('staff_factor').selectAll().where('org_id', '=', orgId).where('staff_id', '=', staffId);

/** Confirmed ones, oldest first. */
export const factorsOf = async (db: Tx, staff: StaffRef): Promise<FactorRow[]> => {
  const rows = await rowsOf(db, staff)
    .where('confirmed_at', 'is not', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(read);
};

/** People without factors are left out. */
export const factorKindsOf = async (
  db: Tx,
  orgId: Uuid,
): Promise<ReadonlyMap<Uuid, readonly FactorKind[]>> => {
  const rows = await db
    .selectFrom('staff_factor')
    .select(['staff_id', 'kind'])
    .distinct()
    .where('org_id', '=', orgId)
    .where('confirmed_at', 'is not', null)
    .orderBy('kind', 'desc')
    .execute();
  const kinds = new Map<Uuid, FactorKind[]>();
  for (const { staff_id, kind } of rows)
    if (isFactorKind(kind)) kinds.set(staff_id, [...(kinds.get(staff_id) ?? []), kind]);
  return kinds;
};

/** Account name in authenticators: the e-mail address, else the name. */
export const accountOf = async (db: Tx, { orgId, staffId }: StaffRef): Promise<string> => {
  const { email, name } = await db
    .selectFrom('staff')
    .select(['email', 'name'])
    .where('org_id', '=', orgId)
    .where('id', '=', staffId)
    .executeTakeFirstOrThrow();
  return email ?? name;
};

/** Locks a person, and thereby their factors, until the transaction ends. */
export const lockStaff = async (tx: Tx, { orgId, staffId }: StaffRef): Promise<void> => {
  await tx
    .selectFrom('staff')
    .select('id')
    .where('org_id', '=', orgId)
    .where('id', '=', staffId)
    .forUpdate()
    .execute();
};

// ── Adding and removing ─────────────────────────────────────────────────────────────────────────

export interface NewTotp extends StaffRef {
  readonly id: Uuid;
  readonly label: string;
  readonly sealed: TotpRow['sealed'];
  readonly now: Instant;
}

/** Adds a TOTP secret, replacing another unconfirmed one. */
export const addPendingTotp = async (tx: Tx, factor: NewTotp): Promise<void> => {
  const { orgId, staffId, id, label, sealed, now } = factor;
  await tx
    .deleteFrom('staff_factor')
    .where('org_id', '=', orgId)
    .where('staff_id', '=', staffId)
    .where('confirmed_at', 'is', null)
    .execute();
  await tx
    .insertInto('staff_factor')
    .values({
      ...{ org_id: orgId, staff_id: staffId, id, label, kind: 'totp', created_at: at(now) },
      ...{ sealed_secret: sealed.bytes, key_id: sealed.keyId },
    })
    .execute();
};

/** The unconfirmed TOTP secret created after `since`. */
export const pendingTotp = async (tx: Tx, staff: StaffRef, since: Instant): Promise<TotpRow | null> => {
  const row = await rowsOf(tx, staff)
    .where('confirmed_at', 'is', null)
    .where('created_at', '>', at(since))
    .forUpdate()
    .executeTakeFirst();
  const factor = row === undefined ? null : read(row);
  return factor?.kind === 'totp' ? factor : null;
};

export const confirmTotp = async (
  tx: Tx,
  { orgId }: StaffRef,
  id: Uuid,
  step: number,
  now: Instant,
): Promise<void> => {
  await tx
    .updateTable('staff_factor')
    .set({ confirmed_at: at(now), last_used_at: at(now), last_step: step })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .execute();
};

export interface NewPasskey extends StaffRef {
  readonly id: Uuid;
  readonly label: string;
  readonly credentialId: Uint8Array;
  readonly publicKey: Uint8Array;
  readonly signCount: number;
  readonly transports: readonly string[];
  readonly now: Instant;
}

/** False if the passkey is already registered. */
export const addPasskey = async (tx: Tx, factor: NewPasskey): Promise<boolean> => {
  const { orgId, staffId, id, label, credentialId, publicKey, signCount, transports, now } = factor;
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('staff_factor')
    .values({
      ...{ org_id: orgId, staff_id: staffId, id, label, kind: 'passkey' },
      ...{ credential_id: Buffer.from(credentialId), public_key: Buffer.from(publicKey) },
      ...{ sign_count: signCount, transports: [...transports] },
      ...{ created_at: at(now), confirmed_at: at(now) },
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
};

/** Null if it is not theirs. */
export const removeFactor = async (
  tx: Tx,
  { orgId, staffId }: StaffRef,
  id: Uuid,
): Promise<FactorRow | null> => {
  const row = await tx
    .deleteFrom('staff_factor')
    .where('org_id', '=', orgId)
    .where('staff_id', '=', staffId)
    .where('id', '=', id)
    .where('confirmed_at', 'is not', null)
    .returningAll()
    .executeTakeFirst();
  return row === undefined ? null : read(row);
};

/** Removes factors, recovery codes, challenges and failures; returns the number of factors. */
export const removeAllFactors = async (tx: Tx, { orgId, staffId }: StaffRef): Promise<number> => {
  const { numDeletedRows } = await tx
    .deleteFrom('staff_factor')
    .where('org_id', '=', orgId)
    .where('staff_id', '=', staffId)
    .executeTakeFirst();
  for (const table of ['staff_recovery_code', 'staff_challenge', 'staff_factor_failure'] as const)
    await tx.deleteFrom(table).where('org_id', '=', orgId).where('staff_id', '=', staffId).execute();
  return Number(numDeletedRows);
};

// ── Recovery codes ──────────────────────────────────────────────────────────────────────────────

export const setRecoveryCodes = async (
  tx: Tx,
  { orgId, staffId }: StaffRef,
  hashes: readonly Buffer[],
): Promise<void> => {
  await tx
    .deleteFrom('staff_recovery_code')
    .where('org_id', '=', orgId)
    .where('staff_id', '=', staffId)
    .execute();
  if (hashes.length === 0) return;
  await tx
    .insertInto('staff_recovery_code')
    .values(hashes.map((code_hash) => ({ org_id: orgId, staff_id: staffId, code_hash })))
    .execute();
};

export const recoveryCodesLeft = async (db: Tx, { orgId, staffId }: StaffRef): Promise<number> => {
  const { left } = await db
    .selectFrom('staff_recovery_code')
    .select((row) => row.fn.countAll<number>().as('left'))
    .where('org_id', '=', orgId)
    .where('staff_id', '=', staffId)
    .executeTakeFirstOrThrow();
  return left;
};

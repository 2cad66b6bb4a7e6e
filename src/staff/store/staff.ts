import { sql, type Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import { isRole, type Role } from '../../kernel/permission.ts';
import type { StaffScope } from '../domain/staff.ts';
import { shopApart, type ShopIn } from '../../platform/store/nodes/everywhere.ts';
import type { Database } from '../../platform/store/schema.ts';

type Tx = Kysely<Database>;

/** The database allows only known roles. */
export const roleIn = (text: string): Role => {
  if (!isRole(text)) throw new RangeError(`The database holds the role ${text}, which is unknown here.`);
  return text;
};

export interface SignInRow extends StaffScope {
  readonly orgId: Uuid;
  readonly id: Uuid;
  readonly name: string;
  readonly passwordHash: string | null;
  readonly pinHash: string | null;
  readonly isShopActive: boolean;
}

const signInRows = (db: Tx, shop: ShopIn) =>
  db
    .selectFrom('staff')
    .innerJoin('shop', (on) => on.on('shop.org_id', '=', shop('staff')))
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

const signInRowsOf = (db: Tx, orgId: Uuid) =>
  signInRows(db, () => sql`${orgId}`).where('staff.org_id', '=', orgId);

const asSignIn = <R extends { readonly role: string }>(row: R | undefined) =>
  row === undefined ? null : { ...row, role: roleIn(row.role) };

/** `email` in `emailForm`. */
export const shopOfEmail = (db: Tx, email: string): Promise<ShopIn> =>
  shopApart(
    db,
    (ofShops) => sql`
      select org_id as "orgId" from staff
      where lower(email) = ${email} and archived_at is null and ${ofShops('org_id')}`,
  );

/** `email` in `emailForm`; over all shops. Throws DatabaseUnavailable where it may be of a shop on a silent node. */
export const staffByEmail = async (db: Tx, email: string): Promise<SignInRow | null> => {
  const shop = await shopOfEmail(db, email);
  const row = await signInRows(db, shop)
    .where('staff.org_id', '=', shop('staff'))
    .where(sql<string>`lower(staff.email)`, '=', email)
    .executeTakeFirst();
  return asSignIn(row);
};

/** Neither archived nor inactive. */
export const activeStaff = async (db: Tx, orgId: Uuid, id: Uuid): Promise<SignInRow | null> =>
  asSignIn(await signInRowsOf(db, orgId).where('staff.id', '=', id).executeTakeFirst());

/** Neither archived nor inactive. */
export const activeStaffOf = async (db: Tx, orgId: Uuid): Promise<SignInRow[]> => {
  const rows = await signInRowsOf(db, orgId).execute();
  return rows.map((row) => ({ ...row, role: roleIn(row.role) }));
};

/** Whoever was ever a person of the shop. `isActive`: neither archived nor inactive. */
export const personEver = async (
  db: Tx,
  orgId: Uuid,
  id: Uuid,
): Promise<(StaffScope & { readonly isActive: boolean }) | null> => {
  const row = await db
    .selectFrom('staff')
    .select([
      'role',
      'branch_ids as branchIds',
      sql<boolean>`is_active and archived_at is null`.as('isActive'),
    ])
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : { ...row, role: roleIn(row.role) };
};

export const staffWithPin = async (db: Tx, orgId: Uuid): Promise<SignInRow[]> => {
  const rows = await signInRowsOf(db, orgId).where('staff.pin_hash', 'is not', null).execute();
  return rows.map((row) => ({ ...row, role: roleIn(row.role) }));
};

export interface StaffRow extends StaffScope {
  readonly id: Uuid;
  readonly name: string;
  readonly email: string | null;
  readonly isActive: boolean;
  readonly hasPassword: boolean;
  readonly hasPin: boolean;
}

/** Excludes archived staff. */
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

/** Includes archived branches. */
export const isBranchOf = async (db: Tx, orgId: Uuid, branchId: Uuid): Promise<boolean> => {
  const row = await db
    .selectFrom('branch')
    .select('id')
    .where('org_id', '=', orgId)
    .where('id', '=', branchId)
    .executeTakeFirst();
  return row !== undefined;
};

/** Includes archived branches. */
export const branchNames = async (db: Tx, orgId: Uuid): Promise<ReadonlyMap<Uuid, string>> => {
  const rows = await db.selectFrom('branch').select(['id', 'name']).where('org_id', '=', orgId).execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
};

export type SecretColumn = 'password_hash' | 'pin_hash';

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

export const clearSecrets = async (tx: Tx, orgId: Uuid, ids: readonly Uuid[]): Promise<void> => {
  if (ids.length === 0) return;
  await tx
    .updateTable('staff')
    .set({ password_hash: null, pin_hash: null })
    .where('org_id', '=', orgId)
    .where('id', 'in', ids)
    .execute();
};

/**
 * The person, locked until the transaction ends, if the verified hash is still theirs; a concurrent change
 * waits and then sees this session. `isToChange`: this transaction changes the secret.
 */
export const lockSecret = async (
  tx: Tx,
  { orgId, id }: Pick<SignInRow, 'orgId' | 'id'>,
  column: SecretColumn,
  hash: string,
  isToChange: boolean,
): Promise<SignInRow | null> =>
  asSignIn(
    await signInRowsOf(tx, orgId)
      .where('staff.id', '=', id)
      .where(`staff.${column}`, '=', hash)
      .$call((query) => (isToChange ? query.forNoKeyUpdate('staff') : query.forShare('staff')))
      .executeTakeFirst(),
  );

/** Stores a renewed hash of the same secret; false if it changed meanwhile. */
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

/** The slug and the name in every language. */
export const shopNames = async (db: Tx, orgId: Uuid): Promise<string[]> => {
  const row = await db
    .selectFrom('shop')
    .select(['slug', 'name', 'name_translations'])
    .where('org_id', '=', orgId)
    .executeTakeFirst();
  return row === undefined ? [] : [row.slug, row.name, ...Object.values(row.name_translations)];
};

export const emailOf = async (db: Tx, orgId: Uuid, id: Uuid): Promise<string | null> => {
  const row = await db
    .selectFrom('staff')
    .select('email')
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.email ?? null;
};

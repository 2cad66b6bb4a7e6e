import { sql, type Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Database } from '../../platform/store/schema.ts';
import { shopOf } from './shop.ts';

export interface NamedTable {
  readonly id: Uuid;
  /** Of its QR code. */
  readonly publicId: Uuid;
  readonly orgId: Uuid;
  readonly branchId: Uuid;
  readonly label: string;
}

/** The table of a QR code, of an active shop and not archived, or null. Its branch may be inactive. */
export const tableByCode = async (db: Kysely<Database>, publicId: Uuid): Promise<NamedTable | null> => {
  const orgId = await shopOf(db, publicId, 'table');
  if (orgId === null) return null;
  const { rows } = await sql<NamedTable>`
    select id, coalesce(public_id, id) as "publicId", org_id as "orgId", branch_id as "branchId", label
    from dining_table
    where org_id = ${orgId} and coalesce(public_id, id) = ${publicId} and archived_at is null
  `.execute(db);
  return rows[0] ?? null;
};

/** The code of a table from now on; the old one leads nowhere. Null: there is no such table. */
export const setPublicId = async (
  tx: Kysely<Database>,
  {
    orgId,
    id,
    branchIds,
  }: { readonly orgId: Uuid; readonly id: Uuid; readonly branchIds: readonly Uuid[] | null },
  publicId: Uuid,
): Promise<{ readonly branchId: Uuid } | null> => {
  const { rows } = await sql<{ branchId: Uuid; before: Uuid | null }>`
    update dining_table t set public_id = ${publicId}
    from (select id, public_id from dining_table where org_id = ${orgId} and id = ${id} for update) was
    where t.org_id = ${orgId} and t.id = was.id and t.archived_at is null
      and (${branchIds === null} or t.branch_id = any(${[...(branchIds ?? [])]}::uuid[]))
    returning t.branch_id as "branchId", was.public_id as before
  `.execute(tx);
  const [row] = rows;
  if (row === undefined) return null;
  await tx.insertInto('locator').values({ id: publicId, org_id: orgId, kind: 'table' }).execute();
  if (row.before !== null)
    await tx.deleteFrom('locator').where('id', '=', row.before).where('kind', '=', 'table').execute();
  return { branchId: row.branchId };
};

export interface DiningTable {
  readonly id: Uuid;
  readonly label: string;
  readonly section: string | null;
  readonly seatsMin: number;
  readonly seatsMax: number;
  readonly bookable: boolean;
}

/** Of a branch, without archived ones; unordered. */
export const tablesOfBranch = async (
  db: Kysely<Database>,
  orgId: Uuid,
  branchId: Uuid,
): Promise<DiningTable[]> => {
  const rows = await db
    .selectFrom('dining_table')
    .select(['id', 'label', 'section', 'seats_min', 'seats_max', 'bookable'])
    .where('org_id', '=', orgId)
    .where('branch_id', '=', branchId)
    .where('archived_at', 'is', null)
    .execute();
  return rows.map((row) => ({
    ...{ id: row.id, label: row.label, section: row.section, bookable: row.bookable },
    ...{ seatsMin: row.seats_min, seatsMax: row.seats_max },
  }));
};

/** The QR codes of a branch's tables, without archived ones; unordered. */
export const codesOfBranch = async (
  db: Kysely<Database>,
  orgId: Uuid,
  branchId: Uuid,
): Promise<readonly { readonly label: string; readonly publicId: Uuid }[]> => {
  const { rows } = await sql<{ label: string; publicId: Uuid }>`
    select label, coalesce(public_id, id) as "publicId" from dining_table
    where org_id = ${orgId} and branch_id = ${branchId} and archived_at is null
  `.execute(db);
  return rows;
};

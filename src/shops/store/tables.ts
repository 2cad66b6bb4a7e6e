import type { Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Database } from '../../platform/store/schema.ts';
import { shopOf } from './shop.ts';

export interface NamedTable {
  readonly id: Uuid;
  readonly orgId: Uuid;
  readonly branchId: Uuid;
  readonly label: string;
}

/** A table of an active shop that is not archived, or null. Its branch may be inactive. */
export const tableById = async (db: Kysely<Database>, tableId: Uuid): Promise<NamedTable | null> => {
  const orgId = await shopOf(db, tableId, 'table');
  if (orgId === null) return null;
  const row = await db
    .selectFrom('dining_table')
    .select(['branch_id', 'label'])
    .where('org_id', '=', orgId)
    .where('id', '=', tableId)
    .where('archived_at', 'is', null)
    .executeTakeFirst();
  return row === undefined ? null : { id: tableId, orgId, branchId: row.branch_id, label: row.label };
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

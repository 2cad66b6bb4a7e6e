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

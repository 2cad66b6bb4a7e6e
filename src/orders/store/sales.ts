import { sql, type Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Database } from '../../platform/store/schema.ts';

interface SaleRow {
  readonly id: Uuid;
  readonly reference: string;
  readonly branchName: string;
  readonly total: number;
}

/** The sale of an online order has the order's id. */
export const salesWithIds = async (
  db: Kysely<Database>,
  orgId: Uuid,
  ids: readonly Uuid[],
): Promise<readonly SaleRow[]> => {
  const { rows } = await sql<SaleRow>`
    select o.id, o.delivery_ref as reference, b.name as "branchName", o.total
    from delivery_order o join branch b on b.org_id = ${orgId} and b.id = o.branch_id
    where o.org_id = ${orgId} and o.id = any(${[...ids]}::uuid[])
  `.execute(db);
  return rows;
};

import { sql, type Kysely } from 'kysely';
import { branchScope, dayScopesOf, floorScopesOf } from '../../kernel/change.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { ordersById, type StoredOrder } from './delivery-order.ts';
import type { Database } from '../../platform/store/schema.ts';

export interface BoardChange {
  readonly seq: number;
  /** `delivery`, `booking`, `channel`, `availability` …; `menu` for any other change of the menu. */
  readonly type: string;
  readonly id: Uuid;
  /** Current state; null: not a change of an order. */
  readonly order: StoredOrder | null;
}

interface ChangeRow {
  seq: number;
  type: string;
  id: Uuid;
}

/**
 * The first `most` changes of a branch in (`after`, `head`]: orders, bookings, tickets, tables, kitchen tickets, channels, availability and the menu. Of
 * several changes of one subject only the last is returned.
 */
export const boardChanges = async (
  db: Kysely<Database>,
  { orgId, branchId }: { readonly orgId: Uuid; readonly branchId: Uuid },
  { after, head }: { readonly after: number; readonly head: number },
  most: number,
): Promise<readonly BoardChange[]> => {
  const { rows } = await sql<ChangeRow>`
    with changed as (
      select c.seq, case when c.scope = 'shop' then 'menu' else c.type end as type,
             case when c.scope = 'shop' then c.org_id else c.id end as id
      from change c
      left join delivery_order d on c.type = 'delivery' and d.org_id = ${orgId} and d.id = c.id
      where c.org_id = ${orgId} and c.seq > ${after} and c.seq <= ${head}
        and (d.branch_id = ${branchId} or c.scope = ${branchScope(branchId)} or c.scope = 'shop'
             or c.type in ('booking', 'booking_block') and starts_with(c.scope, ${dayScopesOf(branchId)})
             or c.type in ('ticket', 'table', 'kitchen_ticket') and starts_with(c.scope, ${floorScopesOf(branchId)}))
    )
    select max(seq) as seq, type, id
    from changed
    group by type, id
    order by 1
    limit ${most}
  `.execute(db);
  const ids = rows.filter(({ type }) => type === 'delivery').map(({ id }) => id);
  const orders = await ordersById(db, orgId, ids);
  return rows.map((row) => ({ ...row, order: orders.get(row.id) ?? null }));
};

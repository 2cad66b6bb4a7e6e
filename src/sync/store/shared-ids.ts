/**
 * Sales, tickets and online orders share one space of ids: a ticket that is settled, or an order that is delivered, is a sale
 * of its id.
 */
import { sql, type Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Database } from '../../platform/store/schema.ts';

/** Whether an order or a ticket, other than `ownTicketId`, has the id that a device gives to a sale. */
export const isIdOfNoSale = async (
  db: Kysely<Database>,
  orgId: Uuid,
  { id, ownTicketId }: { readonly id: Uuid; readonly ownTicketId: Uuid | null },
): Promise<boolean> => {
  const { rows } = await sql`
    select from delivery_order where org_id = ${orgId} and id = ${id}
    union all
    select from ticket where org_id = ${orgId} and id = ${id} and id is distinct from ${ownTicketId}::uuid
    limit 1
  `.execute(db);
  return rows.length > 0;
};

/** Whether an order or a sale, other than that of the ticket itself, has the id that a device gives to a ticket. */
export const isIdOfNoTicket = async (db: Kysely<Database>, orgId: Uuid, id: Uuid): Promise<boolean> => {
  const { rows } = await sql`
    select from delivery_order where org_id = ${orgId} and id = ${id}
    union all
    select from sale s where s.org_id = ${orgId} and s.id = ${id}
      and not exists (select from ticket t where t.org_id = ${orgId} and t.id = s.id)
    limit 1
  `.execute(db);
  return rows.length > 0;
};

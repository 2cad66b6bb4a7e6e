/** Open tickets as devices of a branch hold them. */
import { sql, type Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Database } from '../../platform/store/schema.ts';
import { selectTickets, type StoredTicket } from './ticket.ts';

type Db = Kysely<Database>;

/** By id, after `after`. */
export const openTicketsAfter = async (
  db: Db,
  orgId: Uuid,
  branchId: Uuid,
  { after, limit }: { readonly after: Uuid | null; readonly limit: number },
): Promise<readonly StoredTicket[]> => {
  const follows = after === null ? sql`` : sql`and t.id > ${after}`;
  const { rows } = await sql<StoredTicket>`
    ${selectTickets(orgId, sql`t.branch_id = ${branchId} and t.status = 'open' ${follows}`)}
    order by t.id limit ${limit}
  `.execute(db);
  return rows;
};

/** Of these, those of the branch, whatever their status. */
export const ticketsByIds = async (
  db: Db,
  orgId: Uuid,
  branchId: Uuid,
  ids: readonly Uuid[],
): Promise<readonly StoredTicket[]> => {
  const { rows } = await sql<StoredTicket>`
    ${selectTickets(orgId, sql`t.branch_id = ${branchId} and t.id = any(${[...ids]}::uuid[])`)}
  `.execute(db);
  return rows;
};

/** Kitchen tickets as devices of a branch hold them. */
import { sql, type Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import { at } from '../../platform/store/db.ts';
import type { Database } from '../../platform/store/schema.ts';
import { selectKitchenTickets, type StoredKitchenTicket } from './ticket.ts';

type Db = Kysely<Database>;

interface UnmadePage {
  readonly branchId: Uuid;
  /** What was fired before is on no board. */
  readonly since: Instant;
  readonly after: Uuid | null;
  readonly limit: number;
}

/** Those to make, by id. */
export const unmadeTicketsAfter = async (
  db: Db,
  orgId: Uuid,
  { branchId, since, after, limit }: UnmadePage,
): Promise<readonly StoredKitchenTicket[]> => {
  const follows = after === null ? sql`` : sql`and k.id > ${after}`;
  const { rows } = await sql<StoredKitchenTicket>`
    ${selectKitchenTickets(
      orgId,
      sql`k.branch_id = ${branchId} and k.done_at is null
                             and k.fired_at > ${at(since)} ${follows}`,
    )}
    order by k.id limit ${limit}
  `.execute(db);
  return rows;
};

/** Of these, those of the branch, made or not. */
export const kitchenTicketsByIds = async (
  db: Db,
  orgId: Uuid,
  branchId: Uuid,
  ids: readonly Uuid[],
): Promise<readonly StoredKitchenTicket[]> => {
  const { rows } = await sql<StoredKitchenTicket>`
    ${selectKitchenTickets(orgId, sql`k.branch_id = ${branchId} and k.id = any(${[...ids]}::uuid[])`)}
  `.execute(db);
  return rows;
};

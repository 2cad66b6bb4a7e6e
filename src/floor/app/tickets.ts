/** Tickets as the staff read them (Decisions 12). */
import { invalidInput, Refusal } from '../../kernel/refusal.ts';
import type { JobContext } from '../../platform/app/job-context.ts';
import { MAX_LISTED } from '../../platform/contract/lists.ts';
import type { PathOf, QueryOf, ReplyOf } from '../../platform/contract/endpoint.ts';
import type { Actor } from '../../staff/app/access.ts';
import { ownBranch } from '../../staff/app/own-branch.ts';
import type * as contract from '../contract/tickets.ts';
import { ticketById, ticketsAt } from '../store/ticket.ts';
import { NO_TICKET_HERE, ownTicket } from './change.ts';
import { readTickets, repliesOf, viewOf, type TicketReply } from './ticket-reply.ts';
import type { FloorParts } from './parts.ts';

interface TicketRequest {
  readonly path: PathOf<typeof contract.getTicket>;
  readonly actor: Actor;
  readonly caller: JobContext;
}

/** GET /staff/tickets/{id}. */
export const getTicket =
  (parts: FloorParts) =>
  async ({ path, actor, caller }: TicketRequest): Promise<TicketReply> => {
    ownTicket(actor, await ticketById(parts.app.db.kysely, actor.orgId, path.id));
    return viewOf(parts, caller, actor.orgId, path.id);
  };

/** GET /staff/tickets/{id}/bill. A ticket that is void has none. */
export const getTicketBill =
  (parts: FloorParts) =>
  async (request: TicketRequest): Promise<ReplyOf<typeof contract.getTicketBill>> => {
    const { bill, status, revision } = await getTicket(parts)(request);
    if (bill === null) throw new Refusal('TICKET_ENDED', { status, revision });
    return bill;
  };

interface ListRequest {
  readonly query: QueryOf<typeof contract.listTickets>;
  readonly actor: Actor;
  readonly caller: JobContext;
}

/** GET /staff/tickets. */
export const listTickets =
  ({ app }: FloorParts) =>
  async ({ query, actor, caller }: ListRequest): Promise<TicketReply[]> => {
    const { branch_id: branchId, status = 'open', limit = MAX_LISTED, after = null } = query;
    const { orgId } = actor;
    await ownBranch(app, actor, branchId);
    const read = await app.db.snapshot(async (tx) => {
      const last = after === null ? null : await ticketById(tx, orgId, after);
      if (after !== null && last?.branchId !== branchId)
        throw invalidInput({ path: 'after', ...NO_TICKET_HERE });
      return readTickets(tx, orgId, await ticketsAt(tx, orgId, { branchId, status, limit, after }));
    });
    return repliesOf(app, caller, read);
  };

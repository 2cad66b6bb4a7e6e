/** Tickets as the staff read them (Decisions 12). */
import { groupBy } from '../../kernel/group-by.ts';
import { invalidInput, Refusal } from '../../kernel/refusal.ts';
import type { JobContext } from '../../platform/app/scheduler.ts';
import { MAX_LISTED } from '../../platform/contract/lists.ts';
import type { PathOf, QueryOf, ReplyOf } from '../../platform/contract/endpoint.ts';
import type { Actor } from '../../staff/app/access.ts';
import { ownBranch } from '../../staff/app/own-branch.ts';
import type * as contract from '../contract/tickets.ts';
import { itemsOf } from '../store/ticket-item.ts';
import { ticketById, ticketsAt } from '../store/ticket.ts';
import { billsOf, loadTickets } from './check.ts';
import { NO_TICKET_HERE, ownTicket } from './change.ts';
import { shownWith, ticketReply, viewOf, type TicketReply } from './ticket-reply.ts';
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
  ({ app, scheduler }: FloorParts) =>
  async ({ query, actor, caller }: ListRequest): Promise<TicketReply[]> => {
    const { branch_id: branchId, status = 'open', limit = MAX_LISTED, after = null } = query;
    const { orgId } = actor;
    await ownBranch(app, actor, branchId);
    const { listed, items, checks, shown } = await app.db.snapshot(async (tx) => {
      const last = after === null ? null : await ticketById(tx, orgId, after);
      if (after !== null && last?.branchId !== branchId)
        throw invalidInput({ path: 'after', ...NO_TICKET_HERE });
      const tickets = await ticketsAt(tx, orgId, { branchId, status, limit, after });
      const ids = tickets.map(({ id }) => id);
      const own = status === 'open' ? [...new Set(tickets.map(({ checkId }) => checkId))] : [];
      const all = await itemsOf(tx, orgId, ids);
      return {
        listed: tickets,
        items: all,
        checks: await loadTickets(tx, orgId, own),
        shown: await shownWith(tx, orgId, tickets, all),
      };
    });
    const bills = new Map<string, TicketReply>();
    const byCheck = groupBy(checks, ({ ticket }) => ticket.checkId);
    for (const tickets of byCheck.values())
      for (const [id, { amounts }] of await billsOf(scheduler, caller, tickets)) {
        const own = tickets.find(({ ticket }) => ticket.id === id);
        if (own !== undefined) bills.set(id, ticketReply(own.ticket, own.items, amounts, shown));
      }
    return listed.map(
      (ticket) =>
        bills.get(ticket.id) ??
        ticketReply(
          ticket,
          items.filter(({ ticketId }) => ticketId === ticket.id),
          ticket.settledBill,
          shown,
        ),
    );
  };

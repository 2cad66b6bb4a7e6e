/** What devices hold of tickets (Decisions 13): the open ones, with what they come to. */
import type { Kysely } from 'kysely';
import type { Static } from 'typebox';
import { maskPhone } from '../../kernel/phone.ts';
import { withoutFields } from '../../kernel/without-fields.ts';
import { heldOrGone, type FeedPlace, type FeedRow, type FeedSource } from '../../platform/app/feed.ts';
import type { JobContext } from '../../platform/app/job-context.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { FeedTicket } from '../contract/feed.ts';
import { openTicketsAfter, ticketsByIds } from '../store/feed.ts';
import type { StoredTicket } from '../store/ticket.ts';
import { readTickets, repliesOf, type TicketReply } from './ticket-reply.ts';
import type { FloorParts } from './parts.ts';

type Tx = Kysely<Database>;

const rowOf = (ticket: TicketReply): Static<typeof FeedTicket> => ({
  ...withoutFields(ticket, 'opened_by_name', 'customer_id'),
  customer_phone: ticket.customer_phone === null ? null : maskPhone(ticket.customer_phone),
  items: ticket.items.map((item) => withoutFields(item, 'sent_to')),
});

/** Of open tickets. */
const rowsOf = async (
  parts: Pick<FloorParts, 'app'>,
  caller: JobContext,
  tx: Tx,
  tickets: readonly StoredTicket[],
): Promise<FeedRow[]> => {
  const [first] = tickets;
  if (first === undefined) return [];
  const replies = await repliesOf(parts.app, caller, await readTickets(tx, first.orgId, tickets));
  return replies.map((reply) => ({ id: reply.id, data: rowOf(reply) }));
};

/** Of one pull by a device. */
export const ticketFeed = (parts: Pick<FloorParts, 'app'>, caller: JobContext): FeedSource => ({
  logTypes: ['ticket'],
  page: async (tx, { orgId, branchId }: FeedPlace, page) =>
    rowsOf(parts, caller, tx, await openTicketsAfter(tx, orgId, branchId, page)),
  changes: async (tx, { orgId, branchId }, ids) => {
    const tickets = await ticketsByIds(tx, orgId, branchId, ids);
    const isOpen = ({ status }: StoredTicket): boolean => status === 'open';
    return heldOrGone(tickets, isOpen, (open) => rowsOf(parts, caller, tx, open));
  },
});

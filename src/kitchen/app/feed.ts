/** What devices hold of the kitchen (Decisions 13): what is to be made. */
import type { Static } from 'typebox';
import { withoutFields } from '../../kernel/without-fields.ts';
import { addMinutes } from '../../kernel/time.ts';
import type { FeedSource } from '../../platform/app/feed.ts';
import type { FeedKitchenTicket } from '../contract/feed.ts';
import { MINUTES_ON_BOARD } from '../domain/firing.ts';
import { kitchenTicketsByIds, unmadeTicketsAfter } from '../store/feed.ts';
import type { StoredKitchenTicket } from '../store/ticket.ts';
import { kitchenReply } from './kitchen-reply.ts';

const rowOf = (ticket: StoredKitchenTicket): Static<typeof FeedKitchenTicket> => {
  const reply = kitchenReply(ticket);
  return {
    ...withoutFields(reply, 'station', 'items'),
    station_id: reply.station.id,
    items: reply.items.map((item, index) => ({
      ...withoutFields(item, 'tables'),
      table_ids: [...(ticket.lines[index]?.tableIds ?? [])].sort(),
    })),
  };
};

export const kitchenFeed: FeedSource = {
  logTypes: ['kitchen_ticket'],
  page: async (tx, { orgId, branchId, now }, page) => {
    const since = addMinutes(now, -MINUTES_ON_BOARD);
    const tickets = await unmadeTicketsAfter(tx, orgId, { branchId, since, ...page });
    return tickets.map((ticket) => ({ id: ticket.id, data: rowOf(ticket) }));
  },
  changes: async (tx, { orgId, branchId, now }, ids) => {
    const since = addMinutes(now, -MINUTES_ON_BOARD);
    const tickets = await kitchenTicketsByIds(tx, orgId, branchId, ids);
    return tickets.map((ticket) => ({
      id: ticket.id,
      data: ticket.doneAt === null && ticket.firedAt > since ? rowOf(ticket) : null,
    }));
  },
};

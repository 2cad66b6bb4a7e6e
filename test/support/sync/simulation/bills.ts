/** What people paid for tickets, beside what the books have of them. */
import type { BookedTicket, Books } from './books.ts';
import { livingTicket, type Settling, type Ticket } from './ledger.ts';
import type { Scene } from './scene.ts';

export interface Bill {
  readonly ticket: Ticket;
  readonly booked: BookedTicket | undefined;
  /** Of the ticket that its lines came into. */
  readonly living: BookedTicket | undefined;
}

export const billsOf = ({ ledger }: Scene, { tickets }: Books): readonly Bill[] => {
  const byId = new Map(tickets.map((one) => [one.id, one]));
  return [...ledger.tickets.values()].map((ticket) => ({
    ...{ ticket, booked: byId.get(ticket.id), living: byId.get(livingTicket(ticket).id) },
  }));
};

/** What must be a sale of its own: the one of the ticket, unless it is a part of the bill that it was merged into. */
export const expectedOf = ({ ticket, booked, living }: Bill): readonly Settling[] => {
  if (ticket.mergedInto !== null && living?.status !== 'voided') return [];
  return ticket.settlings.filter(({ saleId }) => saleId === booked?.sale_id);
};

/** The ticket that an event of a device names, with all of its check, which is locked (Decisions 13). */
import type { Uuid } from '../../../kernel/ids.ts';
import type { ReplayContext } from '../../../platform/app/replay.ts';
import { lockTicketBookings } from '../../../bookings/app/staff/with-ticket.ts';
import { ConcurrentChange } from '../../../platform/store/concurrent-change.ts';
import { lockChecks, ticketById, type StoredTicket } from '../../store/ticket.ts';
import { itemsOf } from '../../store/ticket-item.ts';
import type { ChangeContext } from '../change.ts';
import { loadTickets } from '../check.ts';

export interface TicketOfEvent extends Omit<ChangeContext, 'actor'> {
  readonly actor: { readonly staffId: Uuid };
}

/** A ticket that was merged lives on in another. Null: it has not come, or is of another branch. */
const livingTicket = async (
  { tx, orgId, branchId }: ReplayContext,
  id: Uuid,
): Promise<StoredTicket | null> => {
  let ticket = await ticketById(tx, orgId, id);
  while (ticket?.mergedInto) ticket = await ticketById(tx, orgId, ticket.mergedInto);
  return ticket?.branchId === branchId ? ticket : null;
};

/** Bookings are locked before tickets (ARCHITECTURE.md, Changes). Throws `ConcurrentChange`. */
export const lockedTicket = async (context: ReplayContext, id: Uuid): Promise<TicketOfEvent | null> => {
  const { tx, log, orgId, staffId, at } = context;
  const read = await livingTicket(context, id);
  if (read === null) return null;
  await lockTicketBookings(tx, orgId, read.bookingId === null ? [] : [read.bookingId]);
  const tickets = await loadTickets(tx, orgId, await lockChecks(tx, orgId, [read.id]));
  const own = tickets.find((one) => one.ticket.id === read.id);
  const ticket = own?.ticket ?? (await ticketById(tx, orgId, read.id)) ?? read;
  // It was merged, or its check with another, after it was read.
  if (ticket.mergedInto !== null || (own === undefined && ticket.status !== 'voided'))
    throw new ConcurrentChange();
  const items = own?.items ?? (await itemsOf(tx, orgId, [ticket.id]));
  return { tx, log, now: at, actor: { staffId }, ticket, items, tickets };
};

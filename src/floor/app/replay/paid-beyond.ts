/** Bills that come to less than was paid of them in parts, where a change would be refused online (Decisions 13). */
import type { ReplayContext } from '../../../platform/app/replay.ts';
import { reason, type ReviewReason } from '../../../platform/domain/review.ts';
import { reviewCheck } from '../change.ts';
import { billsOf, overpaidOf } from '../check.ts';
import type { TicketOfEvent } from './locked-ticket.ts';
import type { DeviceFloorParts } from './parts.ts';

/**
 * After a ticket has changed: deals and discounts of its check change the bills of the others. `of`: as they were before. A
 * bill that was paid beyond before, and is not more so, was told of then.
 */
export const paidBeyond = async (
  parts: DeviceFloorParts,
  { tx, orgId, caller }: ReplayContext,
  { ticket: { checkId }, tickets }: Pick<TicketOfEvent, 'ticket' | 'tickets'>,
): Promise<readonly ReviewReason[]> => {
  if (tickets.every(({ ticket }) => ticket.prepaid === 0)) return [];
  const before = overpaidOf(tickets, await billsOf(parts.app, caller, tickets));
  const now = await reviewCheck(parts, caller, tx, { orgId, checkId });
  return now
    .filter(({ ticketId, total }) => before.every((one) => one.ticketId !== ticketId || one.total > total))
    .map(({ ticketId, paid, total }) => reason('paid_beyond', { ticket_id: ticketId, paid, total }));
};

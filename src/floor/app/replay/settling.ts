/** What a device says of a bill that it settled, and where the money went (Decisions 13). */
import type { SalePlace, TillOfEvent } from '../../../sales/app/shared.ts';
import type { TicketEventData } from '../../contract/events.ts';
import type { TicketOfEvent } from './locked-ticket.ts';

export interface Settling {
  /** The ticket, or the one that it was merged into. */
  readonly of: TicketOfEvent;
  readonly data: TicketEventData['ticket_settle'];
  readonly place: SalePlace;
  readonly till: TillOfEvent;
}

/** The device gave rewards, or a discount that the bill has not. */
export const hasCuts = ({ data: { rewards = [], discount_id: id }, of }: Settling): boolean =>
  rewards.length > 0 || (!!id && id !== of.ticket.discountId);

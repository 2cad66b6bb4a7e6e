/** What a device says of a bill that it settled, and where the money went (Decisions 13). */
import type { SalePlace, TillOfEvent } from '../../../sales/app/shared.ts';
import type { TicketEventData } from '../../contract/events.ts';
import type { TicketOfEvent } from './locked-ticket.ts';

export interface Settling {
  /** Where the ticket was merged, the one that it lives on in. */
  readonly of: TicketOfEvent;
  readonly data: TicketEventData['ticket_settle'];
  readonly place: SalePlace;
  readonly till: TillOfEvent;
}

/** The payments of the event, as its sale takes them. */
export const takenIn = ({ data, place, till: { tillId, isLate } }: Settling) => ({
  ...{ inputs: data.payments, methods: place.paymentMethods, into: { tillId, isLate } },
});

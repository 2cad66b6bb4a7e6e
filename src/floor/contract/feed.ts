/** An open ticket in the sync feed (Decisions 13). */
import Type from 'typebox';
import { MaskedPhone, nullable } from '../../platform/contract/scalars.ts';
import { Ticket, TicketItem } from './ticket-view.ts';

/** Without the names of other rows, and of a phone its last digits. */
export const FeedTicket = Type.Object({
  ...Type.Omit(Ticket, ['opened_by_name', 'customer_id', 'customer_phone', 'items']).properties,
  customer_phone: nullable(MaskedPhone()),
  items: Type.Array(Type.Omit(TicketItem, ['sent_to'])),
});

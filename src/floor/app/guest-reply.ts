/** A ticket as the guests at its table see it: without staff, notes and discounts (Decisions 12, Table QR). */
import type { ReplyOf } from '../../platform/contract/endpoint.ts';
import type { NamedTable } from '../../shops/app/shared.ts';
import type { PublicTable } from '../contract/dining-table.ts';
import type * as contract from '../contract/table-orders.ts';
import { withoutNotes } from '../domain/ticket-line.ts';
import { REJECTED } from '../domain/ticket.ts';
import type { Static } from 'typebox';
import type { TicketReply } from './ticket-reply.ts';

type GuestTicket = ReplyOf<typeof contract.orderAtTable>;
type Item = TicketReply['items'][number];
type TableBill = NonNullable<Static<typeof PublicTable>['bill']>;

const itemReply = (item: Item): GuestTicket['items'][number] => ({
  ...{ id: item.id, round_number: item.round_number, round_fired_at: item.round_fired_at },
  ...{ menu_item_id: item.menu_item_id, line: { ...item.line, input: withoutNotes(item.line.input) } },
  ...{ line_total: item.line_total, accepted: item.accepted, voided: item.voided, ready_at: item.ready_at },
});

export const guestReply = (ticket: TicketReply, { publicId }: NamedTable): GuestTicket => ({
  ...{ id: ticket.id, branch_id: ticket.branch_id, ticket_ref: ticket.ticket_ref, status: ticket.status },
  ...{ table_id: publicId, timezone: ticket.timezone, opened_at: ticket.opened_at, opened_by: publicId },
  ...{ opened_via: ticket.opened_via, items: ticket.items.map(itemReply), subtotal: ticket.subtotal },
  ...{ bill: ticket.bill, paid: ticket.paid, due: ticket.due },
  ...{ ready: ticket.ready, ready_at: ticket.ready_at },
});

const stateOf = (items: readonly Item[]): TableBill['rounds'][number]['state'] => {
  if (items.every(({ voided }) => voided))
    return items.every(({ void_reason: reason }) => reason === REJECTED) ? 'rejected' : 'void';
  const live = items.filter(({ voided }) => !voided);
  if (live.some(({ accepted }) => !accepted)) return 'waiting';
  return live.every(({ ready_at: at }) => at !== null) ? 'ready' : 'fired';
};

/** The running bill, round by round. */
export const tableBill = (ticket: TicketReply): TableBill => {
  const numbers = [...new Set(ticket.items.map(({ round_number: number }) => number))].sort((a, b) => a - b);
  return {
    ...{ ticket_id: ticket.id, opened_at: ticket.opened_at, ready: ticket.ready, subtotal: ticket.subtotal },
    ...{ total: ticket.bill?.total ?? 0, due: ticket.due },
    rounds: numbers.map((number) => {
      const items = ticket.items.filter((item) => item.round_number === number);
      return {
        ...{ number, sent_at: items[0]?.round_fired_at ?? ticket.opened_at, state: stateOf(items) },
        lines: items.map(({ line, line_total: total, voided }) => ({
          ...{ name: line.name, name_translations: line.name_translations, size_label: line.size_label },
          ...{ size_translations: line.size_translations, modifier_translations: line.modifier_translations },
          ...{ modifiers: line.modifiers, quantity: line.quantity, line_total: total, voided },
        })),
      };
    }),
  };
};

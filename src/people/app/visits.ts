/** What a person had at counters and tables, for an export (Decisions 12). */
import type { Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import { isoInstant } from '../../kernel/time.ts';
import { itemsOf, ticketsOfGuest, type TicketGuest } from '../../floor/app/shared.ts';
import type { ReplyOf } from '../../platform/contract/endpoint.ts';
import type { Database } from '../../platform/store/schema.ts';
import { salesOfCards, type StoredSale } from '../../sales/app/shared.ts';
import type * as contract from '../contract/people.ts';

type Export = ReplyOf<typeof contract.exportPerson>;
type Tx = Kysely<Database>;

const ticketsIn = async (tx: Tx, orgId: Uuid, guest: TicketGuest): Promise<Export['tickets']> => {
  const tickets = await ticketsOfGuest(tx, orgId, guest);
  const ids = tickets.map(({ id }) => id);
  const items = await itemsOf(tx, orgId, ids);
  return tickets.map((ticket) => ({
    ...{ id: ticket.id, branch_id: ticket.branchId, ticket_ref: ticket.reference, status: ticket.status },
    ...{ opened_at: isoInstant(ticket.openedAt), member_id: ticket.cardId, notes: ticket.notes },
    ...{ customer_name: ticket.customerName, customer_phone: ticket.customerPhone },
    lines: items
      .filter(({ ticketId }) => ticketId === ticket.id)
      .map(({ roundNumber, roundNotes, line }) => ({
        ...{ round_number: roundNumber, round_notes: roundNotes, line: { ...line } },
      })),
  }));
};

/** Without the staff and the tills. */
const saleOf = (sale: StoredSale): Export['sales'][number] => ({
  ...{ id: sale.id, sale_ref: sale.reference, branch_id: sale.branchId, source: sale.source },
  ...{ at: isoInstant(sale.at), member_id: sale.cardId, customer_name: sale.customerName },
  ...{ cart: { ...sale.cart }, total: sale.total, refunded: sale.refunded },
});

export const visitsOf = async (
  tx: Tx,
  orgId: Uuid,
  guest: TicketGuest,
): Promise<Pick<Export, 'tickets' | 'sales'>> => ({
  tickets: await ticketsIn(tx, orgId, guest),
  sales: (await salesOfCards(tx, orgId, guest.cardIds)).map(saleOf),
});

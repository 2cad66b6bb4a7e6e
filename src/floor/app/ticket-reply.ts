/** A ticket as the staff see it (Shapes, OpenTicketView). */
import type { Kysely } from 'kysely';
import type { Static } from 'typebox';
import { groupBy } from '../../kernel/group-by.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { isoInstant } from '../../kernel/time.ts';
import { linesInKitchen, type LineInKitchen } from '../../kitchen/app/shared.ts';
import type { App } from '../../platform/app/app.ts';
import type { JobContext } from '../../platform/app/job-context.ts';
import type { ReplyOf } from '../../platform/contract/endpoint.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { OrderItemInput } from '../../pricing/contract/cart.ts';
import type * as contract from '../contract/tickets.ts';
import type { TicketBill } from '../contract/ticket-view.ts';
import { modifiersOf, modifierTranslations } from '../domain/ticket-line.ts';
import { partPaymentsOf, type PartPayment } from '../../sales/app/shared.ts';
import { isLive, equalParts, type TicketAmounts } from '../domain/ticket.ts';
import { itemsOf, type ItemWithOffers } from '../store/ticket-item.ts';
import { ticketById, type StoredTicket } from '../store/ticket.ts';
import { billsOf, loadTickets, type TicketWithItems } from './check.ts';
import type { FloorParts } from './parts.ts';

export type TicketReply = ReplyOf<typeof contract.getTicket>;

const timeOf = (instant: number | null): string | null => (instant === null ? null : isoInstant(instant));

/** What the kitchen says of lines, by the row that was fired. */
type InKitchen = ReadonlyMap<Uuid, LineInKitchen>;

/** Of these rows. */
const inKitchen = async (
  db: Kysely<Database>,
  orgId: Uuid,
  items: readonly ItemWithOffers[],
): Promise<InKitchen> => {
  const lines = await linesInKitchen(db, orgId, [...new Set(items.map(({ originId }) => originId))]);
  return new Map(lines.map((line) => [line.lineId, line]));
};

const itemReply = (item: ItemWithOffers, kitchen: InKitchen): TicketReply['items'][number] => ({
  id: item.id,
  round_number: item.roundNumber,
  round_fired_at: isoInstant(item.firedAt),
  round_notes: item.roundNotes,
  menu_item_id: item.line.menu_item_id,
  line: {
    // Written from a valid body only.
    input: item.input as OrderItemInput,
    name: item.line.name,
    name_translations: item.line.name_translations,
    size_label: item.line.size_label,
    size_translations: item.line.size_translations,
    modifiers: [...modifiersOf(item.line)],
    modifier_translations: [...modifierTranslations(item.line)],
    quantity: item.quantity,
    unit_price: item.line.unit_price,
    line_total: item.lineTotal,
  },
  line_total: item.lineTotal,
  accepted: !item.isWaiting,
  voided: item.voidedAt !== null,
  void_reason: item.voidReason,
  sent_to: [...(kitchen.get(item.originId)?.stations ?? [])],
  ready_at: timeOf(kitchen.get(item.originId)?.madeAt ?? null),
});

/** When the last live line was made; null: there is none, or one is not made (Decisions 12, Kitchen). */
const readyAt = (items: readonly ItemWithOffers[], kitchen: InKitchen): number | null => {
  const made = items.filter(isLive).map(({ originId }) => kitchen.get(originId)?.madeAt ?? null);
  const times = made.filter((time) => time !== null);
  return made.length === 0 || times.length < made.length ? null : Math.max(...times);
};

const billReply = (ticket: StoredTicket, amounts: TicketAmounts): Static<typeof TicketBill> => ({
  subtotal: amounts.subtotal,
  deal_discount: amounts.dealDiscount,
  reward_discount: amounts.rewardDiscount,
  discount_amount: amounts.discount,
  service_charge_amount: amounts.service,
  tax_amount: amounts.tax,
  total: amounts.total,
  tax_inclusive: ticket.taxInclusive,
  tax_rate: Number(ticket.taxRate),
  service_charge_rate: ticket.tableId === null ? 0 : Number(ticket.serviceRate),
  service_charge_taxable: ticket.serviceTaxable,
});

const discountValue = ({ discountType, discountRate, discountAmount }: StoredTicket): number | null =>
  discountType === 'percentage' ? Math.round(Number(discountRate) * 1_000_000) / 10_000 : discountAmount;

const endOf = (ticket: StoredTicket) => ({
  settled_at: timeOf(ticket.settledAt),
  voided_at: timeOf(ticket.voidedAt),
  void_reason: ticket.voidReason,
  void_note: ticket.voidNote,
  order_id: ticket.saleId ?? (ticket.status === 'settled' ? ticket.id : null),
  merged_into: ticket.mergedInto,
});

const paymentReply = (payment: PartPayment): TicketReply['payments'][number] => ({
  ...{ id: payment.id, at: isoInstant(payment.at), method: payment.method, amount: payment.amount },
  ...{ tip: payment.tip, tendered: payment.tendered, change: payment.change },
  ...{ till_id: payment.tillId, staff_id: payment.staffId },
});

const paidReply = (
  { status, parts, prepaid, id }: StoredTicket,
  amounts: TicketAmounts | null,
  payments: readonly PartPayment[],
) => {
  const total = status === 'open' ? (amounts?.total ?? 0) : 0;
  return {
    parts: parts === null || status !== 'open' ? null : [...equalParts(total, parts)],
    payments: payments.filter(({ billId }) => billId === id).map(paymentReply),
    paid: prepaid,
    due: Math.max(0, total - prepaid),
  };
};

/** What a ticket is shown with; `payments` may be those of others too. */
interface Shown {
  readonly kitchen: InKitchen;
  readonly payments: readonly PartPayment[];
}

/** Of these tickets and rows. */
const shownWith = async (
  db: Kysely<Database>,
  orgId: Uuid,
  tickets: readonly StoredTicket[],
  items: readonly ItemWithOffers[],
): Promise<Shown> => {
  const prepaid = tickets.filter((ticket) => ticket.prepaid > 0).map(({ id }) => id);
  return {
    kitchen: await inKitchen(db, orgId, items),
    payments: await partPaymentsOf(db, orgId, prepaid),
  };
};

/** `amounts`: null for a ticket that is void. */
const ticketReply = (
  ticket: StoredTicket,
  items: readonly ItemWithOffers[],
  amounts: TicketAmounts | null,
  { kitchen, payments }: Shown,
): TicketReply => ({
  ...{ id: ticket.id, branch_id: ticket.branchId, ticket_ref: ticket.reference, status: ticket.status },
  ...{ revision: ticket.revision, timezone: ticket.zone, table_id: ticket.tableId },
  ...{ opened_at: isoInstant(ticket.openedAt), opened_by: ticket.openedBy },
  ...{ opened_by_name: ticket.openedByName, opened_via: ticket.openedVia },
  ...{ guest_count: ticket.guestCount, customer_name: ticket.customerName },
  ...{ customer_phone: ticket.customerPhone, notes: ticket.notes },
  ...{ booking_id: ticket.bookingId, member_id: ticket.cardId, customer_id: ticket.customerId },
  ...{
    discount_id: ticket.discountId,
    discount_type: ticket.discountType,
    discount_value: discountValue(ticket),
  },
  split_of: ticket.splitOf,
  items: items.map((item) => itemReply(item, kitchen)),
  subtotal: amounts?.subtotal ?? 0,
  bill: amounts === null ? null : billReply(ticket, amounts),
  ...paidReply(ticket, amounts, payments),
  ready: readyAt(items, kitchen) !== null,
  ready_at: timeOf(readyAt(items, kitchen)),
  ...endOf(ticket),
});

/** What is stored of tickets, in their order, with the checks of those that are open. */
interface TicketsRead {
  readonly tickets: readonly StoredTicket[];
  readonly items: readonly ItemWithOffers[];
  readonly checks: readonly TicketWithItems[];
  readonly shown: Shown;
}

/** In one snapshot; `tickets` of one shop. */
export const readTickets = async (
  tx: Kysely<Database>,
  orgId: Uuid,
  tickets: readonly StoredTicket[],
): Promise<TicketsRead> => {
  const open = tickets.filter(({ status }) => status === 'open');
  const ids = tickets.map(({ id }) => id);
  const items = await itemsOf(tx, orgId, ids);
  const checks = await loadTickets(tx, orgId, [...new Set(open.map(({ checkId }) => checkId))]);
  return { tickets, items, checks, shown: await shownWith(tx, orgId, tickets, items) };
};

/** In the order of the tickets, with what open ones come to now. */
export const repliesOf = async (
  app: App,
  caller: JobContext,
  { tickets, items, checks, shown }: TicketsRead,
): Promise<TicketReply[]> => {
  const amounts = new Map<Uuid, TicketAmounts>();
  for (const check of groupBy(checks, ({ ticket }) => ticket.checkId).values())
    for (const [id, bill] of await billsOf(app, caller, check)) amounts.set(id, bill.amounts);
  const itemsByTicket = groupBy(items, ({ ticketId }) => ticketId);
  return tickets.map((ticket) =>
    ticketReply(
      ticket,
      itemsByTicket.get(ticket.id) ?? [],
      amounts.get(ticket.id) ?? ticket.settledBill,
      shown,
    ),
  );
};

/** The ticket with what it comes to now. Throws NOT_FOUND. */
export const viewOf = async (
  { app }: Pick<FloorParts, 'app'>,
  caller: JobContext,
  orgId: Uuid,
  id: Uuid,
): Promise<TicketReply> => {
  const { ticket, items, tickets, shown } = await app.db.snapshot(async (tx) => {
    const found = await ticketById(tx, orgId, id);
    if (found === null) throw new Refusal('NOT_FOUND');
    const all = found.status === 'open' ? await loadTickets(tx, orgId, [found.checkId]) : [];
    const own = all.find((one) => one.ticket.id === id)?.items ?? (await itemsOf(tx, orgId, [id]));
    return { ticket: found, items: own, tickets: all, shown: await shownWith(tx, orgId, [found], own) };
  });
  const bill = (await billsOf(app, caller, tickets)).get(id);
  return ticketReply(ticket, items, bill?.amounts ?? ticket.settledBill, shown);
};

/** A check with its tickets and lines as they are stored, and what its open tickets come to (Decisions 12). */
import type { Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import { parseRate, type Piastres } from '../../kernel/money.ts';
import type { DiscountCut } from '../../menu/domain/menubook.ts';
import type { App } from '../../platform/app/app.ts';
import type { JobContext } from '../../platform/app/job-context.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { unitPrice } from '../../pricing/domain/frozen-cart.ts';
import type { Database } from '../../platform/store/schema.ts';
import { beginCheck } from '../domain/check.ts';
import type { CheckLine, CheckPart, CheckTerms, PartBill } from '../domain/check-part.ts';
import { isLive, type TicketAmounts, type TicketTerms } from '../domain/ticket.ts';
import { itemsOf, type ItemWithOffers } from '../store/ticket-item.ts';
import { ticketsOfChecks, type StoredTicket } from '../store/ticket.ts';

export interface TicketWithItems {
  readonly ticket: StoredTicket;
  /** Void ones too. */
  readonly items: readonly ItemWithOffers[];
}

/** The tickets of checks, without voided ones. */
export const loadTickets = async (
  db: Kysely<Database>,
  orgId: Uuid,
  checkIds: readonly Uuid[],
): Promise<readonly TicketWithItems[]> => {
  const tickets = await ticketsOfChecks(db, orgId, checkIds);
  const items = await itemsOf(
    db,
    orgId,
    tickets.map(({ id }) => id),
  );
  return tickets.map((ticket) => ({ ticket, items: items.filter(({ ticketId }) => ticketId === ticket.id) }));
};

/** Units of lines that a card pays for, by the line's id. */
export type RewardUnits = ReadonlyMap<Uuid, number>;

const NO_REWARDS: RewardUnits = new Map();

const unitsPaid = (ticket: StoredTicket, rewards: RewardUnits): RewardUnits =>
  ticket.settledBill === null ? rewards : new Map(Object.entries(ticket.settledBill.rewardUnits));

const lineOf = (
  { id, line, lineTotal, quantity, units, offers }: ItemWithOffers,
  free: number,
): CheckLine => ({
  ...{ id, offers, total: lineTotal - free * unitPrice(line) },
  units: units === null || free === quantity ? null : { ...units, quantity: quantity - free },
});

const cutOf = ({ discountType, discountRate, discountAmount }: StoredTicket): DiscountCut =>
  discountType === 'percentage'
    ? { dtype: 'percentage', rate: discountRate ?? '0' }
    : { dtype: 'fixed', amount: discountAmount ?? 0 };

const partOf = ({ ticket, items }: TicketWithItems, rewards: RewardUnits): CheckPart => {
  const free = unitsPaid(ticket, rewards);
  return {
    id: ticket.id,
    isAtTable: ticket.tableId !== null,
    lines: items.filter(isLive).map((item) => lineOf(item, free.get(item.id) ?? 0)),
    discount: ticket.discountShare === null ? null : { id: ticket.discountShare, cut: cutOf(ticket) },
    ...{ settled: ticket.settledBill, prepaid: ticket.prepaid, isPaidUp: ticket.isPaidUp },
  };
};

const checkTerms = ({ serviceRate, serviceTaxable, taxRate, taxInclusive }: TicketTerms): CheckTerms => ({
  ...{ serviceRate: parseRate(serviceRate), taxRate: parseRate(taxRate), serviceTaxable, taxInclusive },
});

export interface OpenBill {
  readonly amounts: TicketAmounts;
  readonly part: PartBill;
}

const rewardDiscountOf = (items: readonly ItemWithOffers[], rewards: RewardUnits): Piastres =>
  items.reduce((sum, { id, line }) => sum + (rewards.get(id) ?? 0) * unitPrice(line), 0);

/** The bills of the open tickets of one check, by ticket; `rewards` of the ticket that is about to be settled. */
export const billsOf = async (
  { dealSearches }: App,
  caller: JobContext,
  tickets: readonly TicketWithItems[],
  rewards: RewardUnits = NO_REWARDS,
): Promise<ReadonlyMap<Uuid, OpenBill>> => {
  const first = tickets.find(({ ticket }) => ticket.settledBill === null);
  if (first === undefined) return new Map();
  const parts = tickets.map((one) => partOf(one, rewards));
  const unfinished = beginCheck(parts, checkTerms(first.ticket));
  const bill = unfinished.finish(await dealSearches.bestDeals(unfinished, caller));
  return new Map(
    bill.parts.map((part): [Uuid, OpenBill] => {
      const items = tickets.find(({ ticket }) => ticket.id === part.id)?.items ?? [];
      const rewardDiscount = rewardDiscountOf(items, rewards);
      const { dealDiscount, discount, service, tax, total } = part;
      const subtotal = part.subtotal + rewardDiscount;
      const amounts = { subtotal, dealDiscount, rewardDiscount, discount, service, tax, total };
      return [part.id, { amounts, part }];
    }),
  );
};

/** A bill that comes to less than was paid of it in parts. */
export interface Overpaid {
  readonly ticketId: Uuid;
  readonly paid: Piastres;
  readonly total: Piastres;
}

export const overpaidOf = (
  tickets: readonly TicketWithItems[],
  bills: ReadonlyMap<Uuid, OpenBill>,
): readonly Overpaid[] =>
  tickets.flatMap(({ ticket: { id: ticketId, prepaid: paid } }) => {
    const total = bills.get(ticketId)?.amounts.total ?? paid;
    return paid > total ? [{ ticketId, paid, total }] : [];
  });

export const paidInParts = ({ paid, total }: Overpaid): Refusal =>
  new Refusal('PAID_IN_PARTS', { paid, total });

/** Throws PAID_IN_PARTS. */
export const refuseOverpaid = (
  tickets: readonly TicketWithItems[],
  bills: ReadonlyMap<Uuid, OpenBill>,
): void => {
  const [first] = overpaidOf(tickets, bills);
  if (first !== undefined) throw paidInParts(first);
};

const revisionsOf = (tickets: readonly TicketWithItems[]): string =>
  tickets.map(({ ticket }) => `${ticket.id} ${ticket.revision}`).join();

/** What was decided on a check before it was locked still holds. */
export const isUnchanged = (read: readonly TicketWithItems[], locked: readonly TicketWithItems[]): boolean =>
  revisionsOf(read) === revisionsOf(locked);

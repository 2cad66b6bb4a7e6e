/** A ticket is paid: its sale, its card, its booking and its table, in one transaction (Decisions 4, 12). */
import type { Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import { invalidInput } from '../../kernel/refusal.ts';
import { cardOfSale, memberCard, payWithCard, type CardOfSale } from '../../loyalty/app/shared.ts';
import type { Repeated } from '../../platform/app/answer.ts';
import type { JobContext } from '../../platform/app/job-context.ts';
import type { BodyOf, HeadersOf, PathOf } from '../../platform/contract/endpoint.ts';
import { at } from '../../platform/store/db.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { FrozenCart } from '../../pricing/domain/frozen-cart.ts';
import { rewardUse } from '../../pricing/domain/rewards.ts';
import { soldUnits } from '../../pricing/domain/sold-units.ts';
import { bookSale, takePayments } from '../../sales/app/shared.ts';
import type { NewSale } from '../../sales/domain/sale.ts';
import type { Actor } from '../../staff/app/access.ts';
import type * as contract from '../contract/settle.ts';
import { ticketCart, unitsByReward, type PaidByReward } from '../domain/ticket-sale.ts';
import { isLive, type PaidBill, type TicketAmounts } from '../domain/ticket.ts';
import { itemsOf } from '../store/ticket-item.ts';
import { updateTicket, type StoredTicket } from '../store/ticket.ts';
import { billsOf, isUnchanged, refuseOverpaid, type TicketWithItems } from './check.ts';
import { openCheck, refusingAsRead, runChange, ticketKey, type Apply, type ChangeContext } from './change.ts';
import { endPartPayments } from './part-payments.ts';
import { freeTables } from './tables.ts';
import { giveBack, rejectWaiting } from './void.ts';
import { claimedRewards } from './ticket-rewards.ts';
import type { TicketReply } from './ticket-reply.ts';
import { leavingBooking } from './with-booking.ts';
import type { FloorParts } from './parts.ts';

interface SettleRequest {
  readonly path: PathOf<typeof contract.settleTicket>;
  readonly body: BodyOf<typeof contract.settleTicket>;
  readonly headers: HeadersOf<typeof contract.settleTicket>;
  readonly actor: Actor;
  readonly caller: JobContext;
}

// ── Decision: before the check is locked, and again where it has changed meanwhile ─────────────

/** A ticket with all of its check. */
interface Seen {
  readonly db: Kysely<Database>;
  readonly ticket: StoredTicket;
  readonly tickets: readonly TicketWithItems[];
}

/** Null: the ticket has no member, or their card was erased. Throws INVALID_INPUT for a card that is none of the shop. */
const memberOf = async (
  { db, ticket: { orgId, cardId } }: Seen,
  named: string | null | undefined,
): Promise<CardOfSale | null> => {
  if (named) return memberCard(db, orgId, named.toLowerCase());
  return cardId === null ? null : cardOfSale(db, orgId, { cardId, customerId: null });
};

interface Decided {
  readonly amounts: TicketAmounts;
  readonly cart: FrozenCart;
  readonly rewards: readonly PaidByReward[];
  readonly member: CardOfSale | null;
}

const paidBill = ({ amounts, rewards }: Pick<Decided, 'amounts' | 'rewards'>): PaidBill => ({
  ...amounts,
  rewardUnits: Object.fromEntries(unitsByReward(rewards)),
});

/** Others of the check that were paid in parts come to no less once this one is settled. Throws PAID_IN_PARTS. */
const refuseOthersOverpaid = async (
  { app }: FloorParts,
  caller: JobContext,
  { ticket: { id }, tickets }: Seen,
  decided: Decided,
): Promise<void> => {
  if (tickets.every(({ ticket }) => ticket.id === id || ticket.prepaid === 0)) return;
  const after = tickets.map((one) =>
    one.ticket.id === id ? { ...one, ticket: { ...one.ticket, settledBill: paidBill(decided) } } : one,
  );
  refuseOverpaid(after, await billsOf(app, caller, after));
};

/** Null: no live line. Throws PAID_IN_PARTS and the refusals of rewards. */
const decide = async (
  parts: FloorParts,
  { body, caller }: SettleRequest,
  seen: Seen,
): Promise<Decided | null> => {
  const { ticket, tickets } = seen;
  const own = tickets.find((one) => one.ticket.id === ticket.id);
  const items = own?.items.filter(isLive) ?? [];
  if (items.length === 0) return null;
  const member = await memberOf(seen, body.member_id);
  const rewards = claimedRewards(items, body.rewards ?? [], member);
  const bills = await billsOf(parts.app, caller, tickets, unitsByReward(rewards));
  const bill = bills.get(ticket.id);
  if (own === undefined || bill === undefined) throw new Error('An open ticket has a bill.');
  refuseOverpaid([own], bills);
  const cart = ticketCart(items, bill.part, rewards);
  const decided = { amounts: bill.amounts, cart, rewards, member };
  await refuseOthersOverpaid(parts, caller, seen, decided);
  return decided;
};

// ── Write ───────────────────────────────────────────────────────────────────────────────────────

interface Paid extends Decided, Pick<NewSale, 'payments'> {
  readonly tillId: Uuid | null;
}

const payWithMember = async (
  { app }: FloorParts,
  { tx, log, ticket, now }: ChangeContext,
  { amounts, cart, rewards, member }: Decided,
): Promise<void> => {
  if (member === null) return;
  const { orgId, id: saleId, taxRate, taxInclusive } = ticket;
  const subtotal = amounts.subtotal - amounts.dealDiscount - amounts.rewardDiscount;
  const taxed = { tax_rate_applied: taxRate, tax_inclusive: taxInclusive };
  const sold = soldUnits({ cart, subtotal, discount_amount: amounts.discount, ...taxed });
  const paid = { orgId, saleId, card: member, rewards: rewards.map(rewardUse), sold };
  await payWithCard(tx, app, log, paid, now);
};

const book = async (
  { tx, log, ticket, actor, now }: ChangeContext,
  { amounts, cart, member, payments, tillId }: Paid,
): Promise<void> => {
  const { orgId, id, branchId, taxRate, taxInclusive, guestCount: covers } = ticket;
  const { subtotal, dealDiscount, rewardDiscount, discount, service, tax, total } = amounts;
  await bookSale(tx, log, {
    ...{ orgId, id, branchId, source: 'ticket', channel: 'dine_in', at: now, tillId },
    ...{ staffId: actor.staffId, cardId: member?.cardId ?? null, covers, customerName: null },
    ...{ subtotal, dealDiscount, rewardDiscount, discountAmount: discount, serviceCharge: service },
    ...{ deliveryFee: 0, taxRate, taxInclusive, tax, total, payments },
    ...{ cart: JSON.stringify(cart), staffDrinks: 0, staffDrinkDiscount: 0 },
  });
};

/** A ticket without a live line has nothing to sell: it is void. */
const endEmpty = async (context: ChangeContext): Promise<void> => {
  const { tx, ticket, now } = context;
  await updateTicket(tx, ticket, { status: 'voided', voided_at: at(now), void_reason: 'empty' });
  await freeTables(context, ticket);
};

const TIP_ON_NOTHING = {
  problem: 'has a tip, and the bill has no line',
  arabic: 'فيه بقشيش والحساب بلا طلبات',
} as const;

/** A void ticket has no sale that would keep it. Throws INVALID_INPUT. */
const refuseTipOnNothing = ({ payments }: SettleRequest['body']): void => {
  if (payments.some(({ tip }) => (tip ?? 0) > 0)) throw invalidInput({ path: 'payments', ...TIP_ON_NOTHING });
};

const end = async (context: ChangeContext, paid: Paid): Promise<void> => {
  const { tx, ticket, now } = context;
  await updateTicket(tx, ticket, {
    ...{ status: 'settled', settled_at: at(now), paid: JSON.stringify(paidBill(paid)) },
  });
  await freeTables(context, ticket);
};

const settling = async (parts: FloorParts, request: SettleRequest, read: StoredTicket): Promise<Apply> => {
  const { actor, body } = request;
  const seen = {
    db: parts.app.db.kysely,
    ticket: read,
    tickets: await openCheck(parts, read),
  };
  const before = await refusingAsRead(parts, read, seen.tickets, () => decide(parts, request, seen));
  return async (context) => {
    const { tx, ticket, tickets } = context;
    const { branchId, prepaid } = ticket;
    const isStill = isUnchanged(seen.tickets, tickets);
    const decided = isStill ? before : await decide(parts, request, { db: tx, ticket, tickets });
    const take = (total: number) =>
      takePayments(tx, { by: actor, branchId, total, prepaid, payments: body.payments });
    const rejected = await rejectWaiting(context, context.items);
    if (decided === null) {
      refuseTipOnNothing(body);
      if (body.payments.length > 0) await take(0);
      await endEmpty(context);
      await giveBack(context, rejected);
      return { detail: { total: 0 } };
    }
    const { total } = decided.amounts;
    const { payments, tillId } = await take(total);
    const paid = { ...decided, payments: [...(await endPartPayments(context)), ...payments], tillId };
    await payWithMember(parts, context, decided);
    await end(context, paid);
    await giveBack(context, rejected);
    await book(context, paid);
    return { detail: { total, till: tillId }, coversPaid: true };
  };
};

/** POST /staff/tickets/{id}/settle. */
export const settleTicket =
  (parts: FloorParts) =>
  async (request: SettleRequest): Promise<TicketReply | Repeated<TicketReply>> => {
    const { app } = parts;
    const { path, body, actor, caller } = request;
    const action = 'ticket.settled';
    const key = ticketKey(request, action);
    return runChange(
      parts,
      { id: path.id, actor, caller, revision: body.revision, key, action },
      {
        prepare: (ticket) => settling(parts, request, ticket),
        run: leavingBooking(parts, actor, async ({ orgId, id }) =>
          (await itemsOf(app.db.kysely, orgId, [id])).some(isLive) ? 'settled' : 'voided',
        ),
      },
    );
  };

/** A ticket is paid: its sale, its card, its booking and its table, in one transaction (Decisions 4, 12). */
import type { Uuid } from '../../kernel/ids.ts';
import { Refusal } from '../../kernel/refusal.ts';
import {
  cardOfSale,
  claimRewards,
  earnFor,
  earningCard,
  memberCard,
  noteVisit,
  type CardOfSale,
} from '../../loyalty/app/shared.ts';
import { settlingTicket } from '../../bookings/app/staff/with-ticket.ts';
import type { Repeated } from '../../platform/app/answer.ts';
import type { JobContext } from '../../platform/app/scheduler.ts';
import type { BodyOf, HeadersOf, PathOf } from '../../platform/contract/endpoint.ts';
import { at } from '../../platform/store/db.ts';
import type { FrozenCart } from '../../pricing/domain/frozen-cart.ts';
import { soldUnits } from '../../pricing/domain/sold-units.ts';
import { bookSale, takePayments } from '../../sales/app/shared.ts';
import type { TakenPayment } from '../../sales/domain/sale.ts';
import type { Actor } from '../../staff/app/access.ts';
import type * as contract from '../contract/settle.ts';
import { ticketCart, type PaidByReward } from '../domain/ticket-sale.ts';
import type { TicketAmounts } from '../domain/ticket.ts';
import { ticketById, updateTicket } from '../store/ticket.ts';
import { billsOf, isLive } from './check.ts';
import { changeTicket, ticketKey, type Apply, type ChangeContext } from './change.ts';
import { endPartPayments } from './part-payments.ts';
import { freeTables } from './tables.ts';
import { rejectWaiting } from './void.ts';
import { claimedRewards } from './ticket-rewards.ts';
import type { TicketReply } from './ticket-reply.ts';
import type { FloorParts } from './parts.ts';

interface SettleRequest {
  readonly path: PathOf<typeof contract.settleTicket>;
  readonly body: BodyOf<typeof contract.settleTicket>;
  readonly headers: HeadersOf<typeof contract.settleTicket>;
  readonly actor: Actor;
  readonly caller: JobContext;
}

/** Null: the ticket has no member, or their card was erased. Throws INVALID_INPUT for a card that is none of the shop. */
const memberOf = async (
  { tx, ticket }: ChangeContext,
  named: string | null | undefined,
): Promise<CardOfSale | null> => {
  if (named) return memberCard(tx, ticket.orgId, named.toLowerCase());
  return ticket.cardId === null
    ? null
    : cardOfSale(tx, ticket.orgId, { cardId: ticket.cardId, customerId: null });
};

interface Paid {
  readonly amounts: TicketAmounts;
  readonly cart: FrozenCart;
  readonly rewards: readonly PaidByReward[];
  readonly member: CardOfSale | null;
  readonly payments: readonly TakenPayment[];
  readonly tillId: Uuid | null;
}

/** Takes the cost of the rewards off the card. */
const payRewards = async (
  { app }: FloorParts,
  { tx, log, ticket, now }: ChangeContext,
  { member, cart }: Pick<Paid, 'member' | 'cart'>,
): Promise<void> => {
  const { rewards = [] } = cart;
  if (member?.programme == null || rewards.length === 0) return;
  const cost = rewards.reduce((sum, one) => sum + one.cost, 0);
  const { cardId, programme } = member;
  const claim = { orgId: ticket.orgId, saleId: ticket.id, cardId, mode: programme.mode, cost };
  const uses = rewards.map(({ reward_id, name, name_translations, units, cost: each }) => ({
    ...{ reward_id, name, name_translations, units, cost: each },
  }));
  const missing = await claimRewards(tx, app, log, { ...claim, rewards: uses }, now);
  if (missing !== null) throw new Refusal('REWARD_UNAVAILABLE', { balance: missing.balance, cost });
};

const book = async (
  { app }: FloorParts,
  { tx, log, ticket, actor, now }: ChangeContext,
  { amounts, cart, member, payments, tillId }: Paid,
): Promise<void> => {
  const { orgId, id, branchId, taxRate, taxInclusive } = ticket;
  const earning = earningCard(member);
  if (earning !== null) {
    const subtotal = amounts.subtotal - amounts.dealDiscount - amounts.rewardDiscount;
    const taxed = { tax_rate_applied: taxRate, tax_inclusive: taxInclusive };
    const sold = soldUnits({ cart, subtotal, discount_amount: amounts.discount, ...taxed });
    await earnFor(tx, app, log, { orgId, saleId: id, sold, card: earning, staffId: null }, now);
  }
  if (member !== null) await noteVisit(tx, orgId, member.cardId, now);
  await bookSale(tx, log, {
    ...{ orgId, id, branchId, source: 'ticket', channel: 'dine_in', at: now, tillId },
    ...{
      staffId: actor.staffId,
      cardId: member?.cardId ?? null,
      covers: ticket.guestCount,
      customerName: null,
    },
    ...{
      subtotal: amounts.subtotal,
      dealDiscount: amounts.dealDiscount,
      rewardDiscount: amounts.rewardDiscount,
    },
    ...{ discountAmount: amounts.discount, serviceCharge: amounts.service, deliveryFee: 0 },
    ...{ taxRate, taxInclusive, tax: amounts.tax, total: amounts.total, payments },
    ...{ cart: JSON.stringify(cart), staffDrinks: 0, staffDrinkDiscount: 0 },
  });
};

/** A ticket without a live line has nothing to sell: it is void. */
const endEmpty = async (context: ChangeContext): Promise<void> => {
  const { tx, ticket, now } = context;
  await updateTicket(tx, ticket, { status: 'voided', voided_at: at(now), void_reason: 'empty' });
  await freeTables(context, ticket);
};

const end = async (context: ChangeContext, { amounts, rewards }: Paid): Promise<void> => {
  const { tx, ticket, now } = context;
  const rewardUnits: Record<Uuid, number> = {};
  for (const { itemId, units } of rewards) rewardUnits[itemId] = (rewardUnits[itemId] ?? 0) + units;
  const paid = JSON.stringify({ ...amounts, rewardUnits });
  await updateTicket(tx, ticket, { status: 'settled', settled_at: at(now), paid });
  await freeTables(context, ticket);
};

const settling =
  (parts: FloorParts, { body, caller }: SettleRequest): Apply =>
  async (context) => {
    const { tx, ticket, actor, tickets } = context;
    const { orgId, branchId } = ticket;
    await rejectWaiting(context, context.items);
    const items = context.items.filter(isLive);
    const { prepaid } = ticket;
    const take = (total: number) =>
      takePayments(tx, { orgId, branchId, staffId: actor.staffId, total, prepaid, payments: body.payments });
    if (items.length === 0) {
      if (body.payments.length > 0) await take(0);
      await endEmpty(context);
      return { detail: { total: 0 } };
    }
    const member = await memberOf(context, body.member_id);
    const rewards = claimedRewards(items, body.rewards ?? [], member);
    const units = new Map(rewards.map(({ itemId }) => [itemId, unitsOf(rewards, itemId)]));
    const bill = (await billsOf(parts.scheduler, caller, tickets, units)).get(ticket.id);
    if (bill === undefined) throw new Error('An open ticket has a bill.');
    const { amounts, part } = bill;
    const cart = ticketCart(items, part, rewards);
    const taken = await take(amounts.total);
    const payments = [...(await endPartPayments(context)), ...taken.payments];
    const paid: Paid = { amounts, cart, rewards, member, payments, tillId: taken.tillId };
    await payRewards(parts, context, paid);
    await end(context, paid);
    await book(parts, context, paid);
    return { detail: { total: amounts.total, till: taken.tillId } };
  };

const unitsOf = (rewards: readonly PaidByReward[], itemId: Uuid): number =>
  rewards.reduce((sum, one) => sum + (one.itemId === itemId ? one.units : 0), 0);

/** POST /staff/tickets/{id}/settle. */
export const settleTicket =
  (parts: FloorParts) =>
  async (request: SettleRequest): Promise<TicketReply | Repeated<TicketReply>> => {
    const { app } = parts;
    const { path, body, actor, caller } = request;
    const action = 'ticket.settled';
    const key = ticketKey(request, action);
    return changeTicket(
      parts,
      { id: path.id, actor, caller, revision: body.revision, key, action },
      {
        prepare: () => settling(parts, request),
        run: async (work) => {
          const ticket = await ticketById(app.db.kysely, actor.orgId, path.id);
          if (ticket === null) throw new Refusal('NOT_FOUND');
          const { branchId, status } = ticket;
          const bookingId = status === 'open' ? ticket.bookingId : null;
          return settlingTicket(app, { actor, branchId, bookingId }, work);
        },
      },
    );
  };

/** What the lines of a ticket that a device settled come to (Decisions 13); the recorded total stands beside it. */
import type { Uuid } from '../../../kernel/ids.ts';
import { cardOfSale, paidWithCard, type CardOfSale, type VoucherLimit } from '../../../loyalty/app/shared.ts';
import type { ReplayContext } from '../../../platform/app/replay.ts';
import { reason, type ReviewReason } from '../../../platform/domain/review.ts';
import type { FrozenCart } from '../../../pricing/domain/frozen-cart.ts';
import { paysFor, rewardUse } from '../../../pricing/domain/rewards.ts';
import { soldUnits } from '../../../pricing/domain/sold-units.ts';
import { ticketCart, unitsByReward, type PaidByReward } from '../../domain/ticket-sale.ts';
import { isLive, type PaidBill, type RecordedBill, type TicketAmounts } from '../../domain/ticket.ts';
import type { ItemWithOffers } from '../../store/ticket-item.ts';
import { billsOf, type TicketWithItems } from '../check.ts';
import type { TicketOfEvent } from './locked-ticket.ts';
import type { DeviceFloorParts } from './parts.ts';

export interface WorkedOut {
  readonly amounts: TicketAmounts;
  readonly cart: FrozenCart;
  readonly rewards: readonly PaidByReward[];
  readonly card: CardOfSale | null;
  /** The total is the recorded one, and the lines that rewards paid for are there. */
  readonly addsUp: boolean;
  readonly reasons: readonly ReviewReason[];
}

/** The rewards that the programme has, for lines that are there. */
const validRewards = (
  items: readonly ItemWithOffers[],
  { rewards }: Pick<RecordedBill, 'rewards'>,
  card: CardOfSale | null,
): readonly PaidByReward[] => {
  const taken = new Map<Uuid, number>();
  return rewards.flatMap(({ rewardId, itemId, units }): PaidByReward[] => {
    const reward = card?.programme?.rewards.find(({ id }) => id === rewardId);
    const item = items.find(({ id }) => id === itemId);
    if (reward === undefined || item === undefined || item.units === null) return [];
    const dealUnits = { ...item.units, line: 0, quantity: item.quantity };
    const all = (taken.get(itemId) ?? 0) + units;
    if (all > item.quantity || !paysFor(reward, { dealUnits })) return [];
    taken.set(itemId, all);
    return [{ reward, itemId, units }];
  });
};

const NOTHING: TicketAmounts = {
  ...{ subtotal: 0, dealDiscount: 0, rewardDiscount: 0, discount: 0, service: 0, tax: 0, total: 0 },
};
const NO_LINES: FrozenCart = { lines: [], deals: [], rewards: [] };

/** Of a check with this ticket open. */
const asOpen = ({ tickets, ticket }: TicketOfEvent): readonly TicketWithItems[] =>
  tickets.map((one) =>
    one.ticket.id === ticket.id ? { ...one, ticket: { ...one.ticket, settledBill: null } } : one,
  );

export const workOut = async (
  { app }: DeviceFloorParts,
  { tx, orgId, caller }: ReplayContext,
  of: TicketOfEvent,
  recorded: Omit<RecordedBill, 'isCounted'>,
): Promise<WorkedOut> => {
  const { cardId, total } = recorded;
  const card = cardId === null ? null : await cardOfSale(tx, orgId, { cardId, customerId: null });
  const items = of.items.filter(isLive);
  const rewards = validRewards(items, recorded, card);
  const bill = (await billsOf(app, caller, asOpen(of), unitsByReward(rewards))).get(of.ticket.id);
  const isEmpty = bill === undefined || items.length === 0;
  const amounts = isEmpty ? NOTHING : bill.amounts;
  return {
    addsUp:
      amounts.total === total &&
      recorded.rewards.every(({ itemId }) => items.some(({ id }) => id === itemId)),
    ...{ amounts, rewards, card, cart: isEmpty ? NO_LINES : ticketCart(items, bill.part, rewards) },
    reasons: [
      ...(amounts.total === total
        ? []
        : [reason('total_differs', { recorded: total, expected: amounts.total })]),
      ...(cardId !== null && card === null ? [reason('card_unknown')] : []),
      ...(rewards.length < recorded.rewards.length ? [reason('reward_unknown')] : []),
    ],
  };
};

/** Reasons that go when the lines and the total agree; what the card had is found once, and stays. */
export const WORKED_OUT = ['total_differs', 'card_unknown', 'reward_unknown'] as const;

/** As it is kept with the ticket: the recorded total stands. */
export const paidBillOf = ({ amounts, rewards }: WorkedOut, recorded: RecordedBill): PaidBill => ({
  ...{ ...amounts, total: recorded.total },
  ...{ rewardUnits: Object.fromEntries(unitsByReward(rewards)), recorded },
});

/** The sale's columns. */
export const saleAmountsOf = ({ amounts, cart }: WorkedOut, { total }: RecordedBill) => ({
  ...{
    subtotal: amounts.subtotal,
    dealDiscount: amounts.dealDiscount,
    rewardDiscount: amounts.rewardDiscount,
  },
  ...{ discountAmount: amounts.discount, serviceCharge: amounts.service, tax: amounts.tax, total },
  ...{ recordedDifference: total - amounts.total, cart: JSON.stringify(cart) },
});

/** The card pays for its rewards and earns, once, when the bill adds up. */
export const countWithCard = async (
  { app }: DeviceFloorParts,
  { tx, log, orgId, at }: ReplayContext,
  { ticket }: TicketOfEvent,
  { amounts, cart, rewards, card }: WorkedOut,
  { saleId, voucher }: { readonly saleId: Uuid; readonly voucher: VoucherLimit | null },
): Promise<readonly ReviewReason[]> => {
  if (card === null) return [];
  const { taxRate: tax_rate_applied, taxInclusive: tax_inclusive } = ticket;
  const subtotal = amounts.subtotal - amounts.dealDiscount - amounts.rewardDiscount;
  const sold = soldUnits({
    cart,
    subtotal,
    discount_amount: amounts.discount,
    tax_rate_applied,
    tax_inclusive,
  });
  const paid = { orgId, saleId, card, voucher, rewards: rewards.map(rewardUse), sold };
  return paidWithCard(tx, app, log, paid, at);
};

/** A sale over the counter that a device made (Decisions 13): prices and total as recorded, never refused. */
import { singleLine } from '../../../kernel/free-text.ts';
import { fireToKitchen } from '../../../kitchen/app/shared.ts';
import { wasJustFired } from '../../../kitchen/domain/firing.ts';
import {
  cardOfSale,
  checkVoucher,
  paidWithCard,
  type CardOfSale,
  type VoucherLimit,
} from '../../../loyalty/app/shared.ts';
import { recordAudit } from '../../../platform/app/audit.ts';
import type { ApplyEvent, ReplayContext } from '../../../platform/app/replay.ts';
import { reason, type ReviewReason } from '../../../platform/domain/review.ts';
import { claimsOf, staffDrinksOf, type StaffDrink } from '../../../pricing/app/cart-input.ts';
import { refuseDearSale, type RecordedSale } from '../../../pricing/app/recorded-sale.ts';
import { frozenCart, withoutNotes } from '../../../pricing/domain/frozen-cart.ts';
import { beginPriced, type Quote } from '../../../pricing/domain/quote.ts';
import { validClaims, rewardUse, type RewardClaim } from '../../../pricing/domain/rewards.ts';
import { soldUnits } from '../../../pricing/domain/sold-units.ts';
import type { SaleEventData } from '../../contract/events.ts';
import { recordedPayments } from '../../domain/recorded-payments.ts';
import { salePlace, type SalePlace } from '../../store/sale.ts';
import { bookSale } from '../book-sale.ts';
import { quotedAmounts } from '../quoted-amounts.ts';
import { countDrinksOfDevice, recordDrinksOfDevice } from './drinks-of-device.ts';
import { isKnownSale } from './known-ids.ts';
import { takenInto, tillOfEvent, type TillOfEvent } from './money-of-device.ts';
import type { DeviceSaleParts } from './parts.ts';
import { takeUnitsGone } from './units-gone.ts';

type Data = SaleEventData['sale'];

// ── What was sold ───────────────────────────────────────────────────────────────────────────────

interface Priced {
  readonly sale: RecordedSale;
  readonly quote: Quote;
  readonly drinks: readonly StaffDrink[];
  readonly card: CardOfSale | null;
  readonly voucher: VoucherLimit | null;
  readonly reasons: readonly ReviewReason[];
}

/** Null: the event names none, or one that is none of the shop. */
const cardOf = async (
  { tx, orgId }: ReplayContext,
  id: string | null | undefined,
): Promise<CardOfSale | null> => (id ? cardOfSale(tx, orgId, { cardId: id, customerId: null }) : null);

/** Throws INVALID_INPUT for an event that no sale can be made of. */
const priced = async (
  { app, recorded }: DeviceSaleParts,
  context: ReplayContext,
  { items, member_id: member, rewards, voucher: text }: Data,
): Promise<Priced> => {
  const { tx, orgId, branchId, at } = context;
  const drinks = staffDrinksOf(items, 'data.items');
  const sale = await recorded.saleAt(tx, { orgId, branchId, at, items });
  const card = await cardOf(context, member);
  const claims: readonly RewardClaim[] = claimsOf(rewards);
  const redemption = card && {
    ...{ programme: card.programme, balances: card.balances },
    claims: validClaims(claims, card.programme, sale.cart.lines),
  };
  // Service is for tickets at a table.
  const terms = { ...sale.terms, serviceRate: 0 };
  const { deals, discount } = sale.book.menu;
  const staffDrinks = new Set(drinks.map(({ lineIndex }) => lineIndex));
  const priced = {
    lines: sale.cart.lines,
    deals,
    cut: discount?.cut ?? null,
    terms,
    redemption,
    staffDrinks,
  };
  const unfinished = beginPriced(priced);
  const quote = unfinished.finish(await app.dealSearches.bestDeals(unfinished, context.caller));
  refuseDearSale(sale, quote.bill.total);
  const checked = await checkVoucher(app, context, { text, card, hasRewards: claims.length > 0 });
  return {
    ...{ sale, quote, drinks, card, voucher: checked.limit },
    reasons: [
      ...sale.cart.reasons,
      ...(member && card === null ? [reason('card_unknown')] : []),
      ...((redemption?.claims.length ?? 0) < claims.length ? [reason('reward_unknown')] : []),
      ...checked.reasons,
    ],
  };
};

// ── Write ───────────────────────────────────────────────────────────────────────────────────────

const payWithCard = async (
  { app }: DeviceSaleParts,
  { tx, log, orgId, at }: ReplayContext,
  { sale, quote, card, voucher }: Priced,
  saleId: string,
): Promise<readonly ReviewReason[]> => {
  if (card === null) return [];
  const { taxRate, taxInclusive } = sale.branch;
  const bill = { subtotal: quote.totalAfterDeals, discount_amount: quote.bill.discount };
  const taxed = { tax_rate_applied: taxRate, tax_inclusive: taxInclusive };
  const sold = soldUnits({ cart: frozenCart(quote), ...bill, ...taxed });
  const paid = { orgId, saleId, card, voucher, rewards: quote.rewards.map(rewardUse), sold };
  return paidWithCard(tx, app, log, paid, at);
};

const fire = async (
  { app }: DeviceSaleParts,
  { tx, log, orgId, branchId, at, now }: ReplayContext,
  { quote }: Priced,
  about: { readonly sourceId: string; readonly reference: string; readonly name: string | null },
): Promise<void> => {
  const lines = frozenCart(quote).lines.map((line) => ({ lineId: null, line }));
  const firing = { orgId, branchId, source: 'sale', round: 1, notes: null, promisedAt: null } as const;
  const isMade = !wasJustFired(at, now);
  await fireToKitchen(app, tx, log, { ...firing, ...about, tableIds: [], isMade, lines }, at);
};

const differences = (recorded: number, expected: number): readonly ReviewReason[] =>
  recorded === expected ? [] : [reason('total_differs', { recorded, expected })];

interface Booking {
  readonly place: SalePlace;
  readonly till: TillOfEvent;
}

const book = async (
  parts: DeviceSaleParts,
  context: ReplayContext,
  data: Data,
  decided: Priced,
  { place, till }: Booking,
): Promise<readonly ReviewReason[]> => {
  const { tx, log, orgId, branchId, staffId, deviceId, at, now } = context;
  const { sale_id: id, total } = data;
  const { sale, quote, drinks, card } = decided;
  const { tillId, isLate } = till;
  const { payments, reasons } = recordedPayments(total, takenInto(data.payments, place, till));
  const amounts = quotedAmounts(quote, sale.branch, drinks);
  const name = singleLine(data.customer_name);
  const found = [...(await payWithCard(parts, context, decided, id))];
  found.push(...(await countDrinksOfDevice(context, place, drinks)), ...(await takeUnitsGone(context, sale)));
  const reference = await bookSale(tx, log, {
    ...{ orgId, id, branchId, source: 'replay', channel: 'dine_in', at, tillId, isLate },
    ...{ staffId, cardId: card?.cardId ?? null, covers: null, customerName: name },
    ...{ ...amounts, total, recordedDifference: total - amounts.total },
    payments,
    cart: JSON.stringify(withoutNotes(frozenCart(quote))),
  });
  found.push(...(await recordDrinksOfDevice(context, id, drinks)));
  await fire(parts, context, decided, { sourceId: id, reference, name });
  await recordAudit(parts.app, tx, {
    ...{ orgId, staffId, deviceId, branchId, at: now, action: 'sale.replayed' },
    ...{ subject: 'sale', subjectId: id, detail: { total, till: tillId } },
  });
  return [...differences(total, amounts.total), ...reasons, ...found];
};

export const recordSale =
  (parts: DeviceSaleParts): ApplyEvent<Data> =>
  async (context, data) => {
    const { tx, orgId, branchId } = context;
    if (await isKnownSale(context, data.sale_id)) return 'known';
    const till = await tillOfEvent(context, data);
    if ('waitsFor' in till) return till;
    const place = await salePlace(tx, orgId, branchId);
    if (place === null) throw new Error('An event is of a branch.');
    const decided = await priced(parts, context, data);
    const reasons = await book(parts, context, data, decided, { place, till });
    return { reasons: [...till.reasons, ...decided.reasons, ...reasons] };
  };

/** Money that a device gave back (Decisions 13): what is more than the sale has left is cash that was paid out. */
import { businessDate } from '../../../kernel/business-date.ts';
import type { Uuid } from '../../../kernel/ids.ts';
import type { Piastres } from '../../../kernel/money.ts';
import { singleLine } from '../../../kernel/free-text.ts';
import { recordAudit } from '../../../platform/app/audit.ts';
import type { Applied, ApplyEvent, ReplayContext } from '../../../platform/app/replay.ts';
import { reason, type ReviewReason } from '../../../platform/domain/review.ts';
import type { SaleEventData } from '../../contract/events.ts';
import { unknownMethods } from '../../domain/recorded-payments.ts';
import {
  beyondUnits,
  forAmount,
  refundAmounts,
  spansLeft,
  withinTax,
  type UnitSpan,
} from '../../domain/refund.ts';
import { CASH } from '../../domain/till.ts';
import { RESTOCKS } from '../../domain/void-reason.ts';
import { insertRefund } from '../../store/refund.ts';
import { lockSale, salePlace, type SalePlace, type StoredSale } from '../../store/sale.ts';
import { tillById } from '../../store/till.ts';
import { wasUndone } from '../../store/undone-sale.ts';
import { saleChange, tillChanges } from '../changes.ts';
import { changeCard, giveBackStock, refundMethods, wantedIn, type DecidedRefund } from '../refund.ts';
import { refundedUnits, saleMoney } from '../sold-left.ts';
import { recordMovement } from '../tills/cash.ts';
import { isKnownRefund } from './known-ids.ts';
import { tillOfEvent, type TillOfEvent } from './money-of-device.ts';
import type { DeviceSaleParts } from './parts.ts';

type Data = SaleEventData['refund'];

/** Cash that left the till without a sale that it came from. */
const payOut = async (
  { app }: DeviceSaleParts,
  context: ReplayContext,
  { tillId, isLate }: TillOfEvent,
  { amount, reference }: { readonly amount: number; readonly reference: string | null },
): Promise<void> => {
  const { tx, orgId, at } = context;
  const till = tillId === null ? null : await tillById(tx, orgId, tillId);
  if (till === null || amount === 0) return;
  const text = reference === null ? 'Refund' : `Refund ${reference}`;
  const movement = { kind: 'pay_out', amount, reason: text, at, isLate } as const;
  await recordMovement(app, { ...context, by: context }, till, movement);
};

interface Refunding {
  readonly sale: StoredSale;
  readonly spans: readonly UnitSpan[];
  /** Every unit that the event names is among them. */
  readonly isAll: boolean;
  readonly place: SalePlace;
  readonly till: TillOfEvent;
  readonly data: Data;
}

const writeRefund = async (
  { app }: DeviceSaleParts,
  context: ReplayContext,
  { sale, spans, isAll, place, till, data }: Refunding,
): Promise<Piastres> => {
  const { tx, log, orgId, staffId, at } = context;
  const before = { lines: sale.cart.lines, refunded: refundedUnits(sale) };
  const money = saleMoney(sale);
  const left = sale.total - sale.refunded;
  const amount = Math.min(data.amount, left);
  const ofUnits = refundAmounts(before, sale, spans);
  // Of a sale without units all that is left goes back.
  const expected = isAll && spans.length === 0 ? beyondUnits(money, ofUnits, left) : ofUnits;
  const amounts = withinTax(
    money,
    isAll ? forAmount(expected, amount) : beyondUnits(money, expected, amount),
  );
  const refunded = new Map(before.refunded);
  for (const { index, from, units } of spans) refunded.set(index, from + units);
  const decided: DecidedRefund = { id: data.refund_id, sale, spans, amounts, refunded };
  if (spans.length > 0) await changeCard(app, tx, log, decided, at);
  if (RESTOCKS[data.reason]) await giveBackStock(tx, log, decided);
  const { tillId, isLate } = till;
  await insertRefund(tx, {
    ...{ orgId, id: data.refund_id, saleId: sale.id, branchId: sale.branchId, at, tillId, isLate, staffId },
    businessDate: businessDate(place.zone, at, place.dayStartsAt),
    ...{ amount: amounts.amount, tax: amounts.tax, deliveryFee: amounts.deliveryFee, method: data.method },
    ...{ reason: data.reason, note: singleLine(data.note), isRestocked: RESTOCKS[data.reason] },
    lines: spans.map((span, index) => ({ ...span, amount: amounts.lines[index] ?? 0 })),
  });
  return expected.amount;
};

const moneyOf = (data: Data) => ({ till_id: data.till_id, payments: [data] });

/** What the sale has left goes back, also for units that it has not. */
const give = async (
  parts: DeviceSaleParts,
  context: ReplayContext,
  of: Omit<Refunding, 'spans' | 'isAll'>,
): Promise<{ readonly isWritten: boolean; readonly reasons: readonly ReviewReason[] }> => {
  const { sale, till, data } = of;
  const left = sale.total - sale.refunded;
  const { amount } = data;
  const { spans, isAll } = spansLeft(
    { lines: sale.cart.lines, refunded: refundedUnits(sale) },
    wantedIn(data, 'data.lines'),
  );
  const isWritten = spans.length > 0 || Math.min(amount, left) > 0;
  const expected = isWritten ? await writeRefund(parts, context, { ...of, spans, isAll }) : amount;
  const beyond = Math.max(0, amount - left);
  if (data.method === CASH) await payOut(parts, context, till, { amount: beyond, reference: sale.reference });
  const inNoLine = isAll || !isWritten ? 0 : Math.max(0, Math.min(amount, left) - expected);
  const reasons = [
    ...(beyond > 0 || !isWritten ? [reason('refund_beyond', { amount, left })] : []),
    ...(inNoLine > 0 ? [reason('refund_units', { amount: inNoLine })] : []),
    ...(isAll && amount !== expected ? [reason('refund_differs', { recorded: amount, expected })] : []),
  ];
  return { isWritten, reasons };
};

const placeAt = async ({ tx, orgId }: ReplayContext, branchId: Uuid): Promise<SalePlace> => {
  const place = await salePlace(tx, orgId, branchId);
  if (place === null) throw new Error('A sale is of a branch.');
  return place;
};

const auditRefund = (
  { app }: DeviceSaleParts,
  { tx, orgId, staffId, deviceId, branchId, now }: ReplayContext,
  subjectId: Uuid,
  { refund_id, amount }: Data,
  { tillId }: TillOfEvent,
): Promise<void> =>
  recordAudit(app, tx, {
    ...{ orgId, staffId, deviceId, branchId, at: now, action: 'sale.refunded', subject: 'sale', subjectId },
    detail: { refund_id, amount, till: tillId },
  });

/**
 * The money of the sale is among that of another one, or of a bill: a second settlement, a part-payment. Lines and total of
 * that one are of other guests too, so it stays as it is, and all that went back left the till. So it does where the sale is
 * there no more, because its order was reopened.
 */
const refundOfOther = async (
  parts: DeviceSaleParts,
  context: ReplayContext,
  data: Data,
  otherId: Uuid,
): Promise<Applied> => {
  const { amount } = data;
  if (await isKnownRefund(context, data.refund_id)) return 'known';
  const till = await tillOfEvent(context, moneyOf(data));
  if ('waitsFor' in till) return till;
  if (data.method === CASH) await payOut(parts, context, till, { amount, reference: null });
  await auditRefund(parts, context, otherId, data, till);
  context.log.add(context.orgId, ...tillChanges([till.tillId]));
  const ofMethod = unknownMethods([data], refundMethods(await placeAt(context, context.branchId), []));
  return {
    reasons: [reason('refund_of_other', { amount }), ...ofMethod, ...till.reasons],
    resultId: otherId,
  };
};

export const recordRefund =
  (parts: DeviceSaleParts): ApplyEvent<Data> =>
  async (context, data): Promise<Applied> => {
    const { tx, log, orgId, branchId, becameOf } = context;
    wantedIn(data, 'data.lines');
    const sale = await lockSale(tx, orgId, data.sale_id);
    if (sale === null) {
      const isUndone = await wasUndone(tx, orgId, data.sale_id);
      const otherId = isUndone ? data.sale_id : await becameOf(data.sale_id);
      return otherId === null ? { waitsFor: data.sale_id } : refundOfOther(parts, context, data, otherId);
    }
    if (await isKnownRefund(context, data.refund_id)) return 'known';
    const till = await tillOfEvent(context, moneyOf(data));
    if ('waitsFor' in till) return till;
    const place = await placeAt(context, sale.branchId);
    const given = await give(parts, context, { sale, place, till, data });
    const reasons = [...unknownMethods([data], refundMethods(place, sale.payments)), ...given.reasons];
    await auditRefund(parts, context, sale.id, data, till);
    log.add(orgId, saleChange(sale.id), ...tillChanges([till.tillId]));
    const ofBranch = sale.branchId === branchId ? [] : [reason('sale_elsewhere', { sale_id: sale.id })];
    const unwritten = given.isWritten ? {} : { resultId: sale.id };
    return { reasons: [...till.reasons, ...ofBranch, ...reasons], ...unwritten };
  };

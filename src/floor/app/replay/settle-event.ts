/** A ticket that a device settled (Decisions 13): the money was taken, whatever has become of the ticket. */
import { businessDate } from '../../../kernel/business-date.ts';
import type { Uuid } from '../../../kernel/ids.ts';
import { releaseTicket } from '../../../bookings/app/staff/with-ticket.ts';
import { checkVoucher } from '../../../loyalty/app/shared.ts';
import type { Applied, ApplyEvent, ReplayContext } from '../../../platform/app/replay.ts';
import { reason, type ReviewReason } from '../../../platform/domain/review.ts';
import { at as timestamp } from '../../../platform/store/db.ts';
import {
  addPayments,
  bookSale,
  isKnownSale,
  paidAgain,
  recordedPayments,
  saleChange,
  salePlace,
  takenInto,
  tillChanges,
  tillOfEvent,
} from '../../../sales/app/shared.ts';
import type { TicketEventData } from '../../contract/events.ts';
import type { RecordedBill } from '../../domain/ticket.ts';
import { ticketById, tillDiscount, updateTicket, type StoredTicket } from '../../store/ticket.ts';
import { checkChanges } from '../change.ts';
import { endPartPayments } from '../part-payments.ts';
import { freeTables } from '../tables.ts';
import { giveBack, rejectWaiting } from '../void.ts';
import { auditStep } from './audit-step.ts';
import { lockedTicket, type TicketOfEvent } from './locked-ticket.ts';
import type { DeviceFloorParts } from './parts.ts';
import { paidBeyond } from './paid-beyond.ts';
import { payMerged } from './pay-merged.ts';
import { hasCuts, type Settling } from './settling.ts';
import { countWithCard, paidBillOf, saleAmountsOf, workOut } from './worked-out-bill.ts';

type Data = TicketEventData['ticket_settle'];

// ── A ticket that was paid before ───────────────────────────────────────────────────────────────

/** Both payments are on its sale, the second one beyond its total. */
const paySecond = async (
  parts: DeviceFloorParts,
  context: ReplayContext,
  settling: Settling,
  saleId: Uuid,
): Promise<Applied> => {
  const { tx, log, orgId } = context;
  const { data, till, of, place } = settling;
  const { ticket } = of;
  const { payments, reasons, amount } = paidAgain(takenInto(data.payments, place, till));
  const { tillId } = till;
  await addPayments(tx, orgId, saleId, payments);
  await auditStep(parts, context, ticket.id, {
    step: 'settled again',
    sale_id: saleId,
    total: data.total,
    till: tillId,
  });
  log.add(orgId, saleChange(saleId), ...tillChanges([tillId]));
  const twice = reason('settled_twice', { sale_id: saleId, amount });
  return { reasons: [twice, ...reasons, ...till.reasons], resultId: saleId };
};

// ── A ticket that is paid now ───────────────────────────────────────────────────────────────────

/** The discount that the event names, from the discounts of tills. */
const withDiscount = async (
  { app }: DeviceFloorParts,
  { tx, orgId, branchId, at }: ReplayContext,
  { of, data: { discount_id: id }, place }: Settling,
): Promise<{ readonly of: TicketOfEvent; readonly reasons: readonly ReviewReason[] }> => {
  if (!id || id === of.ticket.discountId) return { of, reasons: [] };
  const date = businessDate(place.zone, at, place.dayStartsAt);
  const found = await tillDiscount(tx, orgId, branchId, id, date);
  if (found === null) return { of, reasons: [reason('discount_unknown')] };
  const share = app.random.uuid();
  await updateTicket(tx, of.ticket, {
    ...{ discount_id: found.id, discount_share: share, discount_name: found.name },
    ...{ discount_type: found.dtype, discount_rate: found.rate, discount_amount: found.amount },
  });
  const ticket = {
    ...{ ...of.ticket, discountId: found.id, discountShare: share, discountName: found.name },
    ...{ discountType: found.dtype, discountRate: found.rate, discountAmount: found.amount },
    revision: of.ticket.revision + 1,
  };
  const tickets = of.tickets.map((one) => (one.ticket.id === ticket.id ? { ...one, ticket } : one));
  return { of: { ...of, ticket, tickets }, reasons: [] };
};

const recordedOf = ({ data, of }: Settling): Omit<RecordedBill, 'isCounted'> => ({
  total: data.total,
  cardId: data.member_id ?? of.ticket.cardId,
  rewards: (data.rewards ?? []).map(({ reward_id: rewardId, item_id: itemId, units }) => ({
    ...{ rewardId, itemId, units },
  })),
});

const payFirst = async (
  parts: DeviceFloorParts,
  context: ReplayContext,
  settling: Settling,
): Promise<readonly ReviewReason[]> => {
  const { tx, log, orgId, branchId, staffId, at } = context;
  const { data, till, place } = settling;
  const { of, reasons: ofDiscount } = await withDiscount(parts, context, settling);
  const { ticket } = of;
  const { sale_id: saleId, total } = data;
  const rejected = await rejectWaiting(of, of.items);
  const bill = recordedOf(settling);
  const worked = await workOut(parts, context, of, bill);
  const isCounted = worked.addsUp;
  const spent = { text: data.voucher, card: worked.card, hasRewards: bill.rewards.length > 0 };
  const { limit: voucher, reasons: ofVoucher } = await checkVoucher(parts.app, context, spent);
  const recorded = { ...bill, voucher, isCounted };
  const taken = recordedPayments(total, takenInto(data.payments, place, till), await endPartPayments(of));
  const counted = isCounted ? await countWithCard(parts, context, of, worked, { saleId, voucher }) : [];
  const ended = {
    settled_at: timestamp(at),
    sale_id: saleId,
    paid: JSON.stringify(paidBillOf(worked, recorded)),
  };
  await updateTicket(tx, ticket, { status: 'settled', ...ended });
  await freeTables(of, ticket);
  await giveBack(of, rejected);
  const { tillId, isLate } = till;
  await bookSale(tx, log, {
    ...{ orgId, id: saleId, branchId, source: 'replay', channel: 'dine_in', at, tillId, isLate, staffId },
    ...{
      cardId: isCounted ? (worked.card?.cardId ?? null) : null,
      covers: ticket.guestCount,
      customerName: null,
    },
    ...{ ...saleAmountsOf(worked, recorded), taxRate: ticket.taxRate, taxInclusive: ticket.taxInclusive },
    ...{ deliveryFee: 0, staffDrinks: 0, staffDrinkDiscount: 0 },
    payments: taken.payments,
  });
  if (ticket.bookingId !== null) await releaseTicket(tx, orgId, ticket.bookingId);
  await auditStep(parts, context, ticket.id, { step: 'settled', sale_id: saleId, total, till: tillId });
  log.add(orgId, ...checkChanges(ticket, of.tickets));
  const ofOthers = await paidBeyond(parts, context, settling.of);
  const ofMoney = [...taken.reasons, ...till.reasons, ...ofOthers];
  return [...ofDiscount, ...worked.reasons, ...ofVoucher, ...counted, ...ofMoney];
};

// ── A ticket that was voided before ─────────────────────────────────────────────────────────────

/** The money was taken: a sale without lines, which the ticket of the event names. */
const payVoided = async (
  parts: DeviceFloorParts,
  context: ReplayContext,
  settling: Settling,
  own: StoredTicket,
): Promise<Applied> => {
  const { tx, log, orgId, branchId, staffId, at } = context;
  const { data, till, of, place } = settling;
  const { ticket } = of;
  const { sale_id: id, total } = data;
  const { payments, reasons } = recordedPayments(total, takenInto(data.payments, place, till));
  const { tillId, isLate } = till;
  await bookSale(tx, log, {
    ...{
      orgId,
      id,
      branchId,
      source: 'replay',
      channel: 'dine_in',
      at,
      tillId,
      isLate,
      staffId,
      cardId: null,
    },
    ...{ covers: null, customerName: null, taxRate: ticket.taxRate, taxInclusive: ticket.taxInclusive },
    ...{
      subtotal: 0,
      dealDiscount: 0,
      rewardDiscount: 0,
      discountAmount: 0,
      serviceCharge: 0,
      tax: 0,
      total,
    },
    ...{ deliveryFee: 0, staffDrinks: 0, staffDrinkDiscount: 0, recordedDifference: total },
    cart: JSON.stringify({ lines: [], deals: [], rewards: [] }),
    payments,
  });
  await updateTicket(tx, own, { sale_id: id });
  await auditStep(parts, context, ticket.id, {
    step: 'settled after it was voided',
    sale_id: id,
    total,
    till: tillId,
  });
  const endedBefore = reason('ticket_ended', { ticket_id: ticket.id, status: ticket.status });
  const cuts = hasCuts(settling) ? [reason('cuts_left_out')] : [];
  return { reasons: [endedBefore, ...cuts, ...reasons, ...till.reasons] };
};

export const recordSettling =
  (parts: DeviceFloorParts): ApplyEvent<Data> =>
  async (context, data) => {
    const { tx, orgId, branchId } = context;
    const of = await lockedTicket(context, data.ticket_id);
    if (of === null) return { waitsFor: data.ticket_id };
    if (await isKnownSale(context, data.sale_id)) return 'known';
    const till = await tillOfEvent(context, data);
    if ('waitsFor' in till) return till;
    const { status, saleId } = of.ticket;
    const place = await salePlace(tx, orgId, branchId);
    if (place === null) throw new Error('An event is of a branch.');
    const settling = { of, data, place, till };
    if (status === 'open' && of.ticket.id !== data.ticket_id) return payMerged(parts, context, settling);
    if (status === 'open') return { reasons: await payFirst(parts, context, settling) };
    // A void bill is paid once, and each that was merged into it by itself: its money is that of other guests.
    const own = (await ticketById(tx, orgId, data.ticket_id)) ?? of.ticket;
    const paidAs = status === 'settled' ? (saleId ?? of.ticket.id) : own.saleId;
    return paidAs === null
      ? payVoided(parts, context, settling, own)
      : paySecond(parts, context, settling, paidAs);
  };

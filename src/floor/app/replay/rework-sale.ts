/** Lines that come after the bill that they belong to: its sale is made anew, its total stands (Decisions 13). */
import type { Uuid } from '../../../kernel/ids.ts';
import type { Applied, ReplayContext } from '../../../platform/app/replay.ts';
import { lockSale, reworkSale, saleChange } from '../../../sales/app/shared.ts';
import { updateTicket, type StoredTicket } from '../../store/ticket.ts';
import { lockedTicket } from './locked-ticket.ts';
import type { DeviceFloorParts } from './parts.ts';
import { countWithCard, paidBillOf, saleAmountsOf, workOut, WORKED_OUT } from './worked-out-bill.ts';

/** A device settled the ticket after this happened, and no line of its sale was refunded. The sale is locked. */
export const belongsToSale = async (
  { tx, orgId, at }: ReplayContext,
  ticket: StoredTicket,
): Promise<boolean> => {
  const { settledBill, settledAt, saleId } = ticket;
  if (settledBill?.recorded === undefined || settledAt === null || saleId === null || at > settledAt)
    return false;
  const sale = await lockSale(tx, orgId, saleId);
  return sale !== null && sale.refunds.every(({ lines }) => lines.length === 0);
};

/** After its lines have changed. */
export const reworkedSale = async (
  parts: DeviceFloorParts,
  context: ReplayContext,
  ticketId: Uuid,
): Promise<Pick<Exclude<Applied, 'known' | { readonly waitsFor: Uuid }>, 'revises'>> => {
  const { tx, log, orgId } = context;
  const of = await lockedTicket(context, ticketId);
  const before = of?.ticket.settledBill?.recorded;
  const saleId = of?.ticket.saleId;
  if (of === null || before === undefined || !saleId)
    throw new Error('A ticket that a device settled has its bill.');
  const worked = await workOut(parts, context, of, before);
  const isCountedNow = !before.isCounted && worked.addsUp;
  const counted = isCountedNow
    ? await countWithCard(parts, context, of, worked, { saleId, voucher: before.voucher ?? null })
    : [];
  const recorded = { ...before, isCounted: before.isCounted || isCountedNow };
  const card = isCountedNow ? { cardId: worked.card?.cardId ?? null } : {};
  await reworkSale(tx, orgId, saleId, { ...saleAmountsOf(worked, recorded), ...card });
  await updateTicket(tx, of.ticket, { paid: JSON.stringify(paidBillOf(worked, recorded)) });
  log.add(orgId, saleChange(saleId));
  return { revises: { subjectId: saleId, codes: WORKED_OUT, reasons: [...worked.reasons, ...counted] } };
};

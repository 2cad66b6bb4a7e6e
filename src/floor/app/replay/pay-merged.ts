/** A ticket that was merged with another one before a device settled it: its money is a part-payment of both (Decisions 13). */
import type { Applied, ReplayContext } from '../../../platform/app/replay.ts';
import { reason } from '../../../platform/domain/review.ts';
import { insertPartPayment, recordedPayments, tillChanges } from '../../../sales/app/shared.ts';
import { updateTicket } from '../../store/ticket.ts';
import { checkChanges } from '../change.ts';
import { billsOf } from '../check.ts';
import { auditStep } from './audit-step.ts';
import type { DeviceFloorParts } from './parts.ts';
import { takenIn, type Settling } from './settling.ts';

/** More than the bill comes to may be paid: staff give it back before they settle the rest. */
export const payMerged = async (
  parts: DeviceFloorParts,
  context: ReplayContext,
  settling: Settling,
): Promise<Applied> => {
  const { tx, log, orgId, branchId, staffId, at, caller } = context;
  const { of, data, till } = settling;
  const { ticket, tickets } = of;
  const { payments, reasons } = recordedPayments(data.total, takenIn(settling));
  const paid = payments.filter(({ amount }) => amount > 0);
  for (const payment of paid) {
    const id = parts.app.random.uuid();
    await insertPartPayment(tx, orgId, branchId, { ...payment, id, billId: ticket.id, at, staffId });
  }
  const amount = paid.reduce((sum, one) => sum + one.amount, 0);
  const bill = (await billsOf(parts.scheduler, caller, tickets)).get(ticket.id);
  const isPaidUp = ticket.prepaid + amount === bill?.amounts.total;
  await updateTicket(tx, ticket, { is_paid_up: isPaidUp });
  const { total } = data;
  await auditStep(parts, context, ticket.id, { step: 'paid in part', total, till: till.tillId });
  log.add(orgId, ...checkChanges(ticket, tickets), ...tillChanges([till.tillId]));
  const merged = reason('bill_merged', { ticket_id: ticket.id, amount });
  return { reasons: [merged, ...reasons, ...till.reasons], resultId: ticket.id };
};

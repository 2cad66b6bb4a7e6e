/** A ticket that was merged into another one before a device settled it: its money is a part-payment of that one (Decisions 13). */
import type { Applied, ReplayContext } from '../../../platform/app/replay.ts';
import { reason } from '../../../platform/domain/review.ts';
import { insertPartPayment, recordedPayments, takenInto, tillChanges } from '../../../sales/app/shared.ts';
import { unknownMethods } from '../../../sales/domain/recorded-payments.ts';
import { updateTicket } from '../../store/ticket.ts';
import { checkChanges } from '../change.ts';
import { billsOf } from '../check.ts';
import { auditStep } from './audit-step.ts';
import type { DeviceFloorParts } from './parts.ts';
import { hasCuts, type Settling } from './settling.ts';

/** More than the bill comes to may be paid. Changes of the check are refused (PAID_IN_PARTS) until staff give it back. */
export const payMerged = async (
  parts: DeviceFloorParts,
  context: ReplayContext,
  settling: Settling,
): Promise<Applied> => {
  const { tx, log, orgId, branchId, staffId, at, caller } = context;
  const { of, data, place, till } = settling;
  const { ticket, tickets } = of;
  const taken = takenInto(data.payments, place, till);
  const { payments } = recordedPayments(data.total, taken);
  const paid = payments.filter((payment) => payment.amount > 0);
  for (const payment of paid) {
    const id = parts.app.random.uuid();
    await insertPartPayment(tx, orgId, branchId, { ...payment, id, billId: ticket.id, at, staffId });
  }
  const amount = paid.reduce((sum, one) => sum + one.amount, 0);
  const bill = (await billsOf(parts.app, caller, tickets)).get(ticket.id);
  await updateTicket(tx, ticket, { is_paid_up: ticket.prepaid + amount === bill?.amounts.total });
  const { tillId } = till;
  const step = { step: 'paid in part', sale_id: data.sale_id, amount, till: tillId };
  await auditStep(parts, context, ticket.id, step);
  log.add(orgId, ...checkChanges(ticket, tickets), ...tillChanges([tillId]));
  const merged = reason('bill_merged', { ticket_id: ticket.id, amount });
  // The bill has what it had: what the device took off, others have not agreed to.
  const cuts = hasCuts(settling) ? [reason('cuts_left_out')] : [];
  // A part of its total may have been paid before it was merged, so that less is no difference.
  const ofMethod = unknownMethods(taken.inputs, taken.methods);
  return { reasons: [merged, ...cuts, ...ofMethod, ...till.reasons], resultId: ticket.id };
};

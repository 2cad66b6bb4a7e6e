/** A ticket is paid in parts while it is open (Decisions 12, Settle). */
import { invalidInput, Refusal } from '../../kernel/refusal.ts';
import type { Repeated } from '../../platform/app/answer.ts';
import type { JobContext } from '../../platform/app/job-context.ts';
import type { BodyOf, HeadersOf, PathOf } from '../../platform/contract/endpoint.ts';
import {
  deletePartPayments,
  giveBackPart,
  insertPartPayment,
  partPaymentsOf,
  takePayments,
  tillChanges,
  type PartPayment,
} from '../../sales/app/shared.ts';
import type { Actor } from '../../staff/app/access.ts';
import type * as contract from '../contract/part-payments.ts';
import { updateTicket, type StoredTicket } from '../store/ticket.ts';
import { billsOf, isUnchanged, type TicketWithItems } from './check.ts';
import { openCheck, refusingAsRead, runChange, ticketKey, type Apply, type ChangeContext } from './change.ts';
import type { FloorParts } from './parts.ts';
import type { TicketReply } from './ticket-reply.ts';

/** They are payments of the sale from now on. */
export const endPartPayments = async ({
  tx,
  ticket,
}: Pick<ChangeContext, 'tx' | 'ticket'>): Promise<readonly PartPayment[]> => {
  if (ticket.prepaid === 0) return [];
  const payments = await partPaymentsOf(tx, ticket.orgId, [ticket.id]);
  await deletePartPayments(
    tx,
    ticket.orgId,
    payments.map(({ id }) => id),
  );
  return payments;
};

const beyond = (due: number) => ({
  path: 'amount',
  problem: `is more than what is due: ${due}`,
  arabic: `أكثر من المبلغ المتبقي: ${due}`,
});

interface PayRequest {
  readonly path: PathOf<typeof contract.payTicketPart>;
  readonly body: BodyOf<typeof contract.payTicketPart>;
  readonly headers: HeadersOf<typeof contract.payTicketPart>;
  readonly actor: Actor;
  readonly caller: JobContext;
}

/** Whether the payment is all that is due. Throws INVALID_INPUT for more. */
const paysUp = async (
  { app }: FloorParts,
  { body: { amount }, caller }: PayRequest,
  { id, prepaid }: StoredTicket,
  tickets: readonly TicketWithItems[],
): Promise<boolean> => {
  const bill = (await billsOf(app, caller, tickets)).get(id);
  const due = (bill?.amounts.total ?? 0) - prepaid;
  if (amount > due) throw invalidInput(beyond(due));
  return amount === due;
};

/** The bill is worked out before the check is locked, and again where it has changed meanwhile. */
const paying = async (parts: FloorParts, request: PayRequest, read: StoredTicket): Promise<Apply> => {
  const { body, actor } = request;
  const { amount, method } = body;
  const priced = await openCheck(parts, read);
  const paysAll = await refusingAsRead(parts, read, priced, () => paysUp(parts, request, read, priced));
  return async ({ tx, log, ticket, tickets, now }) => {
    const isPaidUp = isUnchanged(priced, tickets) ? paysAll : await paysUp(parts, request, ticket, tickets);
    const { orgId, branchId, id: billId } = ticket;
    const { payments, tillId } = await takePayments(tx, {
      ...{ by: actor, branchId, total: amount, payments: [body] },
      pathOf: (field) => field,
    });
    const id = parts.app.random.uuid();
    const [taken] = payments;
    if (taken === undefined) throw new Error('A payment that was taken is there.');
    const by = { at: now, staffId: actor.staffId, isLate: false };
    await insertPartPayment(tx, orgId, branchId, { ...taken, ...by, id, billId });
    await updateTicket(tx, ticket, { is_paid_up: isPaidUp });
    log.add(orgId, ...tillChanges([tillId]));
    return { detail: { payment_id: id, method, amount, till: tillId }, coversPaid: true };
  };
};

/** POST /staff/tickets/{id}/payments. */
export const payTicketPart =
  (parts: FloorParts) =>
  (request: PayRequest): Promise<TicketReply | Repeated<TicketReply>> => {
    const { path, body, actor, caller } = request;
    const action = 'ticket.paid_in_part';
    const key = ticketKey(request, action);
    return runChange(
      parts,
      { id: path.id, actor, caller, revision: body.revision, key, action },
      { prepare: (ticket) => paying(parts, request, ticket) },
    );
  };

interface UndoRequest {
  readonly path: PathOf<typeof contract.undoTicketPayment>;
  readonly body: BodyOf<typeof contract.undoTicketPayment>;
  readonly headers: HeadersOf<typeof contract.undoTicketPayment>;
  readonly actor: Actor;
  readonly caller: JobContext;
}

/** POST /staff/tickets/{id}/payments/{payment_id}/undo. */
export const undoTicketPayment =
  (parts: FloorParts) =>
  (request: UndoRequest): Promise<TicketReply | Repeated<TicketReply>> => {
    const { path, body, actor, caller } = request;
    const action = 'ticket.payment_undone';
    const key = ticketKey({ ...request, body: { ...body, payment: path.payment_id } }, action);
    return runChange(
      parts,
      { id: path.id, actor, caller, revision: body.revision, key, action },
      {
        prepare:
          () =>
          async ({ tx, log, ticket, now }) => {
            const { orgId, branchId } = ticket;
            const payment = (await partPaymentsOf(tx, orgId, [ticket.id])).find(
              ({ id }) => id === path.payment_id,
            );
            if (payment === undefined) throw new Refusal('NOT_FOUND');
            const tills = await giveBackPart(tx, { actor, branchId, payment, now });
            await updateTicket(tx, ticket, { is_paid_up: false });
            log.add(orgId, ...tillChanges(tills));
            const { id: paymentId, method, amount } = payment;
            const detail = { payment_id: paymentId, method, amount, till: tills[0] ?? null };
            return { detail, coversPaid: true };
          },
      },
    );
  };

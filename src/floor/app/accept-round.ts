/** Rounds of guests that wait for staff (Decisions 12, Table QR). */
import type { Uuid } from '../../kernel/ids.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Repeated } from '../../platform/app/answer.ts';
import type { JobContext } from '../../platform/app/job-context.ts';
import type { HeadersOf, PathOf } from '../../platform/contract/endpoint.ts';
import { ConcurrentChange } from '../../platform/store/concurrent-change.ts';
import type { Actor } from '../../staff/app/access.ts';
import type * as contract from '../contract/guest-rounds.ts';
import { acceptItems, itemsOf, type ItemWithOffers } from '../store/ticket-item.ts';
import { isUndecided, type TicketStatus } from '../domain/ticket.ts';
import { updateTicket, type StoredTicket } from '../store/ticket.ts';
import { runChange, requireOpen, ticketKey, type Apply, type ChangeContext } from './change.ts';
import { fireLines, refuseTooDear } from './rounds.ts';
import type { TicketReply } from './ticket-reply.ts';
import { endVoided, giveBack, rejectWaiting } from './void.ts';
import { leavingBooking } from './with-booking.ts';
import type { FloorParts } from './parts.ts';

interface DecideRequest {
  readonly path: PathOf<typeof contract.acceptTicketRound>;
  readonly headers: HeadersOf<typeof contract.acceptTicketRound>;
  readonly actor: Actor;
  readonly caller: JobContext;
}

/**
 * The lines of the round that wait; null: it was decided on the same way.
 * Throws NOT_FOUND, ROUND_DECIDED and TICKET_ENDED.
 */
const waitingIn = (
  { items, ticket }: Pick<ChangeContext, 'items' | 'ticket'>,
  number: number,
  isAccepted: boolean,
): readonly ItemWithOffers[] | null => {
  const own = items.filter(({ roundNumber }) => roundNumber === number);
  const waiting = own.filter(isUndecided);
  if (own.length === 0 || waiting.length > 0) requireOpen(ticket, null);
  if (own.length === 0) throw new Refusal('NOT_FOUND');
  if (waiting.length > 0) return waiting;
  // What was rejected waits for ever.
  const wasAccepted = own.some(({ isWaiting }) => !isWaiting);
  if (wasAccepted === isAccepted) return null;
  throw new Refusal('ROUND_DECIDED', { accepted: wasAccepted });
};

/** Without the waiting round a ticket that guests opened has nothing left, and nobody to pay for it. */
const isOverWithout = (
  { ticket, items }: Pick<ChangeContext, 'items' | 'ticket'>,
  number: number,
): boolean => {
  const left = items.filter((item) => item.roundNumber !== number || !isUndecided(item));
  const isAlone = left.length < items.length && left.every((item) => item.voidedAt !== null);
  return ticket.openedVia === 'qr' && ticket.prepaid === 0 && isAlone;
};

const accepting =
  ({ app }: FloorParts, number: number): Apply =>
  async (context) => {
    const { tx, ticket, now } = context;
    const waiting = waitingIn(context, number, true);
    if (waiting === null) return null;
    refuseTooDear(context, waiting, 'n');
    await acceptItems(tx, ticket.orgId, waiting, now);
    await fireLines(app, { ...context, number, notes: waiting[0]?.roundNotes ?? null }, waiting);
    await updateTicket(tx, ticket, {});
    return { detail: { round: number, lines: waiting.length } };
  };

/** `bookingId`: of the ticket as it was read; it names no revision. */
const rejecting =
  (number: number, bookingId: Uuid | null): Apply =>
  async (context) => {
    if (context.ticket.bookingId !== bookingId) throw new ConcurrentChange();
    const waiting = waitingIn(context, number, false);
    if (waiting === null) return null;
    const rejected = await rejectWaiting(context, waiting);
    if (isOverWithout(context, number)) await endVoided(context, { reason: 'empty', note: null });
    else await updateTicket(context.tx, context.ticket, {});
    await giveBack(context, rejected);
    return { detail: { round: number, lines: waiting.length }, coversPaid: true };
  };

type Action = 'ticket.round_accepted' | 'ticket.round_rejected';

/** What an action does with a round; a rejected one may end its ticket. */
const howTo = (
  parts: FloorParts,
  action: Action,
  { path, actor }: DecideRequest,
): Parameters<typeof runChange>[2] => {
  if (action === 'ticket.round_accepted') return { prepare: () => accepting(parts, path.n) };
  const becomes = async (ticket: StoredTicket): Promise<TicketStatus> => {
    const items = await itemsOf(parts.app.db.kysely, ticket.orgId, [ticket.id]);
    return isOverWithout({ ticket, items }, path.n) ? 'voided' : 'open';
  };
  return {
    prepare: ({ bookingId }) => rejecting(path.n, bookingId),
    run: leavingBooking(parts, actor, becomes),
  };
};

const deciding =
  (parts: FloorParts, action: Action) =>
  (request: DecideRequest): Promise<TicketReply | Repeated<TicketReply>> => {
    const { path, actor, caller } = request;
    const { n: number } = path;
    const key = ticketKey({ ...request, body: { round: number } }, action);
    return runChange(
      parts,
      { id: path.id, actor, caller, revision: null, isOfEnded: true, key, action },
      howTo(parts, action, request),
    );
  };

/** POST /staff/tickets/{id}/rounds/{n}/accept. */
export const acceptTicketRound = (parts: FloorParts) => deciding(parts, 'ticket.round_accepted');

/** POST /staff/tickets/{id}/rounds/{n}/reject. */
export const rejectTicketRound = (parts: FloorParts) => deciding(parts, 'ticket.round_rejected');

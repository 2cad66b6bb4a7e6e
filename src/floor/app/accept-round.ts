/** Rounds of guests that wait for staff (Decisions 12, Table QR). */
import { Refusal } from '../../kernel/refusal.ts';
import type { Repeated } from '../../platform/app/answer.ts';
import type { JobContext } from '../../platform/app/scheduler.ts';
import type { HeadersOf, PathOf } from '../../platform/contract/endpoint.ts';
import { releaseTicket } from '../../bookings/app/staff/with-ticket.ts';
import type { Actor } from '../../staff/app/access.ts';
import type * as contract from '../contract/guest-rounds.ts';
import { acceptItems, type ItemWithOffers } from '../store/ticket-item.ts';
import { isLive, isUndecided } from '../domain/ticket.ts';
import { updateTicket } from '../store/ticket.ts';
import { runChange, requireOpen, ticketKey, type Apply, type ChangeContext } from './change.ts';
import { fireLines, refuseTooDear } from './rounds.ts';
import type { TicketReply } from './ticket-reply.ts';
import { endVoided, giveBack, rejectWaiting } from './void.ts';
import { withBooking } from './with-booking.ts';
import type { FloorParts } from './parts.ts';

interface DecideRequest {
  readonly path: PathOf<typeof contract.acceptTicketRound>;
  readonly headers: HeadersOf<typeof contract.acceptTicketRound>;
  readonly body: object;
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

/** A ticket that guests opened and of which nothing is left has nobody to pay for it. */
const isOver = ({ ticket, items }: ChangeContext, rejected: readonly ItemWithOffers[]): boolean =>
  ticket.openedVia === 'qr' &&
  ticket.prepaid === 0 &&
  items.every((item) => (!isLive(item) && !isUndecided(item)) || rejected.includes(item));

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

/** Its booking stays: the guests may order again. */
const endEmptied = async (context: ChangeContext): Promise<void> => {
  const { orgId, bookingId } = context.ticket;
  await endVoided(context, { reason: 'empty', note: null });
  if (bookingId !== null) await releaseTicket(context.tx, orgId, bookingId);
};

const rejecting =
  (number: number): Apply =>
  async (context) => {
    const waiting = waitingIn(context, number, false);
    if (waiting === null) return null;
    const rejected = await rejectWaiting(context, waiting);
    if (isOver(context, waiting)) await endEmptied(context);
    else await updateTicket(context.tx, context.ticket, {});
    await giveBack(context, rejected);
    return { detail: { round: number, lines: waiting.length }, coversPaid: true };
  };

type Action = 'ticket.round_accepted' | 'ticket.round_rejected';

/** What an action does with a round; a rejected one may end its ticket. */
const howTo = (
  parts: FloorParts,
  action: Action,
  { path }: DecideRequest,
): Parameters<typeof runChange>[2] =>
  action === 'ticket.round_accepted'
    ? { prepare: () => accepting(parts, path.n) }
    : { prepare: () => rejecting(path.n), run: withBooking(parts) };

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

/** Lines and tickets that are not paid for (Decisions 12). */
import type { Uuid } from '../../kernel/ids.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { restock, stockChanges } from '../../menu/app/shared.ts';
import type { Repeated } from '../../platform/app/answer.ts';
import type { JobContext } from '../../platform/app/job-context.ts';
import type { BodyOf, HeadersOf, PathOf } from '../../platform/contract/endpoint.ts';
import { at } from '../../platform/store/db.ts';
import { unitsTogether } from '../../pricing/domain/frozen-cart.ts';
import { reasonIn, tillForSale, type VoidsOf } from '../../sales/app/shared.ts';
import type { Actor } from '../../staff/app/access.ts';
import type * as contract from '../contract/tickets.ts';
import { isLive, isUndecided, REJECTED } from '../domain/ticket.ts';
import {
  insertItem,
  reduceItem,
  sumVoidsOfTill,
  voidItems,
  type ItemWithOffers,
} from '../store/ticket-item.ts';
import { updateTicket } from '../store/ticket.ts';
import { runChange, ticketKey, type ChangeContext } from './change.ts';
import { divided } from './divide.ts';
import { cancelInKitchen } from './kitchen.ts';
import type { TicketReply } from './ticket-reply.ts';
import { freeTables } from './tables.ts';
import { leavingBooking } from './with-booking.ts';
import type { FloorParts } from './parts.ts';

/** A ticket that ends. */
interface Ending extends Pick<ChangeContext, 'tx' | 'log' | 'ticket' | 'now'> {
  readonly actor: Pick<Actor, 'staffId'>;
}

/**
 * Rounds of guests that nobody has accepted are not part of what is paid or void. Returns their lines, whose stock is given
 * back later: cards and tables are locked before stock (ARCHITECTURE.md, Changes).
 */
export const rejectWaiting = async (
  { tx, ticket, actor, now }: Ending,
  items: readonly ItemWithOffers[],
): Promise<readonly ItemWithOffers[]> => {
  const waiting = items.filter(isUndecided);
  const ids = waiting.map(({ id }) => id);
  if (ids.length > 0)
    await voidItems(
      tx,
      ticket.orgId,
      { ids, by: actor.staffId, tillId: null, reason: REJECTED, note: null },
      now,
    );
  return waiting;
};

/** The stock of these lines. */
export const giveBack = async (
  { tx, log, ticket }: Pick<ChangeContext, 'tx' | 'log' | 'ticket'>,
  items: readonly ItemWithOffers[],
): Promise<void> => {
  if (items.length === 0) return;
  const { orgId, branchId } = ticket;
  const back = await restock(tx, orgId, branchId, unitsTogether(items.flatMap(({ stock }) => stock)));
  log.add(orgId, ...stockChanges(branchId, back));
};

/** The ticket ends without a sale, and its table is free. */
export const endVoided = async (
  context: Omit<Ending, 'actor'>,
  { reason, note }: { readonly reason: string; readonly note: string | null },
): Promise<void> => {
  const { tx, ticket, now } = context;
  const end = { status: 'voided', voided_at: at(now), void_reason: reason, void_note: note };
  await updateTicket(tx, ticket, end);
  await freeTables(context, ticket);
};

/** Lines of tickets that the person of a till voided while it was open. */
export const voidsOfTill: VoidsOf = sumVoidsOfTill;

/** The till of who voids: a close of it waits until the void is in its report. Null: they have none open. */
const tillOfVoid = ({ tx, actor, ticket }: ChangeContext): Promise<Uuid | null> =>
  tillForSale(tx, { ...actor, branchId: ticket.branchId });

/** The live line of the ticket. Throws NOT_FOUND, and LINE_VOIDED or ROUND_WAITING for one that is not live. */
export const liveItem = ({ items }: Pick<ChangeContext, 'items'>, id: Uuid): ItemWithOffers => {
  const found = items.find((item) => item.id === id);
  if (found === undefined) throw new Refusal('NOT_FOUND');
  if (isUndecided(found)) throw new Refusal('ROUND_WAITING');
  if (!isLive(found)) throw new Refusal('LINE_VOIDED');
  return found;
};

interface LineRequest {
  readonly path: PathOf<typeof contract.voidTicketLine>;
  readonly body: BodyOf<typeof contract.voidTicketLine>;
  readonly headers: HeadersOf<typeof contract.voidTicketLine>;
  readonly actor: Actor;
  readonly caller: JobContext;
}

/** POST /staff/tickets/{id}/items/{item_id}/void. */
export const voidTicketLine =
  (parts: FloorParts) =>
  (request: LineRequest): Promise<TicketReply | Repeated<TicketReply>> => {
    const { app } = parts;
    const { path, body, actor, caller } = request;
    const action = 'ticket.line_voided';
    const key = ticketKey({ ...request, body: { ...body, item: path.item_id } }, action);
    const { reason, note, isRestocked } = reasonIn(body);
    return runChange(
      parts,
      { id: path.id, actor, caller, revision: body.revision, key, action },
      {
        prepare: () => async (context) => {
          const { tx, ticket, now } = context;
          const item = liveItem(context, path.item_id);
          const { taken, rest } = divided(app, item, body.units ?? item.quantity, 'units');
          if (rest !== null) {
            await reduceItem(tx, ticket.orgId, rest);
            await insertItem(tx, ticket.orgId, taken);
          }
          const tillId = await tillOfVoid(context);
          const lines = { ids: [taken.id], by: actor.staffId, tillId, reason, note };
          await voidItems(tx, ticket.orgId, lines, now);
          if (isRestocked) await giveBack(context, [taken]);
          await cancelInKitchen(context, [taken], reason);
          await updateTicket(tx, ticket, {});
          const detail = { item_id: item.id, units: taken.quantity, reason, note, restocked: isRestocked };
          return { detail };
        },
      },
    );
  };

interface VoidRequest {
  readonly path: PathOf<typeof contract.voidTicket>;
  readonly body: BodyOf<typeof contract.voidTicket>;
  readonly headers: HeadersOf<typeof contract.voidTicket>;
  readonly actor: Actor;
  readonly caller: JobContext;
}

/** POST /staff/tickets/{id}/void. */
export const voidTicket =
  (parts: FloorParts) =>
  (request: VoidRequest): Promise<TicketReply | Repeated<TicketReply>> => {
    const { path, body, actor, caller } = request;
    const action = 'ticket.voided';
    const { reason, note, isRestocked } = reasonIn(body);
    return runChange(
      parts,
      {
        ...{ id: path.id, actor, caller, revision: body.revision },
        ...{ key: ticketKey(request, action), action },
      },
      {
        run: leavingBooking(parts, actor, () => 'voided'),
        prepare: () => async (context) => {
          const { tx, ticket, items, now } = context;
          const rejected = await rejectWaiting(context, items);
          const live = items.filter(isLive);
          const ids = live.map(({ id }) => id);
          const tillId = await tillOfVoid(context);
          await voidItems(tx, ticket.orgId, { ids, by: actor.staffId, tillId, reason, note }, now);
          await endVoided(context, { reason, note });
          await giveBack(context, isRestocked ? [...rejected, ...live] : rejected);
          await cancelInKitchen(context, live, reason);
          return { detail: { reason, note, lines: ids.length, restocked: isRestocked } };
        },
      },
    );
  };

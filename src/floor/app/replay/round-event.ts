/** A round that a device fired on a ticket (Decisions 13): at its prices, whatever has become of the ticket. */
import type { Uuid } from '../../../kernel/ids.ts';
import { invalidInput } from '../../../kernel/refusal.ts';
import { wasJustFired } from '../../../kitchen/domain/firing.ts';
import type { Applied, ApplyEvent, ReplayContext } from '../../../platform/app/replay.ts';
import { reason, type ReviewReason } from '../../../platform/domain/review.ts';
import { refuseDearSale, type RecordedSale } from '../../../pricing/app/recorded-sale.ts';
import type { TicketEventData } from '../../contract/events.ts';
import { insertRound, itemRow, hasRound, voidItems, type StoredItem } from '../../store/ticket-item.ts';
import { ticketById, updateTicket } from '../../store/ticket.ts';
import { checkChanges } from '../change.ts';
import { fireLines, itemsOfRound, offerOf, refuseStaffDrinks, refuseTooDear } from '../rounds.ts';
import { takeUnitsGone } from '../../../sales/app/shared.ts';
import { hasRestocked } from '../../../sales/domain/void-reason.ts';
import { auditStep } from './audit-step.ts';
import { lockedTicket, type TicketOfEvent } from './locked-ticket.ts';
import { openTicketOfDevice } from './open-event.ts';
import { paidBeyond } from './paid-beyond.ts';
import type { DeviceFloorParts } from './parts.ts';
import { belongsToSale, reworkedSale } from './rework-sale.ts';

type Data = TicketEventData['round'];

const pricedAt = async (
  { recorded }: DeviceFloorParts,
  { tx, orgId, branchId, at }: ReplayContext,
  { items }: Data,
): Promise<RecordedSale> => {
  const sale = await recorded.saleAt(tx, { orgId, branchId, at, items });
  refuseDearSale(sale);
  return sale;
};

/** Stores the lines under the ids of the device. */
const storeRound = async (
  context: ReplayContext,
  { ticket, tickets }: TicketOfEvent,
  { round_id: roundId, items: input }: Data,
  { cart, stock, book }: RecordedSale,
): Promise<readonly StoredItem[]> => {
  const { tx, orgId, staffId, at } = context;
  const { asked: lines, lines: priced } = cart;
  refuseTooDear({ tickets, ticket }, priced, 'data.items');
  const number = ticket.rounds + 1;
  const round = { ticketId: ticket.id, roundId, roundNumber: number, firedAt: at, isWaiting: false };
  const stored = itemsOfRound(
    { input, lines, priced, sale: { stock } },
    round,
    (n) => input[n]?.item_id ?? roundId,
  );
  await insertRound(
    tx,
    {
      ...{ orgId, id: roundId, ticketId: ticket.id, number, firedBy: staffId, via: 'staff', notes: null },
      offers: book.menu.deals.map(offerOf),
    },
    stored.map((item) => itemRow(orgId, item)),
    at,
  );
  // Notes of a ticket that ended are forgotten in time, also those that come later.
  const forget = ticket.status === 'open' ? {} : { forgotten_at: null };
  await updateTicket(tx, ticket, { rounds: number, ...forget });
  return stored;
};

/** Onto the ticket, into the kitchen and out of the stock. */
const fire = async (
  parts: DeviceFloorParts,
  context: ReplayContext,
  of: TicketOfEvent,
  data: Data,
  sale: RecordedSale,
): Promise<readonly ReviewReason[]> => {
  const { tx, log, orgId, at, now } = context;
  const { ticket, tickets } = of;
  const stored = await storeRound(context, of, data, sale);
  const isMade = ticket.status !== 'open' || !wasJustFired(at, now);
  const below = await takeUnitsGone(context, sale);
  await fireLines(parts.app, { tx, log, now: at, ticket, number: ticket.rounds + 1, isMade }, stored);
  const step = { step: 'round', round: ticket.rounds + 1, lines: stored.length };
  await auditStep(parts, context, ticket.id, step);
  log.add(orgId, ...checkChanges(ticket, tickets));
  return [...sale.cart.reasons, ...below];
};

/** The ticket was voided after the round was fired: its lines are void too, and gone unless the void put them back. */
const fireVoid = async (
  parts: DeviceFloorParts,
  context: ReplayContext,
  of: TicketOfEvent,
  data: Data,
  sale: RecordedSale,
): Promise<Applied> => {
  const { tx, log, orgId, staffId } = context;
  const { id: ticketId, rounds, voidedAt, voidReason, voidNote } = of.ticket;
  const stored = await storeRound(context, of, data, sale);
  const why = voidReason ?? 'other';
  const how = { by: staffId, tillId: null, reason: why, note: voidNote };
  await voidItems(tx, orgId, { ids: stored.map(({ id }) => id), ...how }, voidedAt ?? context.at);
  const below = hasRestocked(why) ? [] : await takeUnitsGone(context, sale);
  await auditStep(parts, context, ticketId, { step: 'round', round: rounds + 1, lines: stored.length });
  log.add(orgId, ...checkChanges(of.ticket, of.tickets));
  return { reasons: [...sale.cart.reasons, ...below] };
};

/** The bill was paid or void before: the round has one of its own. */
const fireApart = async (
  parts: DeviceFloorParts,
  context: ReplayContext,
  { ticket }: TicketOfEvent,
  data: Data,
  sale: RecordedSale,
): Promise<Applied> => {
  const id = parts.app.random.uuid();
  const { customerName, guestCount } = ticket;
  await openTicketOfDevice(parts, context, { id, customerName, guestCount });
  const apart = await lockedTicket(context, id);
  if (apart === null) throw new Error('A ticket that was opened is there.');
  const reasons = await fire(parts, context, apart, data, sale);
  const ended = reason('ticket_ended', { ticket_id: ticket.id, status: ticket.status });
  return { reasons: [ended, ...reasons], resultId: id };
};

const REPEATED = { problem: 'is the id of another line', arabic: 'معرّف بند آخر' } as const;

/** Throws INVALID_INPUT. */
const itemIdsIn = ({ items }: Data): readonly Uuid[] => {
  const ids = items.map(({ item_id: id }) => id);
  const repeated = ids.flatMap((id, place) =>
    ids.indexOf(id) < place ? [{ path: `data.items[${place}].item_id`, ...REPEATED }] : [],
  );
  if (repeated.length > 0) throw invalidInput(...repeated);
  return ids;
};

export const recordRound =
  (parts: DeviceFloorParts): ApplyEvent<Data> =>
  async (context, data) => {
    refuseStaffDrinks(data.items, 'data.items');
    if (await hasRound(context.tx, context.orgId, { roundId: data.round_id, itemIds: itemIdsIn(data) }))
      return 'known';
    const found = await lockedTicket(context, data.ticket_id);
    if (found === null) return { waitsFor: data.ticket_id };
    const { ticket } = found;
    const sale = await pricedAt(parts, context, data);
    const isOfSale = ticket.status !== 'open' && (await belongsToSale(context, ticket));
    if (ticket.status === 'open' || isOfSale) {
      const reasons = await fire(parts, context, found, data, sale);
      const reworked = isOfSale ? await reworkedSale(parts, context, ticket.id) : {};
      return { reasons: [...reasons, ...(await paidBeyond(parts, context, found))], ...reworked };
    }
    const isVoidAfter = ticket.voidedAt !== null && context.at <= ticket.voidedAt;
    if (isVoidAfter && (await ticketById(context.tx, context.orgId, data.ticket_id))?.mergedInto === null)
      return fireVoid(parts, context, found, data, sale);
    return fireApart(parts, context, found, data, sale);
  };

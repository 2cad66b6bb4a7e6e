/** Lines and tickets that are not paid for, as a device recorded (Decisions 13). */
import type { Uuid } from '../../../kernel/ids.ts';
import type { Applied, ApplyEvent, ReplayContext } from '../../../platform/app/replay.ts';
import { reason } from '../../../platform/domain/review.ts';
import { tillAt } from '../../../sales/app/shared.ts';
import { RESTOCKS } from '../../../sales/domain/void-reason.ts';
import { releaseTicket } from '../../../bookings/app/staff/with-ticket.ts';
import type { TicketEventData } from '../../contract/events.ts';
import { isLive } from '../../domain/ticket.ts';
import {
  insertItem,
  itemTicket,
  reduceItem,
  voidItems,
  type ItemWithOffers,
} from '../../store/ticket-item.ts';
import { updateTicket, type StoredTicket } from '../../store/ticket.ts';
import { checkChanges } from '../change.ts';
import { divided } from '../divide.ts';
import { cancelInKitchen } from '../kitchen.ts';
import { endVoided, giveBack, rejectWaiting } from '../void.ts';
import { auditStep } from './audit-step.ts';
import { lockedTicket, type TicketOfEvent } from './locked-ticket.ts';
import { paidBeyond } from './paid-beyond.ts';
import type { DeviceFloorParts } from './parts.ts';
import { belongsToSale, reworkedSale } from './rework-sale.ts';

const tillOfVoid = async ({ tx, at, ...context }: ReplayContext): Promise<Uuid | null> => {
  const till = await tillAt(tx, context, at);
  return till === null || till.isClosed ? null : till.id;
};

const ended = ({ id, status }: Pick<StoredTicket, 'id' | 'status'>): Applied => ({
  reasons: [reason('ticket_ended', { ticket_id: id, status })],
});

type LineData = TicketEventData['line_void'];

const voidUnits = async (
  parts: DeviceFloorParts,
  context: ReplayContext,
  of: TicketOfEvent,
  { item, units, data }: { readonly item: ItemWithOffers; readonly units: number; readonly data: LineData },
): Promise<void> => {
  const { tx, orgId, staffId, at } = context;
  const { taken, rest } = divided(parts.app, item, units, 'data.units');
  if (rest !== null) {
    await reduceItem(tx, orgId, rest);
    await insertItem(tx, orgId, taken);
  }
  const how = {
    by: staffId,
    tillId: await tillOfVoid(context),
    reason: data.reason,
    note: data.note ?? null,
  };
  await voidItems(tx, orgId, { ids: [taken.id], ...how }, at);
  if (RESTOCKS[data.reason]) await giveBack(of, [taken]);
  await cancelInKitchen(of, [taken], data.reason);
  await updateTicket(tx, of.ticket, {});
  await auditStep(parts, context, of.ticket.id, {
    step: 'line_voided',
    item_id: item.id,
    units,
    reason: data.reason,
  });
};

export const recordLineVoid =
  (parts: DeviceFloorParts): ApplyEvent<LineData> =>
  async (context, data) => {
    const { tx, log, orgId } = context;
    const ticketId = await itemTicket(tx, orgId, data.item_id);
    if (ticketId === null) return { waitsFor: data.item_id };
    const of = await lockedTicket(context, ticketId);
    const item = of?.items.find(({ id }) => id === data.item_id);
    if (of === null || item === undefined) return { waitsFor: data.item_id };
    if (!isLive(item)) return { reasons: [reason('line_voided', { item_id: item.id })] };
    const isOfSale = of.ticket.status !== 'open' && (await belongsToSale(context, of.ticket));
    if (of.ticket.status !== 'open' && !isOfSale) return ended(of.ticket);
    const wanted = data.units ?? item.quantity;
    const units = Math.min(wanted, item.quantity);
    await voidUnits(parts, context, of, { item, units, data });
    log.add(orgId, ...checkChanges(of.ticket, of.tickets));
    const reworked = isOfSale ? await reworkedSale(parts, context, of.ticket.id) : {};
    const isVoid = wanted > units ? [reason('line_voided', { item_id: item.id })] : [];
    return { reasons: [...isVoid, ...(await paidBeyond(parts, context, of))], ...reworked };
  };

export const recordTicketVoid =
  (parts: DeviceFloorParts): ApplyEvent<TicketEventData['ticket_void']> =>
  async (context, data) => {
    const { tx, log, orgId, staffId, at } = context;
    const of = await lockedTicket(context, data.ticket_id);
    if (of === null) return { waitsFor: data.ticket_id };
    const { ticket } = of;
    if (ticket.status !== 'open') return ended(of.ticket);
    // It lives on in the bill of other guests.
    if (ticket.id !== data.ticket_id) return ended({ id: data.ticket_id, status: 'voided' });
    if (ticket.prepaid > 0) return { reasons: [reason('paid_in_parts', { paid: ticket.prepaid })] };
    const { reason: why, note = null } = data;
    const rejected = await rejectWaiting(of, of.items);
    const live = of.items.filter(isLive);
    const how = { by: staffId, tillId: await tillOfVoid(context), reason: why, note };
    await voidItems(tx, orgId, { ids: live.map(({ id }) => id), ...how }, at);
    await endVoided(of, { reason: why, note });
    await giveBack(of, RESTOCKS[why] ? [...rejected, ...live] : rejected);
    await cancelInKitchen(of, live, why);
    if (ticket.bookingId !== null) await releaseTicket(tx, orgId, ticket.bookingId);
    await auditStep(parts, context, ticket.id, { step: 'voided', reason: why, lines: live.length });
    log.add(orgId, ...checkChanges(ticket, of.tickets));
    return { reasons: await paidBeyond(parts, context, of) };
  };

/** One bill becomes two, two bills become one (Decisions 12). */
import type { Uuid } from '../../kernel/ids.ts';
import { invalidInput, Refusal, type Fault } from '../../kernel/refusal.ts';
import type { Repeated } from '../../platform/app/answer.ts';
import type { JobContext } from '../../platform/app/job-context.ts';
import type { BodyOf, HeadersOf, PathOf } from '../../platform/contract/endpoint.ts';
import { at } from '../../platform/store/db.ts';
import { linkTicket } from '../../bookings/app/staff/with-ticket.ts';
import { branchById } from '../../shops/app/shared.ts';
import { movePartPayments } from '../../sales/app/shared.ts';
import type { Actor } from '../../staff/app/access.ts';
import type * as contract from '../contract/tickets.ts';
import { haveSameTerms, isLive, MAX_GUESTS } from '../domain/ticket.ts';
import { insertItem, moveItems, reduceItem, type ItemWithOffers } from '../store/ticket-item.ts';
import { joinChecks, ticketById, updateTicket, type StoredTicket } from '../store/ticket.ts';
import {
  runChange,
  NO_TICKET_HERE,
  requireOpen,
  tableChange,
  ticketChange,
  ticketKey,
  type Apply,
  type ChangeContext,
} from './change.ts';
import { requireDiscounting } from './change-ticket.ts';
import { divided } from './divide.ts';
import { placeInKitchen } from './kitchen.ts';
import { refuseTooDear } from './rounds.ts';
import { bookingAt, freeTables, takeTable } from './tables.ts';
import type { TicketReply } from './ticket-reply.ts';
import { liveItem } from './void.ts';
import { insertNumbered } from './insert-ticket.ts';
import { mergingBookings, withBooking } from './with-booking.ts';
import type { FloorParts } from './parts.ts';

// ── Split ───────────────────────────────────────────────────────────────────────────────────────

interface SplitRequest {
  readonly path: PathOf<typeof contract.splitTicket>;
  readonly body: BodyOf<typeof contract.splitTicket>;
  readonly headers: HeadersOf<typeof contract.splitTicket>;
  readonly actor: Actor;
  readonly caller: JobContext;
}

type Moved = NonNullable<SplitRequest['body']['items']>[number];

const ITEMS_OR_PARTS = {
  problem: 'or `parts` is required, and not both',
  arabic: 'اكتب items أو parts، لا الاثنين',
} as const;

const NO_NEW_TICKET = {
  problem: 'is the table of a new ticket, and `parts` make none',
  arabic: 'طاولة فاتورة جديدة، وparts لا تنشئ فاتورة',
} as const;
const LINE_TWICE = { problem: 'is named before in this list', arabic: 'هذا السطر مذكور من قبل' } as const;
const NO_LINE_HERE = { problem: 'is no line of this ticket', arabic: 'ليس سطراً من هذه الفاتورة' } as const;
const NOTHING_LEFT = {
  problem: 'leaves nothing on the ticket: settle it as it is',
  arabic: 'لا يترك شيئاً على الفاتورة: اقفلها كما هي',
} as const;

const repeatedLines = (items: readonly Moved[]): readonly Fault[] =>
  items.flatMap(({ item_id: id }, index) =>
    items.findIndex((one) => one.item_id.toLowerCase() === id.toLowerCase()) < index
      ? [{ path: `items[${index}].item_id`, ...LINE_TWICE }]
      : [],
  );

/** Throws INVALID_INPUT, and LINE_VOIDED. */
const namedItem = (context: ChangeContext, id: Uuid, path: string): ItemWithOffers => {
  if (context.items.every((item) => item.id !== id))
    throw invalidInput({ path: `${path}.item_id`, ...NO_LINE_HERE });
  return liveItem(context, id);
};

/** The units hang on the other ticket. */
const moveUnits = async (
  app: FloorParts['app'],
  context: ChangeContext,
  items: readonly Moved[],
  ticketId: Uuid,
): Promise<void> => {
  const { tx, ticket } = context;
  const whole: Uuid[] = [];
  for (const [index, { item_id: id, units }] of items.entries()) {
    const path = `items[${index}]`;
    const item = namedItem(context, id.toLowerCase(), path);
    const { taken, rest } = divided(app, item, units ?? item.quantity, `${path}.units`);
    if (rest === null) whole.push(item.id);
    else {
      await reduceItem(tx, ticket.orgId, rest);
      await insertItem(tx, ticket.orgId, { ...taken, ticketId });
    }
  }
  await moveItems(tx, ticket.orgId, whole, { ticketId, shift: 0 });
};

const leavesNothing = ({ items }: ChangeContext, moved: readonly Moved[]): boolean =>
  items.filter(isLive).every((item) => {
    const own = moved.find(({ item_id: id }) => id.toLowerCase() === item.id);
    return own !== undefined && (own.units ?? item.quantity) >= item.quantity;
  });

/**
 * The booking of a part at this table: that of its ticket, else that of the guests at the table. A booking that the ticket
 * has by a move is the part's only at the same table. Throws SLOT_TAKEN.
 */
const bookingOfPart = async (
  tx: ChangeContext['tx'],
  { orgId, bookingId, isBookedByMove, tableId: from }: StoredTicket,
  tableId: Uuid | null,
): Promise<Uuid | null> => {
  if (tableId === from) return bookingId;
  const own = isBookedByMove ? null : bookingId;
  return tableId === null ? own : bookingAt(tx, { orgId, bookingId: own }, tableId);
};

const insertPart = async (
  { tx, actor, now, ticket }: ChangeContext,
  { id, tableId }: { readonly id: Uuid; readonly tableId: Uuid | null },
): Promise<{ readonly bookingId: Uuid | null }> => {
  const { orgId, branchId } = ticket;
  const branch = await branchById(tx, branchId);
  if (branch === null) throw new Refusal('NOT_FOUND');
  const bookingId = await bookingOfPart(tx, ticket, tableId);
  const row = {
    ...{ org_id: orgId, id, branch_id: branchId, check_id: ticket.checkId, table_id: tableId },
    ...{ split_of: ticket.id, opened_by: actor.staffId, opened_via: ticket.openedVia },
    booking_id: bookingId,
    booking_by_move: bookingId !== null && (ticket.isBookedByMove || bookingId !== ticket.bookingId),
    ...{ rounds: ticket.rounds, customer_phone: ticket.customerPhone },
    ...discountOf(ticket),
  };
  await insertNumbered(tx, row, { branch, terms: ticket, now });
  if (bookingId !== null) await linkTicket(tx, orgId, bookingId);
  return { bookingId };
};

/** Both parts share one discount. */
const discountOf = (ticket: StoredTicket) => ({
  ...{
    discount_id: ticket.discountId,
    discount_share: ticket.discountShare,
    discount_name: ticket.discountName,
  },
  ...{ discount_type: ticket.discountType, discount_rate: ticket.discountRate },
  discount_amount: ticket.discountAmount,
});

/** Lines go to a ticket of their own, which is answered. */
const splittingLines =
  (app: FloorParts['app'], { body }: SplitRequest, items: readonly Moved[]): Apply =>
  async (context) => {
    const { tx, log, ticket } = context;
    const { orgId, branchId, checkId } = ticket;
    if (leavesNothing(context, items)) throw invalidInput({ path: 'items', ...NOTHING_LEFT });
    const id = app.random.uuid();
    const tableId = body.table_id === undefined ? ticket.tableId : (body.table_id?.toLowerCase() ?? null);
    if (tableId !== null && tableId !== ticket.tableId) {
      await takeTable(tx, { orgId, branchId, tableId, checkId });
      log.add(orgId, tableChange(branchId, tableId));
    }
    const { bookingId } = await insertPart(context, { id, tableId });
    await moveUnits(app, context, items, id);
    await updateTicket(tx, ticket, {});
    if (tableId !== ticket.tableId) await placeInKitchen(context, [id]);
    log.add(orgId, ticketChange(branchId, id));
    const detail = { into: id, items, table_id: tableId, booking_id: bookingId };
    return { detail, answeredId: id };
  };

/** The guests share the bill in equal parts, which are paid one by one; 1: not any more. */
const sharingEvenly =
  (parts: number): Apply =>
  async ({ tx, ticket }) => {
    await updateTicket(tx, ticket, { parts: parts === 1 ? null : parts });
    return { detail: { parts }, coversPaid: true };
  };

/** POST /staff/tickets/{id}/split. Answered with the new ticket, or with this one and its equal parts. */
export const splitTicket =
  (parts: FloorParts) =>
  (request: SplitRequest): Promise<TicketReply | Repeated<TicketReply>> => {
    const { path, body, actor, caller } = request;
    const { items, parts: equal } = body;
    const action = 'ticket.split';
    if ((items === undefined) === (equal === undefined))
      throw invalidInput({ path: 'items', ...ITEMS_OR_PARTS });
    if (equal !== undefined && body.table_id !== undefined)
      throw invalidInput({ path: 'table_id', ...NO_NEW_TICKET });
    const repeated = repeatedLines(items ?? []);
    if (repeated.length > 0) throw invalidInput(...repeated);
    return runChange(
      parts,
      { id: path.id, actor, caller, revision: body.revision, key: ticketKey(request, action), action },
      {
        ...(equal === undefined ? { run: withBooking(parts, body.table_id?.toLowerCase() ?? null) } : {}),
        prepare: () =>
          equal === undefined ? splittingLines(parts.app, request, items ?? []) : sharingEvenly(equal),
      },
    );
  };

// ── Merge ───────────────────────────────────────────────────────────────────────────────────────

interface MergeRequest {
  readonly path: PathOf<typeof contract.mergeTickets>;
  readonly body: BodyOf<typeof contract.mergeTickets>;
  readonly headers: HeadersOf<typeof contract.mergeTickets>;
  readonly actor: Actor;
  readonly caller: JobContext;
}

const WITH_ITSELF = { problem: 'is the ticket itself', arabic: 'هي الفاتورة نفسها' } as const;

/**
 * A discount that only one of the two has would count for the lines of the other too. Throws NOT_PERMITTED for who may
 * not give discounts.
 */
const refuseDiscounting = (actor: Actor, ticket: StoredTicket, other: StoredTicket): void => {
  if (ticket.discountShare !== other.discountShare) requireDiscounting(actor);
};

const PAID_UNDER_OTHER_TERMS = {
  problem: 'is of a bill that is partly settled under other rates of tax or service',
  arabic: 'من فاتورة سُدّد جزء منها بنسب ضريبة أو خدمة مختلفة',
} as const;

/** What was settled under one tax is not shared out under another. Throws INVALID_INPUT. */
const refuseOtherTerms = ({ ticket, tickets }: ChangeContext, other: StoredTicket): void => {
  const settled = tickets.filter(
    (one) => one.ticket.checkId === other.checkId && one.ticket.settledBill !== null,
  );
  if (settled.some((one) => !haveSameTerms(ticket, one.ticket)))
    throw invalidInput({ path: 'ticket_id', ...PAID_UNDER_OTHER_TERMS });
};

/** Ends the other ticket; its lines hang on this one, after its own rounds. */
const absorb = async (context: ChangeContext, other: StoredTicket): Promise<void> => {
  const { tx, log, ticket, tickets, now } = context;
  const { orgId, checkId } = ticket;
  if (other.checkId !== checkId) await joinChecks(tx, orgId, other.checkId, ticket);
  const items = tickets.find((one) => one.ticket.id === other.id)?.items ?? [];
  const ids = items.map(({ id }) => id);
  await moveItems(tx, orgId, ids, { ticketId: ticket.id, shift: ticket.rounds });
  await movePartPayments(tx, orgId, other.id, ticket.id);
  const end = { status: 'voided', voided_at: at(now), void_reason: 'merged', merged_into: ticket.id };
  await updateTicket(tx, other, end);
  const takesBooking = ticket.bookingId === null && other.bookingId !== null && !other.isBookedByMove;
  // Not where the guests of another booking sit.
  if (takesBooking && ticket.tableId !== null) await bookingAt(tx, other, ticket.tableId);
  const guests = Math.min(MAX_GUESTS, (ticket.guestCount ?? 0) + (other.guestCount ?? 0));
  await updateTicket(tx, ticket, {
    is_paid_up: ticket.isPaidUp && other.isPaidUp,
    ...{ rounds: ticket.rounds + other.rounds, guest_count: guests === 0 ? null : guests },
    ...(ticket.discountShare === null ? discountOf(other) : {}),
    ...(ticket.cardId === null ? { card_id: other.cardId } : {}),
    ...(ticket.customerPhone === null ? { customer_phone: other.customerPhone } : {}),
    ...(ticket.customerName === null ? { customer_name: other.customerName } : {}),
    ...(takesBooking ? { booking_id: other.bookingId } : {}),
    ...(other.bookingId === ticket.bookingId && !other.isBookedByMove ? { booking_by_move: false } : {}),
  });
  await freeTables(context, ticket);
  if (other.tableId !== ticket.tableId) await placeInKitchen(context, [ticket.id]);
  log.add(orgId, ticketChange(other.branchId, other.id));
};

/** POST /staff/tickets/{id}/merge. The named ticket ends in this one. */
export const mergeTickets =
  (parts: FloorParts) =>
  (request: MergeRequest): Promise<TicketReply | Repeated<TicketReply>> => {
    const { path, body, actor, caller } = request;
    const action = 'ticket.merged';
    const otherId = body.ticket_id.toLowerCase();
    if (otherId === path.id) throw invalidInput({ path: 'ticket_id', ...WITH_ITSELF });
    return runChange(
      parts,
      {
        id: path.id,
        otherId,
        actor,
        caller,
        revision: body.revision,
        key: ticketKey(request, action),
        action,
      },
      {
        run: mergingBookings(parts, actor, otherId),
        prepare: () => async (context) => {
          const { ticket, tx } = context;
          const other = await ticketById(tx, ticket.orgId, otherId);
          if (other?.branchId !== ticket.branchId)
            throw invalidInput({ path: 'ticket_id', ...NO_TICKET_HERE });
          requireOpen(other, null);
          refuseDiscounting(actor, ticket, other);
          refuseOtherTerms(context, other);
          refuseTooDear(context, [], 'ticket_id');
          await absorb(context, other);
          return { detail: { ticket_id: other.id } };
        },
      },
    );
  };

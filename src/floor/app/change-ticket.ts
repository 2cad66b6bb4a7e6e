/** What a ticket says of itself: table, guests, member, discount (Decisions 12). */
import { businessDate } from '../../kernel/business-date.ts';
import { multiLine, singleLine } from '../../kernel/free-text.ts';
import { idOrNull, type Uuid } from '../../kernel/ids.ts';
import { invalidInput, Refusal } from '../../kernel/refusal.ts';
import { linkTicket, releaseTicket } from '../../bookings/app/staff/with-ticket.ts';
import { heldMemberCard } from '../../loyalty/app/shared.ts';
import type { JobContext } from '../../platform/app/job-context.ts';
import type { Repeated } from '../../platform/app/answer.ts';
import type { BodyOf, PathOf } from '../../platform/contract/endpoint.ts';
import { branchById } from '../../shops/app/shared.ts';
import type { Actor } from '../../staff/app/access.ts';
import type * as contract from '../contract/tickets.ts';
import { tillDiscount, updateTicket } from '../store/ticket.ts';
import { runChange, tableChange, type ChangeContext } from './change.ts';
import { placeInKitchen } from './kitchen.ts';
import { bookingAt, freeTables, takeTable } from './tables.ts';
import type { TicketReply } from './ticket-reply.ts';
import { movingBooking } from './with-booking.ts';
import type { FloorParts } from './parts.ts';

type Body = BodyOf<typeof contract.changeTicket>;
type Update = Parameters<typeof updateTicket>[2];

const NO_DISCOUNT = {
  problem: 'is no discount that the tills of this branch offer now',
  arabic: 'ليس خصماً متاحاً الآن على خزائن هذا الفرع',
} as const;

const NO_DISCOUNT_COLUMNS = {
  ...{ discount_id: null, discount_share: null, discount_name: null },
  ...{ discount_type: null, discount_rate: null, discount_amount: null },
} as const;

/** Throws NOT_PERMITTED. */
export const requireDiscounting = ({ permissions }: Pick<Actor, 'permissions'>): void => {
  const permission = 'tickets.discount';
  if (!permissions.includes(permission)) throw new Refusal('NOT_PERMITTED', { permission });
};

/** Null: none. Throws INVALID_INPUT, and NOT_PERMITTED for who may not give discounts. */
const discountColumns = async (
  { app }: FloorParts,
  { tx, ticket, actor, now }: ChangeContext,
  id: Uuid | null,
): Promise<Update> => {
  requireDiscounting(actor);
  if (id === null) return NO_DISCOUNT_COLUMNS;
  if (id === ticket.discountId) return {};
  const branch = await branchById(tx, ticket.branchId);
  const date = branch === null ? null : businessDate(branch.zone, now, branch.dayStartsAt);
  const found = date === null ? null : await tillDiscount(tx, ticket.orgId, ticket.branchId, id, date);
  if (found === null) throw invalidInput({ path: 'discount_id', ...NO_DISCOUNT });
  return {
    ...{ discount_id: found.id, discount_share: app.random.uuid(), discount_name: found.name },
    ...{ discount_type: found.dtype, discount_rate: found.rate, discount_amount: found.amount },
  };
};

/**
 * A booking that the ticket has by a move stays with the guests at the table that it leaves. Throws TABLE_TAKEN, and
 * SLOT_TAKEN where the guests of another booking sit there.
 */
const moveTo = async ({ tx, log, ticket }: ChangeContext, tableId: Uuid | null): Promise<Update> => {
  const { orgId, branchId, checkId, bookingId: before } = ticket;
  if (tableId === ticket.tableId) return {};
  if (tableId !== null) {
    await takeTable(tx, { orgId, branchId, tableId, checkId });
    log.add(orgId, tableChange(branchId, tableId));
  }
  const own = ticket.isBookedByMove ? null : before;
  const bookingId = tableId === null ? own : await bookingAt(tx, { orgId, bookingId: own }, tableId);
  if (bookingId === before) return { table_id: tableId };
  if (before !== null) await releaseTicket(tx, orgId, before);
  if (bookingId !== null) await linkTicket(tx, orgId, bookingId);
  return { table_id: tableId, booking_id: bookingId, booking_by_move: bookingId !== null };
};

const textsIn = (body: Body): Update => ({
  ...(body.guest_count === undefined ? {} : { guest_count: body.guest_count }),
  ...(body.customer_name === undefined ? {} : { customer_name: singleLine(body.customer_name) }),
  ...(body.notes === undefined ? {} : { notes: multiLine(body.notes) }),
});

const updateOf = async (parts: FloorParts, context: ChangeContext, body: Body): Promise<Update> => {
  const { tx, ticket } = context;
  const { member_id: member, discount_id: discount, table_id: table } = body;
  const card =
    member === undefined
      ? {}
      : {
          card_id:
            member === null ? null : (await heldMemberCard(tx, ticket.orgId, member.toLowerCase())).cardId,
        };
  const moved = table === undefined ? {} : await moveTo(context, idOrNull(table));
  const cut = discount === undefined ? {} : await discountColumns(parts, context, idOrNull(discount));
  return { ...textsIn(body), ...moved, ...card, ...cut };
};

/** Without the guests' words, which the audit log would keep. */
const auditedOf = ({ table_id, guest_count, member_id, discount_id }: Body, update: Update) => ({
  ...{ table_id, guest_count, member_id, discount_id },
  ...(update.booking_id === undefined ? {} : { booking_id: update.booking_id }),
});

interface PatchRequest {
  readonly path: PathOf<typeof contract.changeTicket>;
  readonly body: Body;
  readonly actor: Actor;
  readonly caller: JobContext;
}

/** PATCH /staff/tickets/{id}. */
export const changeTicket =
  (parts: FloorParts) =>
  ({ path, body, actor, caller }: PatchRequest): Promise<TicketReply | Repeated<TicketReply>> =>
    runChange(
      parts,
      { id: path.id, actor, caller, revision: body.revision, key: null, action: 'ticket.changed' },
      {
        ...(body.table_id === undefined ? {} : { run: movingBooking(parts, actor, idOrNull(body.table_id)) }),
        prepare: () => async (context) => {
          const { tx, ticket } = context;
          const update = await updateOf(parts, context, body);
          await updateTicket(tx, ticket, update);
          await freeTables(context, ticket);
          if (update.table_id !== undefined) await placeInKitchen(context, [ticket.id]);
          return { detail: auditedOf(body, update) };
        },
      },
    );

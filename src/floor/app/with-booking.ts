/** Changes of tickets, and the bookings of their guests: bookings are locked first (ARCHITECTURE.md, Changes). */
import type { Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import {
  bookingSeatedAt,
  endingTicket,
  lockingBookings,
  movingTicket,
  releaseTicket,
} from '../../bookings/app/staff/with-ticket.ts';
import { commitAndPublish, type ChangeLog } from '../../platform/app/commit.ts';
import { ConcurrentChange } from '../../platform/store/concurrent-change.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { Actor } from '../../staff/app/access.ts';
import type { TicketStatus } from '../domain/ticket.ts';
import { hasSettledTicket, labelOfTable, ticketById, type StoredTicket } from '../store/ticket.ts';
import type { RunChange } from './change.ts';
import { refuseTaken } from './tables.ts';
import type { FloorParts } from './parts.ts';

type Tx = Kysely<Database>;

/**
 * For a change that opens a ticket of the same booking, or of that of the guests at the table; and for one that brings the
 * ticket there. Null: at no other table. Throws `ConcurrentChange` where other guests were seated there meanwhile, whose
 * booking is not locked.
 */
export const withBooking =
  ({ app }: Pick<FloorParts, 'app'>, tableId: Uuid | null): RunChange =>
  async (work, { orgId, bookingId, isBookedByMove }) => {
    const own = bookingId === null ? [] : [bookingId];
    if (tableId === null || (bookingId !== null && !isBookedByMove))
      return lockingBookings(app, orgId, own, work);
    const sitting = await bookingSeatedAt(app.db.kysely, orgId, tableId);
    const locked = sitting === null || sitting === bookingId ? own : [...own, sitting];
    return lockingBookings(app, orgId, locked, async (tx, log) => {
      const changed = await work(tx, log);
      const after = (await ticketById(tx, orgId, changed))?.bookingId ?? null;
      if (after !== null && !locked.includes(after)) throw new ConcurrentChange();
      return changed;
    });
  };

/**
 * For a change that ends the ticket, or may. Its booking has an open ticket less then, and is completed with the last if its
 * guests have paid any; else they may still order. `becomes`: the status of the ticket after the change, as it was read.
 * Throws `ConcurrentChange` where that has changed meanwhile, or another ticket was settled. Who ends a ticket locks its booking
 * first: one that has ended by then has left it already.
 */
export const leavingBooking =
  (
    { app }: FloorParts,
    actor: Actor,
    becomes: (ticket: StoredTicket) => TicketStatus | Promise<TicketStatus>,
  ): RunChange =>
  async (work, ticket) => {
    const { id, orgId, branchId, bookingId } = ticket;
    if (bookingId === null || ticket.status !== 'open') return commitAndPublish(app, work);
    const status = await becomes(ticket);
    const hasPaid = (db: Tx): Promise<boolean> => hasSettledTicket(db, orgId, bookingId);
    const isPaid = status === 'settled' || (await hasPaid(app.db.kysely));
    const asRead = async (tx: Tx, log: ChangeLog): Promise<Uuid> => {
      if ((await ticketById(tx, orgId, id))?.status !== 'open') throw new ConcurrentChange();
      const changed = await work(tx, log);
      const isAsRead = (await ticketById(tx, orgId, id))?.status === status && (await hasPaid(tx)) === isPaid;
      if (!isAsRead) throw new ConcurrentChange();
      return changed;
    };
    if (status === 'open') return commitAndPublish(app, asRead);
    if (isPaid) return endingTicket(app, { actor, branchId, bookingId }, asRead);
    return lockingBookings(app, orgId, [bookingId], async (tx, log) => {
      const changed = await asRead(tx, log);
      await releaseTicket(tx, orgId, bookingId);
      return changed;
    });
  };

/**
 * A booking that the other one has by a move stays with its guests. A ticket without a booking takes any other one, whose
 * guests move to its table if that is in use; else the other one's has an open ticket less, and is completed with the
 * last. Throws `ConcurrentChange` where one of the two got another booking meanwhile.
 */
export const mergingBookings =
  ({ app }: FloorParts, actor: Actor, otherId: Uuid): RunChange =>
  async (work, { id, orgId, branchId, bookingId: own, tableId }) => {
    // One of another branch is refused by the change.
    const bookedOf = async (db: Tx, ticketId: Uuid) => {
      const ticket = await ticketById(db, orgId, ticketId);
      return ticket?.branchId === branchId ? ticket : null;
    };
    const other = await bookedOf(app.db.kysely, otherId);
    const others = other?.bookingId ?? null;
    // It came to seated guests by a move, and leaves them where they sit.
    const isLeaving = other?.isBookedByMove === true && others !== null && others !== own;
    const kept = isLeaving ? own : (own ?? others);
    const merge = async (tx: Tx, log: ChangeLog): Promise<Uuid> => {
      const merged = await work(tx, log);
      const ended = await bookedOf(tx, otherId);
      const isAsRead =
        (await bookedOf(tx, id))?.bookingId === kept &&
        ended?.bookingId === others &&
        ended.isBookedByMove === other?.isBookedByMove;
      if (!isAsRead) throw new ConcurrentChange();
      return merged;
    };
    if (isLeaving && other.status === 'open')
      return lockingBookings(app, orgId, own === null ? [others] : [own, others], async (tx, log) => {
        const merged = await merge(tx, log);
        await releaseTicket(tx, orgId, others);
        return merged;
      });
    const isThere =
      tableId !== null && (await labelOfTable(app.db.kysely, orgId, branchId, tableId)) !== null;
    if (own === null && others !== null && isThere)
      return movingTicket(app, { actor, branchId, bookingId: others, tableId }, merge);
    if (own === null || others === null)
      return lockingBookings(app, orgId, kept === null ? [] : [kept], merge);
    return endingTicket(app, { actor, branchId, bookingId: others, otherId: own }, merge);
  };

/**
 * The guests of a booking move with their only ticket; one without a booking of its own is of the guests who sit there.
 * Null: to no table. Throws SLOT_TAKEN and what `takeTable` throws.
 */
export const movingBooking =
  ({ app }: FloorParts, actor: Actor, tableId: Uuid | null): RunChange =>
  async (work, ticket) => {
    const { orgId, branchId, bookingId, isBookedByMove, checkId, tableId: from, status } = ticket;
    if (status !== 'open' || tableId === from) return commitAndPublish(app, work);
    if (tableId === null || bookingId === null || isBookedByMove)
      return withBooking({ app }, tableId)(work, ticket);
    await refuseTaken(app.db.kysely, { orgId, branchId, tableId, checkId });
    return movingTicket(app, { actor, branchId, bookingId, tableId }, work);
  };

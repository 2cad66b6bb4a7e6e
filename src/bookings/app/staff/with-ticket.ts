/** A booking and the tickets of its guests, in one transaction (Decisions 4, Booking; 12, Tickets). */
import type { Kysely } from 'kysely';
import type { Uuid } from '../../../kernel/ids.ts';
import { invalidInput, Refusal } from '../../../kernel/refusal.ts';
import type { App } from '../../../platform/app/app.ts';
import { commitAndPublish, type ChangeLog } from '../../../platform/app/commit.ts';
import { ConcurrentChange } from '../../../platform/store/concurrent-change.ts';
import type { Database } from '../../../platform/store/schema.ts';
import type { Actor } from '../../../staff/app/access.ts';
import {
  addTickets,
  bookingById,
  bookingSeatedAt,
  lockBookings,
  tablesOfBookings,
  type StoredBooking,
} from '../../store/booking.ts';
import { lockDaysOf } from '../../store/claims.ts';
import { inOneTurn } from '../branch-turns.ts';
import { completing, moving, seating } from './seat-guests.ts';
import { applyStep, prepareStep, type StepRequest } from './step.ts';

export { bookingSeatedAt };

type Tx = Kysely<Database>;
type Work<T> = (tx: Tx, log: ChangeLog) => Promise<T>;

interface LinkRequest {
  readonly actor: Actor;
  readonly branchId: Uuid;
  /** Null: the guests have no booking. */
  readonly bookingId: Uuid | null;
}

export const isSeated = async (db: Tx, orgId: Uuid, bookingId: Uuid): Promise<boolean> =>
  (await bookingById(db, orgId, bookingId))?.status === 'seated';

const NO_BOOKING_HERE = {
  problem: 'is no booking of this branch',
  arabic: 'ليس حجزاً من حجوزات هذا الفرع',
} as const;

/** Takes the step first, where there is one to take, and runs `work` in the same transaction. */
const withStep = async <T>(app: App, branchId: Uuid, request: StepRequest, work: Work<T>): Promise<T> =>
  inOneTurn(app, branchId, async () => {
    const ready = await prepareStep(app, request);
    return commitAndPublish(app, async (tx, log) => {
      if (ready !== null) await applyStep(app, tx, log, request, ready);
      return work(tx, log);
    });
  });

const STALE: readonly string[] = ['BOOKING_MOVED', 'BOOKING_ENDED'];

/** The booking was changed since it was read: who opens, moves or ends a ticket has not decided on it. */
const readAgain = (fault: unknown): never => {
  throw fault instanceof Refusal && STALE.includes(fault.refusal) ? new ConcurrentChange() : fault;
};

interface LinkTicketRequest extends LinkRequest {
  readonly tableId: Uuid | null;
  /** False: it is that of the guests at the table, as was read. */
  readonly isNamed: boolean;
}

/**
 * Seats the guests of a booking whose ticket is opened, at the table of the ticket. Throws the refusals of seating, and
 * `ConcurrentChange` where the guests at the table have left it meanwhile.
 */
export const linkingTicket = async <T>(
  app: App,
  { actor, branchId, bookingId, tableId, isNamed }: LinkTicketRequest,
  work: Work<T>,
): Promise<T> => {
  if (bookingId === null) return commitAndPublish(app, work);
  const booking = await bookingById(app.db.kysely, actor.orgId, bookingId);
  if (booking?.branch_id !== branchId) throw invalidInput({ path: 'booking_id', ...NO_BOOKING_HERE });
  const own = tableId === null ? [] : await tablesOfBookings(app.db.kysely, actor.orgId, [bookingId]);
  const isElsewhere = tableId !== null && own.every(({ id }) => id !== tableId);
  // Of joined tables it keeps all.
  const tableIds = tableId !== null && (isElsewhere || own.length === 1) ? [tableId] : [];
  const isHere = booking.status === 'seated';
  if (!isNamed && (!isHere || isElsewhere)) throw new ConcurrentChange();
  // Guests who are seated, and have no ticket yet, sit where theirs is opened.
  const isMoved = isElsewhere && isHere && booking.open_tickets === 0;
  const step = { actor, id: bookingId, revision: booking.revision, tableIds };
  const request = isMoved ? moving(app, step) : seating(app, step);
  const linked = withStep(app, branchId, request, async (tx, log) => {
    await linkTicket(tx, actor.orgId, bookingId);
    if ((await bookingById(tx, actor.orgId, bookingId))?.status !== 'seated') throw new ConcurrentChange();
    return work(tx, log);
  });
  return isHere || booking.status === 'confirmed' ? linked.catch(readAgain) : linked;
};

/** The dates of several are locked first: so does who completes one of them (`applyStep`). */
const lockAll = async (tx: Tx, orgId: Uuid, ids: readonly Uuid[]): Promise<void> => {
  if (ids.length > 1) await lockDaysOf(tx, orgId, ids);
  await lockBookings(tx, orgId, ids);
};

/** For one that is within a transaction: bookings are locked before tickets. */
export const lockTicketBookings = async (tx: Tx, orgId: Uuid, ids: readonly Uuid[]): Promise<void> => {
  if (ids.length > 0) await lockAll(tx, orgId, ids);
};

/** For `work` that opens or ends tickets: bookings are locked before tickets (ARCHITECTURE.md, Changes). */
export const lockingBookings = <T>(
  app: App,
  orgId: Uuid,
  bookingIds: readonly Uuid[],
  work: Work<T>,
): Promise<T> =>
  commitAndPublish(app, async (tx, log) => {
    await lockTicketBookings(tx, orgId, bookingIds);
    return work(tx, log);
  });

/** Another open ticket of the booking's guests. */
export const linkTicket = async (tx: Tx, orgId: Uuid, bookingId: Uuid): Promise<void> => {
  await addTickets(tx, orgId, bookingId, 1);
};

/** An open ticket less. */
export const releaseTicket = async (tx: Tx, orgId: Uuid, bookingId: Uuid): Promise<void> => {
  await addTickets(tx, orgId, bookingId, -1);
};

/** Whether its guests are seated at other tables, and have one ticket. */
const mustMove = async (db: Tx, booking: StoredBooking, tableId: Uuid): Promise<boolean> => {
  if (booking.status !== 'seated' || booking.open_tickets !== 1) return false;
  const own = await tablesOfBookings(db, booking.org_id, [booking.id]);
  return own.every(({ id }) => id !== tableId);
};

/**
 * Moves the guests of a booking who are seated to the table of their ticket, if they have no other ticket. Throws
 * SLOT_TAKEN, and `ConcurrentChange` where the booking was changed meanwhile.
 */
export const movingTicket = async <T>(
  app: App,
  { actor, branchId, bookingId, tableId }: LinkRequest & { readonly tableId: Uuid },
  work: Work<T>,
): Promise<T> => {
  const booking = bookingId === null ? null : await bookingById(app.db.kysely, actor.orgId, bookingId);
  if (booking === null) return commitAndPublish(app, work);
  const { id, revision } = booking;
  if (!(await mustMove(app.db.kysely, booking, tableId)))
    return lockingBookings(app, actor.orgId, [id], async (tx, log) => {
      const locked = await bookingById(tx, actor.orgId, id);
      if (locked !== null && (await mustMove(tx, locked, tableId))) throw new ConcurrentChange();
      return work(tx, log);
    });
  const request = moving(app, { actor, id, revision, tableIds: [tableId] });
  const moved: Work<T> = async (tx, log) => {
    if ((await bookingById(tx, actor.orgId, id))?.open_tickets !== 1) throw new ConcurrentChange();
    return work(tx, log);
  };
  return withStep(app, branchId, request, moved).catch(readAgain);
};

interface EndRequest extends LinkRequest {
  /** Another booking that `work` refers to, locked too. */
  readonly otherId?: Uuid;
}

/**
 * Completes the booking of a ticket that is settled or ends in another one, if it is the last open one of its guests.
 * Throws `ConcurrentChange` where that has changed meanwhile.
 */
export const endingTicket = async <T>(
  app: App,
  { actor, branchId, bookingId, otherId }: EndRequest,
  work: Work<T>,
): Promise<T> => {
  const booking = bookingId === null ? null : await bookingById(app.db.kysely, actor.orgId, bookingId);
  if (booking === null) return commitAndPublish(app, work);
  const { id, revision, status, open_tickets: tickets } = booking;
  const isLast = tickets === 1;
  const others = otherId === undefined || otherId === id ? [] : [otherId];
  // The ticket is checked first: one that was settled meanwhile is released already.
  const released: Work<T> = async (tx, log) => {
    const result = await work(tx, log);
    const left = await addTickets(tx, actor.orgId, id, -1);
    // Another ticket of the guests was settled, or split off, since the booking was read.
    if ((left === 0) !== isLast) throw new ConcurrentChange();
    return result;
  };
  if (status !== 'seated' || !isLast) return lockingBookings(app, actor.orgId, [id, ...others], released);
  const completed: Work<T> = async (tx, log) => {
    await lockBookings(tx, actor.orgId, [id, ...others]);
    return released(tx, log);
  };
  return withStep(app, branchId, completing({ actor, id, revision }), completed).catch(readAgain);
};

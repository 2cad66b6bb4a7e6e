/** The holder of a manage token changes or cancels the booking (Decisions 4, 9). */
import type { Kysely } from 'kysely';
import type { BodyOf, PathOf, QueryOf, ReplyOf } from '../../platform/contract/endpoint.ts';
import type * as contract from '../contract/guest-booking.ts';
import { canModify, GUEST_CANCELLATION } from '../domain/booking.ts';
import { multiLine } from '../../kernel/free-text.ts';
import { Refusal, refusedFor } from '../../kernel/refusal.ts';
import { parseInstant, type Instant } from '../../kernel/time.ts';
import { takesBookings, type Branch } from '../../shops/domain/shop.ts';
import type { App } from '../../platform/app/app.ts';
import { commitAndPublish, type ChangeLog } from '../../platform/app/commit.ts';
import type { Database } from '../../platform/store/schema.ts';
import { at } from '../../platform/store/types.ts';
import { lockBooking, updateBooking, type StoredBooking } from '../store/booking.ts';
import { releaseTables } from '../store/claims.ts';
import { inTurn } from './branch-turns.ts';
import { bookingOfToken, viewOf, type BookingView } from './booking-view.ts';
import { notifyGuest } from './notifications.ts';
import { reminderUpdate } from './reminders.ts';
import { partyFaults } from './branch-rules.ts';
import { datesToLock } from './seating.ts';
import { slotsWithout } from './slots.ts';
import { bookingChange, seatOrRefuse, takeSeat } from './table-assignment.ts';
import { stayRequestOf, type StayRequest } from './stay-request.ts';

type Tx = Kysely<Database>;
type ChangeBody = BodyOf<typeof contract.changeBooking>;

/** Of a new start; null: the body has none, or it is the booking's own. */
const movedRequest = (
  branch: Branch,
  booking: StoredBooking,
  { starts_at, party_size }: ChangeBody,
  now: Instant,
): StayRequest | null => {
  if (typeof starts_at !== 'string') return null;
  const startsAt = parseInstant(starts_at);
  if (startsAt === booking.starts_at) return null;
  const read = stayRequestOf(branch, { startsAt, partySize: party_size ?? booking.party_size }, now);
  if ('faults' in read) throw refusedFor(read.faults);
  return read.requested;
};

/** With another party alone the stay remains as it was booked; null: neither is changed. */
const changedRequest = (branch: Branch, booking: StoredBooking, body: ChangeBody, now: Instant) => {
  const moved = movedRequest(branch, booking, body, now);
  const { starts_at: start, ends_at: end, service_date: date, party_size: before } = booking;
  const partySize = body.party_size ?? before;
  if (moved !== null || partySize === before) return moved;
  const faults = partyFaults(branch, partySize);
  if (faults.length > 0) throw refusedFor(faults);
  return { date, stay: { start, end }, partySize };
};

const notesUpdate = ({ notes }: ChangeBody) => (notes === undefined ? {} : { notes: multiLine(notes) });

const applyChange = async (
  app: App,
  { tx, log, branch }: { tx: Tx; log: ChangeLog; branch: Branch },
  booking: StoredBooking,
  { body, requested }: { body: ChangeBody; requested: StayRequest | null },
): Promise<StoredBooking> => {
  const now = app.clock.now();
  const { org_id: orgId, id: bookingId } = booking;
  if (requested === null) {
    log.add(orgId, bookingChange(branch.id, booking.service_date, bookingId));
    return updateBooking(tx, booking, notesUpdate(body), now);
  }
  const assignment = await seatOrRefuse(app, tx, branch, requested, now, bookingId);
  const before = bookingChange(branch.id, booking.service_date, bookingId);
  log.add(orgId, before, ...(await takeSeat(tx, branch, { ...assignment, bookingId })));
  const { date, stay, partySize } = requested;
  const changed = await updateBooking(
    tx,
    booking,
    {
      ...{ starts_at: at(stay.start), ends_at: at(stay.end), service_date: date, party_size: partySize },
      is_pinned: false,
      ...notesUpdate(body),
      ...reminderUpdate(branch, booking, stay.start, now),
    },
    now,
  );
  await notifyGuest(tx, app, { event: 'changed', by: 'guest', booking: changed, branch });
  return changed;
};

const refuseUnlessModifiable = (
  { status, starts_at: startsAt }: StoredBooking,
  { booking }: Branch,
  now: Instant,
): void => {
  if (!canModify({ status, startsAt }, booking.leadTimeMinutes, now))
    throw new Refusal('BOOKING_NOT_MODIFIABLE');
};

/** GET /public/bookings/{manage_token}/slots. Throws NOT_FOUND, also where bookings are off. */
export const getBookingChangeSlots =
  (app: App) =>
  async ({
    path,
    query,
  }: {
    path: PathOf<typeof contract.getBookingChangeSlots>;
    query: QueryOf<typeof contract.getBookingChangeSlots>;
  }): Promise<ReplyOf<typeof contract.getBookingChangeSlots>> => {
    const { booking, branch } = await bookingOfToken(app, path.manage_token);
    refuseUnlessModifiable(booking, branch, app.clock.now());
    const question = { branchId: branch.id, date: query.date, partySize: query.party_size };
    return slotsWithout(app, question, booking.id);
  };

/** PATCH /public/bookings/{manage_token}. */
export const changeBooking =
  (app: App) =>
  async ({
    path,
    body,
  }: {
    path: PathOf<typeof contract.changeBooking>;
    body: ChangeBody;
  }): Promise<BookingView> => {
    const { booking: known } = await bookingOfToken(app, path.manage_token);
    return inTurn(app, known.branch_id, async () => {
      const { booking, branch } = await bookingOfToken(app, path.manage_token);
      if (!takesBookings(branch)) throw new Refusal('NOT_FOUND');
      const now = app.clock.now();
      refuseUnlessModifiable(booking, branch, now);
      const { date } = changedRequest(branch, booking, body, now) ?? { date: booking.service_date };
      const changed = await commitAndPublish(app, async (tx, log) => {
        const locked = await lockBooking(tx, booking, datesToLock(date));
        refuseUnlessModifiable(locked, branch, now);
        const requested = changedRequest(branch, locked, body, now);
        if (requested === null && body.notes === undefined) return locked;
        return applyChange(app, { tx, log, branch }, locked, { body, requested });
      });
      return viewOf(app, changed, branch, path.manage_token);
    });
  };

const cancel = async (
  app: App,
  { tx, log, branch }: { tx: Tx; log: ChangeLog; branch: Branch },
  booking: StoredBooking,
): Promise<StoredBooking> => {
  const locked = await lockBooking(tx, booking);
  const outcome = GUEST_CANCELLATION[locked.status];
  if (outcome === 'is_refused') throw new Refusal('BOOKING_NOT_MODIFIABLE');
  if (outcome === 'is_cancelled') return locked;
  const now = app.clock.now();
  await releaseTables(tx, locked.org_id, [locked.id]);
  log.add(locked.org_id, bookingChange(locked.branch_id, locked.service_date, locked.id));
  const ended = { status: 'cancelled', ended_at: at(now), cancelled_by: 'guest' };
  const cancelled = await updateBooking(tx, locked, ended, now);
  await notifyGuest(tx, app, { event: 'cancelled', by: 'guest', booking: cancelled, branch });
  return cancelled;
};

/** POST /public/bookings/{manage_token}/cancel. */
export const cancelBooking =
  (app: App) =>
  async ({ path }: { path: PathOf<typeof contract.cancelBooking> }): Promise<BookingView> => {
    const { booking: known } = await bookingOfToken(app, path.manage_token);
    return inTurn(app, known.branch_id, async () => {
      const { booking, branch } = await bookingOfToken(app, path.manage_token);
      const cancelled = await commitAndPublish(app, (tx, log) => cancel(app, { tx, log, branch }, booking));
      return viewOf(app, cancelled, branch, path.manage_token);
    });
  };

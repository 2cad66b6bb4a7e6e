/** Guests come, get other tables, leave, or never came (Decisions 4). */
import type { Kysely } from 'kysely';
import type { Uuid } from '../../../kernel/ids.ts';
import { wholeMinute, type Instant, type LocalDate, type Span } from '../../../kernel/time.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import type { App } from '../../../platform/app/app.ts';
import type { ChangeLog } from '../../../platform/app/commit.ts';
import type { BodyOf, PathOf } from '../../../platform/contract/endpoint.ts';
import type { Database } from '../../../platform/store/schema.ts';
import { at } from '../../../platform/store/types.ts';
import { branchById } from '../../../shops/app/shared.ts';
import type { Branch } from '../../../shops/domain/shop.ts';
import type { Actor } from '../../../staff/app/access.ts';
import type * as contract from '../../contract/staff-bookings.ts';
import { tablesOfBookings, type BookingUpdate, type StoredBooking } from '../../store/booking.ts';
import { releaseTables } from '../../store/claims.ts';
import { isTooEarly, STAFF_BOUNDS } from '../../domain/booking.ts';
import { serviceDateOf } from '../../domain/slots.ts';
import { datesToLock } from '../seating.ts';
import type { StaffBookingReply } from './booking-reply.ts';
import { staffBranch } from './day.ts';
import { takeStep, type PreparedStep, type StepRequest } from './step.ts';
import { remainingStay, seatForStaff } from './tables.ts';

interface Input<
  Id extends 'seatBooking' | 'moveBooking' | 'completeBooking' | 'markNoShow' | 'cancelStaffBooking',
> {
  readonly path: PathOf<(typeof contract)[Id]>;
  readonly body: BodyOf<(typeof contract)[Id]>;
  readonly actor: Actor;
}

interface AnyInput {
  readonly path: { readonly id: string };
  readonly body: { readonly revision: number };
  readonly actor: Actor;
}

const stepOf = ({ path, body, actor }: AnyInput) => ({ actor, id: path.id, revision: body.revision });

/** From now on: as long as booked, for guests who come when their time is over. */
const stayFromArrival = ({ starts_at: start, ends_at: end }: StoredBooking, now: Instant): Span => ({
  start: now,
  end: end > now ? end : wholeMinute(now) + (end - start),
});

/** Today's date too: a booking of another date is seated now. */
const datesToSeat = ({ booking, zone }: Branch, date: LocalDate, now: Instant): readonly LocalDate[] => [
  ...datesToLock(date),
  ...datesToLock(serviceDateOf(booking.hours, zone, now)),
];

interface Seating {
  readonly actor: Actor;
  readonly id: string;
  readonly revision: number;
  /** Empty: to seat, those that it has, where they are free; to move, any. */
  readonly tableIds: readonly string[];
}

/** The guests have come. */
export const seating = (app: App, { actor, id, revision, tableIds }: Seating): StepRequest => ({
  ...{ actor, id, revision, action: 'seat', auditedAs: 'booking.seated' },
  prepare: async ({ branch_id: branchId, service_date: date, starts_at: start }, asked) => {
    if (isTooEarly('seat', start, asked))
      throw new Refusal('TOO_EARLY_TO_SEAT', { minutes: STAFF_BOUNDS.maxMinutesEarly });
    const branch = await staffBranch(app, actor, branchId);
    return {
      locked: datesToSeat(branch, date, asked),
      apply: async (tx, booking, now) => {
        const stay = stayFromArrival(booking, now);
        const own = (await tablesOfBookings(tx, booking.org_id, [booking.id])).map((table) => table.id);
        const requested = { date, stay, partySize: booking.party_size, tableIds, preferred: own };
        const assignment = await seatForStaff(app, tx, branch, requested, now, booking.id);
        return {
          update: { seated_at: at(now), ends_at: at(stay.end) },
          assignment: { ...assignment, bookingId: booking.id, branch },
        };
      },
    };
  },
});

/** POST /staff/bookings/{id}/seat. */
export const seatBooking =
  (app: App) =>
  (input: Input<'seatBooking'>): Promise<StaffBookingReply> =>
    takeStep(app, seating(app, { ...stepOf(input), tableIds: input.body.table_ids ?? [] }));

/** Guests who are seated have their new tables from now on. */
export const moving = (app: App, { actor, id, revision, tableIds }: Seating): StepRequest => ({
  ...{ actor, id, revision, action: 'move', auditedAs: 'booking.moved' },
  prepare: async ({ branch_id: branchId, service_date: date }, asked) => {
    const branch = await staffBranch(app, actor, branchId);
    return {
      locked: datesToSeat(branch, date, asked),
      apply: async (tx, booking, now) => {
        const stay = remainingStay(booking, now);
        const requested = { date, stay, partySize: booking.party_size, tableIds };
        const assignment = await seatForStaff(app, tx, branch, requested, now, booking.id);
        return {
          update: { is_pinned: tableIds.length > 0 },
          assignment: { ...assignment, bookingId: booking.id, branch },
        };
      },
    };
  },
});

/**
 * Moves the open tickets of a booking that are at other tables to one of its own, or to none where its other tickets have
 * them. Throws TABLE_TAKEN and BILLS_TO_MERGE.
 */
export type MoveTickets = (
  change: { readonly tx: Kysely<Database>; readonly log: ChangeLog; readonly actor: Actor },
  booking: Pick<StoredBooking, 'org_id' | 'branch_id' | 'id'>,
  tableIds: readonly Uuid[],
) => Promise<void>;

/** POST /staff/bookings/{id}/tables. The bills of guests who are seated go with them. */
export const moveBooking =
  (app: App, moveTickets: MoveTickets) =>
  (input: Input<'moveBooking'>): Promise<StaffBookingReply> =>
    takeStep(
      app,
      moving(app, { ...stepOf(input), tableIds: input.body.table_ids }),
      async (tx, log, booking) => {
        if (booking.status !== 'seated' || booking.open_tickets === 0) return;
        const tables = await tablesOfBookings(tx, booking.org_id, [booking.id]);
        const tableIds = tables.map(({ id }) => id);
        await moveTickets({ tx, log, actor: input.actor }, booking, tableIds);
      },
    );

/** Its tables are free. */
const ending =
  (update: BookingUpdate, detail: Readonly<Record<string, unknown>> = {}) =>
  (): PreparedStep => ({
    locked: [],
    apply: async (tx, booking, now) => {
      await releaseTables(tx, booking.org_id, [booking.id]);
      return { update: { ...update, ended_at: at(now) }, detail };
    },
  });

/** The guests have left. */
export const completing = (step: Pick<StepRequest, 'actor' | 'id' | 'revision'>): StepRequest => ({
  ...{ ...step, action: 'complete', auditedAs: 'booking.completed', prepare: ending({}) },
});

/** POST /staff/bookings/{id}/complete. */
export const completeBooking =
  (app: App) =>
  (input: Input<'completeBooking'>): Promise<StaffBookingReply> =>
    takeStep(app, completing(stepOf(input)));

/** POST /staff/bookings/{id}/no-show. */
export const markNoShow =
  (app: App) =>
  (input: Input<'markNoShow'>): Promise<StaffBookingReply> =>
    takeStep(app, {
      ...stepOf(input),
      ...{ action: 'no_show', auditedAs: 'booking.no_show' },
      prepare: ({ starts_at: start }, now) => {
        if (isTooEarly('no_show', start, now)) throw new Refusal('BOOKING_NOT_BEGUN');
        return ending({})();
      },
    });

/** POST /staff/bookings/{id}/cancel. */
export const cancelStaffBooking =
  (app: App) =>
  (input: Input<'cancelStaffBooking'>): Promise<StaffBookingReply> =>
    takeStep(app, {
      ...stepOf(input),
      ...{ action: 'cancel', auditedAs: 'booking.cancelled' },
      prepare: async ({ branch_id: branchId }) => {
        const branch = await branchById(app.db.kysely, branchId);
        const ended = ending({ cancelled_by: 'staff' }, { note: input.body.note ?? null })();
        return { ...ended, notifies: branch === null ? null : { event: 'cancelled', branch } };
      },
    });

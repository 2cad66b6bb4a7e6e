/** One step of a booking by the staff: lock, decide, apply, save (Decisions 4). */
import type { Kysely } from 'kysely';
import type { Change } from '../../../kernel/change.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import type { Instant, LocalDate } from '../../../kernel/time.ts';
import type { App } from '../../../platform/app/app.ts';
import { recordAudit } from '../../../platform/app/audit.ts';
import { commitAndPublish, type ChangeLog } from '../../../platform/app/commit.ts';
import type { Database } from '../../../platform/store/schema.ts';
import type { Branch } from '../../../shops/domain/shop.ts';
import type { Actor } from '../../../staff/app/access.ts';
import { decideStep, type BookingStatus, type StaffAction } from '../../domain/booking.ts';
import type { BookingEvent } from '../../domain/message.ts';
import { lockBooking, updateBooking, type BookingUpdate, type StoredBooking } from '../../store/booking.ts';
import { inTurn } from '../branch-turns.ts';
import { notifyGuest } from '../notifications.ts';
import { repairHolds } from '../holds.ts';
import { datesToLock } from '../seating.ts';
import { bookingChange, takeSeat, type Assignment } from '../table-assignment.ts';
import { replyOf, type StaffBookingReply } from './booking-reply.ts';
import { staffBooking } from './day.ts';

export interface StepOutcome {
  readonly update: BookingUpdate;
  /** The tables that it gets. */
  readonly assignment?: Assignment & { readonly branch: Branch };
  /** Of other dates. */
  readonly changes?: readonly Change[];
  /** For the audit log. */
  readonly detail?: Readonly<Record<string, unknown>>;
}

export interface PreparedStep {
  /** Dates to lock besides the booking's own. */
  readonly locked: readonly LocalDate[];
  /** Of what the guest gets a message; null: none. */
  readonly notifies?: { readonly event: BookingEvent; readonly branch: Branch } | null;
  readonly apply: (tx: Kysely<Database>, booking: StoredBooking, now: Instant) => Promise<StepOutcome>;
}

/** Takes the tables of a saved booking; holds that lost theirs get others, or end. Returns the changes. */
export const takeForStaff = async (
  app: App,
  tx: Kysely<Database>,
  { branch, ...assignment }: Assignment & { readonly branch: Branch },
): Promise<readonly Change[]> => [
  ...(await takeSeat(tx, branch, assignment)),
  ...(await repairHolds(app, tx, branch, datesToLock(assignment.date))),
];

export interface StepRequest {
  readonly action: StaffAction;
  /** In the audit log. */
  readonly auditedAs: `booking.${string}`;
  readonly actor: Actor;
  readonly id: string;
  /** That the step was decided on. */
  readonly revision: number;
  /** Null: it changes nothing. Throws INVALID_INPUT. */
  readonly prepare: (
    booking: StoredBooking,
    now: Instant,
  ) => PreparedStep | null | Promise<PreparedStep | null>;
}

/** The status after the step; null: it was done before. Throws BOOKING_ENDED and BOOKING_MOVED. */
const statusAfter = (booking: StoredBooking, { action, revision }: StepRequest): BookingStatus | null => {
  const to = decideStep(action, booking, revision);
  const figures = { status: booking.status, revision: booking.revision };
  if (to === 'ended') throw new Refusal('BOOKING_ENDED', figures);
  if (to === 'moved') throw new Refusal('BOOKING_MOVED', figures);
  return to === 'same' ? null : to;
};

export interface ReadyStep {
  readonly found: StoredBooking;
  readonly prepared: PreparedStep;
}

/** Decides the step; null: it was done before, or changes nothing. */
export const prepareStep = async (app: App, request: StepRequest): Promise<ReadyStep | null> => {
  const found = await staffBooking(app, request.actor, request.id);
  if (statusAfter(found, request) === null) return null;
  const prepared = await request.prepare(found, app.clock.now());
  return prepared === null ? null : { found, prepared };
};

/** Takes the step within a transaction, in the turn of the branch. */
export const applyStep = async (
  app: App,
  tx: Kysely<Database>,
  log: ChangeLog,
  request: StepRequest,
  { found, prepared }: ReadyStep,
): Promise<StoredBooking> => {
  const { auditedAs, actor } = request;
  const { orgId, staffId, deviceId } = actor;
  const { locked, notifies = null, apply } = prepared;
  const booking = await lockBooking(tx, found, locked);
  // Whoever was first may have done it.
  const to = statusAfter(booking, request);
  if (to === null) return booking;
  const now = app.clock.now();
  const { update, assignment, changes = [], detail } = await apply(tx, booking, now);
  const saved = await updateBooking(tx, booking, { ...update, status: to }, now);
  const seated = assignment === undefined ? [] : await takeForStaff(app, tx, assignment);
  if (notifies !== null) await notifyGuest(tx, app, { ...notifies, by: 'shop', booking: saved });
  await recordAudit(app, tx, {
    ...{ orgId, staffId, deviceId, branchId: booking.branch_id, at: now },
    ...{ action: auditedAs, subject: 'booking', subjectId: booking.id },
    detail: { from: booking.status, ...detail },
  });
  log.add(orgId, bookingChange(booking.branch_id, booking.service_date, booking.id), ...changes, ...seated);
  return saved;
};

/** What is changed with the booking, in the same transaction. */
type AfterStep = (tx: Kysely<Database>, log: ChangeLog, saved: StoredBooking) => Promise<void>;

export const takeStep = async (
  app: App,
  request: StepRequest,
  after: AfterStep = () => Promise.resolve(),
): Promise<StaffBookingReply> => {
  const { actor, id } = request;
  const { branch_id: branchId } = await staffBooking(app, actor, id);
  return inTurn(app, branchId, async () => {
    const ready = await prepareStep(app, request);
    if (ready === null) return replyOf(app, app.db.kysely, await staffBooking(app, actor, id));
    return commitAndPublish(app, async (tx, log) => {
      const saved = await applyStep(app, tx, log, request, ready);
      await after(tx, log, saved);
      return replyOf(app, tx, saved);
    });
  });
};

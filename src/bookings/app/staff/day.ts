/** The bookings of a branch on a service date, and one of them. */
import { spansOn } from '../../../kernel/hours.ts';
import { invalidInput, Refusal } from '../../../kernel/refusal.ts';
import {
  addDays,
  daysBetween,
  localDateOf,
  resolveStart,
  type LocalDate,
  type Span,
} from '../../../kernel/time.ts';
import type { App } from '../../../platform/app/app.ts';
import type { PathOf, QueryOf, ReplyOf } from '../../../platform/contract/endpoint.ts';
import { branchById, tablesOfBranch } from '../../../shops/app/shared.ts';
import type { Branch } from '../../../shops/domain/shop.ts';
import type { Actor } from '../../../staff/app/access.ts';
import { mayAtBranch } from '../../../staff/domain/staff.ts';
import type * as contract from '../../contract/staff-bookings.ts';
import { bookingById, bookingsOfDay, type StoredBooking } from '../../store/booking.ts';
import { blocksWithin } from '../../store/block.ts';
import { blockReply } from './block-reply.ts';
import { repliesOf, replyOf, type StaffBookingReply } from './booking-reply.ts';

/** Throws NOT_FOUND for a branch of another shop, or one where the actor does not work. */
export const staffBranch = async (app: Pick<App, 'db'>, actor: Actor, branchId: string): Promise<Branch> => {
  const branch = await branchById(app.db.kysely, branchId.toLowerCase());
  if (branch === null || branch.orgId !== actor.orgId || !mayAtBranch(actor, branch.id))
    throw new Refusal('NOT_FOUND');
  return branch;
};

/** Throws NOT_FOUND. */
export const staffBooking = async (
  app: Pick<App, 'db'>,
  actor: Actor,
  id: string,
): Promise<StoredBooking> => {
  const booking = await bookingById(app.db.kysely, actor.orgId, id);
  if (booking === null || !mayAtBranch(actor, booking.branch_id)) throw new Refusal('NOT_FOUND');
  return booking;
};

/** From its midnight to the end of the last service that begins on it. */
const spanOfDay = ({ booking, zone }: Branch, date: LocalDate): Span => {
  const midnight = resolveStart(zone, addDays(date, 1), 0);
  const ends = spansOn(booking.hours, zone, date).map(({ end }) => end);
  return { start: resolveStart(zone, date, 0), end: Math.max(midnight, ...ends) };
};

const FAR_YEARS = 10;
const TOO_FAR = {
  problem: `must be within ${FAR_YEARS} years of today`,
  arabic: `يجب أن يكون خلال ${FAR_YEARS} سنوات من اليوم`,
} as const;

/** Throws INVALID_INPUT. */
const refuseFarDate = (date: LocalDate, today: LocalDate): void => {
  if (Math.abs(daysBetween(today, date)) > FAR_YEARS * 366) throw invalidInput({ path: 'date', ...TOO_FAR });
};

/** GET /staff/bookings. */
export const listStaffBookings =
  (app: App) =>
  async ({
    query,
    actor,
  }: {
    query: QueryOf<typeof contract.listStaffBookings>;
    actor: Actor;
  }): Promise<ReplyOf<typeof contract.listStaffBookings>> => {
    const branch = await staffBranch(app, actor, query.branch_id);
    const { orgId, id: branchId, zone } = branch;
    refuseFarDate(query.date, localDateOf(zone, app.clock.now()));
    return app.db.snapshot(async (tx) => {
      const tables = await tablesOfBranch(tx, orgId, branchId);
      const bookings = await bookingsOfDay(tx, orgId, branchId, query.date);
      const blocks = await blocksWithin(tx, { orgId, branchId, span: spanOfDay(branch, query.date) });
      const byLabel = new Intl.Collator('ar', { numeric: true }).compare;
      return {
        ...{ date: query.date, timezone: zone, hold_minutes: branch.booking.holdMinutes },
        tables: tables
          .sort((a, b) => byLabel(a.label, b.label))
          .map(({ seatsMin, seatsMax, ...table }) => ({
            ...table,
            ...{ seats_min: seatsMin, seats_max: seatsMax },
          })),
        bookings: await repliesOf(app, tx, bookings),
        blocks: blocks.map((block) => blockReply(block, tables)),
      };
    });
  };

/** GET /staff/bookings/{id}. */
export const getStaffBooking =
  (app: App) =>
  async ({
    path,
    actor,
  }: {
    path: PathOf<typeof contract.getStaffBooking>;
    actor: Actor;
  }): Promise<StaffBookingReply> =>
    replyOf(app, app.db.kysely, await staffBooking(app, actor, path.id));

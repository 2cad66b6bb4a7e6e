import type { BookingStatus } from '../domain/booking.ts';
import type { App } from '../../platform/app/app.ts';
import { recordAudit } from '../../platform/app/audit.ts';
import { commitAndPublish } from '../../platform/app/commit.ts';
import { BATCH, forEachDue, hourly, inBatches, type Sweep } from '../../platform/app/sweep.ts';
import { addDays, addMinutes, localDateOf } from '../../kernel/time.ts';
import { at } from '../../platform/store/types.ts';
import { bookingById, lockBooking, updateBooking } from '../store/booking.ts';
import { ConcurrentChange } from '../../platform/store/concurrent-change.ts';
import { releaseTables } from '../store/claims.ts';
import { deleteExpiredHolds } from '../store/hold.ts';
import { remind } from './reminders.ts';
import { bookingChange } from './table-assignment.ts';
import { dueReminders } from '../store/reminder.ts';
import { deleteDaysBefore, finishedBookings, missedBookings, type DueBooking } from '../store/sweep.ts';

/** A lock row lives longer than any service of its date, in any zone. */
const DAYS_KEPT = 7;

interface EndingByClock {
  readonly from: BookingStatus;
  readonly to: BookingStatus;
  readonly after: 'starts_at' | 'ends_at';
}

/** Ends a booking that is still due once it is locked; its tables are free. */
const endDue =
  ({ from, to, after }: EndingByClock) =>
  (app: App, { orgId, id, minutes }: DueBooking): Promise<void> =>
    commitAndPublish(app, async (tx, log) => {
      const found = await bookingById(tx, orgId, id);
      if (found === null) return;
      const booking = await lockBooking(tx, found);
      const now = app.clock.now();
      const isDue = booking.status === from && addMinutes(booking[after], minutes) <= now;
      // Guests who have just ordered stay.
      if (!isDue || booking.open_tickets > 0) return;
      await releaseTables(tx, orgId, [id]);
      await updateBooking(tx, booking, { status: to, ended_at: at(now) }, now);
      await recordAudit(app, tx, {
        ...{ orgId, staffId: null, deviceId: null, branchId: booking.branch_id },
        ...{ action: `booking.${to}`, subject: 'booking', subjectId: id, detail: { from } },
      });
      log.add(orgId, bookingChange(booking.branch_id, booking.service_date, id));
    }).catch((fault: unknown) => {
      // Another sweeper or the guest was first; what is still due is found again.
      if (!(fault instanceof ConcurrentChange)) throw fault;
    });

export const sweeps: readonly Sweep[] = [
  {
    name: 'reminders of bookings',
    everyMs: 0,
    run: forEachDue({ find: ({ db }, query) => dueReminders(db.kysely, query), handle: remind }),
  },
  {
    name: 'bookings of guests who did not come',
    everyMs: 0,
    run: forEachDue({
      find: ({ db }, query) => missedBookings(db.kysely, query),
      handle: endDue({ from: 'confirmed', to: 'no_show', after: 'starts_at' }),
    }),
  },
  {
    name: 'bookings past their end',
    everyMs: 0,
    run: forEachDue({
      find: ({ db }, query) => finishedBookings(db.kysely, query),
      handle: endDue({ from: 'seated', to: 'completed', after: 'ends_at' }),
    }),
  },
  ...hourly({
    'expired holds of a start': inBatches(({ db }, now) => deleteExpiredHolds(db.kysely, now, BATCH)),
    'locks of past dates': inBatches(({ db }, now) =>
      deleteDaysBefore(db.kysely, addDays(localDateOf('UTC', now), -DAYS_KEPT), BATCH),
    ),
  }),
];

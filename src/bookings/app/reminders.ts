/** Reminders of bookings, `reminder_lead_minutes` before the start (Decisions 9). */
import { reminderTime } from '../domain/message.ts';
import type { Instant } from '../../kernel/time.ts';
import type { Branch } from '../../shops/domain/shop.ts';
import { branchById } from '../../shops/app/shared.ts';
import type { App } from '../../platform/app/app.ts';
import { demandOpen } from '../../platform/app/commit.ts';
import { at } from '../../platform/store/types.ts';
import type { BookingUpdate, StoredBooking } from '../store/booking.ts';
import { takeReminder, type DueReminder } from '../store/reminder.ts';
import { notifyGuest } from './notifications.ts';

/** `remind_at` of a booking of a guest who is notified. */
export const remindAt = ({ booking }: Branch, startsAt: Instant, now: Instant) => {
  const time = reminderTime(startsAt, booking.reminderLeadMinutes, now);
  return time === null ? null : at(time);
};

/** Another start has its own reminder, also if the guest was reminded of the old one. */
export const reminderUpdate = (
  branch: Branch,
  { starts_at, notified }: StoredBooking,
  startsAt: Instant,
  now: Instant,
): Pick<BookingUpdate, 'remind_at'> =>
  startsAt === starts_at || !notified ? {} : { remind_at: remindAt(branch, startsAt, now) };

/** Recorded together with the message: of several sweepers one takes the reminder. */
export const remind = async (app: App, due: DueReminder): Promise<void> => {
  const branch = await branchById(app.db.kysely, due.branchId);
  await app.db.tx(async (tx) => {
    const booking = await takeReminder(tx, due);
    if (booking === null || booking.starts_at <= app.clock.now()) return;
    if (branch === null || branch.booking.reminderLeadMinutes === null) return;
    await demandOpen(tx, due.orgId);
    await notifyGuest(tx, app, { event: 'reminder', by: 'shop', booking, branch });
  });
};

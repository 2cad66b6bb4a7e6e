/** Bookings and their states (Decisions 4, Booking; Decisions 9). */
import { addMinutes, type Instant } from '../../kernel/time.ts';

export const BOOKING_STATUSES = ['confirmed', 'seated', 'completed', 'no_show', 'cancelled'] as const;
export type BookingStatus = (typeof BOOKING_STATUSES)[number];

export interface BookingTimes {
  readonly status: BookingStatus;
  readonly startsAt: Instant;
}

/** Shapes, PublicBookingView: confirmed, and further away than the lead time. */
export const canModify = ({ status, startsAt }: BookingTimes, leadMinutes: number, now: Instant): boolean =>
  status === 'confirmed' && startsAt > addMinutes(now, leadMinutes);

/** What a guest's cancellation does; the lead time does not bar it. */
export const GUEST_CANCELLATION: Readonly<Record<BookingStatus, 'cancels' | 'is_cancelled' | 'is_refused'>> =
  {
    confirmed: 'cancels',
    seated: 'is_refused',
    completed: 'is_refused',
    no_show: 'is_refused',
    cancelled: 'is_cancelled',
  };

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

// ── The staff ───────────────────────────────────────────────────────────────────────────────────

export const BOOKING_SOURCES = ['guest', 'phone', 'walk_in'] as const;
export type BookingSource = (typeof BOOKING_SOURCES)[number];

/** Guards against slips of the finger; the branch's own bounds bind guests alone. */
export const STAFF_BOUNDS = {
  maxParty: 200,
  minMinutes: 15,
  maxMinutes: 600,
  /** How early guests of a booking can be seated. */
  maxMinutesEarly: 180,
  maxDaysAhead: 366,
  maxBlockDays: 31,
} as const;

export const STAFF_ACTIONS = ['seat', 'move', 'change', 'complete', 'no_show', 'cancel'] as const;
export type StaffAction = (typeof STAFF_ACTIONS)[number];

/** The status after each action; none: it is not allowed (Decisions 4, Booking). */
const TRANSITIONS: Readonly<Record<StaffAction, Partial<Readonly<Record<BookingStatus, BookingStatus>>>>> = {
  seat: { confirmed: 'seated' },
  move: { confirmed: 'confirmed', seated: 'seated' },
  change: { confirmed: 'confirmed', seated: 'seated' },
  complete: { seated: 'completed' },
  no_show: { confirmed: 'no_show' },
  cancel: { confirmed: 'cancelled', seated: 'cancelled' },
};

export const actionsOn = (status: BookingStatus): readonly StaffAction[] =>
  STAFF_ACTIONS.filter((action) => TRANSITIONS[action][status] !== undefined);

const hasEnded = (status: BookingStatus): boolean => actionsOn(status).length === 0;

const leadsTo = (action: StaffAction, status: BookingStatus): boolean =>
  Object.entries(TRANSITIONS[action]).some(([from, to]) => to === status && from !== to);

/** The status after it; `same`: it was done before. `revision` is the one that the person decided on. */
export const decideStep = (
  action: StaffAction,
  { status, revision }: { readonly status: BookingStatus; readonly revision: number },
  decidedOn: number,
): BookingStatus | 'same' | 'ended' | 'moved' => {
  if (leadsTo(action, status)) return 'same';
  if (hasEnded(status)) return 'ended';
  return revision === decidedOn ? (TRANSITIONS[action][status] ?? 'moved') : 'moved';
};

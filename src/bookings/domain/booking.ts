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
  /** How long ago a new booking may begin: the sweeper calls later ones a no-show. */
  maxMinutesPast: 15,
  maxDaysAhead: 366,
  maxBlockDays: 31,
} as const;

export const STAFF_ACTIONS = ['seat', 'move', 'change', 'complete', 'no_show', 'cancel'] as const;
export type StaffAction = (typeof STAFF_ACTIONS)[number];

type StatusAfter = Readonly<Record<BookingStatus, BookingStatus | null>>;

const ENDED = { completed: null, no_show: null, cancelled: null } as const;

/** The status after each action; null: it is not allowed (Decisions 4, Booking). */
const TRANSITIONS: Readonly<Record<StaffAction, StatusAfter>> = {
  seat: { ...ENDED, confirmed: 'seated', seated: null },
  move: { ...ENDED, confirmed: 'confirmed', seated: 'seated' },
  change: { ...ENDED, confirmed: 'confirmed', seated: 'seated' },
  complete: { ...ENDED, confirmed: null, seated: 'completed' },
  no_show: { ...ENDED, confirmed: 'no_show', seated: null },
  cancel: { ...ENDED, confirmed: 'cancelled', seated: 'cancelled' },
};

const actionsOn = (status: BookingStatus): readonly StaffAction[] =>
  STAFF_ACTIONS.filter((action) => TRANSITIONS[action][status] !== null);

/** How many minutes before the start each action is possible; null: at any time. */
const MINUTES_EARLY: Readonly<Record<StaffAction, number | null>> = {
  ...{ seat: STAFF_BOUNDS.maxMinutesEarly, no_show: 0 },
  ...{ move: null, change: null, complete: null, cancel: null },
};

export const isTooEarly = (action: StaffAction, startsAt: Instant, now: Instant): boolean => {
  const minutes = MINUTES_EARLY[action];
  return minutes !== null && now < addMinutes(startsAt, -minutes);
};

/** What can be done now. */
export const actionsNow = ({ status, startsAt }: BookingTimes, now: Instant): readonly StaffAction[] =>
  actionsOn(status).filter((action) => !isTooEarly(action, startsAt, now));

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

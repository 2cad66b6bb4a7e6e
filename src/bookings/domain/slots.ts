import { spansOn } from '../../kernel/hours.ts';
import type { OpeningHours } from '../../kernel/hours.ts';
import { addDays, addMinutes, localDateOf, resolveStart } from '../../kernel/time.ts';
import type { Instant, LocalDate, Span, ZoneId } from '../../kernel/time.ts';
import { datesAround } from '../../kernel/timetable.ts';

/** How starts are laid out over an opening, in real minutes (Decisions 9). */
export interface SlotGrid {
  /** From one start to the next; more than 0. */
  readonly slotMinutes: number;
  /** How long a party stays. */
  readonly durationMinutes: number;
}

/** What decides whether a start is offered, seats apart (Decisions 9). */
export interface SlotRules extends SlotGrid {
  /** A start is bookable from this many real minutes ahead. */
  readonly leadMinutes: number;
  /** Service dates without bookings. */
  readonly blackoutDates: readonly LocalDate[];
}

/** Why a start cannot be booked: it is past or nearer than the lead time, else there is no room for the party. */
export const UNAVAILABLE_REASONS = ['too_soon', 'taken'] as const;
export type UnavailableReason = (typeof UNAVAILABLE_REASONS)[number];

/** A start time and whether it can be booked (Shapes, PublicSlot). */
export interface OfferedSlot {
  readonly startsAt: Instant;
  /** Null where it can. */
  readonly unavailable: UnavailableReason | null;
}

const startsIn = (opening: Span, { slotMinutes, durationMinutes }: SlotGrid): readonly Instant[] => {
  const last = addMinutes(opening.end, -durationMinutes);
  const starts: Instant[] = [];
  for (let start = opening.start; start <= last; start = addMinutes(start, slotMinutes)) starts.push(start);
  return starts;
};

/**
 * The starts that belong to a service date, ascending: from each opening of that date every
 * `slotMinutes`, the last one at close − duration. Starts after midnight are listed under the date the
 * service began, and no instant twice, even where ranges overlap (Decisions 9).
 */
export const slotStarts = (
  grid: SlotGrid,
  hours: OpeningHours,
  zone: ZoneId,
  date: LocalDate,
): readonly Instant[] => {
  const starts = spansOn(hours, zone, date).flatMap((opening) => startsIn(opening, grid));
  return [...new Set(starts)].sort((a, b) => a - b);
};

/** The span a party holds its table that starts at `startsAt`. */
export const stayFrom = (grid: SlotGrid, startsAt: Instant): Span => ({
  start: startsAt,
  end: addMinutes(startsAt, grid.durationMinutes),
});

/** Whether a start is far enough ahead to be booked (Decisions 9: start ≥ now + lead). */
const isInTime = (startsAt: Instant, leadMinutes: number, now: Instant): boolean =>
  startsAt >= addMinutes(now, leadMinutes);

/**
 * Every start of a service date, each marked available or not (Behaviour, Menu rule 4). A start is
 * available when it is far enough ahead and `hasRoom` for the stay; the others
 * are listed all the same. A blackout date has no starts. Whether `date` may be asked for at all is `dateBounds`' matter.
 */
export const offeredSlots = (
  rules: SlotRules,
  hours: OpeningHours,
  zone: ZoneId,
  date: LocalDate,
  now: Instant,
  hasRoom: (stay: Span) => boolean,
): readonly OfferedSlot[] => {
  if (rules.blackoutDates.includes(date)) return [];
  const whyNot = (startsAt: Instant): UnavailableReason | null => {
    if (!isInTime(startsAt, rules.leadMinutes, now)) return 'too_soon';
    return hasRoom(stayFrom(rules, startsAt)) ? null : 'taken';
  };
  return slotStarts(rules, hours, zone, date).map((startsAt) => ({
    startsAt,
    unavailable: whyNot(startsAt),
  }));
};

/**
 * The first instant after `now` at which one of `starts` gets too near to be booked: a millisecond
 * after start − lead. Null when none is bookable now.
 */
export const nextLeadEdge = (
  starts: readonly Instant[],
  leadMinutes: number,
  now: Instant,
): Instant | null => {
  const nearest = starts.find((startsAt) => isInTime(startsAt, leadMinutes, now));
  return nearest === undefined ? null : addMinutes(nearest, -leadMinutes) + 1;
};

/**
 * `today` of the booking desk: the date of the service running now, which at 01:00 in a house open
 * 13:00–02:00 is still yesterday's; with none running the local date (Decisions 9). Where two services
 * overlap it is the one that began first, so that none of its remaining starts falls out of range.
 */
export const serviceDateOf = (hours: OpeningHours, zone: ZoneId, now: Instant): LocalDate =>
  datesAround(zone, now).find((date) =>
    spansOn(hours, zone, date).some((span) => span.start <= now && now < span.end),
  ) ?? localDateOf(zone, now);

/** The next instant after `now` at which `serviceDateOf` changes; null past the end of the calendar. */
export const nextServiceDateEdge = (hours: OpeningHours, zone: ZoneId, now: Instant): Instant | null => {
  const today = serviceDateOf(hours, zone, now);
  // It changes where a service begins or ends or at midnight, and nowhere else.
  const turns = datesAround(zone, now).flatMap((date) => [
    resolveStart(zone, date, 0),
    ...spansOn(hours, zone, date).flatMap(({ start, end }) => [start, end]),
  ]);
  const ahead = turns.filter((turn) => turn > now).sort((a, b) => a - b);
  return ahead.find((turn) => serviceDateOf(hours, zone, turn) !== today) ?? null;
};

/** The first and last service date that can be booked, both included. */
export interface DateBounds {
  readonly first: LocalDate;
  readonly last: LocalDate;
}

/** Dates run from `today` (see `serviceDateOf`) to today + `horizonDays` (Decisions 9). */
export const dateBounds = (today: LocalDate, horizonDays: number): DateBounds => ({
  first: today,
  last: addDays(today, horizonDays),
});

/** Whether a date can be booked: today ≤ date ≤ today + horizon (Decisions 9). */
export const isWithin = (bounds: DateBounds, date: LocalDate): boolean =>
  bounds.first <= date && date <= bounds.last;

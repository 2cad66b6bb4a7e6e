import { spansOn } from '../../kernel/hours.ts';
import type { OpeningHours } from '../../kernel/hours.ts';
import { addDays, addMinutes, localDateOf, resolveStart } from '../../kernel/time.ts';
import type { Instant, LocalDate, Span, ZoneId } from '../../kernel/time.ts';
import { datesAround } from '../../kernel/timetable.ts';

/** Real minutes (Decisions 9). */
export interface SlotGrid {
  /** More than 0. */
  readonly slotMinutes: number;
  readonly durationMinutes: number;
}

/** Rules of offered starts, apart from seating (Decisions 9). */
export interface SlotRules extends SlotGrid {
  /** Real minutes. */
  readonly leadMinutes: number;
  readonly blackoutDates: readonly LocalDate[];
}

/** `too_soon`: past or within the lead time; checked before `taken`. */
export const UNAVAILABLE_REASONS = ['too_soon', 'taken'] as const;
export type UnavailableReason = (typeof UNAVAILABLE_REASONS)[number];

/** Shapes, PublicSlot. */
export interface OfferedSlot {
  readonly startsAt: Instant;
  /** Null: available. */
  readonly unavailable: UnavailableReason | null;
}

const startsIn = (opening: Span, { slotMinutes, durationMinutes }: SlotGrid): readonly Instant[] => {
  const last = addMinutes(opening.end, -durationMinutes);
  const starts: Instant[] = [];
  for (let start = opening.start; start <= last; start = addMinutes(start, slotMinutes)) starts.push(start);
  return starts;
};

/**
 * Ascending and distinct: every `slotMinutes` from each opening, the last at close − duration. Starts after
 * midnight belong to the date on which the service began (Decisions 9).
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

/** Whether a service date has no start. */
export const isClosedOn = (rules: SlotRules, hours: OpeningHours, zone: ZoneId, date: LocalDate): boolean =>
  rules.blackoutDates.includes(date) || slotStarts(rules, hours, zone, date).length === 0;

export const stayFrom = (grid: SlotGrid, startsAt: Instant): Span => ({
  start: startsAt,
  end: addMinutes(startsAt, grid.durationMinutes),
});

/** Decisions 9: start ≥ now + lead. */
export const isInTime = (startsAt: Instant, leadMinutes: number, now: Instant): boolean =>
  startsAt >= addMinutes(now, leadMinutes);

/**
 * Behaviour, Menu rule 4: all starts of a service date, available or not; none on a blackout date. Does not
 * check the date's bounds.
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
 * The next time at which a start becomes too soon: one millisecond after start − lead. Null: none is bookable
 * now.
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
 * The date of the running service, else the local date: at 01:00 a branch open 13:00–02:00 is still on
 * yesterday's date (Decisions 9). Of two running services the earlier counts, so that its remaining starts
 * stay in range.
 */
export const serviceDateOf = (hours: OpeningHours, zone: ZoneId, now: Instant): LocalDate =>
  datesAround(zone, now).find((date) =>
    spansOn(hours, zone, date).some((span) => span.start <= now && now < span.end),
  ) ?? localDateOf(zone, now);

/** Null: past the end of the calendar. */
export const nextServiceDateEdge = (hours: OpeningHours, zone: ZoneId, now: Instant): Instant | null => {
  const today = serviceDateOf(hours, zone, now);
  // The service date changes only at midnight and where a service begins or ends.
  const boundaries = datesAround(zone, now).flatMap((date) => [
    resolveStart(zone, date, 0),
    ...spansOn(hours, zone, date).flatMap(({ start, end }) => [start, end]),
  ]);
  const ahead = boundaries.filter((boundary) => boundary > now).sort((a, b) => a - b);
  return ahead.find((boundary) => serviceDateOf(hours, zone, boundary) !== today) ?? null;
};

/** Inclusive. */
export interface DateBounds {
  readonly first: LocalDate;
  readonly last: LocalDate;
}

/** `today`: see `serviceDateOf` (Decisions 9). */
export const dateBounds = (today: LocalDate, horizonDays: number): DateBounds => ({
  first: today,
  last: addDays(today, horizonDays),
});

/** Decisions 9. */
export const isWithin = (bounds: DateBounds, date: LocalDate): boolean =>
  bounds.first <= date && date <= bounds.last;

/** Why a start cannot be booked, whatever tables are free (Decisions 5, 9). */
export type StartFault = 'DATE_OUT_OF_RANGE' | 'TIME_NOT_OFFERED' | 'TOO_SOON';

/** Ascending: two where one service begins before that of the date before has ended. */
const datesOffering = (
  rules: SlotRules,
  hours: OpeningHours,
  zone: ZoneId,
  startsAt: Instant,
): readonly LocalDate[] =>
  datesAround(zone, startsAt)
    .filter((date) => !rules.blackoutDates.includes(date))
    .filter((date) => slotStarts(rules, hours, zone, date).includes(startsAt));

export interface StartQuestion {
  readonly rules: SlotRules;
  readonly hours: OpeningHours;
  readonly zone: ZoneId;
  readonly bounds: DateBounds;
}

/** The service date under which a start is listed and can be booked now, or why it cannot be booked. */
export const bookableDateOf = (
  { rules, hours, zone, bounds }: StartQuestion,
  startsAt: Instant,
  now: Instant,
): { readonly date: LocalDate } | { readonly fault: StartFault } => {
  // Before any hours are resolved: a start may be of any year.
  if (!datesAround(zone, startsAt).some((date) => isWithin(bounds, date)))
    return { fault: 'DATE_OUT_OF_RANGE' };
  const offering = datesOffering(rules, hours, zone, startsAt);
  const dates = offering.length > 0 ? offering : [localDateOf(zone, startsAt)];
  const date = dates.find((each) => isWithin(bounds, each));
  if (date === undefined) return { fault: 'DATE_OUT_OF_RANGE' };
  if (offering.length === 0) return { fault: 'TIME_NOT_OFFERED' };
  return isInTime(startsAt, rules.leadMinutes, now) ? { date } : { fault: 'TOO_SOON' };
};

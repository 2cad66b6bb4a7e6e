import { addDays, daysBetween, spanOn, weekdayOf } from './time.ts';
import type { Instant, LocalDate, Span, WallMinutes, ZoneId } from './time.ts';
import { sortedDates, sortedSpans, isActiveAt, nextTransition, nextActive } from './timetable.ts';
import type { Timetable } from './timetable.ts';

/** 0 = Sunday … 6 = Saturday. */
export type Weekday = 0 | 1 | 2 | 3 | 4 | 5 | 6;

/** `close` before `open` is past midnight; equal times mean 24 hours (Decisions 6). */
export interface WallRange {
  readonly open: WallMinutes;
  readonly close: WallMinutes;
}

/** (Shapes, HoursEntry) */
export interface HoursRange extends WallRange {
  readonly dow: Weekday;
}

/** Replaces the weekly hours from `from` to `to`, both included; no ranges means closed. */
export interface DatedHours {
  readonly from: LocalDate;
  readonly to: LocalDate;
  readonly ranges: readonly WallRange[];
}

/** (Decisions 6) */
export interface OpeningHours {
  readonly weekly: readonly HoursRange[];
  readonly dated: readonly DatedHours[];
}

const covers = (dated: DatedHours, date: LocalDate): boolean => dated.from <= date && date <= dated.to;

/**
 * The override for a date, or null. The shortest one wins (a feast inside Ramadan beats Ramadan); of equally
 * long ones, the last.
 */
const overrideOn = (hours: OpeningHours, date: LocalDate): DatedHours | null => {
  let winner: DatedHours | null = null;
  for (const dated of hours.dated) {
    if (!covers(dated, date)) continue;
    if (winner === null || daysBetween(dated.from, dated.to) <= daysBetween(winner.from, winner.to)) {
      winner = dated;
    }
  }
  return winner;
};

const rangesOn = (hours: OpeningHours, date: LocalDate): readonly WallRange[] => {
  const weekday = weekdayOf(date);
  return overrideOn(hours, date)?.ranges ?? hours.weekly.filter((range) => range.dow === weekday);
};

/**
 * The spans that start on a date, sorted by start. An override on a date never affects a span that started on
 * the day before (Decisions 6).
 */
export const spansOn = (hours: OpeningHours, zone: ZoneId, date: LocalDate): readonly Span[] =>
  sortedSpans(rangesOn(hours, date).map(({ open, close }) => spanOn(zone, date, open, close)));

export interface DayHours {
  readonly date: LocalDate;
  /** Dated hours replace the weekly ones. */
  readonly isDated: boolean;
  /** By start. */
  readonly spans: readonly Span[];
}

/** What starts on each of `days` dates, from `first` on. */
export const dayHours = (
  hours: OpeningHours,
  zone: ZoneId,
  first: LocalDate,
  days: number,
): readonly DayHours[] =>
  Array.from({ length: days }, (_, index) => {
    const date = addDays(first, index);
    return { date, isDated: overrideOn(hours, date) !== null, spans: spansOn(hours, zone, date) };
  });

const timetableOf = (hours: OpeningHours, zone: ZoneId): Timetable => ({
  zone,
  spansOn: (date) => spansOn(hours, zone, date),
  changes: sortedDates(hours.dated.flatMap(({ from, to }) => [from, addDays(to, 1)])),
});

export const openAt = (hours: OpeningHours, zone: ZoneId, now: Instant): boolean =>
  isActiveAt(timetableOf(hours, zone), now);

/** The first instant from `now` on inside the hours, `now` included; null when never. */
export const nextOpening = (hours: OpeningHours, zone: ZoneId, now: Instant): Instant | null =>
  nextActive(timetableOf(hours, zone), now);

/** The next instant after `now` at which `openAt` changes; null when never. */
export const nextEdge = (hours: OpeningHours, zone: ZoneId, now: Instant): Instant | null =>
  nextTransition(timetableOf(hours, zone), now);

import { addDays, daysBetween, spanOn, weekdayOf } from './time.ts';
import type { Instant, LocalDate, Span, WallMinutes, ZoneId } from './time.ts';
import { datesInOrder, inOrder, isRunning, nextFlip, nextRunning } from './timetable.ts';
import type { Timetable } from './timetable.ts';

/** A day of the week, 0 = Sunday … 6 = Saturday. */
export type Weekday = 0 | 1 | 2 | 3 | 4 | 5 | 6;

/**
 * A range on the branch's wall clock: `close` before `open` is past midnight, equal to it round the
 * clock (Decisions 6).
 */
export interface WallRange {
  readonly open: WallMinutes;
  readonly close: WallMinutes;
}

/** A range that opens every week on `dow` (Shapes, HoursEntry). */
export interface HoursRange extends WallRange {
  readonly dow: Weekday;
}

/** Other hours for the dates `from` to `to`, both included; no ranges = closed on those dates. */
export interface DatedHours {
  readonly from: LocalDate;
  readonly to: LocalDate;
  readonly ranges: readonly WallRange[];
}

/** Opening hours of a channel or of the booking desk (Decisions 6). */
export interface OpeningHours {
  readonly weekly: readonly HoursRange[];
  readonly dated: readonly DatedHours[];
}

const covers = (dated: DatedHours, date: LocalDate): boolean => dated.from <= date && date <= dated.to;

/**
 * The override that rules a date, or null. Of several, the one over the fewest days is meant: a feast
 * inside Ramadan beats Ramadan. Of equally long ones the later in the list wins.
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
 * The opening spans that belong to a date, each as it was entered, by start. A span belongs to the date
 * it starts on, so an override on a date never touches what began the night before (Decisions 6).
 */
export const spansOn = (hours: OpeningHours, zone: ZoneId, date: LocalDate): readonly Span[] =>
  inOrder(rangesOn(hours, date).map(({ open, close }) => spanOn(zone, date, open, close)));

const timetableOf = (hours: OpeningHours, zone: ZoneId): Timetable => ({
  zone,
  spansOn: (date) => spansOn(hours, zone, date),
  changes: datesInOrder(hours.dated.flatMap(({ from, to }) => [from, addDays(to, 1)])),
});

/** Whether `now` is inside the hours. */
export const openAt = (hours: OpeningHours, zone: ZoneId, now: Instant): boolean =>
  isRunning(timetableOf(hours, zone), now);

/** The first instant from `now` on that is inside the hours, `now` itself when open; null when never. */
export const nextOpening = (hours: OpeningHours, zone: ZoneId, now: Instant): Instant | null =>
  nextRunning(timetableOf(hours, zone), now);

/** The next instant after `now` at which `openAt` changes; null when it never does. */
export const nextEdge = (hours: OpeningHours, zone: ZoneId, now: Instant): Instant | null =>
  nextFlip(timetableOf(hours, zone), now);

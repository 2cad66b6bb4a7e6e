import { addDays, daysBetween, localDateOf, resolveStart } from './time.ts';
import type { Instant, LocalDate, Span, ZoneId } from './time.ts';

/**
 * What opening hours and sale windows have in common: spans that belong to the date they start on and
 * repeat every week, until another weekly pattern begins.
 */
export interface Timetable {
  readonly zone: ZoneId;
  /** The spans that start on a date, by start; they may touch and overlap, none is empty. */
  readonly spansOn: (date: LocalDate) => readonly Span[];
  /** The dates from which another weekly pattern holds, ascending. */
  readonly changes: readonly LocalDate[];
}

/** `spans` without the empty ones, by start and then by end. */
export const inOrder = (spans: readonly Span[]): readonly Span[] =>
  spans.filter((span) => span.start < span.end).sort((a, b) => a.start - b.start || a.end - b.end);

/** The dates in `changes`, ascending, each once. */
export const datesInOrder = (changes: readonly LocalDate[]): readonly LocalDate[] =>
  [...new Set(changes)].sort();

// A span lasts at most round the clock, and a clock change may hold it back or repeat its last hour.
const DAYS_BACK = 2;

// Two weeks and the spill of the pattern before: every weekday is seen twice, so that what one clock
// change hides shows a week later. What has not happened by then never happens in this pattern.
const PATTERN_DAYS = 16;

/** The dates, ascending, whose spans can hold `now`. */
export const datesAround = (zone: ZoneId, now: Instant): readonly LocalDate[] => {
  const today = localDateOf(zone, now);
  return [-2, -1, 0, 1].map((days) => addDays(today, days));
};

/** The dates, ascending, that tell all there is to know of the timetable from `now` on. */
function* datesToSearch({ zone, changes }: Timetable, now: Instant): Generator<LocalDate> {
  const today = localDateOf(zone, now);
  let last = '';
  for (const begin of [today, ...changes.filter((date) => date > today)]) {
    for (let day = -DAYS_BACK; day <= PATTERN_DAYS; day += 1) {
      const date = addDays(begin, day);
      if (date <= last) continue;
      last = date;
      yield date;
    }
  }
}

/** Whether a span of the timetable is running at `now`. */
export const isRunning = (timetable: Timetable, now: Instant): boolean =>
  datesAround(timetable.zone, now).some((date) =>
    timetable.spansOn(date).some((span) => span.start <= now && now < span.end),
  );

/** The first instant from `now` on at which a span is running, `now` itself included; null when never. */
export const nextRunning = (timetable: Timetable, now: Instant): Instant | null => {
  if (isRunning(timetable, now)) return now;
  for (const date of datesToSearch(timetable, now)) {
    const next = timetable.spansOn(date).find((span) => span.start > now);
    if (next !== undefined) return next.start;
  }
  return null;
};

/** The end of the unbroken run that holds `now`; null when it never ends. */
const endOfRun = (timetable: Timetable, now: Instant): Instant | null => {
  const startOf = (date: LocalDate): Instant => resolveStart(timetable.zone, date, 0);
  let end = now;
  let previous: LocalDate | null = null;
  for (const date of datesToSearch(timetable, now)) {
    // Dates were left out: the pattern has run without a break, so it runs to the last day it holds,
    // and the day after the first date that is looked at again is not later than that.
    const skipped = previous !== null && daysBetween(previous, date) > 1;
    if (skipped) end = Math.max(end, startOf(addDays(date, 1)));
    if (end < startOf(date)) return end;
    for (const span of timetable.spansOn(date)) {
      if (span.start > end) return end;
      end = Math.max(end, span.end);
    }
    previous = date;
  }
  return null;
};

/**
 * The next instant after `now` at which the timetable goes from running to not running or back; null
 * when it never does. Spans that touch or overlap are one run, so between them nothing changes.
 */
export const nextFlip = (timetable: Timetable, now: Instant): Instant | null =>
  isRunning(timetable, now) ? endOfRun(timetable, now) : nextRunning(timetable, now);

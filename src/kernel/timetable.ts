import { addDays, daysBetween, localDateOf, resolveStart } from './time.ts';
import type { Instant, LocalDate, Span, ZoneId } from './time.ts';

/** Weekly spans; the basis of opening hours and sale windows. */
export interface Timetable {
  readonly zone: ZoneId;
  /** Spans that start on a date, sorted by start. They may touch and overlap; none is empty. */
  readonly spansOn: (date: LocalDate) => readonly Span[];
  /** Dates on which the weekly pattern changes, ascending. */
  readonly changes: readonly LocalDate[];
}

export const sortedSpans = (spans: readonly Span[]): readonly Span[] =>
  spans.filter((span) => span.start < span.end).sort((a, b) => a.start - b.start || a.end - b.end);

export const sortedDates = (changes: readonly LocalDate[]): readonly LocalDate[] =>
  [...new Set(changes)].sort();

// A span lasts at most 24 hours, and a clock change may add one.
const DAYS_BACK = 2;

// Two weeks plus the end of the previous pattern: each weekday occurs twice, so a span that a clock change
// hides appears one week later.
const PATTERN_DAYS = 16;

/** The dates, ascending, whose spans can contain `now`. */
export const datesAround = (zone: ZoneId, now: Instant): readonly LocalDate[] => {
  const today = localDateOf(zone, now);
  return [-2, -1, 0, 1].map((days) => addDays(today, days));
};

/** The dates, ascending, that determine every change from `now` on. */
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

export const isActiveAt = (timetable: Timetable, now: Instant): boolean =>
  datesAround(timetable.zone, now).some((date) =>
    timetable.spansOn(date).some((span) => span.start <= now && now < span.end),
  );

/** The first instant from `now` on inside a span, `now` included; null when never. */
export const nextActive = (timetable: Timetable, now: Instant): Instant | null => {
  if (isActiveAt(timetable, now)) return now;
  for (const date of datesToSearch(timetable, now)) {
    const next = timetable.spansOn(date).find((span) => span.start > now);
    if (next !== undefined) return next.start;
  }
  return null;
};

/** The end of the uninterrupted run that contains `now`; null when it never ends. */
const endOfRun = (timetable: Timetable, now: Instant): Instant | null => {
  const startOf = (date: LocalDate): Instant => resolveStart(timetable.zone, date, 0);
  let end = now;
  let previous: LocalDate | null = null;
  for (const date of datesToSearch(timetable, now)) {
    // The search skipped dates in which the run continues. It lasts at least to the day after the first date
    // examined next.
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
 * The next instant after `now` at which the timetable starts or stops running; null when never. Spans that
 * touch or overlap are one run.
 */
export const nextTransition = (timetable: Timetable, now: Instant): Instant | null =>
  isActiveAt(timetable, now) ? endOfRun(timetable, now) : nextActive(timetable, now);

import { addDays, spanOn, weekdayOf } from './time.ts';
import type { Instant, LocalDate, WallMinutes, ZoneId } from './time.ts';
import { sortedDates, sortedSpans, isActiveAt, nextTransition } from './timetable.ts';
import type { Timetable } from './timetable.ts';

/** (Decisions 3, SaleWindow) */
export interface SaleWindow {
  /** Null = every branch. */
  readonly branchId: string | null;
  /** Bit 0 = Sunday … bit 6 = Saturday; 127 = every day. */
  readonly weekdays: number;
  /** Wall time, half-open; an end before the start is past midnight. Null means midnight. */
  readonly startsAt: WallMinutes | null;
  readonly endsAt: WallMinutes | null;
  /** First and last start date, both included; null means no bound. */
  readonly validFrom: LocalDate | null;
  readonly validTo: LocalDate | null;
}

/** The weekday and the dates apply to the day on which the window starts (Decisions 3). */
const startsOn = (window: SaleWindow, date: LocalDate): boolean =>
  ((window.weekdays >> weekdayOf(date)) & 1) === 1 &&
  (window.validFrom === null || window.validFrom <= date) &&
  (window.validTo === null || date <= window.validTo);

const changesOf = ({ validFrom, validTo }: SaleWindow): readonly LocalDate[] => [
  ...(validFrom === null ? [] : [validFrom]),
  ...(validTo === null ? [] : [addDays(validTo, 1)]),
];

const timetableOf = (windows: readonly SaleWindow[], zone: ZoneId): Timetable => ({
  zone,
  spansOn: (date) =>
    sortedSpans(
      windows
        .filter((window) => startsOn(window, date))
        // From midnight to midnight is the whole local day.
        .map((window) => spanOn(zone, date, window.startsAt ?? 0, window.endsAt ?? 0)),
    ),
  changes: sortedDates(windows.flatMap(changesOf)),
});

const windowsOf = (windows: readonly SaleWindow[], branchId: string): readonly SaleWindow[] =>
  windows.filter((window) => window.branchId === null || window.branchId === branchId);

/** No window for the branch means always (Decisions 3). */
export const isInSaleWindow = (
  windows: readonly SaleWindow[],
  branchId: string,
  zone: ZoneId,
  now: Instant,
): boolean => {
  const own = windowsOf(windows, branchId);
  return own.length === 0 || isActiveAt(timetableOf(own, zone), now);
};

/** The next instant after `now` at which `isInSaleWindow` changes; null when never. */
export const nextSaleWindowEdge = (
  windows: readonly SaleWindow[],
  branchId: string,
  zone: ZoneId,
  now: Instant,
): Instant | null => {
  const own = windowsOf(windows, branchId);
  return own.length === 0 ? null : nextTransition(timetableOf(own, zone), now);
};

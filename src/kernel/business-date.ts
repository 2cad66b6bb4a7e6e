import {
  addDays,
  addMinutes,
  localDateOf,
  resolveStart,
  type Instant,
  type LocalDate,
  type WallMinutes,
  type ZoneId,
} from './time.ts';

/** The local date of (instant − `dayStartsAt`), in elapsed minutes (Decisions 1). */
export const businessDate = (zone: ZoneId, instant: Instant, dayStartsAt: WallMinutes): LocalDate =>
  localDateOf(zone, addMinutes(instant, -dayStartsAt));

/** As `businessDate`, in elapsed minutes after midnight. */
export const businessDayStart = (zone: ZoneId, date: LocalDate, dayStartsAt: WallMinutes): Instant =>
  addMinutes(resolveStart(zone, date, 0), dayStartsAt);

/** The start of the next business day. */
export const businessDayEnd = (zone: ZoneId, instant: Instant, dayStartsAt: WallMinutes): Instant =>
  businessDayStart(zone, addDays(businessDate(zone, instant, dayStartsAt), 1), dayStartsAt);

/** The westernmost zone is twelve hours behind UTC, and a business day begins within a day after midnight. */
const MOST_MINUTES_BEHIND = (12 + 24) * 60;

/** At any branch nothing that was after the instant has an earlier business date. For indexes that begin with the date. */
export const earliestBusinessDate = (instant: Instant): LocalDate =>
  localDateOf('UTC', addMinutes(instant, -MOST_MINUTES_BEHIND));

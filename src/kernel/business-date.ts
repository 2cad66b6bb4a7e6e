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

/** The start of the next business day. */
export const businessDayEnd = (zone: ZoneId, instant: Instant, dayStartsAt: WallMinutes): Instant =>
  resolveStart(zone, addDays(businessDate(zone, instant, dayStartsAt), 1), dayStartsAt);

import { Temporal } from 'temporal-polyfill';

/** Milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number;

/** Without a zone, `YYYY-MM-DD`. */
export type LocalDate = string;

/** IANA name, such as `Africa/Cairo`. */
export type ZoneId = string;

/** Minutes after local midnight, 0…1439. */
export type WallMinutes = number;

/** Half-open, [start, end). */
export interface Span {
  readonly start: Instant;
  readonly end: Instant;
}

export const MINUTE = 60_000;

const DAY_MINUTES = 1440;
const DAY = DAY_MINUTES * MINUTE;

/** Elapsed time: clock changes have no effect. */
/** Without seconds. */
export const wholeMinute = (instant: Instant): Instant => Math.floor(instant / MINUTE) * MINUTE;

export const addMinutes = (instant: Instant, minutes: number): Instant => instant + minutes * MINUTE;

/** Spans that only touch do not overlap. */
export const overlaps = (a: Span, b: Span): boolean => a.start < b.end && b.start < a.end;

/** UTC, as in every answer: `2026-12-04T17:00:00.000Z`. */
export const isoInstant = (instant: Instant): string => new Date(instant).toISOString();

// ── Calendar dates ──────────────────────────────────────────────────────────────────────────────

/** The date's midnight as if its zone were UTC; wall times are compared on this scale. */
const midnightAsUtc = (date: LocalDate): number => Date.parse(`${date}T00:00:00Z`);

const dateOfUtc = (milliseconds: number): LocalDate => new Date(milliseconds).toISOString().slice(0, 10);

const LAST_DATE = midnightAsUtc('9999-12-31');

/** Saturates at 9999-12-31, the last date that can be written. */
export const addDays = (date: LocalDate, days: number): LocalDate =>
  dateOfUtc(Math.min(midnightAsUtc(date) + days * DAY, LAST_DATE));

export const daysBetween = (from: LocalDate, to: LocalDate): number =>
  (midnightAsUtc(to) - midnightAsUtc(from)) / DAY;

/** 0 = Sunday … 6 = Saturday (Shapes, HoursEntry). */
export const weekdayOf = (date: LocalDate): number => new Date(midnightAsUtc(date)).getUTCDay();

const DATE_TEXT = /^\d{4}-\d{2}-\d{2}$/;

export const parseLocalDate = (text: string): LocalDate | null => {
  if (!DATE_TEXT.test(text) || text < '0001-01-01') return null;
  const midnight = midnightAsUtc(text);
  // Some engines read 30 February as a day in March.
  return Number.isNaN(midnight) || dateOfUtc(midnight) !== text ? null : text;
};

// ── Wall times ──────────────────────────────────────────────────────────────────────────────────

const WALL_TEXT = /^([01]\d|2[0-3]):([0-5]\d)$/;

/** `HH:MM`, 00:00 to 23:59; null for any other text. */
export const parseWallTime = (text: string): WallMinutes | null => {
  const match = WALL_TEXT.exec(text);
  return match ? Number(match[1]) * 60 + Number(match[2]) : null;
};

export const formatWallTime = (minutes: WallMinutes): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

// ── Zones ───────────────────────────────────────────────────────────────────────────────────────

const ZONE_TEXT = /^[A-Z][A-Za-z0-9_+/-]*$/;

const zoneAsResolved = (text: string): string | null => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
};

/**
 * Whether `text` is an IANA zone in IANA's spelling. An offset (`+02:00`) is none: it has no clock changes.
 */
export const isZone = (text: string): boolean => {
  if (!ZONE_TEXT.test(text)) return false;
  const resolved = zoneAsResolved(text);
  // An alias may resolve to another name; a difference in case only is a misspelling.
  return resolved !== null && (resolved === text || resolved.toLowerCase() !== text.toLowerCase());
};

/** Offset in ms ahead of UTC, valid from `from` until the next period. */
interface OffsetPeriod {
  readonly from: Instant;
  readonly offset: number;
}

const yearStart = (year: number): Instant => new Date(0).setUTCFullYear(year, 0, 1);

/** The first period starts with the year. */
const computePeriods = (zone: ZoneId, year: number): readonly OffsetPeriod[] => {
  const end = yearStart(year + 1);
  const periods: OffsetPeriod[] = [];
  let change: Temporal.ZonedDateTime | null = Temporal.Instant.fromEpochMilliseconds(
    yearStart(year),
  ).toZonedDateTimeISO(zone);
  while (change !== null && change.epochMilliseconds < end) {
    periods.push({ from: change.epochMilliseconds, offset: change.offsetNanoseconds / 1e6 });
    change = change.getTimeZoneTransition('next');
  }
  return periods;
};

// Cached per zone and year for the life of the process: the periods never change, and there are few.
const periodsByZone = new Map<ZoneId, Map<number, readonly OffsetPeriod[]>>();

const periodsOf = (zone: ZoneId, year: number): readonly OffsetPeriod[] => {
  let years = periodsByZone.get(zone);
  let periods = years?.get(year);
  if (periods === undefined) {
    periods = computePeriods(zone, year);
    years ??= new Map<number, readonly OffsetPeriod[]>();
    periodsByZone.set(zone, years.set(year, periods));
  }
  return periods;
};

const utcYear = (instant: Instant): number => new Date(instant).getUTCFullYear();

const offsetAt = (zone: ZoneId, instant: Instant): number => {
  let offset = 0;
  for (const period of periodsOf(zone, utcYear(instant))) {
    if (period.from > instant) break;
    offset = period.offset;
  }
  return offset;
};

/** The instant in (after, until] from which `offset` applies. */
const changeTo = (zone: ZoneId, offset: number, after: Instant, until: Instant): Instant => {
  for (let year = utcYear(after); year <= utcYear(until); year += 1) {
    for (const period of periodsOf(zone, year)) {
      if (period.from > after && period.offset === offset) return period.from;
    }
  }
  return until;
};

/** Throws RangeError when the zone is unknown. */
export const localDateOf = (zone: ZoneId, instant: Instant): LocalDate =>
  dateOfUtc(instant + offsetAt(zone, instant));

/** Drops the seconds. Throws RangeError when the zone is unknown. */
export const wallMinutesOf = (zone: ZoneId, instant: Instant): WallMinutes => {
  const minutes = Math.floor((instant + offsetAt(zone, instant)) / MINUTE);
  return minutes - Math.floor(minutes / DAY_MINUTES) * DAY_MINUTES;
};

/** The offset from UTC: `+02:00`. */
export const offsetText = (zone: ZoneId, instant: Instant): string => {
  const offset = offsetAt(zone, instant);
  return `${offset < 0 ? '-' : '+'}${formatWallTime(Math.abs(offset) / MINUTE)}`;
};

const NEAR_CHANGE = 3 * 60 * MINUTE;

/** Whether the clock of the zone shows this time twice, because it is set back. */
export const isDoubled = (zone: ZoneId, instant: Instant): boolean => {
  const offset = offsetAt(zone, instant);
  const shift = [instant - NEAR_CHANGE, instant + NEAR_CHANGE]
    .map((near) => offset - offsetAt(zone, near))
    .find((difference) => difference !== 0);
  return shift !== undefined && offsetAt(zone, instant + shift) === offset - shift;
};

/** ISO 8601 in local time with the offset, to the minute: `2026-12-04T19:00+02:00`. */
export const isoLocal = (zone: ZoneId, instant: Instant): string => {
  const clock = formatWallTime(wallMinutesOf(zone, instant));
  return `${localDateOf(zone, instant)}T${clock}${offsetText(zone, instant)}`;
};

type Side = 'start' | 'end';

/** A clock change is near only if the offsets one day before and one day after differ. */
const resolve = (zone: ZoneId, date: LocalDate, minutes: WallMinutes, side: Side): Instant => {
  const wall = addMinutes(midnightAsUtc(date), minutes);
  const before = offsetAt(zone, wall - DAY);
  const after = offsetAt(zone, wall + DAY);
  if (before === after) return wall - before;
  // In a repeated hour, `before` gives the earlier instant and `after` the later one.
  const preferred = side === 'start' ? [before, after] : [after, before];
  for (const offset of preferred) {
    if (offsetAt(zone, wall - offset) === offset) return wall - offset;
  }
  // Neither matches: the wall time was skipped.
  return changeTo(zone, after, wall - after, wall - before);
};

/**
 * Start of a span at a wall time: the earlier instant in a repeated hour, the end of the gap in a skipped one
 * (Decisions 6). Throws RangeError when the zone is unknown.
 */
export const resolveStart = (zone: ZoneId, date: LocalDate, minutes: WallMinutes): Instant =>
  resolve(zone, date, minutes, 'start');

/** As `resolveStart`, but the later instant in a repeated hour (Decisions 6). */
export const resolveEnd = (zone: ZoneId, date: LocalDate, minutes: WallMinutes): Instant =>
  resolve(zone, date, minutes, 'end');

/**
 * A wall-clock range that starts on `date`. `to` before `from` is on the next date; equal times mean 24 hours
 * (Decisions 6). Empty when a clock change skips all of it.
 */
export const spanOn = (zone: ZoneId, date: LocalDate, from: WallMinutes, to: WallMinutes): Span => ({
  start: resolveStart(zone, date, from),
  end: resolveEnd(zone, to <= from ? addDays(date, 1) : date, to),
});

export const earliest = (instants: readonly (Instant | null)[]): Instant | null =>
  instants.reduce<Instant | null>(
    (first, instant) => (instant !== null && (first === null || instant < first) ? instant : first),
    null,
  );

const ISO_INSTANT = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** ISO 8601 with an offset; null: malformed. */
export const parseInstant = (text: string): Instant | null => {
  const date = ISO_INSTANT.exec(text.toUpperCase())?.[1];
  if (date === undefined || parseLocalDate(date) === null) return null;
  const instant = Date.parse(text.toUpperCase());
  return Number.isNaN(instant) ? null : instant;
};

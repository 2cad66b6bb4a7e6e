import { Temporal } from 'temporal-polyfill';

/** Milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number;

/** A calendar date without a zone, `YYYY-MM-DD`. */
export type LocalDate = string;

/** An IANA time zone name, such as `Africa/Cairo`. */
export type ZoneId = string;

/** Minutes after local midnight on a wall clock, 0…1439. */
export type WallMinutes = number;

/** A half-open span of instants, [start, end). */
export interface Span {
  readonly start: Instant;
  readonly end: Instant;
}

/** Milliseconds in a minute. */
export const MINUTE = 60_000;

const DAY_MINUTES = 1440;
const DAY = DAY_MINUTES * MINUTE;

/** The instant `minutes` real minutes after `instant`; a clock change in between does not matter. */
export const addMinutes = (instant: Instant, minutes: number): Instant => instant + minutes * MINUTE;

/** Whether two half-open spans share an instant; spans that only touch do not. */
export const overlaps = (a: Span, b: Span): boolean => a.start < b.end && b.start < a.end;

/** UTC text of an instant, as every answer carries it: `2026-12-04T17:00:00.000Z`. */
export const isoInstant = (instant: Instant): string => new Date(instant).toISOString();

// ── Calendar dates ──────────────────────────────────────────────────────────────────────────────

/** The date's midnight as if its clock showed UTC: the number line on which wall clocks are compared. */
const midnightAsUtc = (date: LocalDate): number => Date.parse(`${date}T00:00:00Z`);

const dateOfUtc = (milliseconds: number): LocalDate => new Date(milliseconds).toISOString().slice(0, 10);

const LAST_DATE = midnightAsUtc('9999-12-31');

/** `date` moved by whole days. 9999-12-31, the last date that can be written, is never passed. */
export const addDays = (date: LocalDate, days: number): LocalDate =>
  dateOfUtc(Math.min(midnightAsUtc(date) + days * DAY, LAST_DATE));

/** Whole days from `from` to `to`; negative when `to` is the earlier one. */
export const daysBetween = (from: LocalDate, to: LocalDate): number =>
  (midnightAsUtc(to) - midnightAsUtc(from)) / DAY;

/** Day of the week, 0 = Sunday … 6 = Saturday (Shapes, HoursEntry). */
export const weekdayOf = (date: LocalDate): number => new Date(midnightAsUtc(date)).getUTCDay();

const DATE_TEXT = /^\d{4}-\d{2}-\d{2}$/;

/** The date that `text` writes as `YYYY-MM-DD`, or null when it is malformed or not in the calendar. */
export const parseLocalDate = (text: string): LocalDate | null => {
  if (!DATE_TEXT.test(text) || text < '0001-01-01') return null;
  const midnight = midnightAsUtc(text);
  // Some engines roll 30 February over into March instead of refusing it.
  return Number.isNaN(midnight) || dateOfUtc(midnight) !== text ? null : text;
};

// ── Wall times ──────────────────────────────────────────────────────────────────────────────────

const WALL_TEXT = /^([01]\d|2[0-3]):([0-5]\d)$/;

/** Minutes after midnight of `HH:MM`, 00:00 to 23:59, or null when `text` is anything else. */
export const parseWallTime = (text: string): WallMinutes | null => {
  const match = WALL_TEXT.exec(text);
  return match ? Number(match[1]) * 60 + Number(match[2]) : null;
};

/** `HH:MM` of minutes after midnight. */
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
 * Whether `text` is the name of an IANA zone, spelled as IANA spells it. A bare offset (`+02:00`) is
 * none: it knows no clock changes.
 */
export const isZone = (text: string): boolean => {
  if (!ZONE_TEXT.test(text)) return false;
  const resolved = zoneAsResolved(text);
  // A link may resolve to another name; the same name in another case is a misspelling.
  return resolved !== null && (resolved === text || resolved.toLowerCase() !== text.toLowerCase());
};

/** From `from` on, until the next period, a zone's clocks are `offset` ms ahead of UTC. */
interface OffsetPeriod {
  readonly from: Instant;
  readonly offset: number;
}

const yearStart = (year: number): Instant => new Date(0).setUTCFullYear(year, 0, 1);

/** The offset periods of one UTC year, the first from the year's first instant. */
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

// A zone's year never changes while the process runs, so it is worked out once: a conversion is then a
// look-up and an addition. A handful of zones times a handful of years stay in here.
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

/** The instant in (after, until] from which `offset` holds. */
const changeTo = (zone: ZoneId, offset: number, after: Instant, until: Instant): Instant => {
  for (let year = utcYear(after); year <= utcYear(until); year += 1) {
    for (const period of periodsOf(zone, year)) {
      if (period.from > after && period.offset === offset) return period.from;
    }
  }
  return until;
};

/** The local date at `instant`. Throws RangeError when the zone is unknown. */
export const localDateOf = (zone: ZoneId, instant: Instant): LocalDate =>
  dateOfUtc(instant + offsetAt(zone, instant));

/** What the wall clock shows at `instant`, seconds dropped. Throws RangeError when the zone is unknown. */
export const wallMinutesOf = (zone: ZoneId, instant: Instant): WallMinutes => {
  const minutes = Math.floor((instant + offsetAt(zone, instant)) / MINUTE);
  return minutes - Math.floor(minutes / DAY_MINUTES) * DAY_MINUTES;
};

/** ISO 8601 with the zone's own clock and its offset, to the minute: `2026-12-04T19:00+02:00`. */
export const isoLocal = (zone: ZoneId, instant: Instant): string => {
  const offset = offsetAt(zone, instant);
  const minutes = Math.abs(offset) / MINUTE;
  const clock = formatWallTime(wallMinutesOf(zone, instant));
  return `${localDateOf(zone, instant)}T${clock}${offset < 0 ? '-' : '+'}${formatWallTime(minutes)}`;
};

/**
 * The date a moment is booked under: the branch's local date of (moment − `dayStartsAt`), subtracted
 * in real minutes as that sentence has it (Decisions 1).
 */
export const businessDate = (zone: ZoneId, instant: Instant, dayStartsAt: WallMinutes): LocalDate =>
  localDateOf(zone, addMinutes(instant, -dayStartsAt));

/** When the business date of a moment ends: the next one's start. */
export const businessDayEnd = (zone: ZoneId, instant: Instant, dayStartsAt: WallMinutes): Instant =>
  resolveStart(zone, addDays(businessDate(zone, instant, dayStartsAt), 1), dayStartsAt);

type Side = 'start' | 'end';

/**
 * One instant for a wall time. The zone's offsets a day before and a day after tell whether a change
 * is near; with none, the offset is subtracted and that is all.
 */
const resolve = (zone: ZoneId, date: LocalDate, minutes: WallMinutes, side: Side): Instant => {
  const wall = addMinutes(midnightAsUtc(date), minutes);
  const before = offsetAt(zone, wall - DAY);
  const after = offsetAt(zone, wall + DAY);
  if (before === after) return wall - before;
  // In the doubled hour both offsets fit: `before` gives the earlier instant, `after` the later one.
  const preferred = side === 'start' ? [before, after] : [after, before];
  for (const offset of preferred) {
    if (offsetAt(zone, wall - offset) === offset) return wall - offset;
  }
  // Neither fits: the clock jumped over this wall time.
  return changeTo(zone, after, wall - after, wall - before);
};

/**
 * The instant at which a span opens that starts at `minutes` on `date`: the earlier one in the doubled
 * hour, the first after the gap in the skipped one (Decisions 6). Throws RangeError for an unknown zone.
 */
export const resolveStart = (zone: ZoneId, date: LocalDate, minutes: WallMinutes): Instant =>
  resolve(zone, date, minutes, 'start');

/**
 * The instant at which a span closes that ends at `minutes` on `date`: the later one in the doubled
 * hour, the first after the gap in the skipped one (Decisions 6). Throws RangeError for an unknown zone.
 */
export const resolveEnd = (zone: ZoneId, date: LocalDate, minutes: WallMinutes): Instant =>
  resolve(zone, date, minutes, 'end');

/**
 * The instants of a wall-clock range that starts on `date`. `to` before `from` lies on the next date,
 * `to` equal to `from` is round the clock (Decisions 6). Empty when a clock change swallows all of it.
 */
export const spanOn = (zone: ZoneId, date: LocalDate, from: WallMinutes, to: WallMinutes): Span => ({
  start: resolveStart(zone, date, from),
  end: resolveEnd(zone, to <= from ? addDays(date, 1) : date, to),
});

/** The earliest of the given instants; null when all are null. */
export const earliest = (instants: readonly (Instant | null)[]): Instant | null =>
  instants.reduce<Instant | null>(
    (first, instant) => (instant !== null && (first === null || instant < first) ? instant : first),
    null,
  );

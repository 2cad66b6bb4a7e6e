/** A slow oracle of wall clocks: Intl.DateTimeFormat at every minute of a period, and scans of those minutes. */

const MINUTE = 60_000;
const DAY_MINUTES = 1440;
/** Minutes between two readings; the minutes between are read too where the offset differs. */
const READING_MINUTES = 60;

/** A period in a zone; `wall[i]` is the wall clock i minutes after `from`. */
export interface WallTable {
  readonly zone: string;
  /** Milliseconds UTC, a whole minute. */
  readonly from: number;
  /** Minutes since 1970-01-01T00:00 on the wall clock. */
  readonly wall: readonly number[];
}

const tables = new Map<string, WallTable>();

const wallReader = (zone: string): ((instant: number) => number) => {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  const pattern = /^(\d+)\/(\d+)\/(\d+), (\d+):(\d+)$/;
  return (instant) => {
    const [, month, day, year, hour, minute] = (pattern.exec(format.format(instant)) ?? []).map(Number);
    return Date.UTC(year ?? NaN, (month ?? NaN) - 1, day, hour, minute) / MINUTE;
  };
};

const readers = new Map<string, ReturnType<typeof wallReader>>();

const readerOf = (zone: string): ReturnType<typeof wallReader> => {
  const reader = readers.get(zone) ?? wallReader(zone);
  readers.set(zone, reader);
  return reader;
};

/** The wall clock of `zone` at every minute of `days` days from `fromDate` 00:00 UTC. */
export const readWallTable = (zone: string, fromDate: string, days: number): WallTable => {
  const from = Date.parse(fromDate);
  const read = readerOf(zone);
  const wall: number[] = [];
  let first = read(from);
  for (let index = 0; index < days * DAY_MINUTES; index += READING_MINUTES) {
    const next = read(from + (index + READING_MINUTES) * MINUTE);
    const isSteady = next - first === READING_MINUTES;
    for (let step = 0; step < READING_MINUTES; step += 1)
      wall.push(isSteady ? first + step : read(from + (index + step) * MINUTE));
    first = next;
  }
  return { zone, from, wall };
};

/** As `readWallTable`. Memoized. */
export const wallTable = (zone: string, fromDate: string, days: number): WallTable => {
  const key = `${zone} ${fromDate} ${days}`;
  const known = tables.get(key);
  if (known) return known;
  const table = readWallTable(zone, fromDate, days);
  tables.set(key, table);
  return table;
};

/**
 * The instants from `fromYear` to the end of `toYear` at which the offset of `zone` changes, to the minute. Offsets are
 * compared once a day: no zone changes twice within that.
 */
export const clockChanges = (zone: string, fromYear: number, toYear: number): readonly number[] => {
  const read = readerOf(zone);
  const offsetAt = (minute: number): number => read(minute * MINUTE) - minute;
  const first = Date.UTC(fromYear, 0, 1) / MINUTE;
  const end = Date.UTC(toYear + 1, 0, 1) / MINUTE;
  const changes: number[] = [];
  let offset = offsetAt(first);
  for (let minute = first; minute < end; minute += DAY_MINUTES) {
    const next = offsetAt(minute + DAY_MINUTES);
    if (next === offset) continue;
    let [before, after] = [minute, minute + DAY_MINUTES];
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if (offsetAt(middle) === offset) before = middle;
      else after = middle;
    }
    changes.push(after * MINUTE);
    offset = next;
  }
  return changes;
};

export const wallOf = (date: string, minutes: number): number => Date.parse(date) / MINUTE + minutes;

/** The first minute at which the clock shows `minutes` on `date` or anything later; past the end if none. */
export const scanStart = ({ wall }: WallTable, date: string, minutes: number): number => {
  const wanted = wallOf(date, minutes);
  for (let index = 0; index < wall.length; index += 1) if ((wall[index] ?? NaN) >= wanted) return index;
  return wall.length;
};

/** The last minute at which the clock shows `minutes` on `date`, or the first after the gap it fell into. */
export const scanEnd = ({ wall }: WallTable, date: string, minutes: number): number => {
  const wanted = wallOf(date, minutes);
  let last = wall.length - 1;
  while (last >= 0 && (wall[last] ?? NaN) > wanted) last -= 1;
  return wall[last] === wanted ? last : last + 1;
};

/** The dates of the period, skipped ones included. */
export const scanDates = (table: WallTable): readonly string[] => {
  const first = Math.min(...table.wall.slice(0, DAY_MINUTES));
  const last = Math.max(...table.wall.slice(-DAY_MINUTES));
  const dates: string[] = [];
  for (
    let wall = first;
    Math.floor(wall / DAY_MINUTES) <= Math.floor(last / DAY_MINUTES);
    wall += DAY_MINUTES
  ) {
    dates.push(new Date(wall * MINUTE).toISOString().slice(0, 10));
  }
  return dates;
};

/** The wall-clock date at minute `index`. */
export const scanDateAt = (table: WallTable, index: number): string =>
  new Date((table.wall[index] ?? NaN) * MINUTE).toISOString().slice(0, 10);

/** A wall-clock range of a date, in minutes after midnight. */
export interface PlainRange {
  readonly open: number;
  readonly close: number;
}

const scanned = new Map<string, readonly [number, number]>();

/** The minutes [first, end) of a range that starts on `date`. Memoized. */
export const scanRange = (table: WallTable, date: string, range: PlainRange): readonly [number, number] => {
  const key = `${table.zone} ${table.from} ${date} ${range.open} ${range.close}`;
  const known = scanned.get(key);
  if (known) return known;
  const late = range.close > range.open ? range.close : range.close + DAY_MINUTES;
  const found = [scanStart(table, date, range.open), scanEnd(table, date, late)] as const;
  scanned.set(key, found);
  return found;
};

/** For each minute, whether a range of some date contains it. */
export const scanOpen = (
  table: WallTable,
  rangesOn: (date: string) => readonly PlainRange[],
): readonly boolean[] => {
  const open = table.wall.map(() => false);
  for (const date of scanDates(table)) {
    for (const range of rangesOn(date)) {
      const [start, end] = scanRange(table, date, range);
      for (let index = start; index < end; index += 1) open[index] = true;
    }
  }
  return open;
};

/** The next index after `index` at which `open` changes, or null. */
export const scanFlip = (open: readonly boolean[], index: number): number | null => {
  for (let next = index + 1; next < open.length; next += 1) if (open[next] !== open[index]) return next;
  return null;
};

export const instantOf = (table: WallTable, index: number): number => table.from + index * MINUTE;

/** Periods of three weeks around difficult clock changes. */
export const PERIODS: readonly (readonly [zone: string, from: string])[] = [
  ['Africa/Cairo', '2026-04-14'],
  ['Africa/Cairo', '2026-10-19'],
  ['Africa/Cairo', '2027-04-20'],
  ['Africa/Cairo', '2027-10-18'],
  ['Europe/London', '2026-03-19'],
  ['Europe/London', '2026-10-15'],
  ['America/Santiago', '2026-03-26'],
  ['America/Santiago', '2026-08-27'],
  ['Australia/Lord_Howe', '2026-03-26'],
  ['Australia/Lord_Howe', '2026-09-24'],
  ['Asia/Kathmandu', '2026-12-22'],
  ['Pacific/Apia', '2011-12-20'],
  ['America/St_Johns', '2006-10-19'],
];

const PERIOD_DAYS = 21;

/** The minutes [first, end) whose answers do not depend on time outside the period. */
export const INNER = { first: 4 * DAY_MINUTES, end: (PERIOD_DAYS - 4) * DAY_MINUTES } as const;

export const periodTable = ([zone, from]: readonly [string, string]): WallTable =>
  wallTable(zone, from, PERIOD_DAYS);

/** A slow oracle of booking times: it walks through every real minute and reads the wall clock of each. */
import { wallOf, type PlainRange, type WallTable } from '../../kernel/wall-clock-oracle.test-support.ts';

const DAY_MINUTES = 1440;

/** Minutes [opening, closing) after the table's first. */
export type WalkedSpan = readonly [opening: number, closing: number];

/** The clock shows `wanted` at this minute, or jumps over it at this minute. */
const reaches = (wall: readonly number[], minute: number, wanted: number): boolean => {
  const shown = wall[minute] ?? NaN;
  return shown === wanted || (shown > wanted && (wall[minute - 1] ?? Infinity) < wanted);
};

/** The minutes from a day before a date begins in UTC to two days after it ends: all that its services can touch. */
const around = ({ from, wall }: WallTable, date: string): readonly [first: number, end: number] => {
  const midnight = wallOf(date, 0) - from / 60_000;
  const [first, end] = [midnight - DAY_MINUTES, midnight + 3 * DAY_MINUTES];
  if (first < 1 || end > wall.length) throw new RangeError(`The table ends near ${date}.`);
  return [first, end];
};

/** Opens at the first minute that reaches the opening, closes at the last one that reaches the closing time. */
const walkSpan = (table: WallTable, date: string, { open, close }: PlainRange): WalkedSpan => {
  const from = wallOf(date, open);
  const to = wallOf(date, close > open ? close : close + DAY_MINUTES);
  const [first, end] = around(table, date);
  let [opening, closing] = [NaN, NaN];
  for (let minute = first; minute < end; minute += 1) {
    if (Number.isNaN(opening) && reaches(table.wall, minute, from)) opening = minute;
    if (reaches(table.wall, minute, to)) closing = minute;
  }
  return [opening, closing];
};

/** The services of a date, in order of its ranges. */
export const walkSpans = (
  table: WallTable,
  date: string,
  ranges: readonly PlainRange[],
): readonly WalkedSpan[] => ranges.map((range) => walkSpan(table, date, range));

interface Grid {
  readonly slotMinutes: number;
  readonly durationMinutes: number;
}

/** A whole number of steps after the opening, and early enough for a stay. */
const isStart = (
  [opening, closing]: WalkedSpan,
  { slotMinutes, durationMinutes }: Grid,
  minute: number,
): boolean =>
  minute >= opening && (minute - opening) % slotMinutes === 0 && minute + durationMinutes <= closing;

/** The minutes of a date's services, ascending, at which some service has a start. */
export const walkStarts = (spans: readonly WalkedSpan[], grid: Grid): readonly number[] => {
  const starts: number[] = [];
  const end = Math.max(...spans.map(([, closing]) => closing));
  for (let minute = Math.min(...spans.map(([opening]) => opening)); minute < end; minute += 1)
    if (spans.some((span) => isStart(span, grid, minute))) starts.push(minute);
  return starts;
};

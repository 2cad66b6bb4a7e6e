/** Starts and service dates against an oracle that walks through every minute, at every clock change of 2024–2037. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { OpeningHours, WallRange, Weekday } from '../../kernel/hours.ts';
import { isoInstant } from '../../kernel/time.ts';
import {
  clockChanges,
  instantOf,
  readWallTable,
  scanDateAt,
  type WallTable,
} from '../../kernel/wall-clock-oracle.test-support.ts';
import { walkSpans, walkStarts, type WalkedSpan } from './slots.oracle.test-support.ts';
import { bookableDateOf, serviceDateOf, slotStarts, type SlotGrid } from './slots.ts';

const [FROM_YEAR, TO_YEAR] = [2024, 2037];
const MINUTE = 60_000;
const DAY_MINUTES = 1440;
const WEEK: readonly Weekday[] = [0, 1, 2, 3, 4, 5, 6];

/** How often the clocks of a zone change in these years. */
const ZONES = [
  ['Africa/Cairo', 28],
  ['Africa/Casablanca', 30],
  ['America/Havana', 28],
  ['America/New_York', 28],
  ['America/Santiago', 28],
  ['Antarctica/Troll', 28],
  ['Asia/Almaty', 1],
  ['Asia/Amman', 0],
  ['Asia/Beirut', 28],
  ['Asia/Kolkata', 0],
  ['Atlantic/Azores', 28],
  ['Australia/Lord_Howe', 28],
  ['Europe/London', 28],
  ['Pacific/Apia', 0],
  ['Pacific/Chatham', 28],
  ['UTC', 0],
] as const;

// ── Nights ──────────────────────────────────────────────────────────────────────────────────────

interface Night {
  /** For the counterexample of a failing property. */
  readonly [fc.toStringMethod]: () => string;
  /** Eleven days of minutes. */
  readonly table: WallTable;
  /** The minute of the table at which the clock changes. */
  readonly change: number;
  /** The minute of the day that the clock would show then without the change. */
  readonly changesAt: number;
  /** The date of the minute before the change, in the middle of the five that can reach into the night. */
  readonly dates: readonly string[];
}

const dateOf = (minutes: number): string => new Date(minutes * MINUTE).toISOString().slice(0, 10);

const nightAround = (zone: string, instant: number): Night => {
  const table = readWallTable(zone, dateOf(instant / MINUTE - 5 * DAY_MINUTES), 11);
  const change = (instant - table.from) / MINUTE;
  const before = table.wall[change - 1] ?? NaN;
  const dates = [-2, -1, 0, 1, 2].map((days) => dateOf(before + days * DAY_MINUTES));
  return {
    [fc.toStringMethod]: () => `${zone} ${isoInstant(instant)}`,
    ...{ table, change, changesAt: (before + 1) % DAY_MINUTES, dates },
  };
};

const anyNight = fc
  .record({
    zone: fc.constantFrom(...ZONES.map(([zone]) => zone)),
    quarters: fc.integer({ min: Date.UTC(FROM_YEAR) / MINUTE / 15, max: Date.UTC(TO_YEAR) / MINUTE / 15 }),
  })
  .map(({ zone, quarters }) => ({ zone, instant: quarters * 15 * MINUTE }));

// ── Opening hours ───────────────────────────────────────────────────────────────────────────────

/** Minutes after midnight, or after the change of the night. */
interface Time {
  readonly after: 'midnight' | 'change';
  readonly minutes: number;
}

/** Often on the quarters of a gap or of a doubled hour, or a minute beside them. */
const time: fc.Arbitrary<Time> = fc.oneof(
  fc.nat(95).map((quarter) => ({ after: 'midnight' as const, minutes: quarter * 15 })),
  fc.constantFrom(0, 1, 61, 1439).map((minutes) => ({ after: 'midnight' as const, minutes })),
  fc
    .tuple(fc.integer({ min: -10, max: 10 }), fc.constantFrom(0, 0, 1, -1))
    .map(([quarters, beside]) => ({ after: 'change' as const, minutes: quarters * 15 + beside })),
);

/** Closes after 24 hours where `close` is null. */
interface Range {
  readonly open: Time;
  readonly close: Time | null;
}
const range: fc.Arbitrary<Range> = fc.record({ open: time, close: fc.option(time) });

interface Plan {
  readonly ranges: readonly Range[];
  readonly weekdays: readonly Weekday[];
  /** One of the five dates that has other hours, or none. */
  readonly dated: { readonly day: number; readonly ranges: readonly Range[] } | null;
  readonly grid: SlotGrid;
}
const plan: fc.Arbitrary<Plan> = fc.record({
  ranges: fc.array(range, { minLength: 1, maxLength: 3 }),
  weekdays: fc.oneof({ weight: 3, arbitrary: fc.constant(WEEK) }, fc.subarray([...WEEK])),
  dated: fc.option(fc.record({ day: fc.nat(4), ranges: fc.array(range, { maxLength: 1 }) })),
  grid: fc.record({
    slotMinutes: fc.constantFrom(15, 20, 30, 45, 60),
    durationMinutes: fc.oneof(fc.constantFrom(15, 30, 60, 90), fc.integer({ min: 15, max: 600 })),
  }),
});

const hoursOf = ({ changesAt, dates }: Night, { ranges, weekdays, dated }: Plan): OpeningHours => {
  const wall = ({ after, minutes }: Time): number =>
    after === 'midnight' ? minutes : (changesAt + minutes + DAY_MINUTES) % DAY_MINUTES;
  const resolved = (list: Plan['ranges']): WallRange[] =>
    list.map(({ open, close }) => ({ open: wall(open), close: wall(close ?? open) }));
  const date = dates[dated?.day ?? 0] ?? '';
  return {
    weekly: resolved(ranges).flatMap((each) => weekdays.map((dow) => ({ dow, ...each }))),
    dated: dated === null ? [] : [{ from: date, to: date, ranges: resolved(dated.ranges) }],
  };
};

const rangesOn = ({ weekly, dated }: OpeningHours, date: string): readonly WallRange[] =>
  dated.find(({ from }) => from === date)?.ranges ??
  weekly.filter(({ dow }) => dow === new Date(date).getUTCDay());

// ── What must agree ─────────────────────────────────────────────────────────────────────────────

interface WalkedDate {
  readonly date: string;
  readonly spans: readonly WalkedSpan[];
  readonly starts: readonly number[];
}

const walkDate = ({ table }: Night, hours: OpeningHours, { grid }: Plan, date: string): WalkedDate => {
  const spans = walkSpans(table, date, rangesOn(hours, date));
  return { date, spans, starts: walkStarts(spans, grid) };
};

const checkStarts = (night: Night, plan: Plan): void => {
  const { table, dates } = night;
  const hours = hoursOf(night, plan);
  for (const date of dates.slice(1, -1)) {
    const { starts } = walkDate(night, hours, plan, date);
    expect(slotStarts(plan.grid, hours, table.zone, date).map(isoInstant), `${table.zone} ${date}`).toEqual(
      starts.map((minute) => isoInstant(instantOf(table, minute))),
    );
  }
};

/** Minutes after the change. */
const NEAR = [-105, -90, -75, -60, -45, -30, -15, -1, 0, 1, 10, 15, 20, 30, 45, 60, 75, 90];

/** Two dates list the same instant only while the services of both run; it is booked under the first. */
const checkDates = (night: Night, plan: Plan): void => {
  const { table, change, dates } = night;
  const hours = hoursOf(night, plan);
  const walked = dates.map((date) => walkDate(night, hours, plan, date));
  const question = {
    rules: { ...plan.grid, leadMinutes: 0, blackoutDates: [] },
    ...{ hours, zone: table.zone, bounds: { first: dates[0] ?? '', last: dates[4] ?? '' } },
  };
  const facts = NEAR.map((after) => change + after).map((minute) => {
    const instant = instantOf(table, minute);
    const running = walked.filter(({ spans }) => spans.some(([from, to]) => from <= minute && minute < to));
    const listing = walked.filter(({ starts }) => starts.includes(minute));
    const date = listing[0]?.date;
    return {
      instant: isoInstant(instant),
      found: [serviceDateOf(hours, table.zone, instant), bookableDateOf(question, instant, instant)],
      expected: [
        running[0]?.date ?? scanDateAt(table, minute),
        date === undefined ? { fault: 'TIME_NOT_OFFERED' } : { date },
      ],
      overlap: listing.every((each) => running.includes(each)),
    };
  });
  expect(facts.map(({ instant, found }) => [instant, found, true])).toEqual(
    facts.map(({ instant, expected, overlap }) => [instant, expected, overlap]),
  );
};

/** Each night with plans of its own. */
const checkEvery = (nights: readonly Night[], numRuns: number, check: typeof checkStarts): void => {
  const { seed = 0 } = fc.readConfigureGlobal();
  for (const [index, night] of nights.entries())
    fc.assert(fc.property(fc.constant(night), plan, check), { numRuns, seed: seed + index });
};

test.each(ZONES)(
  '%s: starts and their dates agree at every clock change from 2024 to 2037',
  (zone, count) => {
    const nights = clockChanges(zone, FROM_YEAR, TO_YEAR).map((change) => nightAround(zone, change));
    expect(nights).toHaveLength(count);
    checkEvery(nights, 8, checkStarts);
    checkEvery(nights, 2, checkDates);
  },
);

test('starts and their dates agree on nights of every kind', () => {
  fc.assert(
    fc.property(anyNight, plan, ({ zone, instant }, each) => {
      const night = nightAround(zone, instant);
      checkStarts(night, each);
      checkDates(night, each);
    }),
    { numRuns: 100 },
  );
});

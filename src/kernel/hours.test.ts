import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nextEdge, nextOpening, openAt, spansOn } from './hours.ts';
import type { DatedHours, HoursRange, OpeningHours, Weekday, WallRange } from './hours.ts';
import {
  INNER,
  PERIODS,
  instantOf,
  scanDates,
  scanFlip,
  scanOpen,
  periodTable,
} from './wall-clock-oracle.test-support.ts';
import { addDays, isoInstant, parseWallTime } from './time.ts';
import type { Instant, Span } from './time.ts';

const CAIRO = 'Africa/Cairo';
const DAY = 86_400_000;
const WEEK: readonly Weekday[] = [0, 1, 2, 3, 4, 5, 6];
const at = (text: string): Instant => Date.parse(text);
const wall = (text: string): number => parseWallTime(text) ?? NaN;
const range = (open: string, close: string): WallRange => ({ open: wall(open), close: wall(close) });
const daily = (...ranges: readonly WallRange[]): HoursRange[] =>
  WEEK.flatMap((dow) => ranges.map((each) => ({ dow, ...each })));
const hoursOf = (weekly: readonly HoursRange[], dated: readonly DatedHours[] = []): OpeningHours => ({
  weekly,
  dated,
});
const iso = (instant: Instant | null): string | null => (instant === null ? null : isoInstant(instant));

describe('a café with ordinary hours', () => {
  const hours = hoursOf(daily(range('08:00', '12:00'), range('13:00', '02:00')));

  test('is open from the opening minute and closed from the closing minute', () => {
    expect(openAt(hours, CAIRO, at('2026-12-04T05:59:59.999Z'))).toBe(false);
    expect(openAt(hours, CAIRO, at('2026-12-04T06:00:00Z'))).toBe(true);
    expect(openAt(hours, CAIRO, at('2026-12-04T09:59:59.999Z'))).toBe(true);
    expect(openAt(hours, CAIRO, at('2026-12-04T10:00:00Z'))).toBe(false);
  });

  test('is open at 01:00 by the hours of the previous day', () => {
    expect(openAt(hours, CAIRO, at('2026-12-04T23:00:00Z'))).toBe(true);
    expect(iso(nextEdge(hours, CAIRO, at('2026-12-04T23:00:00Z')))).toBe('2026-12-05T00:00:00.000Z');
  });

  test('has a next opening: the next start, or now while open', () => {
    expect(iso(nextOpening(hours, CAIRO, at('2026-12-04T10:30:00Z')))).toBe('2026-12-04T11:00:00.000Z');
    expect(iso(nextOpening(hours, CAIRO, at('2026-12-04T12:30:00Z')))).toBe('2026-12-04T12:30:00.000Z');
  });

  test('keeps two ranges that touch as two spans without an edge between them', () => {
    const touching = hoursOf(daily(range('17:00', '23:00'), range('12:00', '17:00')));
    expect(spansOn(touching, CAIRO, '2026-12-04').map((span) => iso(span.start))).toEqual([
      '2026-12-04T10:00:00.000Z',
      '2026-12-04T15:00:00.000Z',
    ]);
    expect(iso(nextEdge(touching, CAIRO, at('2026-12-04T11:00:00Z')))).toBe('2026-12-04T21:00:00.000Z');
  });
});

describe('round the clock', () => {
  test.each([range('00:00', '00:00'), range('10:00', '10:00')])('on every day has no edge: %o', (each) => {
    const hours = hoursOf(daily(each));
    for (const now of ['2026-04-23T21:59:59Z', '2026-10-29T20:30:00Z', '2026-12-04T22:00:00Z']) {
      expect(openAt(hours, CAIRO, at(now))).toBe(true);
      expect(nextEdge(hours, CAIRO, at(now))).toBeNull();
    }
  });

  test('on one weekday lasts 24 hours', () => {
    const hours = hoursOf([{ dow: 5, ...range('10:00', '10:00') }]);
    expect(iso(nextEdge(hours, CAIRO, at('2026-12-04T08:00:00Z')))).toBe('2026-12-05T08:00:00.000Z');
    expect(iso(nextEdge(hours, CAIRO, at('2026-12-05T08:00:00Z')))).toBe('2026-12-11T08:00:00.000Z');
  });

  test('is open for years until a closure, which does not cut the night before it', () => {
    const closed = { from: '2031-03-10', to: '2031-03-12', ranges: [] };
    const now = at('2026-12-04T12:00:00Z');
    const plain = hoursOf(daily(range('00:00', '00:00')), [closed]);
    expect(iso(nextEdge(plain, CAIRO, now))).toBe('2031-03-09T22:00:00.000Z');
    const late = hoursOf(daily(range('10:00', '10:00')), [closed]);
    expect(iso(nextEdge(late, CAIRO, now))).toBe('2031-03-10T08:00:00.000Z');
    expect(iso(nextEdge(late, CAIRO, at('2031-03-10T08:00:00Z')))).toBe('2031-03-13T08:00:00.000Z');
  });
});

describe('dated overrides', () => {
  const ramadan = { from: '2026-02-18', to: '2026-03-19', ranges: [range('18:00', '03:00')] };

  test('replace the weekly hours from their first to their last date', () => {
    const hours = hoursOf(daily(range('08:00', '22:00')), [ramadan]);
    expect(openAt(hours, CAIRO, at('2026-02-17T08:00:00Z'))).toBe(true);
    expect(openAt(hours, CAIRO, at('2026-02-18T08:00:00Z'))).toBe(false);
    expect(openAt(hours, CAIRO, at('2026-03-19T23:30:00Z'))).toBe(true);
    expect(openAt(hours, CAIRO, at('2026-03-20T08:00:00Z'))).toBe(true);
  });

  test('that close a date do not cut the night that began before it', () => {
    const hours = hoursOf(daily(range('13:00', '02:00')), [
      { from: '2026-12-05', to: '2026-12-05', ranges: [] },
    ]);
    expect(openAt(hours, CAIRO, at('2026-12-04T23:30:00Z'))).toBe(true);
    expect(openAt(hours, CAIRO, at('2026-12-05T12:00:00Z'))).toBe(false);
    expect(iso(nextOpening(hours, CAIRO, at('2026-12-05T00:00:00Z')))).toBe('2026-12-06T11:00:00.000Z');
  });

  test('over fewer days win; of equally long ones the later in the list wins', () => {
    const feast = { from: '2026-03-19', to: '2026-03-19', ranges: [] };
    const feastNight = { from: '2026-03-19', to: '2026-03-19', ranges: [range('20:00', '23:00')] };
    const count = (dated: readonly DatedHours[]): number =>
      spansOn(hoursOf(daily(range('08:00', '22:00')), dated), CAIRO, '2026-03-19').length;
    expect(count([feast, ramadan])).toBe(0);
    expect(count([ramadan, feast])).toBe(0);
    expect(count([feast, feastNight])).toBe(1);
    expect(count([feastNight, feast])).toBe(0);
  });

  test('that close two years have a next opening after them; a closure to 9999 has none', () => {
    const closedUntil = (to: string): OpeningHours =>
      hoursOf(daily(range('08:00', '22:00')), [{ from: '2026-01-01', to, ranges: [] }]);
    const now = at('2026-06-01T00:00:00Z');
    expect(iso(nextOpening(closedUntil('2028-05-31'), CAIRO, now))).toBe('2028-06-01T05:00:00.000Z');
    expect(nextOpening(closedUntil('9999-12-31'), CAIRO, now)).toBeNull();
    expect(nextEdge(closedUntil('9999-12-31'), CAIRO, now)).toBeNull();
  });

  test('opening hours without ranges never open', () => {
    expect(nextOpening(hoursOf([]), CAIRO, at('2026-06-01T00:00:00Z'))).toBeNull();
    expect(spansOn(hoursOf([]), CAIRO, '2026-06-01')).toEqual([]);
  });

  test('with one single night years ahead have that night as next opening', () => {
    const night = (date: string): OpeningHours =>
      hoursOf([], [{ from: date, to: date, ranges: [range('20:00', '02:00')] }]);
    const now = at('2026-06-01T00:00:00Z');
    expect(iso(nextOpening(night('2034-01-05'), CAIRO, now))).toBe('2034-01-05T18:00:00.000Z');
    expect(nextOpening(night('9999-12-31'), CAIRO, now)).toBeNull();
  });
});

describe('clock changes', () => {
  test('a closing time inside the skipped hour is the instant of the jump', () => {
    const hours = hoursOf(daily(range('13:00', '00:30')));
    expect(iso(nextEdge(hours, CAIRO, at('2026-04-23T20:00:00Z')))).toBe('2026-04-23T22:00:00.000Z');
  });

  test('in the doubled hour a closing time is the second pass, an opening time the first', () => {
    const hours = hoursOf([{ dow: 4, ...range('13:00', '23:30') }]);
    expect(iso(nextEdge(hours, CAIRO, at('2026-10-29T20:00:00Z')))).toBe('2026-10-29T21:30:00.000Z');
    const late = hoursOf([{ dow: 4, ...range('23:30', '01:00') }]);
    expect(iso(nextEdge(late, CAIRO, at('2026-10-29T20:00:00Z')))).toBe('2026-10-29T20:30:00.000Z');
  });
});

// ── Against the minute-by-minute oracle ─────────────────────────────────────────────────────────

const minutes = fc.oneof(
  fc.nat(95).map((quarter) => quarter * 15),
  fc.constantFrom(0, 1, 30, 60, 1380, 1410, 1439),
);
const wallRange = fc.record({ open: minutes, close: minutes });
const weekly = fc
  .array(fc.tuple(wallRange, fc.subarray([...WEEK], { minLength: 1 })), { maxLength: 4 })
  .map((entries) => entries.flatMap(([each, dows]) => dows.map((dow) => ({ dow, ...each }))));
const datedIn = (dates: readonly string[]): fc.Arbitrary<DatedHours[]> =>
  fc.array(
    fc
      .tuple(fc.nat(dates.length - 1), fc.nat(5), fc.array(wallRange, { maxLength: 2 }))
      .map(([first, more, ranges]) => {
        const from = dates[first] ?? '';
        return { from, to: addDays(from, more), ranges };
      }),
    { maxLength: 4 },
  );

const oracleRanges =
  ({ weekly: week, dated }: OpeningHours) =>
  (date: string): readonly WallRange[] => {
    const days = (each: DatedHours): number => Date.parse(each.to) - Date.parse(each.from);
    const ruling = dated
      .filter((each) => each.from <= date && date <= each.to)
      .reverse()
      .sort((a, b) => days(a) - days(b))[0];
    return ruling ? ruling.ranges : week.filter((each) => each.dow === new Date(date).getUTCDay());
  };

describe('against a scan of every minute around clock changes', () => {
  test.each(PERIODS)('%s from %s: open or closed, edges and next openings agree', (zone, from) => {
    const table = periodTable([zone, from]);
    const hoursHere = fc.record({ weekly, dated: datedIn(scanDates(table)) });
    const inner = fc.integer({ min: INNER.first, max: INNER.end - 1 });
    const seconds = fc.nat(59_999);
    fc.assert(
      fc.property(hoursHere, fc.array(fc.tuple(inner, seconds), { minLength: 20 }), (hours, moments) => {
        const open = scanOpen(table, oracleRanges(hours));
        for (const [index, millis] of moments) {
          const now = instantOf(table, index) + millis;
          expect(openAt(hours, zone, now), isoInstant(now)).toBe(open[index]);
          const flip = scanFlip(open, index);
          const opening = open[index] ? now : flip === null ? null : instantOf(table, flip);
          if (opening !== null && opening < instantOf(table, INNER.end)) {
            expect(iso(nextOpening(hours, zone, now))).toBe(iso(opening));
          }
        }
        // Edge after edge, to the millisecond.
        let index = INNER.first;
        for (;;) {
          const flip = scanFlip(open, index);
          const edge = nextEdge(hours, zone, instantOf(table, index));
          if (flip === null || flip >= INNER.end) {
            expect(edge ?? Infinity).toBeGreaterThanOrEqual(instantOf(table, INNER.end));
            break;
          }
          expect(iso(edge)).toBe(isoInstant(instantOf(table, flip)));
          const moment = instantOf(table, flip);
          expect(openAt(hours, zone, moment)).toBe(open[flip]);
          expect(openAt(hours, zone, moment - 1)).toBe(!open[flip]);
          expect(openAt(hours, zone, moment - 1000)).toBe(!open[flip]);
          expect(iso(nextEdge(hours, zone, moment - 1))).toBe(isoInstant(moment));
          index = flip;
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe('over years, against the merged spans of every date', () => {
  const YEARS_OF_DATES = Array.from({ length: 1300 }, (_, day) => addDays('2026-01-01', day));

  const merged = (hours: OpeningHours): readonly Span[] => {
    const runs: Span[] = [];
    for (const span of YEARS_OF_DATES.flatMap((date) => spansOn(hours, CAIRO, date))) {
      const last = runs.at(-1);
      if (last && span.start <= last.end) {
        runs[runs.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
      } else runs.push(span);
    }
    return runs;
  };

  const sparse = fc.oneof(
    fc.constant(daily(range('00:00', '00:00'))),
    fc.constant(daily(range('10:00', '10:00'))),
    fc.constant(daily(range('00:00', '12:00'), range('12:00', '00:00'))),
    fc.constant([]),
    weekly,
  );
  const closures = fc.array(
    fc
      .tuple(fc.integer({ min: 10, max: 1200 }), fc.nat(60), fc.array(wallRange, { maxLength: 1 }))
      .map(([first, more, ranges]) => {
        const from = addDays('2026-01-01', first);
        return { from, to: addDays(from, more), ranges };
      }),
    { maxLength: 3 },
  );

  test('the next edge is the next start or end of a merged span, however far away', () => {
    fc.assert(
      fc.property(
        sparse,
        closures,
        fc.integer({ min: 5, max: 1200 }),
        fc.nat(DAY),
        (week, dated, day, into) => {
          const hours = hoursOf(week, dated);
          const now = at('2026-01-01T00:00:00Z') + day * DAY + into;
          const edges = merged(hours).flatMap(({ start, end }) => [start, end]);
          const known = at('2026-01-01T00:00:00Z') + 1290 * DAY;
          const expected = edges.find((edge) => edge > now && edge < known) ?? null;
          const found = nextEdge(hours, CAIRO, now);
          if (expected === null) expect(found ?? Infinity).toBeGreaterThanOrEqual(known);
          else expect(iso(found)).toBe(iso(expected));
        },
      ),
      { numRuns: 60 },
    );
  });
});

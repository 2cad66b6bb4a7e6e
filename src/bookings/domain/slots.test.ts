import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { OpeningHours, WallRange, Weekday } from '../../kernel/hours.ts';
import {
  INNER,
  PERIODS,
  instantOf,
  scanDateAt,
  scanDates,
  scanRange,
  periodTable,
} from '../../kernel/wall-clock-oracle.test-support.ts';
import {
  dateBounds,
  isWithin,
  nextLeadEdge,
  nextServiceDateEdge,
  offeredSlots,
  serviceDateOf,
  slotStarts,
} from './slots.ts';
import type { SlotRules } from './slots.ts';
import { isoInstant, parseWallTime } from '../../kernel/time.ts';
import type { Instant, Span } from '../../kernel/time.ts';

const CAIRO = 'Africa/Cairo';
const WEEK: readonly Weekday[] = [0, 1, 2, 3, 4, 5, 6];
const MINUTE = 60_000;
const at = (text: string): Instant => Date.parse(text);
const wall = (text: string): number => parseWallTime(text) ?? NaN;
const daily = (...ranges: readonly (readonly [open: string, close: string])[]): OpeningHours => ({
  weekly: WEEK.flatMap((dow) =>
    ranges.map(([open, close]) => ({ dow, open: wall(open), close: wall(close) })),
  ),
  dated: [],
});
const clock = (instant: Instant): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone: CAIRO, hour: '2-digit', minute: '2-digit' }).format(instant);

const grid = { slotMinutes: 30, durationMinutes: 90 };
const startsOn = (hours: OpeningHours, date: string): readonly string[] =>
  slotStarts(grid, hours, CAIRO, date).map(clock);

describe('the starts of a service', () => {
  test('are every 30 minutes from the opening, the last at closing time minus the stay', () => {
    const starts = startsOn(daily(['12:00', '15:00']), '2026-12-04');
    expect(starts).toEqual(['12:00', '12:30', '13:00', '13:30']);
  });

  test('after midnight belong to the date on which their service began', () => {
    const starts = slotStarts(grid, daily(['22:00', '02:00']), CAIRO, '2026-12-04');
    expect(starts.map(isoInstant).at(-1)).toBe('2026-12-04T22:30:00.000Z');
    expect(starts.map(clock)).toEqual(['22:00', '22:30', '23:00', '23:30', '00:00', '00:30']);
  });

  test('are counted from each opening of the day, without duplicates where ranges overlap', () => {
    expect(startsOn(daily(['19:15', '21:00'], ['12:00', '14:00']), '2026-12-04')).toEqual([
      '12:00',
      '12:30',
      '19:15',
    ]);
    expect(startsOn(daily(['12:00', '14:00'], ['12:30', '15:00']), '2026-12-04')).toEqual([
      '12:00',
      '12:30',
      '13:00',
      '13:30',
    ]);
  });

  test('are none for a service shorter than the stay', () => {
    expect(startsOn(daily(['12:00', '13:29']), '2026-12-04')).toEqual([]);
    expect(startsOn(daily(['12:00', '13:30']), '2026-12-04')).toEqual(['12:00']);
  });

  test('are 30 real minutes apart when Cairo skips midnight', () => {
    expect(startsOn(daily(['22:00', '04:00']), '2026-04-23')).toEqual([
      ...['22:00', '22:30', '23:00', '23:30'],
      ...['01:00', '01:30', '02:00', '02:30'],
    ]);
  });

  test('list both passes of the hour that Cairo doubles, as different instants', () => {
    const starts = slotStarts(grid, daily(['22:00', '02:00']), CAIRO, '2026-10-29');
    expect(starts.map(clock)).toEqual([
      ...['22:00', '22:30', '23:00', '23:30'],
      ...['23:00', '23:30', '00:00', '00:30'],
    ]);
    expect(new Set(starts).size).toBe(starts.length);
  });
});

describe('the starts from 18:00 to 02:00 for stays of 30 minutes', () => {
  const startsOf = (date: string): readonly string[] =>
    slotStarts({ slotMinutes: 30, durationMinutes: 30 }, daily(['18:00', '02:00']), CAIRO, date).map(
      isoInstant,
    );

  test('are 14 on 29 April 2027, whose 24:00 is 01:00 in Cairo', () => {
    expect(startsOf('2027-04-29')).toEqual([
      ...['2027-04-29T16:00:00.000Z', '2027-04-29T16:30:00.000Z'],
      ...['2027-04-29T17:00:00.000Z', '2027-04-29T17:30:00.000Z'],
      ...['2027-04-29T18:00:00.000Z', '2027-04-29T18:30:00.000Z'],
      ...['2027-04-29T19:00:00.000Z', '2027-04-29T19:30:00.000Z'],
      ...['2027-04-29T20:00:00.000Z', '2027-04-29T20:30:00.000Z'],
      // 23:00, 23:30, then 01:00, 01:30.
      ...['2027-04-29T21:00:00.000Z', '2027-04-29T21:30:00.000Z'],
      ...['2027-04-29T22:00:00.000Z', '2027-04-29T22:30:00.000Z'],
    ]);
  });

  test('are 18 on 28 October 2027, whose 24:00 is 23:00 in Cairo', () => {
    expect(startsOf('2027-10-28')).toEqual([
      ...['2027-10-28T15:00:00.000Z', '2027-10-28T15:30:00.000Z'],
      ...['2027-10-28T16:00:00.000Z', '2027-10-28T16:30:00.000Z'],
      ...['2027-10-28T17:00:00.000Z', '2027-10-28T17:30:00.000Z'],
      ...['2027-10-28T18:00:00.000Z', '2027-10-28T18:30:00.000Z'],
      ...['2027-10-28T19:00:00.000Z', '2027-10-28T19:30:00.000Z'],
      // 23:00, 23:30, then both again.
      ...['2027-10-28T20:00:00.000Z', '2027-10-28T20:30:00.000Z'],
      ...['2027-10-28T21:00:00.000Z', '2027-10-28T21:30:00.000Z'],
      ...['2027-10-28T22:00:00.000Z', '2027-10-28T22:30:00.000Z'],
      ...['2027-10-28T23:00:00.000Z', '2027-10-28T23:30:00.000Z'],
    ]);
  });

  test('are 16 on the nights before and after', () => {
    for (const date of ['2027-04-28', '2027-04-30', '2027-10-27', '2027-10-29'])
      expect([date, startsOf(date).length]).toEqual([date, 16]);
  });
});

describe('the offered starts', () => {
  const rules: SlotRules = { ...grid, leadMinutes: 60, blackoutDates: ['2026-12-25'] };
  const hours = daily(['12:00', '15:00']);
  const offered = (
    now: string,
    hasRoom: (stay: Span) => boolean = () => true,
    date = '2026-12-04',
  ): string[] =>
    offeredSlots(rules, hours, CAIRO, date, at(now), hasRoom).map(
      ({ startsAt, unavailable }) => `${clock(startsAt)} ${unavailable ?? 'free'}`,
    );

  test('a start exactly the lead time ahead is free, a millisecond less is too soon; past starts stay listed', () => {
    expect(offered('2026-12-04T09:30:00Z')).toEqual([
      '12:00 too_soon',
      '12:30 free',
      '13:00 free',
      '13:30 free',
    ]);
    expect(offered('2026-12-04T09:30:00.001Z')).toEqual([
      '12:00 too_soon',
      '12:30 too_soon',
      '13:00 free',
      '13:30 free',
    ]);
    expect(offered('2026-12-04T20:00:00Z')).toEqual([
      '12:00 too_soon',
      '12:30 too_soon',
      '13:00 too_soon',
      '13:30 too_soon',
    ]);
  });

  test('a start without room for the whole stay is not free', () => {
    const taken = { start: at('2026-12-04T12:00:00Z'), end: at('2026-12-04T12:30:00Z') };
    const hasRoom = (stay: Span): boolean => stay.end <= taken.start || stay.start >= taken.end;
    expect(offered('2026-12-01T00:00:00Z', hasRoom)).toEqual([
      '12:00 free',
      '12:30 free',
      '13:00 taken',
      '13:30 taken',
    ]);
  });

  test('a start that is both too soon and without room is too soon', () => {
    expect(offered('2026-12-04T20:00:00Z', () => false)[0]).toBe('12:00 too_soon');
  });

  test('a blackout date has no starts', () => {
    expect(offered('2026-12-01T00:00:00Z', () => true, '2026-12-25')).toEqual([]);
  });

  test('the next change is one millisecond after the nearest start reaches the lead time', () => {
    const starts = slotStarts(grid, hours, CAIRO, '2026-12-04');
    const edge = nextLeadEdge(starts, 60, at('2026-12-04T09:15:00Z'));
    expect(edge).toBe(at('2026-12-04T09:30:00.001Z'));
    expect(nextLeadEdge(starts, 60, at('2026-12-04T10:30:00.001Z'))).toBeNull();
  });
});

describe('today', () => {
  const late = daily(['13:00', '02:00']);

  test('is the previous date at 01:00 while the service of that date runs', () => {
    expect(serviceDateOf(late, CAIRO, at('2026-12-04T22:30:00Z'))).toBe('2026-12-04');
    expect(serviceDateOf(late, CAIRO, at('2026-12-04T23:59:59.999Z'))).toBe('2026-12-04');
    expect(serviceDateOf(late, CAIRO, at('2026-12-05T00:00:00Z'))).toBe('2026-12-05');
  });

  test('is the local date when no service runs', () => {
    expect(serviceDateOf(late, CAIRO, at('2026-12-05T04:00:00Z'))).toBe('2026-12-05');
    expect(serviceDateOf(daily(), CAIRO, at('2026-12-04T22:30:00Z'))).toBe('2026-12-05');
  });

  test('stays the previous date until its service ends, also when the next service has begun', () => {
    const overlapping = daily(['13:00', '08:00'], ['07:00', '12:00']);
    expect(serviceDateOf(overlapping, CAIRO, at('2026-12-05T05:30:00Z'))).toBe('2026-12-04');
    expect(serviceDateOf(overlapping, CAIRO, at('2026-12-05T06:00:00Z'))).toBe('2026-12-05');
  });

  test('changes at 10:00 for hours from 10:00 to 10:00', () => {
    const hours = daily(['10:00', '10:00']);
    expect(serviceDateOf(hours, CAIRO, at('2026-12-05T07:59:00Z'))).toBe('2026-12-04');
    expect(serviceDateOf(hours, CAIRO, at('2026-12-05T08:00:00Z'))).toBe('2026-12-05');
    expect(nextServiceDateEdge(hours, CAIRO, at('2026-12-05T07:59:00Z'))).toBe(at('2026-12-05T08:00:00Z'));
  });

  test('is the first bookable date; the last is the end of the horizon', () => {
    const bounds = dateBounds('2026-12-04', 30);
    expect(bounds).toEqual({ first: '2026-12-04', last: '2027-01-03' });
    const bookable = ['2026-12-03', '2026-12-04', '2027-01-03', '2027-01-04'].map((date) =>
      isWithin(bounds, date),
    );
    expect(bookable).toEqual([false, true, true, false]);
  });
});

// ── Minute-by-minute oracle ─────────────────────────────────────────────────────────────────────

const minutes = fc.oneof(
  fc.nat(95).map((quarter) => quarter * 15),
  fc.constantFrom(0, 1, 30, 60, 1380, 1410, 1439),
);
const wallRange = fc.record({ open: minutes, close: minutes });
const hoursArbitrary: fc.Arbitrary<OpeningHours> = fc
  .array(fc.tuple(wallRange, fc.subarray([...WEEK], { minLength: 1 })), { maxLength: 4 })
  .map((entries) => ({
    weekly: entries.flatMap(([each, dows]) => dows.map((dow) => ({ dow, ...each }))),
    dated: [],
  }));
const gridArbitrary = fc.record({
  slotMinutes: fc.constantFrom(15, 20, 30, 45, 60),
  durationMinutes: fc.integer({ min: 15, max: 600 }),
});
const rangesOn = (hours: OpeningHours, date: string): readonly WallRange[] =>
  hours.weekly.filter((each) => each.dow === new Date(date).getUTCDay());

describe('against a scan of every minute around clock changes', () => {
  test.each(PERIODS)('%s from %s: the starts of every date agree', (zone, from) => {
    const table = periodTable([zone, from]);
    fc.assert(
      fc.property(hoursArbitrary, gridArbitrary, (hours, { slotMinutes, durationMinutes }) => {
        for (const date of scanDates(table).slice(3, -3)) {
          const expected = rangesOn(hours, date).flatMap((each) => {
            const [start, end] = scanRange(table, date, each);
            const inside = Array.from({ length: end - start }, (_, step) => start + step);
            return inside.filter(
              (index) => (index - start) % slotMinutes === 0 && index + durationMinutes <= end,
            );
          });
          const ordered = [...new Set(expected)].sort((a, b) => a - b);
          const starts = slotStarts({ slotMinutes, durationMinutes }, hours, zone, date);
          expect(starts.map(isoInstant)).toEqual(ordered.map((index) => isoInstant(instantOf(table, index))));
        }
      }),
      { numRuns: 25 },
    );
  });

  // Newfoundland changed its clock over midnight until 2011, and with it the date.
  const forward = PERIODS.filter(([zone]) => zone !== 'America/St_Johns');

  test.each(forward)('%s from %s: the service date and its next change agree', (zone, from) => {
    const table = periodTable([zone, from]);
    const dates = scanDates(table);
    const inner = fc.integer({ min: INNER.first, max: INNER.end - 1 });
    fc.assert(
      fc.property(hoursArbitrary, fc.array(inner, { minLength: 10 }), (hours, moments) => {
        const today = (index: number): string =>
          dates.find((date) =>
            rangesOn(hours, date).some((each) => {
              const [start, end] = scanRange(table, date, each);
              return start <= index && index < end;
            }),
          ) ?? scanDateAt(table, index);
        for (const index of moments) {
          const now = instantOf(table, index);
          expect(serviceDateOf(hours, zone, now), isoInstant(now)).toBe(today(index));
          const edge = nextServiceDateEdge(hours, zone, now) ?? NaN;
          const turn = (edge - table.from) / MINUTE;
          expect(turn).toBeGreaterThan(index);
          expect(today(turn)).not.toBe(today(index));
          expect(today(turn - 1)).toBe(today(index));
        }
      }),
      { numRuns: 25 },
    );
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  PERIODS,
  instantOf,
  scanDateAt,
  scanDates,
  scanEnd,
  scanStart,
  periodTable,
} from './wall-clock-oracle.test-support.ts';
import {
  addDays,
  addMinutes,
  daysBetween,
  formatWallTime,
  isZone,
  isoInstant,
  isoLocal,
  localDateOf,
  overlaps,
  parseLocalDate,
  parseWallTime,
  resolveEnd,
  resolveStart,
  spanOn,
  wallMinutesOf,
  weekdayOf,
} from './time.ts';

const CAIRO = 'Africa/Cairo';
const at = (text: string): number => Date.parse(text);

describe('the instant of a wall time', () => {
  test('on an ordinary day follows the UTC offset of that day, for starts and ends', () => {
    expect(isoInstant(resolveStart(CAIRO, '2026-12-04', 19 * 60))).toBe('2026-12-04T17:00:00.000Z');
    expect(isoInstant(resolveEnd(CAIRO, '2026-07-04', 19 * 60))).toBe('2026-07-04T16:00:00.000Z');
  });

  test('in the hour that Cairo skips (last Friday of April, 00:00 to 01:00) is the first instant after it', () => {
    const change = at('2026-04-23T22:00:00Z');
    for (const minutes of [0, 1, 30, 59]) {
      expect(resolveStart(CAIRO, '2026-04-24', minutes)).toBe(change);
      expect(resolveEnd(CAIRO, '2026-04-24', minutes)).toBe(change);
    }
    expect(resolveStart(CAIRO, '2026-04-24', 60)).toBe(change);
    expect(resolveStart(CAIRO, '2026-04-23', 1439)).toBe(change - 60_000);
    expect(resolveEnd(CAIRO, '2027-04-30', 15)).toBe(at('2027-04-29T22:00:00Z'));
  });

  test('in the hour that Cairo doubles (last Thursday of October, 23:00 to 24:00) is the first pass for a start, the second for an end', () => {
    expect(isoInstant(resolveStart(CAIRO, '2026-10-29', 23 * 60))).toBe('2026-10-29T20:00:00.000Z');
    expect(isoInstant(resolveEnd(CAIRO, '2026-10-29', 23 * 60))).toBe('2026-10-29T21:00:00.000Z');
    expect(isoInstant(resolveStart(CAIRO, '2027-10-28', 23 * 60 + 30))).toBe('2027-10-28T20:30:00.000Z');
    expect(isoInstant(resolveEnd(CAIRO, '2027-10-28', 23 * 60 + 30))).toBe('2027-10-28T21:30:00.000Z');
    // Midnight occurs once, after both.
    expect(isoInstant(resolveStart(CAIRO, '2026-10-30', 0))).toBe('2026-10-29T22:00:00.000Z');
    expect(isoInstant(resolveEnd(CAIRO, '2026-10-30', 0))).toBe('2026-10-29T22:00:00.000Z');
  });

  test('on the day that Samoa skipped is the first instant after that day', () => {
    const change = at('2011-12-30T10:00:00Z');
    expect(resolveStart('Pacific/Apia', '2011-12-30', 12 * 60)).toBe(change);
    expect(resolveEnd('Pacific/Apia', '2011-12-30', 1439)).toBe(change);
    expect(resolveStart('Pacific/Apia', '2011-12-31', 0)).toBe(change);
  });

  test('in an unknown zone is a RangeError', () => {
    expect(() => resolveStart('Africa/Kairo', '2026-01-01', 0)).toThrow(RangeError);
  });
});

describe('every minute around clock changes', () => {
  test.each(PERIODS)('%s from %s: date and wall time agree with a scan of the clock', (zone, from) => {
    const table = periodTable([zone, from]);
    const wrong = table.wall.filter((wall, index) => {
      const instant = instantOf(table, index);
      const date = scanDateAt(table, index);
      return (
        localDateOf(zone, instant) !== date ||
        localDateOf(zone, instant + 59_999) !== date ||
        wallMinutesOf(zone, instant + 59_999) !== wall - Date.parse(date) / 60_000
      );
    });
    expect(wrong).toEqual([]);
  });

  test.each(PERIODS)('%s from %s: starts and ends agree with a scan of the clock', (zone, from) => {
    const table = periodTable([zone, from]);
    for (const date of scanDates(table).slice(2, -2)) {
      for (let minutes = 0; minutes < 1440; minutes += 15) {
        const found = [scanStart(table, date, minutes), scanEnd(table, date, minutes)];
        const resolved = [resolveStart(zone, date, minutes), resolveEnd(zone, date, minutes)];
        expect(resolved, `${date} ${formatWallTime(minutes)}`).toEqual(
          found.map((index) => instantOf(table, index)),
        );
      }
    }
  });

  test('in any year and zone an instant reads back as its wall time, or is the end of a gap', () => {
    const zones = [CAIRO, 'Africa/Casablanca', 'Europe/London', 'America/Havana', 'Asia/Gaza', 'UTC'];
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: 0, max: 60 * 365 }),
        fc.nat(1439),
        (zone, day, minutes) => {
          const date = addDays('1990-01-01', day);
          const start = resolveStart(zone, date, minutes);
          const end = resolveEnd(zone, date, minutes);
          expect(start).toBeLessThanOrEqual(end);
          const wanted = Date.parse(date) / 60_000 + minutes;
          const shown = (instant: number): number =>
            Date.parse(localDateOf(zone, instant)) / 60_000 + wallMinutesOf(zone, instant);
          if (shown(start) === wanted) expect(shown(end)).toBe(wanted);
          else {
            expect(end).toBe(start);
            expect(shown(start - 60_000)).toBeLessThan(wanted);
            expect(shown(start)).toBeGreaterThan(wanted);
          }
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe('a range on the wall clock', () => {
  const hoursOf = (date: string, from: string, to: string): number => {
    const span = spanOn(CAIRO, date, parseWallTime(from) ?? NaN, parseWallTime(to) ?? NaN);
    return (span.end - span.start) / 3_600_000;
  };

  test('ends on the same day, past midnight, or after 24 hours', () => {
    expect(hoursOf('2026-06-10', '09:00', '17:00')).toBe(8);
    expect(hoursOf('2026-06-10', '13:00', '02:00')).toBe(13);
    expect(hoursOf('2026-06-10', '10:00', '10:00')).toBe(24);
    expect(hoursOf('2026-06-10', '00:00', '00:00')).toBe(24);
  });

  test('is an hour shorter or longer over a clock change', () => {
    expect(hoursOf('2026-04-23', '13:00', '02:00')).toBe(12);
    expect(hoursOf('2026-10-29', '13:00', '02:00')).toBe(14);
    expect(hoursOf('2026-04-24', '00:00', '00:00')).toBe(23);
    expect(hoursOf('2026-10-29', '00:00', '00:00')).toBe(25);
    expect(hoursOf('2026-10-29', '23:15', '23:45')).toBe(1.5);
    expect(hoursOf('2026-04-24', '00:15', '00:45')).toBe(0);
  });

  test('spans that only touch do not overlap', () => {
    expect(overlaps({ start: 0, end: 10 }, { start: 10, end: 20 })).toBe(false);
    expect(overlaps({ start: 0, end: 11 }, { start: 10, end: 20 })).toBe(true);
  });
});

describe('local time with its UTC offset', () => {
  test('is the wall time in summer and in winter', () => {
    expect(isoLocal(CAIRO, at('2026-12-04T17:00:00Z'))).toBe('2026-12-04T19:00+02:00');
    expect(isoLocal(CAIRO, at('2026-07-04T16:00:00Z'))).toBe('2026-07-04T19:00+03:00');
    expect(isoLocal(CAIRO, at('2026-12-31T22:05:59.999Z'))).toBe('2027-01-01T00:05+02:00');
  });

  test('skips the hour from midnight on the last Friday of April', () => {
    expect(isoLocal(CAIRO, at('2026-04-23T21:59:59Z'))).toBe('2026-04-23T23:59+02:00');
    expect(isoLocal(CAIRO, at('2026-04-23T22:00:00Z'))).toBe('2026-04-24T01:00+03:00');
  });

  test('shows the hour before midnight twice on the last Thursday of October, with different offsets', () => {
    expect(isoLocal(CAIRO, at('2026-10-29T20:59:00Z'))).toBe('2026-10-29T23:59+03:00');
    expect(isoLocal(CAIRO, at('2026-10-29T21:00:00Z'))).toBe('2026-10-29T23:00+02:00');
    expect(isoLocal(CAIRO, at('2026-10-29T21:59:00Z'))).toBe('2026-10-29T23:59+02:00');
    expect(isoLocal(CAIRO, at('2026-10-29T22:00:00Z'))).toBe('2026-10-30T00:00+02:00');
  });

  test('has negative offsets, and offsets of half and quarter hours', () => {
    const moment = at('2026-12-04T01:20:00Z');
    expect(isoLocal('UTC', moment)).toBe('2026-12-04T01:20+00:00');
    expect(isoLocal('America/New_York', moment)).toBe('2026-12-03T20:20-05:00');
    expect(isoLocal('America/St_Johns', moment)).toBe('2026-12-03T21:50-03:30');
    expect(isoLocal('America/St_Johns', at('2026-07-04T01:20:00Z'))).toBe('2026-07-03T22:50-02:30');
    expect(isoLocal('Asia/Kathmandu', moment)).toBe('2026-12-04T07:05+05:45');
    expect(isoLocal('Pacific/Kiritimati', moment)).toBe('2026-12-04T15:20+14:00');
  });

  test('in any minute and zone parses back to its instant and shows the local date', () => {
    const zones = [CAIRO, 'America/St_Johns', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC'];
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: at('1990-01-01') / 60_000, max: at('2050-01-01') / 60_000 }),
        fc.nat(59_999),
        (zone, minute, rest) => {
          const local = isoLocal(zone, minute * 60_000 + rest);
          expect(local).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d[+-]\d\d:\d\d$/);
          expect(at(local)).toBe(minute * 60_000);
          expect(local.slice(0, 10)).toBe(localDateOf(zone, minute * 60_000));
        },
      ),
      { numRuns: 1000 },
    );
  });
});

describe('calendar dates', () => {
  test('are added and subtracted over months, leap days and years', () => {
    expect(addDays('2028-02-28', 1)).toBe('2028-02-29');
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
    expect(addDays('2026-01-01', -1)).toBe('2025-12-31');
    expect(addDays('9999-12-31', 1)).toBe('9999-12-31');
    expect(daysBetween('2026-03-01', '2026-02-28')).toBe(-1);
    expect(daysBetween('2026-01-01', '2027-01-01')).toBe(365);
  });

  test('have a weekday, with 0 for Sunday', () => {
    expect(weekdayOf('2026-04-24')).toBe(5);
    expect(weekdayOf('2026-10-29')).toBe(4);
    expect(weekdayOf('2026-11-01')).toBe(0);
  });

  test('are parsed only in full form and when they exist', () => {
    for (const good of ['2026-12-04', '2028-02-29', '0001-01-01', '9999-12-31']) {
      expect(parseLocalDate(good)).toBe(good);
    }
    const bad = [
      '2026-02-29',
      '2026-02-30',
      '2026-13-01',
      '2026-00-10',
      '2026-01-00',
      '2026-04-31',
      '0000-01-01',
    ];
    const malformed = [
      '',
      '2026-1-1',
      '26-01-01',
      '2026-01-01 ',
      ' 2026-01-01',
      '2026-01-01\n',
      '2026/01/01',
    ];
    const others = ['+010000-01-01', '2026-01-01T00:00:00Z', '٢٠٢٦-٠١-٠١', '20260101', '2026-01-0a'];
    for (const text of [...bad, ...malformed, ...others]) expect(parseLocalDate(text), text).toBeNull();
  });
});

describe('wall times', () => {
  test('are formatted and parsed back for every minute of a day', () => {
    for (let minutes = 0; minutes < 1440; minutes += 1) {
      expect(parseWallTime(formatWallTime(minutes))).toBe(minutes);
    }
  });

  test('are refused when they are not HH:MM of a day', () => {
    for (const text of ['24:00', '23:60', '9:00', '09:0', '09:00:00', ' 09:00', '09:00\n', '٠٩:٠٠', '']) {
      expect(parseWallTime(text), text).toBeNull();
    }
  });
});

test('zone names are accepted in IANA spelling, links included; offsets are not', () => {
  for (const zone of [CAIRO, 'Asia/Kathmandu', 'America/Argentina/Buenos_Aires', 'UTC', 'Etc/GMT+5']) {
    expect(isZone(zone), zone).toBe(true);
  }
  for (const text of ['', 'Cairo', 'africa/cairo', 'AFRICA/CAIRO', '+02:00', 'Africa/Cairo ', 'Mars/Base']) {
    expect(isZone(text), text).toBe(false);
  }
});

test('minutes are added in real time across a clock change', () => {
  expect(isoInstant(addMinutes(at('2026-04-23T21:30:00Z'), 60))).toBe('2026-04-23T22:30:00.000Z');
});

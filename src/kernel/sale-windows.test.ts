import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  INNER,
  PERIODS,
  instantOf,
  scanDates,
  scanFlip,
  scanOpen,
  periodTable,
} from './wall-clock-oracle.test-support.ts';
import { isoInstant, parseWallTime } from './time.ts';
import type { Instant } from './time.ts';
import { nextSaleWindowEdge, isInSaleWindow } from './sale-windows.ts';
import type { SaleWindow } from './sale-windows.ts';

const CAIRO = 'Africa/Cairo';
const HERE = 'branch-here';
const ELSEWHERE = 'branch-elsewhere';
const FRIDAY = 1 << 5;
const at = (text: string): Instant => Date.parse(text);
const wall = (text: string): number => parseWallTime(text) ?? NaN;
const iso = (instant: Instant | null): string | null => (instant === null ? null : isoInstant(instant));

const aWindow = (fields: Partial<SaleWindow>): SaleWindow => ({
  branchId: null,
  weekdays: 127,
  startsAt: null,
  endsAt: null,
  validFrom: null,
  validTo: null,
  ...fields,
});
const happyHour = aWindow({ startsAt: wall('17:00'), endsAt: wall('19:00') });

describe('the sale windows that count at a branch', () => {
  const now = at('2026-12-04T12:00:00Z');

  test('no window means always on sale', () => {
    expect(isInSaleWindow([], HERE, CAIRO, now)).toBe(true);
    expect(nextSaleWindowEdge([], HERE, CAIRO, now)).toBeNull();
  });

  test('a window of another branch only means always on sale here', () => {
    const theirs = { ...happyHour, branchId: ELSEWHERE };
    expect(isInSaleWindow([theirs], HERE, CAIRO, now)).toBe(true);
    expect(nextSaleWindowEdge([theirs], HERE, CAIRO, now)).toBeNull();
    expect(isInSaleWindow([theirs], ELSEWHERE, CAIRO, now)).toBe(false);
  });

  test('a window of this branch and a window of every branch both put on sale', () => {
    const ours = aWindow({ branchId: HERE, startsAt: wall('14:00'), endsAt: wall('15:00') });
    expect(isInSaleWindow([happyHour, ours], HERE, CAIRO, now)).toBe(true);
    expect(isInSaleWindow([happyHour, ours], ELSEWHERE, CAIRO, now)).toBe(false);
  });

  test('a window in the past still counts, so that the item is not on sale', () => {
    const over = aWindow({ validTo: '2026-11-30' });
    expect(isInSaleWindow([over], HERE, CAIRO, now)).toBe(false);
    expect(nextSaleWindowEdge([over], HERE, CAIRO, now)).toBeNull();
  });
});

describe('a sale window', () => {
  test('is open from its start up to, not including, its end', () => {
    expect(isInSaleWindow([happyHour], HERE, CAIRO, at('2026-12-04T14:59:59.999Z'))).toBe(false);
    expect(isInSaleWindow([happyHour], HERE, CAIRO, at('2026-12-04T15:00:00Z'))).toBe(true);
    expect(isInSaleWindow([happyHour], HERE, CAIRO, at('2026-12-04T16:59:59.999Z'))).toBe(true);
    expect(isInSaleWindow([happyHour], HERE, CAIRO, at('2026-12-04T17:00:00Z'))).toBe(false);
  });

  test('without times is open from local midnight to midnight', () => {
    const fridays = [aWindow({ weekdays: FRIDAY })];
    expect(iso(nextSaleWindowEdge(fridays, HERE, CAIRO, at('2026-12-02T00:00:00Z')))).toBe(
      '2026-12-03T22:00:00.000Z',
    );
    expect(iso(nextSaleWindowEdge(fridays, HERE, CAIRO, at('2026-12-04T00:00:00Z')))).toBe(
      '2026-12-04T22:00:00.000Z',
    );
    // A Friday that starts at 01:00 in Cairo.
    expect(iso(nextSaleWindowEdge(fridays, HERE, CAIRO, at('2026-04-22T00:00:00Z')))).toBe(
      '2026-04-23T22:00:00.000Z',
    );
    expect(iso(nextSaleWindowEdge(fridays, HERE, CAIRO, at('2026-04-24T00:00:00Z')))).toBe(
      '2026-04-24T21:00:00.000Z',
    );
  });

  test('past midnight belongs, by weekday and dates, to the day on which it started', () => {
    const night = { weekdays: FRIDAY, startsAt: wall('22:00'), endsAt: wall('03:00') };
    const dates = { validFrom: '2026-12-04', validTo: '2026-12-04' };
    const windows = [aWindow({ ...night, ...dates })];
    expect(isInSaleWindow(windows, HERE, CAIRO, at('2026-12-04T00:00:00Z'))).toBe(false);
    expect(isInSaleWindow(windows, HERE, CAIRO, at('2026-12-05T00:30:00Z'))).toBe(true);
    expect(iso(nextSaleWindowEdge(windows, HERE, CAIRO, at('2026-12-04T23:00:00Z')))).toBe(
      '2026-12-05T01:00:00.000Z',
    );
    expect(nextSaleWindowEdge(windows, HERE, CAIRO, at('2026-12-05T01:00:00Z'))).toBeNull();
  });

  test('that starts months or years ahead is the next edge', () => {
    const now = at('2026-01-10T00:00:00Z');
    const from = (validFrom: string): SaleWindow[] => [{ ...happyHour, validFrom }];
    expect(iso(nextSaleWindowEdge(from('2026-09-01'), HERE, CAIRO, now))).toBe('2026-09-01T14:00:00.000Z');
    expect(iso(nextSaleWindowEdge(from('2033-01-01'), HERE, CAIRO, now))).toBe('2033-01-01T15:00:00.000Z');
    expect(isInSaleWindow(from('9999-12-31'), HERE, CAIRO, now)).toBe(false);
  });

  test('open all day on every day has its only edge after its last date', () => {
    const windows = [aWindow({ validFrom: '2026-01-01', validTo: '2029-06-30' })];
    expect(iso(nextSaleWindowEdge(windows, HERE, CAIRO, at('2026-01-10T00:00:00Z')))).toBe(
      '2029-06-30T21:00:00.000Z',
    );
    const forever = [aWindow({ validFrom: '2026-01-01', validTo: '9999-12-31' })];
    expect(nextSaleWindowEdge(forever, HERE, CAIRO, at('2026-01-10T00:00:00Z'))).toBeNull();
  });
});

// ── Against the minute-by-minute oracle ─────────────────────────────────────────────────────────

const minutes = fc.oneof(
  fc.nat(95).map((quarter) => quarter * 15),
  fc.constantFrom(0, 1, 30, 60, 1380, 1410, 1439),
);
const times = fc.oneof(
  fc.constant({ startsAt: null, endsAt: null }),
  fc
    .tuple(minutes, minutes)
    .map(([startsAt, end]) => ({ startsAt, endsAt: end === startsAt ? (end + 1) % 1440 : end })),
);
const windowsIn = (dates: readonly string[]): fc.Arbitrary<SaleWindow[]> => {
  const date = fc.oneof(fc.constant(null), fc.constantFrom(...dates));
  return fc.array(
    fc
      .record({
        branchId: fc.constantFrom(null, HERE, ELSEWHERE),
        weekdays: fc.oneof(fc.constant(127), fc.integer({ min: 1, max: 127 })),
        times,
        validFrom: date,
        validTo: date,
      })
      .map(({ times: { startsAt, endsAt }, ...rest }) => ({ ...rest, startsAt, endsAt })),
    { maxLength: 5 },
  );
};

describe('against a scan of every minute around clock changes', () => {
  test.each(PERIODS)('%s from %s: on sale or not, and every edge agree', (zone, from) => {
    const table = periodTable([zone, from]);
    const inner = fc.integer({ min: INNER.first, max: INNER.end - 1 });
    fc.assert(
      fc.property(windowsIn(scanDates(table)), fc.array(inner, { minLength: 20 }), (windows, moments) => {
        const own = windows.filter((window) => window.branchId !== ELSEWHERE);
        const open = scanOpen(table, (date) => {
          if (own.length === 0) return [{ open: 0, close: 0 }];
          return own
            .filter((window) => (window.weekdays & (2 ** new Date(date).getUTCDay())) !== 0)
            .filter((window) => date >= (window.validFrom ?? date) && date <= (window.validTo ?? date))
            .map((window) => ({ open: window.startsAt ?? 0, close: window.endsAt ?? 0 }));
        });
        for (const index of moments) {
          const now = instantOf(table, index);
          expect(isInSaleWindow(windows, HERE, zone, now), isoInstant(now)).toBe(open[index]);
        }
        let index = INNER.first;
        for (;;) {
          const flip = scanFlip(open, index);
          const edge = nextSaleWindowEdge(windows, HERE, zone, instantOf(table, index));
          if (flip === null || flip >= INNER.end) {
            expect(edge ?? Infinity).toBeGreaterThanOrEqual(instantOf(table, INNER.end));
            break;
          }
          const moment = instantOf(table, flip);
          expect(iso(edge)).toBe(isoInstant(moment));
          expect(isInSaleWindow(windows, HERE, zone, moment)).toBe(open[flip]);
          expect(isInSaleWindow(windows, HERE, zone, moment - 1)).toBe(!open[flip]);
          index = flip;
        }
      }),
      { numRuns: 40 },
    );
  });
});

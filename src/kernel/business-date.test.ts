import { describe, expect, test } from 'vitest';
import { businessDate, businessDayEnd, earliestBusinessDate } from './business-date.ts';

const businessDateInCairo = (time: string, dayStartsAt: number): string =>
  businessDate('Africa/Cairo', Date.parse(time), dayStartsAt);

describe('the business date', () => {
  test('a sale at 04:59 still belongs to yesterday, one at 05:00 to today', () => {
    expect(businessDateInCairo('2026-12-04T02:59:59Z', 300)).toBe('2026-12-03');
    expect(businessDateInCairo('2026-12-04T03:00:00Z', 300)).toBe('2026-12-04');
    expect(businessDateInCairo('2026-12-04T03:00:00Z', 0)).toBe('2026-12-04');
  });
});

test.each(['Africa/Cairo', 'America/New_York', 'Atlantic/Azores', 'Asia/Beirut'])(
  'a business day ends where the date of the next one begins, also beside a clock change, in %s',
  (zone) => {
    const HALF_HOUR = 30 * 60_000;
    for (const day of ['2026-03-08', '2026-03-29', '2026-04-24', '2026-10-25', '2026-10-30', '2026-11-01'])
      for (let half = -72; half <= 72; half += 1)
        for (const dayStartsAt of [0, 90, 300, 1_439]) {
          const instant = Date.parse(`${day}T00:00:00Z`) + half * HALF_HOUR;
          const end = businessDayEnd(zone, instant, dayStartsAt);
          expect(end).toBeGreaterThan(instant);
          const today = businessDate(zone, instant, dayStartsAt);
          expect(businessDate(zone, end - 1, dayStartsAt)).toBe(today);
          expect(businessDate(zone, end, dayStartsAt) > today).toBe(true);
        }
  },
);

test.each(['Etc/GMT+12', 'America/New_York', 'Africa/Cairo', 'Pacific/Kiritimati'])(
  'nothing after an instant has a business date before the earliest, in %s',
  (zone) => {
    const since = Date.parse('2026-12-04T00:00:00Z');
    for (let minutes = 1; minutes <= 24 * 60; minutes += 7)
      for (const dayStartsAt of [0, 300, 960, 1_439])
        expect(businessDate(zone, since + minutes * 60_000, dayStartsAt) >= earliestBusinessDate(since)).toBe(
          true,
        );
  },
);

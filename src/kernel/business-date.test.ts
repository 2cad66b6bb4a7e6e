import { describe, expect, test } from 'vitest';
import { businessDate, earliestBusinessDate } from './business-date.ts';

const businessDateInCairo = (time: string, dayStartsAt: number): string =>
  businessDate('Africa/Cairo', Date.parse(time), dayStartsAt);

describe('the business date', () => {
  test('a sale at 04:59 still belongs to yesterday, one at 05:00 to today', () => {
    expect(businessDateInCairo('2026-12-04T02:59:59Z', 300)).toBe('2026-12-03');
    expect(businessDateInCairo('2026-12-04T03:00:00Z', 300)).toBe('2026-12-04');
    expect(businessDateInCairo('2026-12-04T03:00:00Z', 0)).toBe('2026-12-04');
  });
});

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

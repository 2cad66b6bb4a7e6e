import { describe, expect, test } from 'vitest';
import { businessDate } from './business-date.ts';

const businessDateInCairo = (time: string, dayStartsAt: number): string =>
  businessDate('Africa/Cairo', Date.parse(time), dayStartsAt);

describe('the business date', () => {
  test('a sale at 04:59 still belongs to yesterday, one at 05:00 to today', () => {
    expect(businessDateInCairo('2026-12-04T02:59:59Z', 300)).toBe('2026-12-03');
    expect(businessDateInCairo('2026-12-04T03:00:00Z', 300)).toBe('2026-12-04');
    expect(businessDateInCairo('2026-12-04T03:00:00Z', 0)).toBe('2026-12-04');
  });
});

import { describe, expect, test } from 'vitest';
import { businessDate } from './business-date.ts';

const CAIRO = 'Africa/Cairo';
const at = (text: string): number => Date.parse(text);

describe('the business date', () => {
  test('a sale at 04:59 still belongs to yesterday, one at 05:00 to today', () => {
    expect(businessDate(CAIRO, at('2026-12-04T02:59:59Z'), 300)).toBe('2026-12-03');
    expect(businessDate(CAIRO, at('2026-12-04T03:00:00Z'), 300)).toBe('2026-12-04');
    expect(businessDate(CAIRO, at('2026-12-04T03:00:00Z'), 0)).toBe('2026-12-04');
  });
});

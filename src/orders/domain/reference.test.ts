import { expect, test } from 'vitest';
import { deliveryRef, numberInRef } from './reference.ts';
import { businessDate } from '../../kernel/business-date.ts';

test('a reference has branch code, business date and number', () => {
  expect(deliveryRef('ZML', '2026-12-04', 7)).toBe('D-ZML-261204-0007');
  expect(deliveryRef('B12', '2027-01-31', 1)).toBe('D-B12-270131-0001');
});

test('the number grows beyond four digits', () => {
  expect(deliveryRef('ZML', '2026-12-04', 9999)).toBe('D-ZML-261204-9999');
  expect(deliveryRef('ZML', '2026-12-04', 10_000)).toBe('D-ZML-261204-10000');
});

test('an order before the start of the business day has the previous date', () => {
  const at = (moment: string) => businessDate('Africa/Cairo', Date.parse(moment), 5 * 60);
  expect(deliveryRef('ZML', at('2026-12-05T02:59:00Z'), 40)).toBe('D-ZML-261204-0040');
  expect(deliveryRef('ZML', at('2026-12-05T03:00:00Z'), 1)).toBe('D-ZML-261205-0001');
});

test('the number is read from references of the same branch and date alone', () => {
  const read = (text: string) => numberInRef(text, 'ZML', '2026-12-04');
  expect([read('D-ZML-261204-0007'), read('D-ZML-261204-10000')]).toEqual([7, 10_000]);
  for (const other of ['D-ZML-261205-0007', 'D-MAD-261204-0007', 'D-ZML-261204-7', 'D-ZML-261204-', ''])
    expect(read(other)).toBeNull();
});

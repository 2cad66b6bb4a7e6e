import { expect, test } from 'vitest';
import { deliveryRef, numberInRef } from './reference.ts';
import { businessDate } from '../../kernel/business-date.ts';

test('an order is called by its branch, its business date and its number there', () => {
  expect(deliveryRef('ZML', '2026-12-04', 7)).toBe('D-ZML-261204-0007');
  expect(deliveryRef('B12', '2027-01-31', 1)).toBe('D-B12-270131-0001');
});

test('the number grows beyond four digits, and no two of a day are the same', () => {
  expect(deliveryRef('ZML', '2026-12-04', 9999)).toBe('D-ZML-261204-9999');
  expect(deliveryRef('ZML', '2026-12-04', 10_000)).toBe('D-ZML-261204-10000');
});

test('an order of the small hours belongs to the evening before', () => {
  const at = (moment: string) => businessDate('Africa/Cairo', Date.parse(moment), 5 * 60);
  expect(deliveryRef('ZML', at('2026-12-05T02:59:00Z'), 40)).toBe('D-ZML-261204-0040');
  expect(deliveryRef('ZML', at('2026-12-05T03:00:00Z'), 1)).toBe('D-ZML-261205-0001');
});

test('the number can be read out of a reference of the same branch and day, and of no other', () => {
  const read = (text: string) => numberInRef(text, 'ZML', '2026-12-04');
  expect([read('D-ZML-261204-0007'), read('D-ZML-261204-10000')]).toEqual([7, 10_000]);
  for (const other of ['D-ZML-261205-0007', 'D-MAD-261204-0007', 'D-ZML-261204-7', 'D-ZML-261204-', ''])
    expect(read(other)).toBeNull();
});

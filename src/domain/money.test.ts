import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseRate, partOf, taxOn } from './money.ts';

/** Money fields are int32. */
const MAX_PIASTRES = 2_147_483_647;

describe('rates', () => {
  test.each([
    ['0', 0],
    ['0.14', 140_000],
    ['0.125000', 125_000],
    ['1', 1_000_000],
    ['0.000001', 1],
  ])('%s is %i millionths', (text, millionths) => expect(parseRate(text)).toBe(millionths));

  test.each(['', '-0.1', '0.1234567', '1e-3', ' 0.1', '.5'])('«%s» is no rate', (text) =>
    expect(() => parseRate(text)).toThrow(RangeError),
  );
});

test.each([
  [100, 125_000, 13],
  [4, 125_000, 1],
  [3, 125_000, 0],
  [1, 500_000, 1],
  [0, 140_000, 0],
  [MAX_PIASTRES, 1_000_000, MAX_PIASTRES],
])('a part of %i at %i millionths is %i, halves away from zero', (amount, rate, part) =>
  expect(partOf(amount, rate)).toBe(part),
);

describe('tax', () => {
  test('14 % on top of 100.00 is 14.00', () => expect(taxOn(10_000, 140_000, false)).toBe(1_400));
  test('14 % inside 114.00 is 14.00', () => expect(taxOn(11_400, 140_000, true)).toBe(1_400));
  test('inside 105.00 it is what is left of the rounded net price', () =>
    expect(taxOn(10_500, 140_000, true)).toBe(1_289));
  test('tax inside a price is never negative and never more than the price', () => {
    fc.assert(
      fc.property(fc.nat(MAX_PIASTRES), fc.nat(1_000_000), (amount, rate) => {
        const tax = taxOn(amount, rate, true);
        return tax >= 0 && tax <= amount;
      }),
    );
  });
});

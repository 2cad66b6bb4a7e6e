import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HIGHEST_TOTAL, parseRate, partOf, splitMoney, taxOn } from './money.ts';

describe('rates', () => {
  test.each([
    ['0', 0],
    ['0.14', 140_000],
    ['0.125000', 125_000],
    ['1', 1_000_000],
    ['0.000001', 1],
  ])('%s is %i millionths', (text, millionths) => expect(parseRate(text)).toBe(millionths));

  test.each(['', '-0.1', '0.1234567', '1e-3', ' 0.1', '.5'])('«%s» is not a rate', (text) =>
    expect(() => parseRate(text)).toThrow(RangeError),
  );
});

test.each([
  [100, 125_000, 13],
  [4, 125_000, 1],
  [3, 125_000, 0],
  [1, 500_000, 1],
  [0, 140_000, 0],
  [HIGHEST_TOTAL, 1_000_000, HIGHEST_TOTAL],
])('a part of %i at %i millionths is %i, halves away from zero', (amount, rate, part) =>
  expect(partOf(amount, rate)).toBe(part),
);

describe('tax', () => {
  test('14 % on top of 100.00 is 14.00', () => expect(taxOn(10_000, 140_000, false)).toBe(1_400));
  test('14 % inside 114.00 is 14.00', () => expect(taxOn(11_400, 140_000, true)).toBe(1_400));
  test('14 % inside 105.00 is 12.89: the price minus the rounded net price', () =>
    expect(taxOn(10_500, 140_000, true)).toBe(1_289));
  test('tax inside a price is never negative and never more than the price', () => {
    fc.assert(
      fc.property(fc.nat(HIGHEST_TOTAL), fc.nat(1_000_000), (amount, rate) => {
        const tax = taxOn(amount, rate, true);
        return tax >= 0 && tax <= amount;
      }),
    );
  });
});

describe('the split of an amount', () => {
  test.each<[string, number, number[], number[]]>([
    ['evenly where it can be', 9, [1, 1, 1], [3, 3, 3]],
    ['by weight', 10_000, [9000, 4000, 2500], [5806, 2581, 1613]],
    ['a half goes up: the first of two gets it', 1, [1, 1], [1, 0]],
    ['and again', 3, [1, 1], [2, 1]],
    ['a quarter, a half, three quarters', 1, [1, 1, 1, 1], [0, 1, 0, 0]],
    ['three quarters, a half and a quarter over', 3, [1, 1, 1, 1], [1, 1, 0, 1]],
    ['a half at every other share', 5, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1], [1, 0, 1, 0, 1, 0, 1, 0, 1, 0]],
    ['thirds', 100, [1, 1, 1], [33, 34, 33]],
    ['just under a half stays below', 1, [499, 501], [0, 1]],
    ['exactly a half does not', 1, [500, 500], [1, 0]],
    ['nothing for what weighs nothing', 5, [0, 1, 0], [0, 5, 0]],
    ['all weights zero: as if all were equal', 5, [0, 0], [3, 2]],
    ['nothing to split', 0, [3, 4], [0, 0]],
    ['all of it to one', 7, [2], [7]],
    ['into no parts', 0, [], []],
    [
      'a hair under a half of the highest total, which no double tells from a half',
      HIGHEST_TOTAL,
      [2 ** 52, 2 ** 52, 1],
      [1_073_741_823, 1_073_741_824, 0],
    ],
  ])('%s', (_, total, weights, shares) => expect(splitMoney(total, weights)).toEqual(shares));

  const total = fc.nat(HIGHEST_TOTAL);
  const weights = fc.array(fc.oneof(fc.nat(3), fc.nat(HIGHEST_TOTAL)), { minLength: 1, maxLength: 12 });
  const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

  test('adds up to the amount and has no negative share', () => {
    fc.assert(
      fc.property(total, weights, (amount, parts) => {
        const shares = splitMoney(amount, parts);
        expect(shares).toHaveLength(parts.length);
        expect(sum(shares)).toBe(amount);
        for (const share of shares) expect(share).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  test('has every share within a piastre of its exact part', () => {
    fc.assert(
      fc.property(total, weights, (amount, parts) => {
        const whole = BigInt(sum(parts));
        fc.pre(whole > 0n);
        for (const [index, share] of splitMoney(amount, parts).entries()) {
          const off = BigInt(share) * whole - BigInt(amount) * BigInt(parts[index] ?? 0);
          expect(off <= whole && off >= -whole).toBe(true);
        }
      }),
    );
  });

  test('treats zero weights as equal weights, and is unchanged by doubled weights', () => {
    fc.assert(
      fc.property(total, weights, (amount, parts) => {
        const equal = splitMoney(
          amount,
          parts.map(() => 1),
        );
        expect(
          splitMoney(
            amount,
            parts.map(() => 0),
          ),
        ).toEqual(equal);
        expect(
          splitMoney(
            amount,
            parts.map((part) => part * 2),
          ),
        ).toEqual(splitMoney(amount, parts));
      }),
    );
  });
});

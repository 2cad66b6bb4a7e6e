import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { learnedMinutes, punctualityByHour } from './prep-minutes.ts';

describe('the estimate of a kitchen', () => {
  test('is one that four of five of its last orders would have kept, in steps of five minutes', () => {
    const actual = [...Array.from({ length: 16 }, (_, n) => 10 + n / 2), 40, 50, 60, 70];
    expect(learnedMinutes(actual)).toBe(20);
    expect(learnedMinutes(actual.map((minutes) => minutes * 3))).toBe(55);
  });

  test('says nothing of a few orders, and stays between five minutes and two hours', () => {
    expect(learnedMinutes(Array.from({ length: 19 }, () => 12))).toBeNull();
    expect(learnedMinutes(Array.from({ length: 20 }, () => 0.2))).toBe(5);
    expect(learnedMinutes(Array.from({ length: 20 }, () => 900))).toBe(120);
  });

  test('is never shorter than what four of five orders took, up to its limit', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 115, noNaN: true }), { minLength: 20 }), (actual) => {
        const learned = learnedMinutes(actual) ?? 0;
        expect(actual.filter((minutes) => minutes <= learned).length).toBeGreaterThanOrEqual(
          actual.length * 0.8,
        );
      }),
    );
  });
});

test('the orders of an hour are compared with their promises', () => {
  expect(
    punctualityByHour([
      { hour: 19, promisedMinutes: 20, actualMinutes: 25.26 },
      { hour: 19, promisedMinutes: 30, actualMinutes: 20 },
      { hour: 9, promisedMinutes: 20, actualMinutes: 20 },
    ]),
  ).toEqual([
    { hour: 9, orders: 1, late: 0, promisedMinutes: 20, actualMinutes: 20 },
    { hour: 19, orders: 2, late: 1, promisedMinutes: 25, actualMinutes: 22.6 },
  ]);
});

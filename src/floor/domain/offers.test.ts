/** An item that is moved to another category between two rounds counts, in each round, where it then was. */
import { describe, expect, test } from 'vitest';
import { aDeal } from '../../menu/domain/menu.test-support.ts';
import type { Deal } from '../../menu/domain/menubook.ts';
import { bestDeals } from '../../pricing/domain/deals/best.ts';
import { dealProblem, type OfferedUnits } from './offers.ts';

const TWO_HOT_DRINKS = aDeal('two hot drinks', {
  ...{ qty: 2, terms: { kind: 'n_for_price', price: 8_000 } },
  pool: [{ categoryId: 'hot', menuItemId: null, sizeLabel: null }],
});
const ANOTHER = aDeal('another', {
  ...{ qty: 2, terms: { kind: 'n_for_price', price: 1_000 } },
  pool: [{ categoryId: null, menuItemId: 'cake', sizeLabel: null }],
});

const rounds = (...fired: readonly (readonly [categoryId: string, offers: readonly Deal[]])[]) =>
  fired.map(([categoryId, offers], line): OfferedUnits => ({
    units: { line, itemId: 'tea', categoryId, sizeLabel: '', sizeOrder: 0, price: 5_000, quantity: 1 },
    offers,
  }));

const savingOf = (lines: readonly OfferedUnits[]): number => {
  const { units, deals } = dealProblem(lines);
  return bestDeals(units, deals).saving;
};

describe.each([
  { offers: 'the same deals in both rounds', second: [TWO_HOT_DRINKS] },
  { offers: 'another deal in the second round', second: [TWO_HOT_DRINKS, ANOTHER] },
])('with $offers', ({ second }) => {
  test.each([
    { first: 'hot', then: 'hot', saving: 2_000 },
    { first: 'hot', then: 'cold', saving: 0 },
    { first: 'cold', then: 'hot', saving: 0 },
  ])('a tea that was $first and then $then saves $saving piastres', ({ first, then, saving }) => {
    expect(savingOf(rounds([first, [TWO_HOT_DRINKS]], [then, second]))).toBe(saving);
  });

  test('the units of each category are paired with their own', () => {
    const lines = rounds(
      ['hot', [TWO_HOT_DRINKS]],
      ['cold', second],
      ['cold', [TWO_HOT_DRINKS]],
      ['hot', second],
    );
    expect(savingOf(lines)).toBe(2_000);
  });
});

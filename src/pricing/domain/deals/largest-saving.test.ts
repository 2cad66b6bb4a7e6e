import fc from 'fast-check';
import { expect, test } from 'vitest';
import { smallCart } from './arbitraries.test-support.ts';
import { bestDeals } from './best.ts';
import type { Deal } from '../../../menu/domain/menubook.ts';
import { kindsOf, sizeOf } from './oracle.test-support.ts';
import { countsTowards } from '../../../menu/domain/pool.ts';
import { largestSaving } from './largest-saving.ts';

type Sold = ReturnType<typeof kindsOf>[number];

const largestSavingOf = (deal: Deal, sold: readonly Sold[]) => {
  const dearestIn = (pool: Deal['pool']) =>
    sold
      .filter((unit) => countsTowards(unit, pool))
      .reduce<number | null>((most, { price }) => Math.max(most ?? 0, price), null);
  const paid = dearestIn(deal.pool);
  return largestSaving(deal, {
    paid,
    rewarded: deal.rewardPool.length === 0 ? paid : dearestIn(deal.rewardPool),
  });
};

test('largestSaving is above zero exactly when the deal saves on a cart with enough units of each item', () => {
  fc.assert(
    fc.property(smallCart, ({ units, deals }) => {
      const kinds = kindsOf(units);
      for (const deal of deals) {
        const plenty = kinds.map((kind, line) => ({ ...kind, line, quantity: sizeOf(deal) }));
        expect(bestDeals(plenty, [deal]).saving > 0).toBe((largestSavingOf(deal, kinds) ?? 0) > 0);
      }
    }),
    { numRuns: 500 },
  );
});

test('a deal whose largestSaving is zero saves nothing on any cart of these units', () => {
  fc.assert(
    fc.property(smallCart, ({ units, deals }) => {
      const never = deals.filter((deal) => (largestSavingOf(deal, kindsOf(units)) ?? 0) === 0);
      expect(bestDeals(units, never).saving).toBe(0);
    }),
    { numRuns: 500 },
  );
});

test('one application saves at most the largestSaving of its deal', () => {
  fc.assert(
    fc.property(smallCart, ({ units, deals }) => {
      for (const deal of deals) {
        const { applied, saving } = bestDeals(units, [deal]);
        const times = applied[0]?.times ?? 0;
        expect(saving).toBeLessThanOrEqual(times * (largestSavingOf(deal, kindsOf(units)) ?? 0));
      }
    }),
    { numRuns: 500 },
  );
});

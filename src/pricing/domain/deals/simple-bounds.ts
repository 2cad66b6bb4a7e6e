/** Bounds on solutions that need no linear program. */
import { discountOf, type Offer } from './problem.ts';
import type { PresolvedProblem, UnitClass } from './presolve.ts';

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));

/** Every saving is a multiple of this. */
export const savingStepOf = (offers: readonly Offer[], classes: readonly UnitClass[]): number =>
  Math.max(
    1,
    offers
      .flatMap(({ form, pool, rewardPool, price, percent }) =>
        form === 'bundle'
          ? [price, ...pool.map((c) => classes[c]?.price ?? 0)]
          : rewardPool.map((c) => discountOf(classes[c]?.price ?? 0, percent)),
      )
      .reduce(gcd, 0),
  );

/** No solution has more applications. */
export const mostApplications = ({ offers, classes }: PresolvedProblem): number => {
  const units = classes.reduce((sum, { count }) => sum + count, 0);
  const smallest = offers.reduce((least, { qty, getQty }) => Math.min(least, qty + getQty), Infinity);
  return Math.min(
    offers.reduce((sum, { maxTimes }) => sum + maxTimes, 0),
    Math.floor(units / smallest),
  );
};

/** No solution saves more: every unit at its largest discount. */
export const trivialBound = ({ offers, classes }: PresolvedProblem): number => {
  const largest = classes.map(() => 0);
  for (const { form, pool, rewardPool, percent } of offers)
    for (const c of form === 'bundle' ? pool : rewardPool) {
      const { price = 0 } = classes[c] ?? {};
      largest[c] = Math.max(largest[c] ?? 0, form === 'bundle' ? price : discountOf(price, percent));
    }
  return classes.reduce((sum, { count }, c) => sum + (largest[c] ?? 0) * count, 0);
};

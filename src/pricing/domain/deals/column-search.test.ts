import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cartBy, SMALL, seededDice } from './arbitraries.test-support.ts';
import { ColumnSearch } from './column-search.ts';
import { discountOf, problemsOf } from './problem.ts';
import { compiledDeals } from './compiled-deals.ts';
import { presolve, type PresolvedProblem } from './presolve.ts';

/** Every selection of `size` units, by class. */
const selections = (pool: readonly number[], size: number, left: readonly number[]): number[][] => {
  const [c, ...others] = pool;
  if (c === undefined) return size === 0 ? [left.map(() => 0)] : [];
  return Array.from({ length: Math.min(size, left[c] ?? 0) + 1 }, (_, amount) => amount).flatMap((amount) =>
    selections(others, size - amount, left).map((rest) =>
      rest.map((units, other) => (other === c ? units + amount : units)),
    ),
  );
};

const sum = (units: readonly number[], each: (c: number) => number): number =>
  units.reduce((all, amount, c) => all + amount * each(c), 0);

interface Pricing {
  readonly weight: number;
  /** By class. */
  readonly duals: Float64Array;
  readonly capDual: number;
}

const nameOf = (amounts: readonly number[], saving: number, variant: number): string =>
  JSON.stringify([amounts, saving, variant]);

/** Every application of an offer, by brute force: a name for its units and saving, and its reduced cost. */
const allColumns = (
  { classes, offers, variantOf }: PresolvedProblem,
  index: number,
  { weight, duals, capDual }: Pricing,
) => {
  const offer = offers[index];
  if (offer === undefined) return [];
  const priceOf = (c: number): number => classes[c]?.price ?? 0;
  const supply = classes.map(({ count }) => count);
  return selections(offer.rewardPool, offer.getQty, supply).flatMap((rewarded) => {
    const dearest = Math.max(0, ...rewarded.map((amount, c) => (amount > 0 ? priceOf(c) : 0)));
    const left = supply.map((count, c) => count - (rewarded[c] ?? 0));
    const pool = offer.pool.filter((c) => offer.form !== 'one-pool' || priceOf(c) >= dearest);
    return selections(pool, offer.qty, left).map((paid) => {
      const amounts = paid.map((amount, c) => amount + (rewarded[c] ?? 0));
      const saving =
        offer.form === 'bundle'
          ? sum(paid, priceOf) - offer.price
          : sum(rewarded, (c) => discountOf(priceOf(c), offer.percent));
      return {
        name: nameOf(amounts, saving, variantOf(index, dearest)),
        reducedCost: weight * saving - 1 - capDual - sum(amounts, (c) => duals[c] ?? 0),
      };
    });
  });
};

const pricingOf = ({ classes }: PresolvedProblem, seed: number): Pricing => {
  const dice = seededDice(seed);
  const weight = 1 + dice(9);
  const duals = Float64Array.from(classes, ({ price }) => dice(weight * price + 1) * dice(2));
  return { weight, duals, capDual: dice(50) };
};

/** The problems of a random cart, each with random dual prices. */
const pricingProblems = fc.tuple(fc.nat(), fc.nat()).map(([cart, seed]) => {
  const { units, deals } = cartBy(seededDice(cart), SMALL);
  return problemsOf(units, compiledDeals(deals)).map((problem) => {
    const presolved = presolve(problem);
    const pricing = pricingOf(presolved, seed);
    const search = new ColumnSearch(presolved, pricing.weight);
    search.setDuals(pricing.duals);
    return { presolved, pricing, search };
  });
});

test('finds every column whose reduced cost reaches the threshold, and no other', () => {
  fc.assert(
    fc.property(pricingProblems, fc.integer({ min: -30_000, max: 5_000 }), (all, threshold) => {
      for (const { presolved, pricing, search } of all)
        presolved.offers.forEach((_, index) => {
          const found = new Map<string, number>();
          const add = (name: string, reducedCost: number, to: Map<string, number>) =>
            to.set(name, Math.max(to.get(name) ?? -Infinity, reducedCost));
          search.search(index, pricing.capDual, threshold, (reducedCost) => {
            const { classes, amounts, saving, variant } = search.application();
            const ofClasses = presolved.classes.map((_, c) => amounts[classes.indexOf(c)] ?? 0);
            add(nameOf(ofClasses, saving, variant), reducedCost, found);
            return threshold;
          });
          const expected = new Map<string, number>();
          for (const { name, reducedCost } of allColumns(presolved, index, pricing))
            if (reducedCost >= threshold) add(name, reducedCost, expected);
          expect(found).toEqual(expected);
        });
    }),
    { numRuns: 500 },
  );
});

test('with a threshold that rises finds the largest reduced cost', () => {
  fc.assert(
    fc.property(pricingProblems, (all) => {
      for (const { presolved, pricing, search } of all)
        presolved.offers.forEach((_, index) => {
          let largest = -Infinity;
          search.search(index, pricing.capDual, -1e12, (reducedCost) => {
            expect(reducedCost).toBeGreaterThan(largest);
            largest = reducedCost;
            return reducedCost + 0.5;
          });
          const every = allColumns(presolved, index, pricing).map(({ reducedCost }) => reducedCost);
          expect(largest).toBe(Math.max(-Infinity, ...every));
        });
    }),
    { numRuns: 500 },
  );
});

test('ends at the work limit', () => {
  const classes = Array.from({ length: 24 }, (_, c) => ({ price: 1024 - c, count: 2, kinds: [c] }));
  const offer = {
    form: 'bundle',
    qty: 8,
    getQty: 0,
    maxTimes: 6,
    isCapped: false,
    pool: classes.map((_, c) => c),
    rewardPool: [],
    price: 5000,
    percent: 0,
  } as const;
  const search = new ColumnSearch({ classes, offers: [offer], variants: [], variantOf: () => 0 }, 1);
  search.setDuals(new Float64Array(24));
  expect(search.search(0, 0, 3000, () => 3000, 10_000)).toBe(false);
  expect(search.work).toBeLessThan(10_500);
});

test('classes that are passed over count as work', () => {
  // Only the dear unit is rewarded, and no other is as dear.
  const classes = Array.from({ length: 101 }, (_, c) => ({ price: c === 0 ? 2 : 1, count: 1, kinds: [c] }));
  const pool = classes.map((_, c) => c);
  const form = { form: 'one-pool', qty: 1, getQty: 1, maxTimes: 1, isCapped: false } as const;
  const offer = { ...form, pool, rewardPool: pool, price: 0, percent: 100 };
  const workFor = (threshold: number): number => {
    const search = new ColumnSearch({ classes, offers: [offer], variants: [], variantOf: () => 0 }, 1);
    search.setDuals(new Float64Array(classes.length));
    search.search(0, 0, threshold, () => threshold);
    return search.work;
  };
  const noneReaches = 2;
  expect(workFor(1) - workFor(noneReaches)).toBeGreaterThanOrEqual(100);
});

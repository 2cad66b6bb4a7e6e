import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Application } from './application.ts';
import { cartBy, SMALL, seededDice } from './arbitraries.test-support.ts';
import { enumerateColumns } from './column-enumeration.ts';
import { bestColumn, type PricingProblem } from './column-pricing.ts';
import { discountOf, problemsOf } from './problem.ts';
import { compiledDeals } from './compiled-deals.ts';
import { presolve, type PresolvedProblem, type Variant } from './presolve.ts';

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

/** Every application of a variant, by brute force: a name for its units and saving, and its reduced cost. */
const allColumns = (
  { classes }: PresolvedProblem,
  { offer, offerIndex, pool, rewardPool }: Variant,
  pricing: PricingProblem,
) => {
  const priceOf = (c: number): number => classes[c]?.price ?? 0;
  const supply = classes.map(({ count }) => count);
  const { paidValues } = pricing;
  const { fixedCost, values } = pricing.offers[offerIndex] ?? { fixedCost: 0, values: paidValues };
  const isBundle = offer.form === 'bundle';
  return selections(rewardPool, offer.getQty, supply).flatMap((rewarded) =>
    selections(
      pool,
      offer.qty,
      supply.map((count, c) => count - (rewarded[c] ?? 0)),
    ).map((paid) => {
      const ofPaid = isBundle ? values : paidValues;
      const saving = isBundle
        ? sum(paid, priceOf) - offer.price
        : sum(rewarded, (c) => discountOf(priceOf(c), offer.percent));
      const dearest = Math.max(0, ...rewarded.map((amount, c) => (amount > 0 ? priceOf(c) : 0)));
      return {
        name: JSON.stringify([paid.map((amount, c) => amount + (rewarded[c] ?? 0)), saving]),
        reducedCost: sum(paid, (c) => ofPaid[c] ?? 0) + sum(rewarded, (c) => values[c] ?? 0) - fixedCost,
        dearest,
      };
    }),
  );
};

const nameOf = ({ classes }: PresolvedProblem, application: Application): string =>
  JSON.stringify([
    classes.map((_, c) => application.amounts[application.classes.indexOf(c)] ?? 0),
    application.saving,
  ]);

const pricingOf = ({ classes, offers: all }: PresolvedProblem, seed: number): PricingProblem => {
  const dice = seededDice(seed);
  const weight = 1 + dice(9);
  const paidValues = Float64Array.from(classes, ({ price }) => -dice(weight * price + 1) * dice(2));
  const offers = all.map(({ form, price, percent }) => {
    const discounts = Float64Array.from(classes, (unit) =>
      form === 'bundle' ? unit.price : discountOf(unit.price, percent),
    );
    const values = discounts.map((discount, c) => weight * discount + (paidValues[c] ?? 0));
    return { discounts, values, fixedCost: 1 + weight * price + dice(50) };
  });
  return { classes, paidValues, offers };
};

/** The problems of a random cart, each with random dual prices. */
const pricingProblems = fc.tuple(fc.nat(), fc.nat()).map(([cart, seed]) => {
  const { units, deals } = cartBy(seededDice(cart), SMALL);
  return problemsOf(units, compiledDeals(deals)).map((problem) => {
    const presolved = presolve(problem);
    return { presolved, pricing: pricingOf(presolved, seed) };
  });
});

test('enumeration finds every column whose reduced cost reaches the threshold, and no other', () => {
  fc.assert(
    fc.property(pricingProblems, fc.integer({ min: -30_000, max: 5_000 }), (all, threshold) => {
      for (const { presolved, pricing } of all)
        presolved.variants.forEach((variant, index) => {
          const found = new Map<string, number>();
          for (const column of enumerateColumns(pricing, variant, index, threshold, { nodes: 0 })) {
            if (column === null) continue;
            const name = nameOf(presolved, column.application);
            found.set(name, Math.max(found.get(name) ?? -Infinity, column.reducedCost));
          }
          const price = Math.max(0, ...variant.rewardPool.map((c) => presolved.classes[c]?.price ?? 0));
          const expected = new Map<string, number>();
          for (const { name, reducedCost, dearest } of allColumns(presolved, variant, pricing))
            if (reducedCost >= threshold && (variant.offer.form !== 'one-pool' || dearest === price))
              expected.set(name, Math.max(expected.get(name) ?? -Infinity, reducedCost));
          expect(found).toEqual(expected);
        });
    }),
    { numRuns: 500 },
  );
});

test('pricing returns an existing column, and no column exceeds its bound', () => {
  fc.assert(
    fc.property(pricingProblems, fc.integer({ min: -5_000, max: 5_000 }), (all, threshold) => {
      for (const { presolved, pricing } of all)
        presolved.variants.forEach((variant, index) => {
          const { column, bound } = bestColumn(pricing, variant, index, threshold);
          const every = allColumns(presolved, variant, pricing);
          const largest = every.reduce((most, { reducedCost }) => Math.max(most, reducedCost), -Infinity);
          expect(Math.max(bound, threshold)).toBeGreaterThanOrEqual(largest);
          if (column === null) return;
          expect(column.reducedCost).toBeGreaterThan(threshold);
          const name = nameOf(presolved, column.application);
          const sameUnits = every.filter((other) => other.name === name);
          expect(sameUnits.map(({ reducedCost }) => reducedCost)).toContain(column.reducedCost);
        });
    }),
    { numRuns: 500 },
  );
});

test('enumeration lets its caller look at the limit at least every thousand nodes, also when it finds no column', () => {
  const classes = Array.from({ length: 24 }, (_, c) => ({ price: 1000 + c, count: 2, kinds: [c] })).reverse();
  const pool = classes.map((_, c) => c);
  const offer = {
    form: 'bundle',
    qty: 8,
    getQty: 0,
    maxTimes: 6,
    isCapped: false,
    pool,
    rewardPool: [],
    price: 5000,
    percent: 0,
  } as const;
  const values = Float64Array.from(classes, ({ price }) => price);
  const prices = { discounts: values, values, fixedCost: 5000 };
  const pricing = { classes, paidValues: values, offers: [prices] };
  const variant = { offerIndex: 0, offer, pool, rewardPool: [] };
  const counter = { nodes: 0 };
  let before = 0;
  let pauses = 0;
  for (const column of enumerateColumns(pricing, variant, 0, 3080, counter)) {
    expect(counter.nodes - before).toBeLessThanOrEqual(1000);
    before = counter.nodes;
    if (column === null) pauses += 1;
    if (counter.nodes > 20_000) break;
  }
  expect(pauses).toBeGreaterThan(0);
});

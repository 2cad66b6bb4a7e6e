/**
 * The deals engine against two independent oracles, a brute force and an integer program; `npm run soak` runs more
 * carts.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { alikeCart, bulkCart, largeCart, smallCart, ticketCart } from './arbitraries.test-support.ts';
import { aDeal } from '../../../menu/domain/menu.test-support.ts';
import { bestDeals } from './best.ts';
import { CompiledDeals } from './compiled-deals.ts';
import { fitsDynamicProgram } from './dynamic-program.ts';
import { faultsOf } from './faults.test-support.ts';
import { bruteForceDifferences, solverDifferences, ticketDifferences } from './conformance.test-support.ts';
import { loadModel } from './model.test-support.ts';
import { bestByForce, compareDeals } from './oracle.test-support.ts';
import { presolve } from './presolve.ts';
import { problemsOf } from './problem.ts';
import type { AppliedDeal, BestDeals, DealUnits } from './types.ts';
import { buyGet, category, lines, nFor, WORKED } from './worked.test-support.ts';

const model = await loadModel();

describe('worked by hand', () => {
  const sum = (byLine: Readonly<Record<number, number>>) =>
    Object.values(byLine).reduce((total, off) => total + off, 0);
  const savingOf = (best: (typeof WORKED)[number]['best']) =>
    best.reduce((total, [, , byLine]) => total + sum(byLine), 0);

  test.each(WORKED)('$name', ({ units, deals, best }) => {
    const found = bestDeals(units, deals);
    expect(faultsOf(units, deals, found)).toEqual([]);
    const byLine = ({ lines: shares }: AppliedDeal) =>
      Object.fromEntries(shares.map(({ line, discount }) => [line, discount]));
    expect(found.applied.map((one) => [one.deal.id, one.times, byLine(one)])).toEqual(best);
    expect(found).toMatchObject({ saving: savingOf(best), optimal: true, bound: savingOf(best) });
  });

  test.each(WORKED)('both oracles agree: $name', ({ units, deals, best }) => {
    const times = [...deals].sort(compareDeals).map((deal) => best.find(([id]) => id === deal.id)?.[1] ?? 0);
    const applications = times.reduce((total, of) => total + of, 0);
    expect(bestByForce(units, deals)).toMatchObject({ saving: savingOf(best), applications, times });
    expect(model(units, deals)).toBe(savingOf(best));
  });
});

test('an inaccurate inverse does not prove a false optimum', () => {
  // Found at random: a tiny pivot once made the inverse inaccurate, and 395,430 was reported as optimal.
  const unit = (line: number, itemId: string, price: number, quantity: number): DealUnits => ({
    line,
    itemId,
    categoryId: null,
    sizeLabel: '',
    sizeOrder: 0,
    price,
    quantity,
  });
  const units = [
    unit(0, 'i0', 266, 136),
    unit(1, 'i1', 14, 915),
    unit(2, 'i2', 56, 914),
    unit(3, 'i3', 168, 273),
    unit(4, 'i4', 420, 196),
    unit(5, 'i5', 308, 916),
    unit(6, 'i6', 70, 2),
  ];
  const of = (...items: readonly number[]) =>
    items.map((item) => ({ categoryId: null, menuItemId: `i${item}`, sizeLabel: null }));
  const free = (getQty: number) => ({ kind: 'buy_get', getQty, getPercent: 100 }) as const;
  const deals = [
    aDeal('d0', { qty: 6, terms: free(3), pool: of(0, 2, 3, 4, 5) }),
    aDeal('d1', {
      qty: 8,
      terms: { kind: 'n_for_price', price: 1400 },
      pool: of(0, 1, 2, 4, 5),
      maxPerOrder: 2,
    }),
    aDeal('d2', { qty: 4, terms: free(1), pool: of(0, 1, 3, 6), rewardPool: of(0, 1, 2), maxPerOrder: 9 }),
    aDeal('d3', { qty: 1, terms: free(6), pool: of(1, 2, 4, 5) }),
  ];
  expect(bestDeals(units, deals)).toMatchObject({ saving: 395_444, optimal: true, bound: 395_444 });
  expect(model(units, deals)).toBe(395_444);
});

describe('for any cart', () => {
  test('of a dozen units, the engine and the brute force apply the same deals equally often to the same units', () => {
    fc.assert(
      fc.property(smallCart, (cart) => {
        expect(bruteForceDifferences(cart)).toEqual([]);
      }),
      { numRuns: 3000 },
    );
  });

  test('of many deals on one or two prices, which branch and bound searches, the brute force applies the same deals', () => {
    let searched = 0;
    fc.assert(
      fc.property(alikeCart, (cart) => {
        const problems = problemsOf(cart.units, new CompiledDeals(cart.deals));
        searched += problems.some((problem) => !fitsDynamicProgram(presolve(problem))) ? 1 : 0;
        expect(bruteForceDifferences(cart)).toEqual([]);
      }),
      { numRuns: 1000 },
    );
    expect(searched).toBeGreaterThan(300);
  });

  test('of a ticket whose units count in the deals of their rounds, the engine and the brute force apply the same deals', () => {
    fc.assert(
      fc.property(ticketCart, (ticket) => {
        expect(ticketDifferences(ticket)).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });

  test('of 60 units and 20 deals, the engine saves as much as the solver', () => {
    fc.assert(
      fc.property(largeCart, (cart) => {
        expect(solverDifferences(cart, model)).toEqual([]);
      }),
      { numRuns: 120 },
    );
  });

  test('of hundreds of units per line, the engine saves as much as the solver', () => {
    fc.assert(
      fc.property(bulkCart, (cart) => {
        expect(solverDifferences(cart, model)).toEqual([]);
      }),
      { numRuns: 120 },
    );
  });

  test('the two oracles agree with each other', () => {
    fc.assert(
      fc.property(smallCart, ({ units, deals }) => {
        // Larger prices exceed the precision of the solver.
        fc.pre(units.every(({ price }) => price < 1_000_000));
        expect(model(units, deals)).toBe(bestByForce(units, deals).saving);
      }),
      { numRuns: 300 },
    );
  });
});

describe('the validity check', () => {
  const units = lines(
    { itemId: 'a', price: 5000 },
    { itemId: 'b', price: 4500 },
    { itemId: 'c', price: 4000 },
    { itemId: 'a', price: 5000 },
  );
  const three = nFor('three', 3, 10_000, { maxPerOrder: 1 });
  const pair = buyGet('pair', 1, [1, 100]);

  const answer = (...applied: readonly Omit<AppliedDeal, 'discount'>[]): BestDeals => {
    const discounts = applied.map((one) => one.lines.reduce((total, { discount }) => total + discount, 0));
    const saving = discounts.reduce((total, discount) => total + discount, 0);
    const summed = applied.map((one, at) => ({ ...one, discount: discounts[at] ?? 0 }));
    return { applied: summed, saving, optimal: true, bound: saving, work: 0 };
  };
  /** Shares as `[line, discount]` of one unit each. */
  const shares = (...of: readonly (readonly [number, number])[]) =>
    of.map(([line, discount]) => ({ line, units: 1, discount }));
  const fair = answer({ deal: three, times: 1, lines: shares([0, 1296], [1, 1167], [2, 1037]) });
  const faults = (best: BestDeals) => faultsOf(units, [three, pair], best);

  test('accepts a valid result, optimal or not', () => {
    expect(faults(fair)).toEqual([]);
    expect(faults(answer())).toEqual([]);
    expect(faults(answer({ deal: pair, times: 1, lines: shares([1, 0], [2, 4000]) }))).toEqual([]);
  });

  test.each([
    ['wrong sums', { ...fair, saving: 3501, bound: 3501 }],
    ['a bound below the saving', { ...fair, bound: 3499, optimal: false }],
    ['a false proof', { ...fair, bound: 3501 }],
    [
      'another split of the discount',
      answer({ deal: three, times: 1, lines: shares([0, 1297], [1, 1166], [2, 1037]) }),
    ],
    [
      'units that the line does not have',
      answer({ deal: three, times: 1, lines: [{ line: 0, units: 3, discount: 5000 }] }),
    ],
    ['a group that is not full', answer({ deal: three, times: 1, lines: shares([0, 500], [3, 500]) })],
    [
      'a later line before an earlier one of the same unit',
      answer({ deal: three, times: 1, lines: shares([1, 1167], [2, 1037], [3, 1296]) }),
    ],
    [
      'a rewarded unit dearer than the paid one',
      answer({ deal: pair, times: 1, lines: shares([1, 4500], [2, 0]) }),
    ],
    [
      'a later unit rewarded before an earlier one of the same price',
      answer({ deal: pair, times: 1, lines: shares([0, 0], [3, 5000]) }),
    ],
    ['half a reward', answer({ deal: pair, times: 1, lines: shares([1, 0], [2, 2000]) })],
    [
      'a unit that counts twice',
      answer(
        { deal: pair, times: 1, lines: shares([0, 5000], [3, 0]) },
        { deal: three, times: 1, lines: shares([0, 1296], [1, 1167], [2, 1037]) },
      ),
    ],
    [
      'deals out of order',
      answer(
        { deal: three, times: 1, lines: shares([0, 1296], [1, 1167], [2, 1037]) },
        { deal: pair, times: 0, lines: [] },
      ),
    ],
  ] as const)('finds %s', (_, wrong) => {
    expect(faults(wrong)).not.toEqual([]);
  });

  test('finds a deal beyond its cap, outside its pool, or with an application that saves nothing', () => {
    const six = lines({ itemId: 'a', price: 4000, quantity: 6 });
    const twice = { deal: three, times: 2, lines: [{ line: 0, units: 6, discount: 4000 }] };
    expect(faultsOf(six, [three], answer(twice))).toEqual(['three: applies 2 times, more than it may']);

    const cakes = nFor('cakes', 1, 1000, { pool: [category('cakes')] });
    const onDrinks = { deal: cakes, times: 1, lines: [{ line: 0, units: 1, discount: 3000 }] };
    expect(faultsOf(six, [cakes], answer(onDrinks))).toEqual(['cakes: line 0 is not in the pool']);

    const cheap = lines({ itemId: 'a', price: 30 }, { itemId: 'b', price: 5 });
    const ten = nFor('ten', 1, 10);
    const both = { deal: ten, times: 2, lines: shares([0, 13], [1, 2]) };
    expect(faultsOf(cheap, [ten], answer(both))).toHaveLength(1);
  });
});

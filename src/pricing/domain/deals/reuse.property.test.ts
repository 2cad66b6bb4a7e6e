/** What is remembered, left out or bounded never changes an answer. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Deal } from '../../../menu/domain/menubook.ts';
import { dice, largeCart, smallCart, type Cart, type Dice } from './arbitraries.test-support.ts';
import { bestDeals, bestSaving, WORK_LIMIT } from './best.ts';
import { CompiledDeals } from './compiled-deals.ts';
import type { ProvenSolution, SolutionMemo } from './memo.ts';
import { mostAddedBy } from './one-more-unit.ts';
import { isIn } from './oracle.test-support.ts';
import { problemsOf } from './problem.ts';
import { solve, solveWithin } from './solve.ts';
import type { DealUnits } from './types.ts';

const anyCart = fc.oneof({ weight: 4, arbitrary: smallCart }, { weight: 1, arbitrary: largeCart });
const workLimit = fc.constantFrom(0, 100, 1_000, 3_000, 10_000, 30_000, 100_000, WORK_LIMIT);

/** Some of the cart's lines, in other quantities. */
const otherUnits = ({ units }: Cart, roll: Dice): readonly DealUnits[] =>
  units.flatMap((unit) =>
    roll(3) === 0
      ? []
      : [{ ...unit, quantity: 1 + roll(unit.quantity + 1), line: unit.line + roll(2) * 1000 }],
  );

/** One unit of something that the cart has. */
const oneMore = ({ units }: Cart, roll: Dice): DealUnits | undefined => {
  const unit = units[roll(units.length)];
  return unit === undefined ? undefined : { ...unit, line: 5000, quantity: 1 };
};

describe('for any cart', () => {
  test('a memo of other carts changes nothing, whatever the work limits were and are', () => {
    const limits = fc.array(workLimit, { minLength: 6, maxLength: 6 });
    fc.assert(
      fc.property(anyCart, limits, dice, (cart, each, roll) => {
        const memo: SolutionMemo = new Map<string, ProvenSolution>();
        const carts = [cart.units, ...Array.from({ length: 4 }, () => otherUnits(cart, roll)), cart.units];
        for (const [at, units] of carts.entries())
          expect(bestDeals(units, cart.deals, each[at], memo)).toEqual(
            bestDeals(units, cart.deals, each[at]),
          );
      }),
      { numRuns: 400 },
    );
  });

  test('what a small limit of work finds at once is what the whole limit finds', () => {
    let foundAtOnce = 0;
    fc.assert(
      fc.property(anyCart, workLimit, ({ units, deals }, limit) => {
        for (const problem of problemsOf(units, new CompiledDeals(deals))) {
          const atOnce = solveWithin(problem, limit);
          if (atOnce === null) continue;
          foundAtOnce += 1;
          expect(atOnce).toEqual(solve(problem, WORK_LIMIT));
        }
      }),
      { numRuns: 400 },
    );
    expect(foundAtOnce).toBeGreaterThan(50);
  });

  test('a proven result that is not limited is what the whole limit finds', () => {
    fc.assert(
      fc.property(largeCart, workLimit, ({ units, deals }, limit) => {
        for (const problem of problemsOf(units, new CompiledDeals(deals))) {
          const { isLimited, ...found } = solve(problem, limit);
          if (isLimited || found.saving < found.bound) continue;
          expect(solve(problem, WORK_LIMIT)).toMatchObject(found);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('lists of deals never share what is remembered', () => {
    fc.assert(
      fc.property(smallCart, ({ units, deals }) => {
        const memo: SolutionMemo = new Map<string, ProvenSolution>();
        const cheaper: readonly Deal[] = deals.map((deal) => ({ ...deal, maxPerOrder: 1 }));
        for (const list of [deals, cheaper, deals])
          expect(bestDeals(units, list, WORK_LIMIT, memo)).toEqual(bestDeals(units, list));
      }),
      { numRuns: 200 },
    );
  });

  test('the saving without its units is that of the best deals, or unproven', () => {
    fc.assert(
      fc.property(anyCart, workLimit, ({ units, deals }, limit) => {
        const { saving, work } = bestSaving(units, deals, limit, null);
        const best = bestDeals(units, deals);
        if (saving !== null) expect(best.saving).toBe(saving);
        else expect(limit < WORK_LIMIT || !best.optimal).toBe(true);
        expect(Number.isSafeInteger(work)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test('one more unit adds at most what one application with it saves', () => {
    fc.assert(
      fc.property(smallCart, dice, (cart, roll) => {
        const { units, deals } = cart;
        const added = oneMore(cart, roll);
        fc.pre(added !== undefined);
        const more = bestDeals([...units, added], deals).saving - bestDeals(units, deals).saving;
        expect(more).toBeLessThanOrEqual(mostAddedBy(units, new CompiledDeals(deals))(added));
      }),
      { numRuns: 1000 },
    );
  });

  test('compiled deals have the roles that the pools give', () => {
    fc.assert(
      fc.property(anyCart, ({ units, deals }) => {
        const compiled = new CompiledDeals(deals);
        for (const unit of units) {
          const roles = compiled.rolesOf(unit);
          compiled.deals.forEach(({ terms, pool, rewardPool }, index) => {
            expect(roles.paid.includes(index)).toBe(isIn(pool, unit));
            const rewards = rewardPool.length === 0 ? pool : rewardPool;
            expect(roles.rewarded.includes(index)).toBe(terms.kind === 'buy_get' && isIn(rewards, unit));
          });
        }
      }),
      { numRuns: 300 },
    );
  });
});

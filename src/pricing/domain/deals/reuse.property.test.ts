/** What is remembered, left out or bounded never changes an answer. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Deal } from '../../../menu/domain/menubook.ts';
import { dice, largeCart, smallCart, type Cart, type Dice } from './arbitraries.test-support.ts';
import { bestDeals, searchBestDeals, searchBestSaving, WORK_LIMIT } from './best.ts';
import { CompiledDeals } from './compiled-deals.ts';
import type { ProvenSolution, SolutionMemo } from './memo.ts';
import { mostAddedBy } from './one-more-unit.ts';
import { isIn } from './oracle.test-support.ts';
import type { DealUnits } from './types.ts';

const anyCart = fc.oneof({ weight: 4, arbitrary: smallCart }, { weight: 1, arbitrary: largeCart });
const workLimit = fc.constantFrom(0, 100, 10_000, WORK_LIMIT);

const drained = <T>(steps: Generator<void, T>): T => {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
};

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
  test('a memo of other carts changes nothing, at any work limit', () => {
    fc.assert(
      fc.property(anyCart, workLimit, dice, (cart, limit, roll) => {
        const memo: SolutionMemo = new Map<string, ProvenSolution>();
        const carts = [cart.units, ...Array.from({ length: 4 }, () => otherUnits(cart, roll)), cart.units];
        for (const units of carts)
          expect(drained(searchBestDeals(units, cart.deals, limit, memo))).toEqual(
            bestDeals(units, cart.deals, limit),
          );
      }),
      { numRuns: 400 },
    );
  });

  test('lists of deals never share what is remembered', () => {
    fc.assert(
      fc.property(smallCart, ({ units, deals }) => {
        const memo: SolutionMemo = new Map<string, ProvenSolution>();
        const cheaper: readonly Deal[] = deals.map((deal) => ({ ...deal, maxPerOrder: 1 }));
        for (const list of [deals, cheaper, deals])
          expect(drained(searchBestDeals(units, list, WORK_LIMIT, memo))).toEqual(bestDeals(units, list));
      }),
      { numRuns: 200 },
    );
  });

  test('the saving without its units is that of the best deals, or unproven', () => {
    fc.assert(
      fc.property(anyCart, workLimit, ({ units, deals }, limit) => {
        const { saving, work } = drained(searchBestSaving(units, deals, limit, null));
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

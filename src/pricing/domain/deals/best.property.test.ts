/** Properties of the best deals (Decisions 7.4). */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Deal, DealPoolEntry } from '../../../menu/domain/menubook.ts';
import {
  cartBy,
  dice,
  LARGE,
  largeCart,
  seededDice,
  shuffled,
  smallCart,
  type Cart,
  type Dice,
} from './arbitraries.test-support.ts';
import { bestDeals, WORK_LIMIT } from './best.ts';
import { faultsOf } from './faults.test-support.ts';
import { limitedDifferences } from './conformance.test-support.ts';
import { compareUnits, kindsOf } from './oracle.test-support.ts';
import type { BestDeals, DealUnits } from './types.ts';
import { buyGet, lines, nFor } from './worked.test-support.ts';

const anyCart = fc.oneof({ weight: 4, arbitrary: smallCart }, { weight: 1, arbitrary: largeCart });
/** From 0 to enough for most carts. */
const workLimit = fc.constantFrom(0, 1, 10, 100, 1000, 10_000);

/** Everything that must not depend on the lines: times, and units and discount by kind. */
const outcomeOf = ({ applied, saving, optimal, bound }: BestDeals, units: readonly DealUnits[]) => ({
  applied: applied.map(({ deal, times, discount, lines }) => {
    const byKind = kindsOf(units).map((kind) => {
      const own = units.filter((unit) => compareUnits(unit, kind) === 0).map(({ line }) => line);
      const shares = lines.filter(({ line }) => own.includes(line));
      return {
        units: shares.reduce((sum, share) => sum + share.units, 0),
        discount: shares.reduce((sum, share) => sum + share.discount, 0),
      };
    });
    return { id: deal.id, times, discount, byKind };
  }),
  saving,
  optimal,
  bound,
});

/** A random split of the quantity. */
const parts = (quantity: number, roll: Dice): readonly number[] => {
  if (quantity === 0) return [];
  const part = roll(2) === 0 ? quantity : 1 + roll(quantity);
  return [part, ...parts(quantity - part, roll)];
};

/** Numbers the lines; a number that is left out stands for a combo, which takes no deals. */
const numbered = (lines: readonly Omit<DealUnits, 'line'>[], roll: Dice): readonly DealUnits[] => {
  let line = -1;
  return lines.map((units) => ({ ...units, line: (line += roll(4) === 0 ? 2 : 1) }));
};

/** The same units on other lines: merged, split and in another order. */
const rearranged = (units: readonly DealUnits[], roll: Dice): readonly DealUnits[] => {
  const lines = kindsOf(units).flatMap((kind) =>
    parts(kind.quantity, roll).map((quantity) => ({ ...kind, quantity })),
  );
  return numbered(shuffled(lines, roll), roll);
};

const withoutCaps = (deals: readonly Deal[]): readonly Deal[] =>
  deals.map((deal) => ({ ...deal, maxPerOrder: null }));

/** The cart with other items and deals. */
const renamed = ({ units, deals }: Cart, n: number): Pick<Cart, 'units' | 'deals'> => {
  const entry = (own: DealPoolEntry): DealPoolEntry =>
    own.categoryId === null
      ? { ...own, menuItemId: `${n} ${own.menuItemId}` }
      : { ...own, categoryId: `${n} ${own.categoryId}` };
  return {
    units: units.map((unit) => ({
      ...{ ...unit, line: 1000 * n + unit.line, itemId: `${n} ${unit.itemId}` },
      categoryId: unit.categoryId === null ? null : `${n} ${unit.categoryId}`,
    })),
    deals: deals.map((deal) => ({
      ...{ ...deal, id: `${n} ${deal.id}` },
      ...{ pool: deal.pool.map(entry), rewardPool: deal.rewardPool.map(entry) },
    })),
  };
};

/** What a search takes until it asks how much it has taken. */
const WORK_BEYOND_LIMIT = 50_000;

describe('for any cart', () => {
  test('the deals are the same for permuted, merged and split lines, at any work limit', () => {
    fc.assert(
      fc.property(
        anyCart,
        fc.option(workLimit, { nil: undefined }),
        dice,
        ({ units, deals }, limit, roll) => {
          const others = rearranged(units, roll);
          const outcome = outcomeOf(bestDeals(units, deals, limit), units);
          expect(outcomeOf(bestDeals(others, deals, limit), others)).toEqual(outcome);
        },
      ),
      { numRuns: 1000 },
    );
  });

  test('the deals are the same in any order of the input', () => {
    fc.assert(
      fc.property(anyCart, workLimit, dice, ({ units, deals }, limit, roll) => {
        expect(bestDeals(units, shuffled(deals, roll), limit)).toEqual(bestDeals(units, deals, limit));
      }),
      { numRuns: 500 },
    );
  });

  test('a result at the work limit is valid, and its bound holds', () => {
    fc.assert(
      fc.property(smallCart, workLimit, (cart, limit) => {
        expect(limitedDifferences(cart, limit)).toEqual([]);
      }),
      { numRuns: 1000 },
    );
    fc.assert(
      fc.property(largeCart, workLimit, ({ units, deals }, limit) => {
        const [less, more] = [bestDeals(units, deals, limit), bestDeals(units, deals)];
        expect(faultsOf(units, deals, less)).toEqual([]);
        expect(less.bound).toBeGreaterThanOrEqual(more.saving);
        expect(more.bound).toBeGreaterThanOrEqual(less.saving);
      }),
      { numRuns: 200 },
    );
  });

  test('forty carts in one, which share no deal, take at most twice the limit of one cart', () => {
    fc.assert(
      fc.property(largeCart, fc.constantFrom(50_000, 200_000, 1_000_000), (cart, limit) => {
        const carts = Array.from({ length: 40 }, (_, n) => renamed(cart, n));
        const all = {
          units: carts.flatMap(({ units }) => units),
          deals: carts.flatMap(({ deals }) => deals),
        };
        const found = bestDeals(all.units, all.deals, limit);
        expect(faultsOf(all.units, all.deals, found)).toEqual([]);
        expect(found.work).toBeLessThanOrEqual(2 * limit + WORK_BEYOND_LIMIT);
        // Each has something: it is greedy that finds the first solution.
        if (limit < 200_000 || bestDeals(cart.units, cart.deals, 20_000).saving === 0) return;
        const saved = new Set(found.applied.map(({ deal }) => deal.id.split(' ')[0]));
        expect(saved.size).toBe(carts.length);
      }),
      { numRuns: 30, endOnFailure: true },
    );
  });

  test('where the dynamic program has no work left to compare ties, branch and bound compares them', () => {
    const roll = seededDice(1_012_046);
    const size = { ...LARGE, units: 4 + roll(60), deals: 2 + roll(14), items: 2 + roll(10) };
    const { units, deals } = cartBy(roll, size);
    const compared = bestDeals(units, deals, 10 * WORK_LIMIT);
    // A smaller limit takes any of the best, which is another one.
    expect(bestDeals(units, deals, WORK_LIMIT / 4)).toMatchObject({ saving: compared.saving, optimal: true });
    expect(bestDeals(units, deals, WORK_LIMIT / 4).applied).not.toEqual(compared.applied);
    expect(bestDeals(units, deals).applied).toEqual(compared.applied);
  });

  test('where branch and bound meets too many ties to compare, the dynamic program compares them', () => {
    const units = lines(
      { itemId: 'a', price: 5000, quantity: 5 },
      { itemId: 'b', price: 3500, quantity: 10 },
      { itemId: 'c', price: 4000, quantity: 8 },
      { itemId: 'd', price: 2500, quantity: 5 },
    );
    const deals = [
      buyGet('twos', 2, [2, 50], { sort: 0, maxPerOrder: 3 }),
      buyGet('ones', 1, [1, 50], { sort: 1 }),
    ];
    const { applied, optimal, work } = bestDeals(units, deals);
    expect({ optimal, isWithinLimit: work < WORK_LIMIT }).toEqual({ optimal: true, isWithinLimit: true });
    const unitsOf = (own: BestDeals['applied'][number]) => own.lines.map(({ line, units: of }) => [line, of]);
    expect(applied.map((own) => [own.deal.id, own.discount, unitsOf(own)])).toEqual([
      [
        'twos',
        12_000,
        [
          [0, 5],
          [1, 7],
        ],
      ],
      [
        'ones',
        13_500,
        [
          [1, 3],
          [2, 8],
          [3, 5],
        ],
      ],
    ]);
  });

  test('sizes that were reordered between the rounds of a ticket: lines in another order have the same deals', () => {
    const small = { itemId: 'a', sizeLabel: 'small', price: 3000 };
    const rounds = [
      { ...small, sizeOrder: 0 },
      { ...small, sizeOrder: 2 },
      { ...small, sizeLabel: 'large', sizeOrder: 1 },
    ];
    const pair = nFor('pair', 2, 5000, { maxPerOrder: 1 });
    const takenOf = (units: readonly DealUnits[]) => {
      const taken = bestDeals(units, [pair]).applied.flatMap(({ lines: own }) => own.map(({ line }) => line));
      return units.filter(({ line }) => taken.includes(line)).map(({ sizeLabel }) => sizeLabel);
    };
    for (const [first, second, third] of [
      [0, 1, 2],
      [1, 0, 2],
      [2, 1, 0],
    ] as const) {
      const inOrder = [rounds[first], rounds[second], rounds[third]].flatMap((one) => one ?? []);
      expect(takenOf(lines(...inOrder))).toEqual(['small', 'small']);
    }
  });

  test('a repeated call gives the same result and does not modify the cart or the deals', () => {
    fc.assert(
      fc.property(anyCart, workLimit, ({ units, deals }, limit) => {
        const before = structuredClone({ units, deals });
        const first = bestDeals(units, deals, limit);
        expect(bestDeals(units, deals, limit)).toEqual(first);
        expect({ units, deals }).toEqual(before);
      }),
      { numRuns: 300 },
    );
  });
});

describe('when the saving is proven optimal', () => {
  const provenOf = (units: readonly DealUnits[], deals: readonly Deal[]): number => {
    const { saving, optimal } = bestDeals(units, deals);
    fc.pre(optimal);
    return saving;
  };

  test('another deal never makes the cart dearer', () => {
    fc.assert(
      fc.property(anyCart, ({ units, deals }) => {
        expect(provenOf(units, deals)).toBeGreaterThanOrEqual(provenOf(units, deals.slice(1)));
      }),
      { numRuns: 500 },
    );
  });

  test('another unit never lowers the saving', () => {
    fc.assert(
      fc.property(anyCart, dice, ({ units, deals }, roll) => {
        const at = roll(units.length);
        const fewer = units
          .map((unit, index) => (index === at ? { ...unit, quantity: unit.quantity - 1 } : unit))
          .filter(({ quantity }) => quantity > 0);
        expect(provenOf(units, deals)).toBeGreaterThanOrEqual(provenOf(fewer, deals));
      }),
      { numRuns: 500 },
    );
  });

  test('without caps, no way to split the cart into several orders saves more', () => {
    const orders = (cart: Cart, roll: Dice): readonly (readonly DealUnits[])[] => {
      const count = 2 + roll(2);
      const dealt = cart.units.flatMap((unit) =>
        parts(unit.quantity, roll).map((quantity) => ({ ...unit, quantity, order: roll(count) })),
      );
      return Array.from({ length: count }, (_, at) =>
        numbered(
          dealt.filter(({ order }) => order === at),
          roll,
        ),
      );
    };
    fc.assert(
      fc.property(anyCart, dice, (cart, roll) => {
        const deals = withoutCaps(cart.deals);
        const apart = orders(cart, roll).reduce((sum, units) => sum + bestDeals(units, deals).saving, 0);
        expect(provenOf(cart.units, deals)).toBeGreaterThanOrEqual(apart);
      }),
      { numRuns: 500 },
    );
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { quote, type Quote, type QuoteInput } from './quote.ts';
import { rewardHintsOf } from './hints.test-support.ts';
import type { RewardHint } from './reward-hints.ts';
import {
  claimsIn,
  expectedBy,
  inputOf,
  rewardedCart,
  split,
  type RewardedCart,
} from './rewards.test-support.ts';

const quoteOf = (input: QuoteInput): Quote => {
  const result = quote(input);
  if ('faults' in result) throw new Error(`the cart was refused: ${JSON.stringify(result.faults)}`);
  return result.quote;
};

const figuresOf = (cart: RewardedCart) => {
  const { itemsTotal, deals, rewardCost, bill } = quoteOf(inputOf(cart));
  return { itemsTotal, saving: deals.saving, cost: rewardCost, total: bill.total };
};

describe('for any cart with rewards', () => {
  test('items, deals and cost are those of a brute force without the rewarded units', () => {
    fc.assert(
      fc.property(rewardedCart, (cart) => {
        const { itemsTotal, saving, cost } = expectedBy(cart);
        expect(figuresOf(cart)).toEqual({ itemsTotal, saving, cost, total: itemsTotal - saving });
      }),
      { numRuns: 300 },
    );
  });

  test('the sums of the lines are the totals, and a rewarded unit counts in no deal', () => {
    fc.assert(
      fc.property(rewardedCart, (cart) => {
        const quoted = quoteOf(inputOf(cart));
        const sum = (of: (line: Quote['lines'][number]) => number): number =>
          quoted.lines.reduce((all, line) => all + of(line), 0);
        const plain = quoteOf(inputOf(cart, []));
        expect(sum((line) => line.lineTotal)).toBe(quoted.itemsTotal);
        expect(sum((line) => line.lineTotal + line.rewardDiscount)).toBe(plain.itemsTotal);
        expect(sum((line) => line.dealDiscount)).toBe(quoted.deals.saving);
        expect(quoted.rewards.reduce((all, { discount }) => all + discount, 0)).toBe(
          sum((line) => line.rewardDiscount),
        );
        for (const share of quoted.deals.applied.flatMap(({ lines }) => lines)) {
          const line = quoted.lines[share.line];
          expect(share.units).toBeLessThanOrEqual((line?.quantity ?? 0) - (line?.rewardUnits ?? 0));
        }
      }),
      { numRuns: 200 },
    );
  });

  test('another order of the lines, or lines split into single units, changes no figure', () => {
    fc.assert(
      fc.property(rewardedCart, (cart) => {
        const figures = figuresOf(cart);
        expect(figuresOf({ ...cart, lines: cart.lines.toReversed() })).toEqual(figures);
        expect(figuresOf(split(cart))).toEqual(figures);
      }),
      { numRuns: 150 },
    );
  });

  test('a hint saves exactly what the quote with it says, and no other reward saves more', () => {
    fc.assert(
      fc.property(rewardedCart, (cart) => {
        const input = inputOf(cart, []);
        const quoted = quoteOf(input);
        const hints = hintsOf(input, quoted);
        const savings = everySaving(cart, quoted);
        expect(hints.map(({ saving }) => saving)).toEqual(savings.slice(0, 3));
        for (const { reward, lineIndex, saving } of hints) {
          const after = quoteOf(inputOf(cart, [{ rewardId: reward.id, lineIndex, units: 1 }]));
          expect(quoted.bill.total - after.bill.total).toBe(saving);
        }
      }),
      { numRuns: 150 },
    );
  });
});

const hintsOf = (input: QuoteInput, quoted: Quote): readonly RewardHint[] => rewardHintsOf(input, quoted);

/** Of each different unit, the saving with a reward that pays for any; the most first, only those above 0. */
const everySaving = (cart: RewardedCart, quoted: Quote): readonly number[] => {
  const kinds = new Map(
    cart.lines.map(({ kind, syrups }, lineIndex) => [`${kind} ${syrups}`, lineIndex] as const),
  );
  return [...kinds.values()]
    .map((lineIndex) => {
      const after = quoteOf(inputOf(cart, [{ rewardId: 'any', lineIndex, units: 1 }]));
      return quoted.bill.total - after.bill.total;
    })
    .filter((saving) => saving > 0)
    .sort((a, b) => b - a);
};

test('the carts of these laws have rewards and deals together', () => {
  const carts = fc.sample(rewardedCart, 200);
  const both = carts.filter(
    (cart) => claimsIn(cart).length > 0 && quoteOf(inputOf(cart)).deals.applied.length > 0,
  );
  expect(both.length).toBeGreaterThan(30);
});

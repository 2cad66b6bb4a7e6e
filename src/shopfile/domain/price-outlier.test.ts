import fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isOutlier, MIN_NEIGHBOURS, medianOfOthers } from './price-outlier.ts';

test('medianOfOthers is the median of the list without the price itself', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 12 }), (prices) => {
      const expected = prices.map((_, index) => {
        const others = prices.filter((__, other) => other !== index).sort((a, b) => a - b);
        return others.length < MIN_NEIGHBOURS ? null : (others[Math.floor(others.length / 2)] ?? null);
      });
      expect(medianOfOthers(prices)).toEqual(expected);
    }),
    { numRuns: 1000 },
  );
});

interface Priced {
  readonly category?: string;
  readonly price?: number;
  readonly sizes?: readonly { readonly price?: number }[];
}

/** The prices of each category of the demo shops. */
const categories = readdirSync(new URL('../../../shops/', import.meta.url))
  .filter((name) => name.endsWith('.json') && !name.includes('activity'))
  .flatMap((name) => {
    const url = new URL(`../../../shops/${name}`, import.meta.url);
    const { menu } = JSON.parse(readFileSync(url, 'utf8')) as { menu: { items: Priced[] } };
    const byCategory = new Map<string, number[]>();
    for (const { category = '', price, sizes } of menu.items)
      for (const one of sizes?.map((size) => size.price) ?? [price])
        if (one !== undefined) byCategory.set(category, [...(byCategory.get(category) ?? []), one]);
    return [...byCategory.values()].filter((prices) => prices.length > MIN_NEIGHBOURS);
  });

const isDetected = (prices: readonly number[], index: number): boolean =>
  isOutlier(prices[index] ?? 0, medianOfOthers(prices)[index] ?? 0);

test('no price of the demo shops is an outlier, and every price times or divided by 100 is', () => {
  let [mistakes, detected] = [0, 0];
  for (const prices of categories)
    for (const [index, price] of prices.entries()) {
      expect(isDetected(prices, index)).toBe(false);
      for (const wrong of [price * 100, Math.round(price / 100)].filter((one) => one > 0)) {
        mistakes += 1;
        if (isDetected(prices.with(index, wrong), index)) detected += 1;
      }
    }
  expect(mistakes).toBeGreaterThan(200);
  expect(detected).toBe(mistakes);
});

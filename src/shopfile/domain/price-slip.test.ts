import fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isFarOff, LEAST_NEIGHBOURS, medianOfOthers } from './price-slip.ts';

test('the middle of the others is that of the list without the price itself', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 12 }), (prices) => {
      const slow = prices.map((_, place) => {
        const others = prices.filter((__, other) => other !== place).sort((a, b) => a - b);
        return others.length < LEAST_NEIGHBOURS ? null : (others[Math.floor(others.length / 2)] ?? null);
      });
      expect(medianOfOthers(prices)).toEqual(slow);
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
    return [...byCategory.values()].filter((prices) => prices.length > LEAST_NEIGHBOURS);
  });

const found = (prices: readonly number[], place: number): boolean =>
  isFarOff(prices[place] ?? 0, medianOfOthers(prices)[place] ?? 0);

test('no price of the demo shops looks like a slip, and every slip of a hundred does', () => {
  let [slips, seen] = [0, 0];
  for (const prices of categories)
    for (const [place, price] of prices.entries()) {
      expect(found(prices, place)).toBe(false);
      for (const wrong of [price * 100, Math.round(price / 100)].filter((one) => one > 0)) {
        slips += 1;
        if (found(prices.with(place, wrong), place)) seen += 1;
      }
    }
  expect(slips).toBeGreaterThan(200);
  expect(seen).toBe(slips);
});

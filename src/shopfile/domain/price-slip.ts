/** Prices that look as if pounds had been typed for piastres, or the other way round. */
import type { Piastres } from '../../kernel/money.ts';

/**
 * How many times dearer or cheaper than the middle of its neighbours a price must be to be taken for a slip of a hundred.
 * No price of the demo shops is off by more than 4.4 times; of theirs made a hundred times dearer or cheaper, one by one, 20
 * finds all 666, 30 finds 660, 50 finds 631.
 */
const FACTOR = 20;

/** Fewer have no middle that says anything. */
export const LEAST_NEIGHBOURS = 3;

/** Whether a price was taken away; a thing that cost nothing before is meant to. */
export const becameFree = (price: Piastres, was: Piastres): boolean => price === 0 && was > 0;

export const isFarOff = (price: Piastres, usual: Piastres): boolean =>
  price > 0 && usual > 0 && (price >= FACTOR * usual || usual >= FACTOR * price);

/** The median of the others for each price, in the order of `prices`; null where there are too few. */
export const medianOfOthers = (prices: readonly Piastres[]): readonly (Piastres | null)[] => {
  const others = prices.length - 1;
  if (others < LEAST_NEIGHBOURS) return prices.map(() => null);
  const order = prices.map((_, place) => place).sort((a, b) => (prices[a] ?? 0) - (prices[b] ?? 0));
  const middle = Math.floor(others / 2);
  const medians = prices.map(() => 0);
  order.forEach((place, rank) => {
    medians[place] = prices[order[rank <= middle ? middle + 1 : middle] ?? 0] ?? 0;
  });
  return medians;
};

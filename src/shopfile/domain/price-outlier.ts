/** Detects prices probably entered in pounds instead of piastres, or the reverse. */
import type { Piastres } from '../../kernel/money.ts';

/**
 * Ratio to the median of the neighbours at which a price is an outlier. Demo shops: the largest ratio is 4.4; of 666
 * prices multiplied or divided by 100, a factor of 20 detects 666, 30 detects 660, 50 detects 631.
 */
const FACTOR = 20;

/** The median of fewer prices is not meaningful. */
export const MIN_NEIGHBOURS = 3;

export const becameFree = (price: Piastres, was: Piastres): boolean => price === 0 && was > 0;

export const isOutlier = (price: Piastres, usual: Piastres): boolean =>
  price > 0 && usual > 0 && (price >= FACTOR * usual || usual >= FACTOR * price);

/** For each price the median of the others; null if there are too few. */
export const medianOfOthers = (prices: readonly Piastres[]): readonly (Piastres | null)[] => {
  const others = prices.length - 1;
  if (others < MIN_NEIGHBOURS) return prices.map(() => null);
  const order = prices.map((_, index) => index).sort((a, b) => (prices[a] ?? 0) - (prices[b] ?? 0));
  const middle = Math.floor(others / 2);
  const medians = prices.map(() => 0);
  order.forEach((index, rank) => {
    medians[index] = prices[order[rank <= middle ? middle + 1 : middle] ?? 0] ?? 0;
  });
  return medians;
};

import type { Deal } from '../../../menu/domain/menubook.ts';
import type { Piastres } from '../../../kernel/money.ts';
import { discountOf } from './problem.ts';

/** The dearest unit on sale in each pool; null where there is none. */
export interface DearestPrices {
  readonly paid: Piastres | null;
  /** Of the reward pool; of the pool itself for a deal without one. */
  readonly rewarded: Piastres | null;
}

/**
 * The largest saving of one application when any number of these units may be ordered; null when no application can be
 * formed (Decisions 7.4). Taking the dearest unit everywhere is best: units of equal price satisfy the price order.
 */
export const largestSaving = (
  { terms, qty }: Pick<Deal, 'terms' | 'qty'>,
  { paid, rewarded }: DearestPrices,
): Piastres | null => {
  if (paid === null) return null;
  if (terms.kind === 'n_for_price') return Math.max(0, qty * paid - terms.price);
  return rewarded === null ? null : terms.getQty * discountOf(rewarded, terms.getPercent);
};

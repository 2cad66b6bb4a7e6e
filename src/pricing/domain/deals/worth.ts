/** Whether a deal can save anything at all, whatever is in the cart. */
import type { Deal } from '../../../menu/domain/menubook.ts';
import type { Piastres } from '../../../kernel/money.ts';
import { discountOf } from './problem.ts';

/** The dearest unit that is sold of those that a pool counts; null: none is. */
export interface Dearest {
  readonly paid: Piastres | null;
  /** Of the reward pool, or of the only pool where there is no other. */
  readonly rewarded: Piastres | null;
}

/**
 * The most that one application can save where this is sold, as many of each as a cart wants; null where no
 * application can be formed (Decisions 7.4). The dearest unit serves best in every part: it may be taken again and again,
 * and of equals none is dearer than another.
 */
export const mostSaved = (
  { terms, qty }: Pick<Deal, 'terms' | 'qty'>,
  { paid, rewarded }: Dearest,
): Piastres | null => {
  if (paid === null) return null;
  if (terms.kind === 'n_for_price') return Math.max(0, qty * paid - terms.price);
  return rewarded === null ? null : terms.getQty * discountOf(rewarded, terms.getPercent);
};

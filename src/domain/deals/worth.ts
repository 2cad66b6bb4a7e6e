/** Whether a deal can save anything at all, whatever is in the cart. */
import type { Deal } from '../menubook.ts';
import type { Piastres } from '../money.ts';
import { countsTowards, discountOf, type UnitKind } from './problem.ts';

/** Something that is sold, in one size, at its price. */
export type SoldUnit = Pick<UnitKind, 'itemId' | 'categoryId' | 'sizeLabel' | 'price'>;

export type DealTermsOf = Pick<Deal, 'terms' | 'qty' | 'pool' | 'rewardPool'>;

const dearestIn = (sold: readonly SoldUnit[], pool: Deal['pool']): Piastres | null =>
  sold.reduce<Piastres | null>(
    (most, unit) => (countsTowards(unit, pool) ? Math.max(most ?? 0, unit.price) : most),
    null,
  );

/**
 * The most that one application can save where exactly this is sold, as many of each as a cart wants; null where no
 * application can be formed (Decisions 7.4). The dearest unit serves best in every part: it may be taken again and again,
 * and of equals none is dearer than another.
 */
export const mostSaved = ({ terms, qty, pool, rewardPool }: DealTermsOf, sold: readonly SoldUnit[]) => {
  const paid = dearestIn(sold, pool);
  if (paid === null) return null;
  if (terms.kind === 'n_for_price') return Math.max(0, qty * paid - terms.price);
  const rewarded = rewardPool.length === 0 ? paid : dearestIn(sold, rewardPool);
  return rewarded === null ? null : terms.getQty * discountOf(rewarded, terms.getPercent);
};

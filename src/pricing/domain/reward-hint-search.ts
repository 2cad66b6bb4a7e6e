/**
 * Where a reward saves most (Decisions 11), exact by the deals of the cart without the unit. Input and result are plain
 * data.
 */
import { billOf } from './bill.ts';
import { bestSaving } from './deals/best.ts';
import type { SolutionMemo } from './deals/memo.ts';
import type { DealUnits } from './deals/types.ts';
import type { Piastres } from '../../kernel/money.ts';
import { MAX_HINTS, WORK_PER_DEAL, WORK_TO_BEGIN, type Found, type HintedCart } from './hinted-cart.ts';

/** A line of which a reward can pay for one more unit. */
interface Candidate {
  readonly lineIndex: number;
  /** Of the reward. */
  readonly cost: number;
  /** Of the unit: no reward saves more items than that. */
  readonly price: Piastres;
}

export interface RewardHintSearch extends HintedCart {
  /** The items before deals. */
  readonly items: Piastres;
  /** Dearest unit first. */
  readonly candidates: readonly Candidate[];
}

export interface FoundRewardHint {
  /** Its index. */
  readonly candidate: number;
  /** How much lower the total before the delivery fee is; more than 0. */
  readonly saving: Piastres;
}

/** Elementary operations of each line in a search. */
const WORK_PER_LINE = 500;

const unitsWithout = (units: readonly DealUnits[], { lineIndex }: Candidate): readonly DealUnits[] =>
  units.flatMap((own) => {
    if (own.line !== lineIndex) return [own];
    return own.quantity === 1 ? [] : [{ ...own, quantity: own.quantity - 1 }];
  });

/** The best, in order. */
const withHint = (
  { candidates }: RewardHintSearch,
  found: readonly FoundRewardHint[],
  hint: FoundRewardHint,
): readonly FoundRewardHint[] => {
  const costOf = ({ candidate }: FoundRewardHint): number => candidates[candidate]?.cost ?? 0;
  const lineOf = ({ candidate }: FoundRewardHint): number => candidates[candidate]?.lineIndex ?? 0;
  return [...found, hint]
    .sort((a, b) => b.saving - a.saving || costOf(a) - costOf(b) || lineOf(a) - lineOf(b))
    .slice(0, MAX_HINTS);
};

/**
 * At most three, the best first. All searches share `workLimit` elementary operations, dearest units first; what is not
 * proven within it is left out.
 */
export const searchRewardHints = (
  search: RewardHintSearch,
  workLimit: number,
  memo: SolutionMemo | null = null,
): Found<FoundRewardHint> => {
  const { units, deals, items, afterDeals, beforeFee, cut, terms, candidates } = search;
  const savedWith = (total: Piastres): Piastres => beforeFee - billOf(total, cut, terms).beforeFee.total;
  const toBegin = WORK_TO_BEGIN + WORK_PER_DEAL * deals.length + WORK_PER_LINE * units.length;
  let left = workLimit;
  let found: readonly FoundRewardHint[] = [];
  let isLimited = false;
  for (const [index, candidate] of candidates.entries()) {
    const { price } = candidate;
    // No later candidate saves more.
    if (savedWith(Math.max(0, afterDeals - price)) < (found[MAX_HINTS - 1]?.saving ?? 0)) break;
    if (left <= toBegin) return { found, isLimited: true };
    const { saving: ofDeals, work } = bestSaving(unitsWithout(units, candidate), deals, left - toBegin, memo);
    left -= toBegin + work;
    isLimited ||= ofDeals === null;
    const saving = ofDeals === null ? 0 : savedWith(items - price - ofDeals);
    if (saving > 0) found = withHint(search, found, { candidate: index, saving });
  }
  return { found, isLimited };
};

/**
 * Which single additions unlock a deal or lower the total most, with the figures of the quote that includes them (Decisions
 * 7.8). Input and result are plain data.
 */
import { billOf } from './bill.ts';
import { bestSaving } from './deals/best.ts';
import { compiledDeals } from './deals/compiled-deals.ts';
import type { SolutionMemo } from './deals/memo.ts';
import { mostAddedBy } from './deals/one-more-unit.ts';
import type { DealUnits } from './deals/types.ts';
import { HIGHEST_TOTAL, type Piastres } from '../../kernel/money.ts';
import { MAX_HINTS, WORK_PER_DEAL, WORK_TO_BEGIN, type Found, type HintedCart } from './hinted-cart.ts';

/** One unit that can be ordered. */
interface Candidate {
  /** With its add-ons. */
  readonly price: Piastres;
  readonly units: DealUnits;
}

export interface HintSearch extends HintedCart {
  /** What the deals of the cart save. */
  readonly saving: Piastres;
  /** Cheapest first. */
  readonly candidates: readonly Candidate[];
}

export interface FoundHint {
  /** Its index. */
  readonly candidate: number;
  /** The increase of the deals' saving. */
  readonly saving: Piastres;
  /** The change of the total before the delivery fee; negative when the cart gets cheaper. */
  readonly totalChange: Piastres;
}

/** Additions that are searched. */
export const MAX_SEARCHED = 40;

/** At most the setup of a search. */
const workToBegin = ({ units, deals }: HintSearch): number =>
  WORK_TO_BEGIN + (WORK_PER_DEAL + units.length) * deals.length;

/** The total with the unit, and how the total before the fee changes. */
const billWith = (
  { afterDeals, beforeFee, cut, terms }: HintSearch,
  { price }: Candidate,
  saving: Piastres,
): { readonly total: Piastres; readonly totalChange: Piastres } => {
  const bill = billOf(Math.max(0, afterDeals + price - saving), cut, terms);
  return { total: bill.total, totalChange: bill.beforeFee.total - beforeFee };
};

/** An addition that may unlock a deal. */
interface Promising {
  readonly index: number;
  readonly candidate: Candidate;
  /** The least change of the total that it can cause. */
  readonly least: Piastres;
}

/** By the least change of the total. */
const promising = (search: HintSearch): readonly Promising[] => {
  const mostAdded = mostAddedBy(search.units, compiledDeals(search.deals));
  return search.candidates
    .flatMap((candidate, index): Promising[] => {
      const most = mostAdded(candidate.units);
      if (most === 0) return [];
      return [{ index, candidate, least: billWith(search, candidate, most).totalChange }];
    })
    .sort((a, b) => a.least - b.least || a.index - b.index);
};

/** The best, in order. */
const withHint = (found: readonly FoundHint[], hint: FoundHint): readonly FoundHint[] =>
  [...found, hint]
    .sort((a, b) => a.totalChange - b.totalChange || a.candidate - b.candidate)
    .slice(0, MAX_HINTS);

/**
 * At most three hints, ascending by change of the total. All searches share `workLimit` elementary operations, those
 * that can lower the total most first; a hint that is not proven optimal within it is left out.
 */
export const searchHints = (
  search: HintSearch,
  workLimit: number,
  memo: SolutionMemo | null = null,
): Found<FoundHint> => {
  const { units, deals } = search;
  const toBegin = workToBegin(search);
  let left = workLimit;
  let found: readonly FoundHint[] = [];
  let isLimited = false;
  for (const { candidate, index, least } of promising(search).slice(0, MAX_SEARCHED)) {
    // No later candidate changes the total by less.
    if (least > (found[MAX_HINTS - 1]?.totalChange ?? Infinity)) break;
    if (left <= toBegin) return { found, isLimited: true };
    const { saving: whole, work } = bestSaving([...units, candidate.units], deals, left - toBegin, memo);
    left -= toBegin + work;
    isLimited ||= whole === null;
    const saving = (whole ?? 0) - search.saving;
    const { total, totalChange } = billWith(search, candidate, saving);
    if (saving > 0 && total <= HIGHEST_TOTAL)
      found = withHint(found, { candidate: index, saving, totalChange });
  }
  return { found, isLimited };
};

/** What both kinds of hints have in common: searches for what would save more on a cart that is quoted. */
import type { BillTerms } from './bill.ts';
import type { SolutionMemo } from './deals/memo.ts';
import type { DealRule, DealUnits } from './deals/types.ts';
import type { Piastres } from '../../kernel/money.ts';
import type { DiscountCut } from '../../menu/domain/menubook.ts';
import type { Quote, QuoteInput } from './quote.ts';

/** A quoted cart, as plain data. */
export interface HintedCart {
  readonly units: readonly DealUnits[];
  readonly deals: readonly DealRule[];
  /** The items after deals, and the total before the delivery fee. */
  readonly afterDeals: Piastres;
  readonly beforeFee: Piastres;
  /** Null: no discount. */
  readonly cut: DiscountCut | null;
  readonly terms: BillTerms;
}

/** The best hints, in order. */
export interface Found<Hint> {
  readonly found: readonly Hint[];
  /** Whether a larger work limit could lead to other hints. */
  readonly isLimited: boolean;
}

/** Hints whose effect is still to be searched. */
export interface UnfinishedHints<Search, FoundHint, Hint> {
  readonly search: Search;
  readonly memo: SolutionMemo | null;
  readonly finish: (found: readonly FoundHint[]) => readonly Hint[];
}

export const MAX_HINTS = 3;

/** Elementary operations of any search, and of each deal in it. */
export const WORK_TO_BEGIN = 5_000;
export const WORK_PER_DEAL = 300;

export const hintedCart = ({ book, terms }: QuoteInput, quoted: Quote): HintedCart => ({
  units: quoted.lines.flatMap(({ dealUnits }) => dealUnits ?? []),
  deals: book.menu.deals,
  ...{ afterDeals: quoted.totalAfterDeals, beforeFee: quoted.bill.beforeFee.total },
  ...{ cut: book.menu.discount?.cut ?? null, terms },
});

/**
 * The price of a cart on a channel of a branch, or all its faults. Quotes and orders run this function (Decisions 7.9).
 */
import { billOf, type Bill, type BillTerms } from './bill.ts';
import { priceCart, type CartFault, type CartLine, type PricedLine } from './cart.ts';
import { problemOf } from './cart/problems.ts';
import { bestDeals, WORK_LIMIT } from './deals/best.ts';
import type { SolutionMemo } from './deals/memo.ts';
import type { BestDeals, DealUnits } from './deals/types.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { HIGHEST_TOTAL, type Piastres } from '../../kernel/money.ts';
import type { Deal, DiscountCut } from '../../menu/domain/menubook.ts';
import type { PriceBook } from './pricebook.ts';
import {
  rewardCostOf,
  rewardFaults,
  withRewards,
  type GrantedReward,
  type Redemption,
  type RewardedLine,
} from './rewards.ts';

export interface QuoteInput {
  readonly book: PriceBook;
  /** At least one. */
  readonly lines: readonly CartLine[];
  /** Counted units left at the branch, by id; uncounted things are absent. */
  readonly stock: ReadonlyMap<Uuid, number>;
  readonly terms: BillTerms;
  /** Absent: no rewards. */
  readonly redemption?: Redemption | null;
  /** Places of lines that are drinks of the staff: free, in no deal and for no reward. Absent: none. */
  readonly staffDrinks?: ReadonlySet<number>;
}

/** A cart whose lines have prices that fit int32 together, and claims that have no faults. */
export interface PricedInput extends Pick<QuoteInput, 'terms' | 'redemption' | 'staffDrinks'> {
  readonly lines: readonly PricedLine[];
  readonly deals: readonly Deal[];
  /** Null: no discount. */
  readonly cut: DiscountCut | null;
  /** Absent: no solution is remembered. */
  readonly memo?: SolutionMemo | null;
}

export interface QuotedLine extends RewardedLine {
  readonly dealDiscount: Piastres;
  /** What a drink of the staff would have cost; null: it is none. */
  readonly staffDrinkDiscount: Piastres | null;
}

export interface Quote {
  readonly lines: readonly QuotedLine[];
  readonly rewards: readonly GrantedReward[];
  /** Points or visits. */
  readonly rewardCost: number;
  /** Sum of the lines before deals, of the units that are paid for. */
  readonly itemsTotal: Piastres;
  readonly deals: BestDeals;
  readonly totalAfterDeals: Piastres;
  readonly bill: Bill;
}

export type QuoteResult = { readonly quote: Quote } | { readonly faults: readonly CartFault[] };

const sumOf = (amounts: readonly Piastres[]): Piastres => amounts.reduce((sum, amount) => sum + amount, 0);

const NO_DRINKS: ReadonlySet<number> = new Set();

const byIndex = (lines: readonly PricedLine[]): ReadonlyMap<number, PricedLine> =>
  new Map(lines.map((line) => [line.index, line]));

/** Drinks of the staff cost nothing. */
const withoutDrinks = (lines: readonly PricedLine[], drinks: ReadonlySet<number>): readonly PricedLine[] =>
  lines.map((line) => (drinks.has(line.index) ? { ...line, lineTotal: 0, dealUnits: null } : line));

/** The lines with the discounts of all deals; `drinks`: what those of the staff would have cost. */
const withDeals = (
  lines: readonly RewardedLine[],
  { applied }: BestDeals,
  drinks: ReadonlyMap<number, Piastres>,
): readonly QuotedLine[] => {
  const taken = new Map<number, Piastres>();
  for (const { line, discount } of applied.flatMap((deal) => deal.lines))
    taken.set(line, (taken.get(line) ?? 0) + discount);
  return lines.map((line) => ({
    ...line,
    dealDiscount: taken.get(line.index) ?? 0,
    staffDrinkDiscount: drinks.get(line.index) ?? null,
  }));
};

/** The lines fit int32, so only service, fee and exclusive tax can exceed it (Decisions 7). */
const totalFaults = ({ total }: Bill): readonly CartFault[] => {
  if (total <= HIGHEST_TOTAL) return [];
  const problem = problemOf('TOTAL_TOO_DEAR', { most: HIGHEST_TOTAL });
  return [{ path: 'items', refusal: 'INVALID_INPUT', figures: {}, ...problem }];
};

/** A cart whose deals are still to be found. */
export interface UnfinishedQuote {
  /** The units that count in deals, and the deals on sale. */
  readonly units: readonly DealUnits[];
  readonly deals: readonly Deal[];
  readonly memo: SolutionMemo | null;
  readonly finish: (deals: BestDeals) => Quote;
}

/** Lines that have prices → rewards → best deals → channel discount → service and tax → total (Decisions 7, 11). */
export const beginPriced = (input: PricedInput): UnfinishedQuote => {
  const { lines: full, cut, terms, redemption = null, staffDrinks = NO_DRINKS, memo = null } = input;
  const drinks = new Map(
    full.filter(({ index }) => staffDrinks.has(index)).map(({ index, lineTotal }) => [index, lineTotal]),
  );
  const { lines, granted: rewards } = withRewards(withoutDrinks(full, staffDrinks), redemption);
  const finish = (deals: BestDeals): Quote => {
    const itemsTotal = sumOf(lines.map(({ lineTotal }) => lineTotal));
    const totalAfterDeals = itemsTotal - deals.saving;
    const bill = billOf(totalAfterDeals, cut, terms);
    const quoted = { itemsTotal, deals, totalAfterDeals, bill, rewards, rewardCost: rewardCostOf(rewards) };
    return { lines: withDeals(lines, deals, drinks), ...quoted };
  };
  return { units: lines.flatMap(({ dealUnits }) => dealUnits ?? []), deals: input.deals, memo, finish };
};

/** The faults of a cart, or its quote without the deals. */
export const beginQuote = (
  input: QuoteInput,
): { readonly faults: readonly CartFault[] } | { readonly unfinished: UnfinishedQuote } => {
  const { book, lines: asked, stock, terms, redemption = null, staffDrinks = NO_DRINKS } = input;
  const cart = priceCart(book, asked, stock);
  const lines = 'faults' in cart ? [] : cart.lines;
  const priced = byIndex(withoutDrinks(lines, staffDrinks));
  const faults = [
    ...('faults' in cart ? cart.faults : []),
    ...(redemption === null ? [] : rewardFaults(redemption, { book, asked, priced })),
  ];
  if (faults.length > 0) return { faults };
  const { deals, discount } = book.menu;
  const cut = discount?.cut ?? null;
  return {
    unfinished: beginPriced({ lines, deals, cut, terms, redemption, staffDrinks, memo: book.memo }),
  };
};

/** The quote with these deals, unless its total is too high. */
export const finishQuote = ({ finish }: UnfinishedQuote, deals: BestDeals): QuoteResult => {
  const quoted = finish(deals);
  const faults = totalFaults(quoted.bill);
  return faults.length > 0 ? { faults } : { quote: quoted };
};

export const quote = (input: QuoteInput): QuoteResult => {
  const begun = beginQuote(input);
  if ('faults' in begun) return begun;
  const { unfinished } = begun;
  return finishQuote(unfinished, bestDeals(unfinished.units, unfinished.deals, WORK_LIMIT, unfinished.memo));
};

/**
 * The price of a cart on a channel of a branch, or all its faults. Quotes and orders run this function (Decisions 7.9).
 */
import { billOf, type Bill, type BillTerms } from './bill.ts';
import { priceCart, type CartFault, type CartLine, type PricedLine } from './cart.ts';
import { problemOf } from './cart/problems.ts';
import { searchBestDeals } from './deals/best.ts';
import type { BestDeals } from './deals/types.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { HIGHEST_TOTAL, type Piastres } from '../../kernel/money.ts';
import type { PriceBook } from './pricebook.ts';

export interface QuoteInput {
  readonly book: PriceBook;
  /** At least one. */
  readonly lines: readonly CartLine[];
  /** Counted units left at the branch, by id; uncounted things are absent. */
  readonly stock: ReadonlyMap<Uuid, number>;
  readonly terms: BillTerms;
}

export interface QuotedLine extends PricedLine {
  readonly dealDiscount: Piastres;
}

export interface Quote {
  readonly lines: readonly QuotedLine[];
  /** Sum of the lines before deals. */
  readonly itemsTotal: Piastres;
  readonly deals: BestDeals;
  readonly totalAfterDeals: Piastres;
  readonly bill: Bill;
}

export type QuoteResult = { readonly quote: Quote } | { readonly faults: readonly CartFault[] };

const sumOf = (amounts: readonly Piastres[]): Piastres => amounts.reduce((sum, amount) => sum + amount, 0);

/** The lines with the discounts of all deals. */
const withDeals = (lines: readonly PricedLine[], { applied }: BestDeals): readonly QuotedLine[] => {
  const taken = new Map<number, Piastres>();
  for (const { line, discount } of applied.flatMap((deal) => deal.lines))
    taken.set(line, (taken.get(line) ?? 0) + discount);
  return lines.map((line) => ({ ...line, dealDiscount: taken.get(line.index) ?? 0 }));
};

/** The lines fit int32, so only service, fee and exclusive tax can exceed it (Decisions 7). */
const totalFaults = ({ total }: Bill): readonly CartFault[] => {
  if (total <= HIGHEST_TOTAL) return [];
  const problem = problemOf('TOTAL_TOO_DEAR', { most: HIGHEST_TOTAL });
  return [{ path: 'items', refusal: 'INVALID_INPUT', figures: {}, ...problem }];
};

/**
 * `quote` in steps, which yield during the search for deals so that other requests can run: lines → best deals →
 * channel discount → service and tax → total (Decisions 7).
 */
export function* quoteSteps({ book, lines, stock, terms }: QuoteInput): Generator<void, QuoteResult> {
  const cart = priceCart(book, lines, stock);
  if ('faults' in cart) return cart;
  const units = cart.lines.flatMap(({ dealUnits }) => dealUnits ?? []);
  const deals = yield* searchBestDeals(units, book.menu.deals);
  const itemsTotal = sumOf(cart.lines.map(({ lineTotal }) => lineTotal));
  const totalAfterDeals = itemsTotal - deals.saving;
  const bill = billOf(totalAfterDeals, book.menu.discount?.cut ?? null, terms);
  const faults = totalFaults(bill);
  if (faults.length > 0) return { faults };
  return { quote: { lines: withDeals(cart.lines, deals), itemsTotal, deals, totalAfterDeals, bill } };
}

export const quote = (input: QuoteInput): QuoteResult => {
  const steps = quoteSteps(input);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
};

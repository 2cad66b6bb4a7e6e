/**
 * The one way to a price: what a cart costs on a channel of a branch, or everything that is wrong with it. A quote and
 * the order that follows it run the same function (Decisions 7.9).
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
  /** Counted units left at the branch, by id; what is not counted is not there. */
  readonly stock: ReadonlyMap<Uuid, number>;
  readonly terms: BillTerms;
}

export interface QuotedLine extends PricedLine {
  /** What deals took off the line. */
  readonly dealDiscount: Piastres;
}

export interface Quote {
  readonly lines: readonly QuotedLine[];
  /** The lines before deals. */
  readonly itemsTotal: Piastres;
  readonly deals: BestDeals;
  readonly totalAfterDeals: Piastres;
  readonly bill: Bill;
}

export type QuoteResult = { readonly quote: Quote } | { readonly faults: readonly CartFault[] };

const sumOf = (amounts: readonly Piastres[]): Piastres => amounts.reduce((sum, amount) => sum + amount, 0);

/** Each line with what the deals together took off it. */
const withDeals = (lines: readonly PricedLine[], { applied }: BestDeals): readonly QuotedLine[] => {
  const taken = new Map<number, Piastres>();
  for (const { line, discount } of applied.flatMap((deal) => deal.lines))
    taken.set(line, (taken.get(line) ?? 0) + discount);
  return lines.map((line) => ({ ...line, dealDiscount: taken.get(line.index) ?? 0 }));
};

/** Lines fit what a money field holds, so only service, fee and tax on top can be too much (Decisions 7). */
const beyond = ({ total }: Bill): readonly CartFault[] => {
  if (total <= HIGHEST_TOTAL) return [];
  const problem = problemOf('TOTAL_TOO_DEAR', { most: HIGHEST_TOTAL });
  return [{ path: 'items', refusal: 'INVALID_INPUT', figures: {}, ...problem }];
};

/**
 * As `quote`, pausing now and then in the search for deals so that others can be served meanwhile: lines → the
 * best deals → the channel's discount → service and tax → the total (Decisions 7).
 */
export function* quoting({ book, lines, stock, terms }: QuoteInput): Generator<void, QuoteResult> {
  const cart = priceCart(book, lines, stock);
  if ('faults' in cart) return cart;
  const units = cart.lines.flatMap(({ dealUnits }) => dealUnits ?? []);
  const deals = yield* searchBestDeals(units, book.menu.deals);
  const itemsTotal = sumOf(cart.lines.map(({ lineTotal }) => lineTotal));
  const totalAfterDeals = itemsTotal - deals.saving;
  const bill = billOf(totalAfterDeals, book.menu.discount?.cut ?? null, terms);
  const faults = beyond(bill);
  if (faults.length > 0) return { faults };
  return { quote: { lines: withDeals(cart.lines, deals), itemsTotal, deals, totalAfterDeals, bill } };
}

export const quote = (input: QuoteInput): QuoteResult => {
  const steps = quoting(input);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
};

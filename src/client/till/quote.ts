/** What a cart costs at a till, without the server. */
import type { Row } from '../../sync/contract/rows.ts';
import { parseRate } from '../../kernel/money.ts';
import type { Instant } from '../../kernel/time.ts';
import type { BillTerms } from '../../pricing/domain/bill.ts';
import { readLine, type AskedLine } from '../../pricing/domain/cart/read-line.ts';
import { holdsAt, type PriceBook } from '../../pricing/domain/pricebook.ts';
import { quote, type QuoteResult } from '../../pricing/domain/quote.ts';
import { tillBook, type MenuRows } from './menu.ts';

type Settings = Pick<
  Row<'branch_settings'>,
  'id' | 'timezone' | 'tax_rate' | 'tax_inclusive' | 'service_charge_taxable'
>;

export interface TillRows extends MenuRows {
  readonly branch_settings: Settings;
}

/** Service is for tickets at a table (Decisions 7.6). */
const termsOf = ({ tax_rate, tax_inclusive, service_charge_taxable }: Settings): BillTerms => ({
  ...{ serviceRate: 0, serviceTaxable: service_charge_taxable, fee: 0, feeTaxable: false },
  ...{ taxRate: parseRate(String(tax_rate)), taxInclusive: tax_inclusive },
});

const NO_STOCK: ReadonlyMap<string, number> = new Map();

/** Prices carts until a row changes. */
export class TillQuotes {
  readonly #rows: TillRows;
  #book: PriceBook | null = null;

  constructor(rows: TillRows) {
    this.#rows = rows;
  }

  #bookAt(now: Instant): PriceBook {
    const book = this.#book;
    return book !== null && holdsAt(book, now) ? book : (this.#book = tillBook(this.#rows, now));
  }

  /** The price with the best deals, or every fault of the cart. At least one line. Counts of stock are the server's. */
  quote(items: readonly AskedLine[], now: Instant): QuoteResult {
    const terms = termsOf(this.#rows.branch_settings);
    return quote({ book: this.#bookAt(now), lines: items.map(readLine), stock: NO_STOCK, terms });
  }
}

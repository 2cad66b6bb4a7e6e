import type { App } from '../../platform/app/app.ts';
import type { LookupLimit } from '../../platform/app/limits/lookup-limit.ts';
import type { PriceBooks } from './pricebooks.ts';
import { quoteCart, quoteTableCart } from './quote.ts';

interface Parts {
  readonly app: App;
  readonly books: PriceBooks;
  readonly lookups: LookupLimit;
}

/** The use case behind each operation of the topic, by operation id. */
export const handlers = ({ app, books, lookups }: Parts) => ({
  quoteCart: quoteCart(app, books, lookups),
  quoteTableCart: quoteTableCart(app, books),
});

/** What use cases of the floor need. */
import type { App } from '../../platform/app/app.ts';
import type { PriceBooks } from '../../pricing/app/pricebooks.ts';

export interface FloorParts {
  readonly app: App;
  readonly books: PriceBooks;
}

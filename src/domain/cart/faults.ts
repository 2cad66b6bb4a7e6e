import type { PriceBook } from '../pricebook.ts';
import type { Figures, RefusalName } from '../refusal.ts';
import type { CartFault } from './types.ts';

/** Gathers what is wrong with a cart, in the order in which it is found: by line, then by field. */
export class CartFaults {
  readonly #found: CartFault[] = [];

  get count(): number {
    return this.#found.length;
  }

  /** Malformed input: `problem` is a sentence without its subject, which is `path`. */
  invalid(path: string, problem: string): void {
    this.#found.push({ path, refusal: 'INVALID_INPUT', figures: {}, problem });
  }

  refuse(path: string, refusal: Exclude<RefusalName, 'INVALID_INPUT'>, figures: Figures = {}): void {
    this.#found.push({ path, refusal, figures });
  }

  first(most: number): readonly CartFault[] {
    return this.#found.slice(0, most);
  }
}

/** What pricing a cart goes by, and where it writes down what is wrong. */
export interface Pricing {
  readonly book: PriceBook;
  /** Where counted stock does not suffice, and how many units are left there: see `stock.ts`. */
  readonly short: ReadonlyMap<string, number>;
  readonly faults: CartFaults;
}

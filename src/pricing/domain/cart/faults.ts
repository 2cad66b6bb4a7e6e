import type { PriceBook } from '../pricebook.ts';
import type { Figures, Names, RefusalName } from '../../../kernel/refusal.ts';
import { problemOf, type CartProblem } from './problems.ts';
import type { CartFault } from './types.ts';

/** Gathers what is wrong with a cart, in the order in which it is found: by line, then by field. */
export class CartFaults {
  readonly #found: CartFault[] = [];

  get all(): readonly CartFault[] {
    return this.#found;
  }

  get count(): number {
    return this.#found.length;
  }

  /** Malformed input. `names`: the translations of figures that are names, here and below. */
  invalid(path: string, problem: CartProblem, figures: Figures = {}, names: Names = {}): void {
    this.#found.push({ path, refusal: 'INVALID_INPUT', figures: {}, ...problemOf(problem, figures, names) });
  }

  refuse(
    path: string,
    refusal: Exclude<RefusalName, 'INVALID_INPUT'>,
    figures: Figures = {},
    names: Names = {},
  ): void {
    this.#found.push({ path, refusal, figures, names });
  }
}

/** The place of a quantity; where it was left out and one is meant, that of its entry. */
export const quantityPath = (
  path: string,
  { leavesQuantityOut = false }: { readonly leavesQuantityOut?: boolean },
): string => (leavesQuantityOut ? path : `${path}.quantity`);

/** What pricing a cart goes by, and where it writes down what is wrong. */
export interface Pricing {
  readonly book: PriceBook;
  /** Where counted stock does not suffice, and how many units are left there: see `stock.ts`. */
  readonly short: ReadonlyMap<string, number>;
  readonly faults: CartFaults;
}

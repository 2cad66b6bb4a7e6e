import type { PriceBook } from '../pricebook.ts';
import type { Figures, Names, RefusalName } from '../../../kernel/refusal.ts';
import { problemOf, type CartProblem } from './problems.ts';
import type { CartFault } from './types.ts';

/** Collects faults in order: by line, then by field. */
export class CartFaults {
  readonly #found: CartFault[] = [];

  get all(): readonly CartFault[] {
    return this.#found;
  }

  get count(): number {
    return this.#found.length;
  }

  /** Malformed input. `names`: translations of the figures that are names. */
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

/** The path of a quantity, or of its entry where the body leaves it out. */
export const quantityPath = (
  path: string,
  { leavesQuantityOut = false }: { readonly leavesQuantityOut?: boolean },
): string => (leavesQuantityOut ? path : `${path}.quantity`);

/** The context of pricing: the book, the shortages, the faults so far. */
export interface Pricing {
  readonly book: PriceBook;
  /** Units left, by the path that exceeds them (see `stock.ts`). */
  readonly unitsLeft: ReadonlyMap<string, number>;
  readonly faults: CartFaults;
}

import type { TakenUnits } from './allocation.ts';
import type { CompiledDeals } from './compiled-deals.ts';
import type { Problem } from './problem.ts';
import type { DealRule } from './types.ts';

/** A proven solution of the deals and units that a key names. */
export interface ProvenSolution {
  /** By offer, of each kind. */
  readonly taken: readonly TakenUnits[];
  /** Piastres. */
  readonly saving: number;
  /** What the search took, counted again wherever the solution is used. */
  readonly work: number;
}

/** Proven solutions of earlier carts: a cart is quoted after every tap, and then ordered. May forget any. */
export interface SolutionMemo {
  get(key: string): ProvenSolution | undefined;
  set(key: string, solution: ProvenSolution): unknown;
}

/** The deals and the multiset of units, each of an item of one category, which may count in any of the deals. */
export const memoKeyOf = ({ kinds }: Problem, deals: CompiledDeals<DealRule>): string =>
  kinds.reduce(
    (key, { itemId, sizeLabel, price, count }) =>
      `${key}\n${itemId} ${price} ${count} ${JSON.stringify(sizeLabel)}`,
    String(deals.serial),
  );

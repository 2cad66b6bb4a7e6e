/** The best deals of a cart (Decisions 7.4). They depend only on the multiset of units. */
import type { Deal } from '../../../menu/domain/menubook.ts';
import { bySortAndId, compiledDeals, type CompiledDeals } from './compiled-deals.ts';
import { memoKeyOf, type ProvenSolution, type SolutionMemo } from './memo.ts';
import { problemsOf, type CartProblem, type Problem } from './problem.ts';
import { isLimited, proveSaving, solve, solvedBy, type ProvenSaving, type Solved } from './solve.ts';
import type { AppliedDeal, BestDeals, DealRule, DealUnits } from './types.ts';

/**
 * Elementary operations for the deals of one cart; some 30 ms. Of the 564 carts of the bench `ablations` 5 stay unproven;
 * with 1 million 24, at 31 % less work; with 16 million 2, at 53 % more.
 */
export const WORK_LIMIT = 4_000_000;

/**
 * Of what is left of twice the limit, the part that a further problem may always take. Without it the second of two long
 * ones gets no deal at all.
 */
const LEAST_SHARE = 1 / 16;

/** What a search with this limit would find; null: not remembered. */
const rememberedIn = (
  memo: SolutionMemo | null,
  problem: Problem,
  deals: CompiledDeals<DealRule>,
  workLimit: number,
): ProvenSolution | null => {
  const known = memo?.get(memoKeyOf(problem, deals));
  return known === undefined || isLimited(known.work, workLimit) ? null : known;
};

/** The problems of a cart, which share a work limit, and what is known of their solutions. */
export class CartDeals {
  readonly problems: readonly CartProblem<Deal>[];
  readonly #compiled: CompiledDeals<Deal>;
  readonly #memo: SolutionMemo | null;
  readonly #workLimit: number;
  readonly #applied: AppliedDeal[] = [];
  #saving = 0;
  #bound = 0;
  #work = 0;

  constructor(
    units: readonly DealUnits[],
    deals: readonly Deal[],
    workLimit = WORK_LIMIT,
    memo: SolutionMemo | null = null,
  ) {
    this.#compiled = compiledDeals(deals);
    this.problems = problemsOf(units, this.#compiled);
    this.#memo = memo;
    this.#workLimit = workLimit;
  }

  /** For the next problem. */
  get workLeft(): number {
    const left = this.#workLimit - this.#work;
    return Math.max(left, LEAST_SHARE * (left + this.#workLimit), 0);
  }

  /** What a search would find. */
  remembered(problem: Problem): Solved | null {
    const known = rememberedIn(this.#memo, problem, this.#compiled, this.workLeft);
    if (known === null) return null;
    return solvedBy(problem, known.taken, { bound: known.saving, work: known.work, isLimited: false });
  }

  /** Adds the solution of the next problem, and remembers what a larger limit would not change. */
  add(
    problem: CartProblem<Deal>,
    { taken, discounts, saving, bound, work, isLimited: mayChange }: Solved,
  ): void {
    if (this.#memo !== null && saving === bound && !mayChange)
      this.#memo.set(memoKeyOf(problem, this.#compiled), { taken, saving, work });
    for (const { offer, ...own } of discounts) {
      const deal = problem.deals[offer];
      if (deal !== undefined) this.#applied.push({ deal, ...own });
    }
    this.#saving += saving;
    this.#bound += bound;
    this.#work += work;
  }

  /** Needs the solutions of all problems. */
  result(): BestDeals {
    const applied = this.#applied.toSorted((a, b) => bySortAndId(a.deal, b.deal));
    const [saving, bound, work] = [this.#saving, this.#bound, this.#work];
    return { applied, saving, optimal: bound === saving, bound, work };
  }
}

/** The best deals of these units. At the work limit `optimal` is false and `bound` limits what could be saved. */
export const bestDeals = (
  units: readonly DealUnits[],
  deals: readonly Deal[],
  workLimit = WORK_LIMIT,
  memo: SolutionMemo | null = null,
): BestDeals => {
  const cart = new CartDeals(units, deals, workLimit, memo);
  for (const problem of cart.problems)
    cart.add(problem, cart.remembered(problem) ?? solve(problem, cart.workLeft));
  return cart.result();
};

/** The saving of the best deals; null where it is not proven within the work limit. */
export const bestSaving = (
  units: readonly DealUnits[],
  deals: readonly DealRule[],
  workLimit: number,
  memo: SolutionMemo | null,
): ProvenSaving => {
  const compiled = compiledDeals(deals);
  let [sum, work] = [0, 0];
  for (const problem of problemsOf(units, compiled)) {
    const left = workLimit - work;
    const proven = rememberedIn(memo, problem, compiled, left) ?? proveSaving(problem, left);
    work += proven.work;
    if (proven.saving === null) return { saving: null, work };
    sum += proven.saving;
  }
  return { saving: sum, work };
};

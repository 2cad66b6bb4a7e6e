/** Prices of units at which the offers alone gain little more than together: a subgradient method. */
import type { RepeatedApplication } from './application.ts';
import type { OfferTables } from './offer-tables.ts';
import type { PresolvedProblem } from './presolve.ts';
import type { SortedPlans } from './sorted-plans.ts';

export interface Relaxation {
  /** By class, whole weighted piastres. */
  readonly duals: Float64Array;
  /** No solution gains more. */
  readonly bound: number;
}

/** The part of the last direction that is kept. With 0 16 instead of 12 carts stay unproven, 5 % more work; with 0.7 15. */
const DEFLECTION = 0.5;

/** The lengths of the first and the last step, as parts of Polyak's; and the number of steps. */
export interface Steps {
  readonly count: number;
  readonly first: number;
  readonly last: number;
}

/** The saving of each unit in a known solution: of several applications, the average. */
export const firstDuals = (
  { classes }: PresolvedProblem,
  solution: readonly RepeatedApplication[],
  weight: number,
): Float64Array => {
  const duals = new Float64Array(classes.length);
  for (const { application, times } of solution) {
    const units = application.amounts.reduce((sum, amount) => sum + amount, 0);
    application.classes.forEach((c, k) => {
      const share = (weight * application.saving * times * (application.amounts[k] ?? 0)) / units;
      duals[c] = (duals[c] ?? 0) + share / (classes[c]?.count ?? 1);
    });
  }
  return duals.map(Math.round);
};

/** Moves prices towards the lowest bound. */
class Descent {
  readonly duals: Float64Array;
  /** The units that the offers alone take at these prices, by class. */
  readonly plan: Float64Array;
  readonly #counts: Float64Array;
  readonly #direction: Float64Array;
  readonly #target: number;
  readonly #shrinking: number;
  #scale: number;

  constructor(first: Float64Array, { classes }: PresolvedProblem, target: number, steps: Steps) {
    this.duals = first.slice();
    this.plan = new Float64Array(first.length);
    this.#counts = new Float64Array(classes.map(({ count }) => count));
    this.#direction = new Float64Array(first.length);
    this.#target = target;
    this.#shrinking = (steps.last / steps.first) ** (1 / steps.count);
    this.#scale = steps.first;
  }

  /** `bound`: what the plan gains. Whether the prices have changed. */
  step(bound: number): boolean {
    const { duals, plan } = this;
    const direction = this.#direction;
    let length = 0;
    for (let c = 0; c < duals.length; c++) {
      const over = (plan[c] ?? 0) - (this.#counts[c] ?? 0);
      // A price of 0 cannot fall.
      const gradient = (duals[c] ?? 0) === 0 && over < 0 ? 0 : over;
      const kept = gradient + DEFLECTION * (direction[c] ?? 0);
      direction[c] = kept;
      length += kept * kept;
    }
    if (length === 0 || bound <= this.#target) return false;
    const by = (this.#scale * (bound - this.#target)) / length;
    this.#scale *= this.#shrinking;
    for (let c = 0; c < duals.length; c++)
      duals[c] = Math.max(0, Math.round((duals[c] ?? 0) + by * (direction[c] ?? 0)));
    return true;
  }
}

/** Prices at which sorted plans gain little; `target`: the gain of a known solution. Takes fewer steps at the work limit. */
export const roughPrices = (
  presolved: PresolvedProblem,
  plans: SortedPlans,
  first: Float64Array,
  target: number,
  steps: Steps,
  workLimit: number,
): Float64Array => {
  const descent = new Descent(first, presolved, target, steps);
  for (let step = 0; step < steps.count && plans.operations < workLimit; step++)
    if (!descent.step(plans.plan(descent.duals, descent.plan.fill(0)))) break;
  return descent.duals;
};

/** Leaves the tables at the best prices. Takes fewer steps where they would exceed the limit of operations. */
export const relax = (
  presolved: PresolvedProblem,
  tables: OfferTables,
  first: Float64Array,
  target: number,
  steps: Steps,
  operations: number,
): Relaxation => {
  const descent = new Descent(first, presolved, target, steps);
  let bound = tables.evaluate(descent.duals);
  let best: Relaxation = { duals: first, bound };
  for (let step = 0; step < steps.count && tables.operations < operations; step++) {
    tables.addPlan(descent.plan.fill(0));
    if (!descent.step(bound)) break;
    bound = tables.evaluate(descent.duals);
    if (bound < best.bound) best = { duals: descent.duals.slice(), bound };
  }
  if (best.bound < bound) tables.evaluate(best.duals);
  return best;
};

/** Prices of units at which the offers alone gain little more than together: a subgradient method. */
import type { RepeatedApplication } from './application.ts';
import type { PresolvedProblem } from './presolve.ts';

interface Prices {
  /** By class, whole weighted piastres. */
  readonly duals: Float64Array;
  /** What the offers and the prices of all units gain. */
  readonly bound: number;
}

/** The part of the last direction that is kept. With 0 7 instead of 5 carts stay unproven, 8 % more work; with 0.7 6. */
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

/** What the offers alone take and gain at prices of units. */
interface Pricing {
  readonly operations: number;
  /** What they and the prices of all units gain. */
  evaluate(duals: Float64Array): number;
  /** Adds the units that they take, by class. */
  addPlan(taken: Float64Array): void;
}

/**
 * Moves prices towards the lowest bound. `target`: the gain of a known solution. Takes fewer steps at the limit of
 * operations.
 */
export const descend = (
  { classes }: PresolvedProblem,
  pricing: Pricing,
  first: Float64Array,
  target: number,
  steps: Steps,
  operations: number,
): { readonly best: Prices; readonly last: Prices } => {
  const duals = first.slice();
  const counts = new Float64Array(classes.map(({ count }) => count));
  const [plan, direction] = [new Float64Array(first.length), new Float64Array(first.length)];
  const shrinking = (steps.last / steps.first) ** (1 / steps.count);
  let best: Prices = { duals: first, bound: Infinity };
  for (let step = 0, scale = steps.first; ; step++, scale *= shrinking) {
    const bound = pricing.evaluate(duals);
    if (bound < best.bound) best = { duals: duals.slice(), bound };
    const isLast = step === steps.count || pricing.operations >= operations || bound <= target;
    if (isLast) return { best, last: { duals, bound } };
    pricing.addPlan(plan.fill(0));
    let length = 0;
    let isOptimal = true;
    for (let c = 0; c < duals.length; c++) {
      const over = (plan[c] ?? 0) - (counts[c] ?? 0);
      // A price of 0 cannot fall.
      const gradient = (duals[c] ?? 0) === 0 && over < 0 ? 0 : over;
      if (gradient !== 0) isOptimal = false;
      const kept = gradient + DEFLECTION * (direction[c] ?? 0);
      direction[c] = kept;
      length += kept * kept;
    }
    if (isOptimal || length === 0) return { best, last: { duals, bound } };
    const by = (scale * (bound - target)) / length;
    for (let c = 0; c < duals.length; c++)
      duals[c] = Math.max(0, Math.round((duals[c] ?? 0) + by * (direction[c] ?? 0)));
  }
};

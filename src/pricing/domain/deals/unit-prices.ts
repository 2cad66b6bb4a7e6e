/** Prices of units at which the offers alone gain little more than together: a subgradient method. */
import type { RepeatedApplication } from './application.ts';
import type { OfferTables } from './offer-tables.ts';
import type { PresolvedProblem } from './presolve.ts';

export interface Relaxation {
  /** By class, whole weighted piastres. */
  readonly duals: Float64Array;
  /** No solution gains more. */
  readonly bound: number;
}

/** The part of the last direction that is kept. */
const DEFLECTION = 0.5;
/** Steps without a better bound before the step length shrinks, and by how much. */
const PATIENCE = 2;
const SHRINKING = 0.7;

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

/**
 * `target`: the gain of a known solution. Takes fewer steps where the tables would exceed the limit of operations. Pauses
 * now and then.
 */
export const relax = (
  { classes }: PresolvedProblem,
  tables: OfferTables,
  first: Float64Array,
  target: number,
  { steps, operations }: { readonly steps: number; readonly operations: number },
): Relaxation => {
  const duals = first.slice();
  let bound = tables.evaluate(duals);
  let best: Relaxation = { duals: first, bound };
  const plan = new Float64Array(classes.length);
  tables.addPlan(plan);
  const bestPlan = plan.slice();
  const direction = new Float64Array(classes.length);
  let [scale, stale] = [1, 0];
  for (let step = 0; step < steps && best.bound > target && tables.operations < operations; step++) {
    let length = 0;
    classes.forEach(({ count }, c) => {
      const over = (plan[c] ?? 0) - count;
      // A price of 0 cannot fall.
      const gradient = (duals[c] ?? 0) === 0 && over < 0 ? 0 : over;
      const kept = gradient + DEFLECTION * (direction[c] ?? 0);
      direction[c] = kept;
      length += kept * kept;
    });
    if (length === 0) break;
    const by = (scale * (bound - target)) / length;
    classes.forEach((_, c) => {
      duals[c] = Math.max(0, Math.round((duals[c] ?? 0) + by * (direction[c] ?? 0)));
    });
    bound = tables.evaluate(duals);
    tables.addPlan(plan.fill(0));
    if (bound < best.bound) {
      best = { duals: duals.slice(), bound };
      bestPlan.set(plan);
      stale = 0;
    } else if (++stale === PATIENCE) {
      stale = 0;
      scale *= SHRINKING;
      direction.fill(0);
      duals.set(best.duals);
      plan.set(bestPlan);
      bound = best.bound;
    }
  }
  tables.evaluate(best.duals);
  return best;
};

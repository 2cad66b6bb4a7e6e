/** The pricing problem of column generation: the application of largest reduced cost. */
import { applicationOf, Selection, type Application } from './application.ts';
import type { UnitClass, Variant } from './presolve.ts';

/** Objective coefficients of the pricing problem, from the dual prices of the relaxation. */
export interface PricingProblem {
  readonly classes: readonly UnitClass[];
  /** By class, of a paid unit: minus its dual price. */
  readonly paidValues: Float64Array;
  /** By offer. */
  readonly offers: readonly OfferPrices[];
}

export interface OfferPrices {
  /** By class: the discount of a rewarded unit, or the price of a unit in a bundle. */
  readonly discounts: Float64Array;
  /** By class: the weighted discount minus the unit's dual price. */
  readonly values: Float64Array;
  readonly fixedCost: number;
}

export interface PricedColumn {
  readonly application: Application;
  readonly reducedCost: number;
}

/** The class of largest value with a unit that neither selection takes; −1 when there is none. */
const bestClass = (
  { classes }: PricingProblem,
  pool: readonly number[],
  values: Float64Array,
  selection: Selection,
  other: Selection | null,
): number => {
  let best = -1;
  let largest = -Infinity;
  for (const c of pool) {
    const value = values[c] ?? 0;
    if (value <= largest) continue;
    if (selection.amountOf(c) + (other?.amountOf(c) ?? 0) >= (classes[c]?.count ?? 0)) continue;
    best = c;
    largest = value;
  }
  return best;
};

/** The `size` units of largest value; null when the pool has fewer. */
const bestUnits = (
  problem: PricingProblem,
  pool: readonly number[],
  size: number,
  values: Float64Array,
): Selection | null => {
  const selection = new Selection();
  for (let left = size; left > 0;) {
    const c = bestClass(problem, pool, values, selection, null);
    if (c < 0) return null;
    const amount = Math.min(left, problem.classes[c]?.count ?? 0);
    selection.add(c, amount);
    left -= amount;
  }
  return selection;
};

interface Part {
  readonly selection: Selection;
  readonly pool: readonly number[];
  readonly values: Float64Array;
}

/**
 * Greedy: replaces units until no class gives more than it has. Column enumeration finds the optimum that this misses.
 * Returns the number of replacements; null when there are too few units.
 */
const resolveOverlap = (problem: PricingProblem, paid: Part, rewarded: Part): number | null => {
  const countOf = (c: number): number => problem.classes[c]?.count ?? 0;
  const taken = (c: number): number => paid.selection.amountOf(c) + rewarded.selection.amountOf(c);
  const replacementIn = (part: Part, other: Part) => ({
    part,
    next: bestClass(problem, part.pool, part.values, part.selection, other.selection),
  });
  for (let replacements = 0; ; replacements++) {
    const overdrawn = paid.selection.classes.find((c) => taken(c) > countOf(c));
    if (overdrawn === undefined) return replacements;
    const options = [replacementIn(paid, rewarded), replacementIn(rewarded, paid)].filter(
      ({ next }) => next >= 0,
    );
    const [first, second] = options;
    if (first === undefined) return null;
    const lossOf = ({ part, next }: typeof first): number =>
      (part.values[overdrawn] ?? 0) - (part.values[next] ?? 0);
    const { part, next } = second !== undefined && lossOf(second) < lossOf(first) ? second : first;
    const amount = Math.min(
      taken(overdrawn) - countOf(overdrawn),
      countOf(next) - taken(next),
      part.selection.amountOf(overdrawn),
    );
    part.selection.remove(overdrawn, amount);
    part.selection.add(next, amount);
  }
};

const largestOf = (pool: readonly number[], values: Float64Array): number => {
  let largest = -Infinity;
  for (const c of pool) largest = Math.max(largest, values[c] ?? 0);
  return largest;
};

interface PricingResult {
  /** Above the threshold, or null. */
  readonly column: PricedColumn | null;
  /** No reduced cost exceeds the larger of this and the threshold. */
  readonly bound: number;
  readonly work: number;
}

/** The largest reduced cost, unless the pools of paid and rewarded units overlap. */
export const bestColumn = (
  problem: PricingProblem,
  variant: Variant,
  index: number,
  threshold: number,
): PricingResult => {
  const { offer, offerIndex, pool, rewardPool } = variant;
  const prices = problem.offers[offerIndex];
  let work = pool.length + rewardPool.length;
  if (prices === undefined) return { column: null, bound: 0, work };
  const { discounts, values, fixedCost } = prices;
  const isBundle = offer.form === 'bundle';
  const paidValues = isBundle ? values : problem.paidValues;
  const ofRewards = offer.getQty === 0 ? 0 : offer.getQty * largestOf(rewardPool, values);
  const roughBound = offer.qty * largestOf(pool, paidValues) + ofRewards - fixedCost;
  if (roughBound <= threshold) return { column: null, bound: threshold, work };
  const rewarded = bestUnits(problem, rewardPool, offer.getQty, values);
  const paid = rewarded === null ? null : bestUnits(problem, pool, offer.qty, paidValues);
  if (paid === null || rewarded === null) return { column: null, bound: 0, work: 2 * work };
  const selected = paid.classes.length + rewarded.classes.length;
  work *= 2 + selected;
  const total = (): number =>
    rewarded.sum((c) => values[c] ?? 0) + paid.sum((c) => paidValues[c] ?? 0) - fixedCost;
  const bound = total();
  if (bound <= threshold) return { column: null, bound, work };
  const paidPart = { selection: paid, pool, values: paidValues };
  const rewardedPart = { selection: rewarded, pool: rewardPool, values };
  const replacements = isBundle ? 0 : resolveOverlap(problem, paidPart, rewardedPart);
  const reducedCost = total();
  work += (replacements ?? 0) * (pool.length + rewardPool.length) * (2 + selected);
  if (replacements === null || reducedCost <= threshold) return { column: null, bound, work };
  const discountOf = (c: number): number => discounts[c] ?? 0;
  const saving = isBundle ? paid.sum(discountOf) - offer.price : rewarded.sum(discountOf);
  return { column: { application: applicationOf(index, paid, rewarded, saving), reducedCost }, bound, work };
};

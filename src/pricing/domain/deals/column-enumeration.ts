import { applicationOf, Selection } from './application.ts';
import type { OfferPrices, PricedColumn, PricingProblem } from './column-pricing.ts';
import type { Variant } from './presolve.ts';

/** Counts the nodes of the enumeration tree. */
export interface NodeCounter {
  nodes: number;
}

/** Nodes after which the caller checks the work limit. With 125 or 2,000 no cart changes. */
const NODES_PER_PAUSE = 500;

type Step = 'selection' | 'done' | 'pause';

/** Depth first, the selections of a given size whose value reaches a threshold. */
class SelectionEnumerator {
  readonly selection = new Selection();
  /** Of the current selection. */
  value = 0;
  /** The pool by decreasing value. */
  private readonly order: readonly number[];
  private readonly values: Float64Array;
  /** By class; shared by paid and rewarded units. */
  private readonly available: Int32Array;
  private readonly counter: NodeCounter;
  private threshold = 0;
  /** By depth: the index in `order`, and the missing units and the value before it. */
  private readonly indices: number[] = [];
  private readonly missing: number[] = [];
  private readonly valuesBefore: number[] = [];
  private isNew = false;
  private isDone = false;
  private pausedAt = 0;

  constructor(pool: readonly number[], values: Float64Array, available: Int32Array, counter: NodeCounter) {
    this.order = [...pool].sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0) || a - b);
    this.values = values;
    this.available = available;
    this.counter = counter;
    this.pausedAt = counter.nodes;
  }

  /** An upper bound on the value of `size` units. */
  bound(size: number): number {
    return size * (this.values[this.order[0] ?? 0] ?? 0);
  }

  start(size: number, threshold: number): void {
    this.threshold = threshold;
    this.isDone = !this.push(0, size, 0);
    this.isNew = true;
  }

  next(): Step {
    if (!this.isNew && !this.isDone) this.isDone = !this.backtrack();
    this.isNew = false;
    while (!this.isDone) {
      const last = this.indices.length - 1;
      const amount = this.selection.amounts[last] ?? 0;
      const missing = (this.missing[last] ?? 0) - amount;
      const c = this.selection.classes[last] ?? 0;
      const value = (this.valuesBefore[last] ?? 0) + amount * (this.values[c] ?? 0);
      if (missing === 0) {
        this.value = value;
        return 'selection';
      }
      this.isDone = !this.push((this.indices[last] ?? 0) + 1, missing, value) && !this.backtrack();
      if (this.counter.nodes - this.pausedAt < NODES_PER_PAUSE || this.isDone) continue;
      this.pausedAt = this.counter.nodes;
      this.isNew = true;
      return 'pause';
    }
    return 'done';
  }

  /** Takes as many units as possible of the next available class; false when the threshold is out of reach. */
  private push(from: number, missing: number, value: number): boolean {
    const { order, values, available, selection } = this;
    for (let index = from; index < order.length; index++) {
      const c = order[index] ?? 0;
      // No later class has a larger value.
      if (value + (values[c] ?? 0) * missing < this.threshold) return false;
      const amount = Math.min(missing, available[c] ?? 0);
      if (amount === 0) continue;
      available[c] = (available[c] ?? 0) - amount;
      selection.classes.push(c);
      selection.amounts.push(amount);
      this.indices.push(index);
      this.missing.push(missing);
      this.valuesBefore.push(value);
      this.counter.nodes += 1;
      return true;
    }
    return false;
  }

  /** Takes one unit less of the last class, or continues with the next class at zero; false at the end. */
  private backtrack(): boolean {
    const { available, selection, indices } = this;
    for (;;) {
      const last = indices.length - 1;
      if (last < 0) return false;
      const c = selection.classes[last] ?? 0;
      const amount = (selection.amounts[last] ?? 0) - 1;
      available[c] = (available[c] ?? 0) + 1;
      if (amount > 0) {
        selection.amounts[last] = amount;
        this.counter.nodes += 1;
        return true;
      }
      selection.removeLast();
      const index = indices.pop() ?? 0;
      const missing = this.missing.pop() ?? 0;
      const value = this.valuesBefore.pop() ?? 0;
      if (this.push(index + 1, missing, value)) return true;
    }
  }
}

interface Enumeration {
  readonly problem: PricingProblem;
  readonly variant: Variant;
  readonly index: number;
  readonly prices: OfferPrices;
  readonly threshold: number;
  readonly paid: SelectionEnumerator;
  readonly rewarded: SelectionEnumerator;
}

function* bundleColumns(enumeration: Enumeration): Generator<PricedColumn | null> {
  const { variant, index, prices, threshold, paid, rewarded } = enumeration;
  const { discounts, fixedCost } = prices;
  const { offer } = variant;
  paid.start(offer.qty, threshold + fixedCost);
  for (let step = paid.next(); step !== 'done'; step = paid.next())
    if (step === 'pause') yield null;
    else {
      const saving = paid.selection.sum((c) => discounts[c] ?? 0) - offer.price;
      const application = applicationOf(index, paid.selection, rewarded.selection, saving);
      yield { application, reducedCost: paid.value - fixedCost };
    }
}

function* rewardColumns(enumeration: Enumeration): Generator<PricedColumn | null> {
  const { problem, variant, index, prices, threshold, paid, rewarded } = enumeration;
  const { discounts, fixedCost } = prices;
  const { offer, rewardPool } = variant;
  const priceOf = (c: number): number => problem.classes[c]?.price ?? 0;
  const dearest = rewardPool.reduce((most, c) => Math.max(most, priceOf(c)), 0);
  rewarded.start(offer.getQty, threshold + fixedCost - paid.bound(offer.qty));
  for (let outer = rewarded.next(); outer !== 'done'; outer = rewarded.next()) {
    if (outer === 'pause') {
      yield null;
      continue;
    }
    if (offer.form === 'one-pool' && !rewarded.selection.classes.some((c) => priceOf(c) === dearest))
      continue;
    const saving = rewarded.selection.sum((c) => discounts[c] ?? 0);
    paid.start(offer.qty, threshold + fixedCost - rewarded.value);
    for (let inner = paid.next(); inner !== 'done'; inner = paid.next())
      if (inner === 'pause') yield null;
      else {
        const application = applicationOf(index, paid.selection, rewarded.selection, saving);
        yield { application, reducedCost: rewarded.value + paid.value - fixedCost };
      }
  }
}

/**
 * Every application of the variant with a reduced cost of at least `threshold`; null now and then, so that the work limit is checked. A
 * variant of a one-pool offer yields only applications whose dearest rewarded unit has the variant's price.
 */
export function* enumerateColumns(
  problem: PricingProblem,
  variant: Variant,
  index: number,
  threshold: number,
  counter: NodeCounter,
): Generator<PricedColumn | null> {
  const { offer, offerIndex, pool, rewardPool } = variant;
  const prices = problem.offers[offerIndex];
  if (prices === undefined) return;
  const available = Int32Array.from(problem.classes, ({ count }) => count);
  const isBundle = offer.form === 'bundle';
  const paidValues = isBundle ? prices.values : problem.paidValues;
  const paid = new SelectionEnumerator(pool, paidValues, available, counter);
  const rewarded = new SelectionEnumerator(rewardPool, prices.values, available, counter);
  const enumeration = { problem, variant, index, prices, threshold, paid, rewarded };
  yield* isBundle ? bundleColumns(enumeration) : rewardColumns(enumeration);
}

/** Visits the applications of an offer, at the dual prices of units and caps: pricing and enumeration in one. */
import { applicationOf, Selection, type Application } from './application.ts';
import type { PresolvedProblem } from './presolve.ts';
import { discountOf, type Offer } from './problem.ts';

// The time of a class that is looked at, of a node and of a visited column, in operations of the simplex method.

/** With 0 the searches of 60 carts of 50 to 300 dishes, all in one pool with its rewards, take 284 ms at the median, not 29. */
const WORK_PER_CLASS = 1;
/** With 40 2 more carts stay unproven. */
const WORK_PER_NODE = 10;
/** With 400 3 more stay unproven, at 14 % more work; with 25 none, at 4 % less. */
const WORK_PER_COLUMN = 100;

/** Returns the reduced cost that further columns must reach. */
type Visit = (reducedCost: number) => number;

/** The paid or the rewarded units of the applications. */
interface Part {
  readonly isRewarded: boolean;
  /** Classes, those of the largest values first. */
  readonly order: readonly number[];
  /** By class, what a unit adds to the reduced cost. */
  readonly values: Float64Array;
  /** The units of the application that is looked at. */
  readonly units: Selection;
  /** The most that units of later parts add. */
  readonly rest: number;
}

export class ColumnSearch {
  work = 0;
  readonly #problem: PresolvedProblem;
  /** By class; shared by paid and rewarded units. */
  readonly #available: Int32Array;
  readonly #prices: Float64Array;
  /** By offer and class: the price of a unit in a bundle, the discount of a rewarded one. */
  readonly #discounts: readonly Float64Array[];
  readonly #weight: number;
  /** By class, of a unit: minus its dual price. */
  readonly #unitValues: Float64Array;
  /** By class, what a unit of a bundle or a rewarded one adds to the reduced cost. */
  readonly #gains: Float64Array;

  // The offer that is searched.
  #offer: Offer | null = null;
  #index = 0;
  #fixedCost = 0;
  #threshold = 0;
  #workLimit = 0;
  #visit: Visit = () => 0;
  #paid = this.#partOf(false, [], new Float64Array(0), 0);
  #rewarded = this.#paid;

  constructor(problem: PresolvedProblem, weight: number) {
    const { offers, classes } = problem;
    this.#problem = problem;
    this.#weight = weight;
    this.#available = Int32Array.from(classes, ({ count }) => count);
    this.#prices = Float64Array.from(classes, ({ price }) => price);
    this.#discounts = offers.map(({ form, percent }) =>
      this.#prices.map((price) => (form === 'bundle' ? price : discountOf(price, percent))),
    );
    this.#unitValues = new Float64Array(classes.length);
    this.#gains = new Float64Array(classes.length);
  }

  /** `duals`: of the classes, in their order. */
  setDuals(duals: Float64Array): void {
    for (let c = 0; c < this.#unitValues.length; c++) this.#unitValues[c] = -(duals[c] ?? 0);
  }

  /** Visits every application of the offer whose reduced cost reaches the threshold; false at the work limit. */
  search(index: number, capDual: number, threshold: number, visit: Visit, workLimit = Infinity): boolean {
    const offer = this.#problem.offers[index];
    if (offer === undefined) return true;
    const { form, qty, getQty, pool, rewardPool, price } = offer;
    this.#offer = offer;
    this.#index = index;
    this.#fixedCost = 1 + this.#weight * price + capDual;
    this.#threshold = threshold + this.#fixedCost;
    this.#workLimit = this.work + workLimit;
    this.#visit = visit;
    this.work += 4 * (pool.length + rewardPool.length);
    const [discounts, gains, values] = [this.#discounts[index], this.#gains, this.#unitValues];
    for (let c = 0; c < gains.length; c++) gains[c] = this.#weight * (discounts?.[c] ?? 0) + (values[c] ?? 0);
    this.#paid = this.#partOf(false, pool, form === 'bundle' ? gains : values, 0);
    const rest = qty * (values[this.#paid.order[0] ?? 0] ?? 0);
    this.#rewarded = this.#partOf(true, rewardPool, gains, rest);
    if (form === 'bundle') this.#choose(this.#paid, 0, qty, 0, 0);
    else this.#choose(this.#rewarded, 0, getQty, 0, 0);
    return this.work < this.#workLimit;
  }

  /** The application that is visited. */
  application(): Application {
    const offer = this.#index;
    const [paid, rewarded] = [this.#paid.units, this.#rewarded.units];
    const { form = 'bundle', price = 0 } = this.#offer ?? {};
    const discounts = this.#discounts[offer];
    const own = form === 'bundle' ? paid : rewarded;
    const saving = own.sum((c) => discounts?.[c] ?? 0) - price;
    let dearest = 0;
    for (const c of rewarded.classes) dearest = Math.max(dearest, this.#prices[c] ?? 0);
    const variant = this.#problem.variantOf(offer, dearest);
    return applicationOf({ offer, variant, saving }, paid, rewarded);
  }

  #partOf(isRewarded: boolean, pool: readonly number[], values: Float64Array, rest: number): Part {
    const order = pool.toSorted((a, b) => (values[b] ?? 0) - (values[a] ?? 0) || a - b);
    return { isRewarded, order, values, units: new Selection(), rest };
  }

  /** Chooses `missing` more units. `dearest`: the price of the dearest rewarded unit so far, where it counts. */
  #choose(part: Part, from: number, missing: number, value: number, dearest: number): void {
    const { isRewarded, order, values, units, rest } = part;
    const { qty = 0, form = 'bundle' } = this.#offer ?? {};
    const available = this.#available;
    for (let at = from; at < order.length && this.work < this.#workLimit; at++) {
      this.work += WORK_PER_CLASS;
      const c = order[at] ?? 0;
      const worth = values[c] ?? 0;
      // No later class has a larger value.
      if (value + worth * missing + rest < this.#threshold) return;
      const price = this.#prices[c] ?? 0;
      if (!isRewarded && price < dearest) continue;
      const most = isRewarded && form === 'one-pool' ? Math.max(dearest, price) : dearest;
      for (let amount = Math.min(missing, available[c] ?? 0); amount > 0; amount--) {
        this.work += WORK_PER_NODE;
        units.add(c, amount);
        available[c] = (available[c] ?? 0) - amount;
        const reached = value + amount * worth;
        if (amount < missing) this.#choose(part, at + 1, missing - amount, reached, most);
        else if (isRewarded) this.#choose(this.#paid, 0, qty, reached, most);
        else if (reached >= this.#threshold) this.#visitColumn(reached - this.#fixedCost);
        available[c] = (available[c] ?? 0) + amount;
        units.removeLast();
      }
    }
  }

  #visitColumn(reducedCost: number): void {
    this.work += WORK_PER_COLUMN;
    this.#threshold = this.#visit(reducedCost) + this.#fixedCost;
  }
}

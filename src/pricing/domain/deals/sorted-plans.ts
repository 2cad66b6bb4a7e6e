/**
 * What each offer alone would take of units that have a price of their own, found by sorting: a fifth of the time of
 * tables. Exact where the units of an offer have one role each; elsewhere good enough to move prices by.
 */
import type { PresolvedProblem, UnitClass } from './presolve.ts';
import { discountOf, type Offer } from './problem.ts';

/** Classes in one role of an offer, and by class what a unit gains in it without its own price, in weighted piastres. */
interface Role {
  readonly classes: number[];
  readonly worth: Float64Array;
}

interface Plan {
  readonly paid: Role;
  readonly rewarded: Role;
  readonly qty: number;
  readonly getQty: number;
  readonly maxTimes: number;
  readonly fee: number;
  /** Whether no rewarded unit may be dearer than a paid one. */
  readonly isOrdered: boolean;
}

/** Work of one offer, and of each application that is looked at: some 8 ns each, as in a search. */
const OFFER_WORK = 50;
const APPLICATION_WORK = 20;
/** Classes that are passed over in one. */
const CLASSES_PER_WORK = 8;

const applicationWork = (classes: number): number =>
  APPLICATION_WORK + Math.floor(classes / CLASSES_PER_WORK);

/** About so much work plans all offers once; those of one pool may look at more applications than they may have. */
export const workOfPlan = (offers: readonly Offer[]): number =>
  offers.reduce((sum, { maxTimes, pool, rewardPool }) => {
    const classes = pool.length + rewardPool.length;
    return sum + OFFER_WORK + classes + applicationWork(classes) * (maxTimes + 1);
  }, 0);

export class SortedPlans {
  /** Counted operations so far. */
  operations = 0;
  readonly #plans: readonly Plan[];
  readonly #prices: Float64Array;
  readonly #counts: Float64Array;
  readonly #left: Float64Array;
  readonly #taken: Float64Array;
  /** Prices of units, by class. */
  #duals: Float64Array;
  /** The units of an application, as classes: so many of them. */
  readonly #units: number[] = [];
  #size = 0;

  /** `weight`: of a piastre against an application. */
  constructor({ offers, classes }: PresolvedProblem, weight: number) {
    const numbers = (of: (one: UnitClass) => number): Float64Array => new Float64Array(classes.map(of));
    const dearness = numbers(({ price }) => weight * price);
    const free = new Float64Array(classes.length);
    this.#prices = numbers(({ price }) => price);
    this.#counts = numbers(({ count }) => count);
    this.#left = this.#counts.slice();
    this.#taken = new Float64Array(classes.length);
    this.#duals = free;
    this.#plans = offers.map(({ form, qty, getQty, maxTimes, pool, rewardPool, price, percent }) => ({
      paid: { classes: [...pool], worth: form === 'bundle' ? dearness : free },
      rewarded: {
        classes: getQty === 0 ? [] : [...rewardPool],
        worth: getQty === 0 ? free : numbers((one) => weight * discountOf(one.price, percent)),
      },
      qty,
      getQty,
      maxTimes,
      fee: weight * price + 1,
      isOrdered: form === 'one-pool',
    }));
  }

  /** Plans all offers at these prices; returns what they and the prices of all units gain. */
  evaluate(duals: Float64Array): number {
    this.#duals = duals;
    this.#taken.fill(0);
    let gain = 0;
    for (let c = 0; c < duals.length; c++) gain += (duals[c] ?? 0) * (this.#counts[c] ?? 0);
    for (const plan of this.#plans) gain += this.#apply(plan);
    return gain;
  }

  /** Adds the units of the plans, by class. */
  addPlan(taken: Float64Array): void {
    for (let c = 0; c < taken.length; c++) taken[c] = (taken[c] ?? 0) + (this.#taken[c] ?? 0);
  }

  #apply(plan: Plan): number {
    const { paid, rewarded, qty, getQty, maxTimes, fee, isOrdered } = plan;
    const classes = paid.classes.length + rewarded.classes.length;
    this.operations += OFFER_WORK + classes;
    this.#sort(paid);
    this.#sort(rewarded);
    this.#left.set(this.#counts);
    let gain = 0;
    let times = 0;
    for (let first = 0; times < maxTimes && (getQty === 0 || first < rewarded.classes.length);) {
      this.operations += applicationWork(classes);
      this.#size = 0;
      let more = this.#take(rewarded, first, getQty, 0) - fee;
      let dearest = 0;
      if (isOrdered)
        for (let k = 0; k < this.#size; k++)
          dearest = Math.max(dearest, this.#prices[this.#units[k] ?? 0] ?? 0);
      more += this.#take(paid, 0, qty, dearest);
      if (more > 0) {
        gain += more;
        times += 1;
        this.#addUnits(this.#taken);
        continue;
      }
      if (!isOrdered) break;
      this.#addUnits(this.#left);
      first += 1;
    }
    return gain;
  }

  #addUnits(amounts: Float64Array): void {
    for (let k = 0; k < this.#size; k++) {
      const c = this.#units[k] ?? 0;
      amounts[c] = (amounts[c] ?? 0) + 1;
    }
  }

  /** Takes the most gainful units that are left and not cheaper than `least`; returns their gain, −∞ with too few. */
  #take({ classes, worth }: Role, first: number, amount: number, least: number): number {
    let gain = 0;
    let missing = amount;
    for (let at = first; missing > 0; at++) {
      const c = classes[at];
      if (c === undefined) return -Infinity;
      if ((this.#prices[c] ?? 0) < least) continue;
      const own = (worth[c] ?? 0) - (this.#duals[c] ?? 0);
      for (; missing > 0 && (this.#left[c] ?? 0) > 0; missing--) {
        this.#left[c] = (this.#left[c] ?? 0) - 1;
        this.#units[this.#size++] = c;
        gain += own;
      }
    }
    return gain;
  }

  /** From one step to the next the order changes little: insertion is fastest. */
  #sort({ classes, worth }: Role): void {
    const duals = this.#duals;
    for (let at = 1; at < classes.length; at++) {
      const c = classes[at] ?? 0;
      const gain = (worth[c] ?? 0) - (duals[c] ?? 0);
      let to = at;
      for (; to > 0; to--) {
        const before = classes[to - 1] ?? 0;
        if ((worth[before] ?? 0) - (duals[before] ?? 0) >= gain) break;
        classes[to] = before;
      }
      classes[to] = c;
    }
  }
}

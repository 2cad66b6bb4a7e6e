/** Visits the applications of an offer, at the dual prices of units and caps: pricing and enumeration in one. */
import { applicationOf, Selection, type Application } from './application.ts';
import type { PresolvedProblem } from './presolve.ts';
import { discountOf, type Offer } from './problem.ts';

/** Returns the reduced cost that further columns must reach. */
type Visit = (reducedCost: number) => number;

export class ColumnSearch {
  /** Nodes of the search tree so far. */
  nodes = 0;
  /** The search ends at so many nodes. */
  mostNodes = Infinity;
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
  /** By class, the largest value of a paid unit that may go with a rewarded one of this class. */
  readonly #paidBest: Float64Array;

  // The offer that is searched.
  #offer: Offer | null = null;
  #index = 0;
  #fixedCost = 0;
  #threshold = 0;
  #visit: Visit = () => 0;
  #paidOrder: readonly number[] = [];
  #rewardOrder: readonly number[] = [];
  #paid = new Selection();
  readonly #rewarded = new Selection();

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
    this.#paidBest = new Float64Array(classes.length);
  }

  /** `duals`: of the classes, in their order. */
  setDuals(duals: Float64Array): void {
    for (let c = 0; c < this.#unitValues.length; c++) this.#unitValues[c] = -(duals[c] ?? 0);
  }

  /** Visits every application of the offer whose reduced cost reaches the threshold; false at the limit of nodes. */
  search(index: number, capDual: number, threshold: number, visit: Visit): boolean {
    const offer = this.#problem.offers[index];
    if (offer === undefined) return true;
    this.#offer = offer;
    this.#index = index;
    this.#fixedCost = 1 + this.#weight * offer.price + capDual;
    this.#threshold = threshold + this.#fixedCost;
    this.#visit = visit;
    const [discounts, gains, values] = [this.#discounts[index], this.#gains, this.#unitValues];
    for (let c = 0; c < gains.length; c++) gains[c] = this.#weight * (discounts?.[c] ?? 0) + (values[c] ?? 0);
    if (offer.form === 'bundle') {
      this.#paidOrder = this.#sorted(offer.pool, gains);
      this.#choosePaid(0, offer.qty, 0, 0);
    } else {
      this.#paidOrder = this.#sorted(offer.pool, values);
      this.#rewardOrder = this.#sorted(offer.rewardPool, gains);
      this.#boundPaid(offer);
      this.#chooseRewarded(0, offer.getQty, 0, 0, offer.qty * (values[this.#paidOrder[0] ?? 0] ?? 0));
    }
    return this.nodes < this.mostNodes;
  }

  /** The application that is visited. */
  application(): Application {
    const offer = this.#index;
    const [paid, rewarded] = [this.#paid, this.#rewarded];
    const { form = 'bundle', price = 0 } = this.#offer ?? {};
    const discounts = this.#discounts[offer];
    const own = form === 'bundle' ? paid : rewarded;
    const saving = own.sum((c) => discounts?.[c] ?? 0) - price;
    let dearest = 0;
    for (const c of rewarded.classes) dearest = Math.max(dearest, this.#prices[c] ?? 0);
    const variant = this.#problem.variantOf(offer, dearest);
    return applicationOf({ offer, variant, saving }, paid, rewarded);
  }

  #sorted(pool: readonly number[], values: Float64Array): readonly number[] {
    return pool.toSorted((a, b) => (values[b] ?? 0) - (values[a] ?? 0) || a - b);
  }

  /** Pools are sorted by price, so of one pool the dearer classes come first. */
  #boundPaid({ form, pool }: Offer): void {
    const [prices, best] = [this.#prices, this.#paidBest];
    if (form !== 'one-pool') {
      best.fill(this.#unitValues[this.#paidOrder[0] ?? 0] ?? 0);
      return;
    }
    let most = -Infinity;
    for (let from = 0; from < pool.length;) {
      let to = from;
      const price = prices[pool[from] ?? 0];
      for (; to < pool.length && prices[pool[to] ?? 0] === price; to++)
        most = Math.max(most, this.#unitValues[pool[to] ?? 0] ?? 0);
      for (; from < to; from++) best[pool[from] ?? 0] = most;
    }
  }

  /** `dearest`: price of the dearest unit so far; `paid`: the most that paid units add. */
  #chooseRewarded(from: number, missing: number, value: number, dearest: number, paid: number): void {
    const { qty = 0, form = 'bundle' } = this.#offer ?? {};
    const available = this.#available;
    for (let at = from; at < this.#rewardOrder.length && this.nodes < this.mostNodes; at++) {
      const c = this.#rewardOrder[at] ?? 0;
      const worth = this.#gains[c] ?? 0;
      // No later class has a larger value.
      if (value + worth * missing + paid < this.#threshold) return;
      const ofPaid = Math.min(paid, qty * (this.#paidBest[c] ?? 0));
      if (value + worth * missing + ofPaid < this.#threshold) continue;
      const price = form === 'one-pool' ? Math.max(dearest, this.#prices[c] ?? 0) : 0;
      for (let amount = Math.min(missing, available[c] ?? 0); amount > 0; amount--) {
        this.nodes += 1;
        this.#rewarded.add(c, amount);
        available[c] = (available[c] ?? 0) - amount;
        const reached = value + amount * worth;
        if (amount < missing) this.#chooseRewarded(at + 1, missing - amount, reached, price, ofPaid);
        else this.#choosePaid(0, qty, reached, price);
        available[c] = (available[c] ?? 0) + amount;
        this.#rewarded.removeLast();
      }
    }
  }

  /** `least`: lowest price of a paid unit. */
  #choosePaid(from: number, missing: number, value: number, least: number): void {
    const available = this.#available;
    const values = this.#offer?.form === 'bundle' ? this.#gains : this.#unitValues;
    for (let at = from; at < this.#paidOrder.length && this.nodes < this.mostNodes; at++) {
      const c = this.#paidOrder[at] ?? 0;
      const worth = values[c] ?? 0;
      if (value + worth * missing < this.#threshold) return;
      if ((this.#prices[c] ?? 0) < least) continue;
      for (let amount = Math.min(missing, available[c] ?? 0); amount > 0; amount--) {
        this.nodes += 1;
        this.#paid.add(c, amount);
        available[c] = (available[c] ?? 0) - amount;
        const reached = value + amount * worth;
        if (amount < missing) this.#choosePaid(at + 1, missing - amount, reached, least);
        else if (reached >= this.#threshold)
          this.#threshold = this.#visit(reached - this.#fixedCost) + this.#fixedCost;
        available[c] = (available[c] ?? 0) + amount;
        this.#paid.removeLast();
      }
    }
  }
}

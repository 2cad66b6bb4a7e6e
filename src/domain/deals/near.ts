/** All applications of one way that are worth at least so much more than their units and themselves cost. */
import { applicationOf, Picks, type Market, type Priced } from './application.ts';
import type { Way } from './ways.ts';

/** How many picks may still be looked at. */
export interface Budget {
  picks: number;
}

/** A walk over all picks of `size` units that are worth at least so much; stops, and says so, when told to. */
class Walk {
  readonly picks = new Picks();
  private readonly order: readonly number[];
  private readonly worths: Float64Array;
  private readonly left: Int32Array;
  private readonly budget: Budget;

  constructor(places: readonly number[], worths: Float64Array, left: Int32Array, budget: Budget) {
    this.budget = budget;
    this.order = [...places].sort((a, b) => (worths[b] ?? 0) - (worths[a] ?? 0) || a - b);
    this.worths = worths;
    this.left = left;
  }

  /** The most that so many units may be worth. */
  most(size: number): number {
    return size * (this.worths[this.order[0] ?? 0] ?? 0);
  }

  /** False when `take` said so. */
  each(size: number, least: number, take: (worth: number) => boolean): boolean {
    return this.from(0, size, 0, least, take);
  }

  private from(
    at: number,
    missing: number,
    worth: number,
    least: number,
    take: (worth: number) => boolean,
  ): boolean {
    if (missing === 0) return take(worth);
    const { order, worths, left, picks } = this;
    for (let k = at; k < order.length; k++) {
      const c = order[k] ?? 0;
      const each = worths[c] ?? 0;
      // None of those that follow is worth more.
      if (worth + each * missing < least) return true;
      const there = left[c] ?? 0;
      for (let amount = Math.min(missing, there); amount > 0; amount--) {
        if (this.budget.picks === 0) return false;
        this.budget.picks -= 1;
        picks.classes.push(c);
        picks.amounts.push(amount);
        left[c] = there - amount;
        const goesOn = this.from(k + 1, missing - amount, worth + each * amount, least, take);
        left[c] = there;
        picks.takeBack();
        if (!goesOn) return false;
      }
    }
    return true;
  }
}

/**
 * All applications in this way that bring at least `least`, given to `take` until that answers false. (A `within` way
 * has those whose dearest rewarded unit is at its price.) False when it was stopped, or the budget is spent.
 */
export const eachNear = (
  market: Market,
  way: Way,
  index: number,
  least: number,
  budget: Budget,
  take: (priced: Priced) => boolean,
): boolean => {
  const { classes } = market;
  const { of, offer, pool, rewards } = way;
  const asked = market.offers[offer];
  if (asked === undefined) return true;
  const { gained, fee } = asked;
  const takenOff = (c: number): number => asked.takenOff[c] ?? 0;
  const left = new Int32Array(classes.length);
  classes.forEach(({ count }, c) => {
    left[c] = count;
  });
  const paid = new Walk(pool, of.form === 'together' ? gained : market.paid, left, budget);
  const rewarded = new Walk(rewards, gained, left, budget);
  if (of.form === 'together')
    return paid.each(of.qty, least + fee, (worth) => {
      const { picks } = paid;
      const saving = picks.sum(takenOff) - of.price;
      return take({ application: applicationOf(index, picks, rewarded.picks, saving), gain: worth - fee });
    });
  const dearest = rewards.reduce((most, c) => Math.max(most, classes[c]?.price ?? 0), 0);
  return rewarded.each(of.get, least + fee - paid.most(of.qty), (gainedWorth) => {
    if (of.form === 'within' && !rewarded.picks.classes.some((c) => classes[c]?.price === dearest))
      return true;
    const saving = rewarded.picks.sum(takenOff);
    return paid.each(of.qty, least + fee - gainedWorth, (worth) =>
      take({
        application: applicationOf(index, paid.picks, rewarded.picks, saving),
        gain: gainedWorth + worth - fee,
      }),
    );
  });
};

/** All applications of one way that are worth at least so much more than their units and themselves cost. */
import { applicationOf, Picks, type Market, type Priced } from './application.ts';
import type { Way } from './ways.ts';

/** Counts the picks that are looked at. */
export interface Counter {
  picks: number;
}

/** Picks after which a walk lets others look at the counter. */
const PICKS_PER_PAUSE = 500;

type Found = 'picks' | 'nothing more' | 'pause';

/** A walk over all picks of so many units that are worth at least so much, one after the other. */
class Walk {
  readonly picks = new Picks();
  /** What the picks are worth. */
  worth = 0;
  private readonly order: readonly number[];
  private readonly worths: Float64Array;
  private readonly left: Int32Array;
  private readonly counter: Counter;
  private least = 0;
  /** By pick: its place in the order, and what was missing and how much it was worth before it. */
  private readonly places: number[] = [];
  private readonly missing: number[] = [];
  private readonly before: number[] = [];
  /** Whether what was picked last has been looked at yet. */
  private isFresh = false;
  private isOver = false;
  private pausedAt = 0;

  constructor(places: readonly number[], worths: Float64Array, left: Int32Array, counter: Counter) {
    this.order = [...places].sort((a, b) => (worths[b] ?? 0) - (worths[a] ?? 0) || a - b);
    this.worths = worths;
    this.left = left;
    this.counter = counter;
    this.pausedAt = counter.picks;
  }

  /** The most that so many units may be worth. */
  most(size: number): number {
    return size * (this.worths[this.order[0] ?? 0] ?? 0);
  }

  begin(size: number, least: number): void {
    this.least = least;
    this.isOver = !this.pick(0, size, 0);
    this.isFresh = true;
  }

  next(): Found {
    if (!this.isFresh && !this.isOver) this.isOver = !this.moveOn();
    this.isFresh = false;
    while (!this.isOver) {
      const { length } = this.places;
      const amount = this.picks.amounts[length - 1] ?? 0;
      const missing = (this.missing[length - 1] ?? 0) - amount;
      const c = this.picks.classes[length - 1] ?? 0;
      const worth = (this.before[length - 1] ?? 0) + amount * (this.worths[c] ?? 0);
      if (missing === 0) {
        this.worth = worth;
        return 'picks';
      }
      this.isOver = !this.pick((this.places[length - 1] ?? 0) + 1, missing, worth) && !this.moveOn();
      if (this.counter.picks - this.pausedAt < PICKS_PER_PAUSE || this.isOver) continue;
      this.pausedAt = this.counter.picks;
      this.isFresh = true;
      return 'pause';
    }
    return 'nothing more';
  }

  /** Picks as many as can be of the first class from here on that may do; false when none may. */
  private pick(from: number, missing: number, worth: number): boolean {
    const { order, worths, left, picks } = this;
    for (let place = from; place < order.length; place++) {
      const c = order[place] ?? 0;
      // None of those that follow is worth more.
      if (worth + (worths[c] ?? 0) * missing < this.least) return false;
      const amount = Math.min(missing, left[c] ?? 0);
      if (amount === 0) continue;
      left[c] = (left[c] ?? 0) - amount;
      picks.classes.push(c);
      picks.amounts.push(amount);
      this.places.push(place);
      this.missing.push(missing);
      this.before.push(worth);
      this.counter.picks += 1;
      return true;
    }
    return false;
  }

  /** One unit less of the last pick; where that leaves none, others instead. False when all have been seen. */
  private moveOn(): boolean {
    const { left, picks, places } = this;
    for (;;) {
      const last = places.length - 1;
      if (last < 0) return false;
      const c = picks.classes[last] ?? 0;
      const amount = (picks.amounts[last] ?? 0) - 1;
      left[c] = (left[c] ?? 0) + 1;
      if (amount > 0) {
        picks.amounts[last] = amount;
        this.counter.picks += 1;
        return true;
      }
      picks.takeBack();
      const place = places.pop() ?? 0;
      const missing = this.missing.pop() ?? 0;
      const before = this.before.pop() ?? 0;
      if (this.pick(place + 1, missing, before)) return true;
    }
  }
}

/**
 * All applications in this way that bring at least `least`, one after the other; null now and then, for a pause. (A
 * `within` way has those whose dearest rewarded unit is at its price.)
 */
export function* near(
  market: Market,
  way: Way,
  index: number,
  least: number,
  counter: Counter,
): Generator<Priced | null> {
  const { classes } = market;
  const { of, offer, pool, rewards } = way;
  const asked = market.offers[offer];
  if (asked === undefined) return;
  const { gained, fee } = asked;
  const takenOff = (c: number): number => asked.takenOff[c] ?? 0;
  const left = new Int32Array(classes.length);
  classes.forEach(({ count }, c) => {
    left[c] = count;
  });
  const paid = new Walk(pool, of.form === 'together' ? gained : market.paid, left, counter);
  const rewarded = new Walk(rewards, gained, left, counter);
  if (of.form === 'together') {
    paid.begin(of.qty, least + fee);
    for (let found = paid.next(); found !== 'nothing more'; found = paid.next()) {
      if (found === 'pause') yield null;
      else {
        const saving = paid.picks.sum(takenOff) - of.price;
        yield {
          application: applicationOf(index, paid.picks, rewarded.picks, saving),
          gain: paid.worth - fee,
        };
      }
    }
    return;
  }
  const dearest = rewards.reduce((most, c) => Math.max(most, classes[c]?.price ?? 0), 0);
  rewarded.begin(of.get, least + fee - paid.most(of.qty));
  for (let outer = rewarded.next(); outer !== 'nothing more'; outer = rewarded.next()) {
    if (outer === 'pause') {
      yield null;
      continue;
    }
    if (of.form === 'within' && !rewarded.picks.classes.some((c) => classes[c]?.price === dearest)) continue;
    const saving = rewarded.picks.sum(takenOff);
    paid.begin(of.qty, least + fee - rewarded.worth);
    for (let inner = paid.next(); inner !== 'nothing more'; inner = paid.next())
      yield inner === 'pause'
        ? null
        : {
            application: applicationOf(index, paid.picks, rewarded.picks, saving),
            gain: rewarded.worth + paid.worth - fee,
          };
  }
}

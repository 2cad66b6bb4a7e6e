/** A problem made small: classes of units that are alike to every offer, and the ways to apply each offer. */
import type { Offer, Problem } from './problem.ts';

/** Units that are alike to every offer, at one price; in a list of them the dearest come first. */
export interface UnitClass {
  readonly price: number;
  readonly count: number;
  /** The kinds in it, by their places. */
  readonly kinds: readonly number[];
}

/** A way to apply an offer. A `within` offer has one for each price that its dearest rewarded unit can have. */
export interface Way {
  /** The offer's place. */
  readonly offer: number;
  readonly of: Offer;
  /** The classes that can be paid, or that count together. */
  readonly pool: readonly number[];
  /** The classes that can be rewarded. */
  readonly rewards: readonly number[];
}

/** A problem in classes of units, and the ways to apply its offers. */
export interface Simplified {
  /** Elementary operations that it took. */
  readonly work: number;
  readonly offers: readonly Offer[];
  readonly ways: readonly Way[];
  readonly classes: readonly UnitClass[];
}

/** Every way to apply every offer. Where one unit is rewarded, it is the dearest rewarded one. */
export const waysOf = (
  offers: readonly Offer[],
  classes: readonly Pick<UnitClass, 'price'>[],
): readonly Way[] =>
  offers.flatMap((of, offer): Way[] => {
    const { form, get, pool, rewards } = of;
    if (form !== 'within') return [{ offer, of, pool, rewards }];
    const priceOf = (c: number): number => classes[c]?.price ?? 0;
    const prices = [...new Set(pool.map(priceOf))].sort((a, b) => b - a);
    return prices.map((price) => ({
      offer,
      of,
      pool: pool.filter((c) => priceOf(c) >= price),
      rewards: rewards.filter((c) => (get === 1 ? priceOf(c) === price : priceOf(c) <= price)),
    }));
  });

/** The problem with one class for all kinds of one price that the same offers want. */
export const simplified = ({ kinds, offers }: Problem): Simplified => {
  const classes = new Map<string, { price: number; count: number; kinds: number[] }>();
  const wants = offers.map(({ pool, rewards }) => ({ pool: new Set(pool), rewards: new Set(rewards) }));
  const classOf = kinds.map(({ price, count }, place) => {
    const key = [
      price,
      ...wants.map(({ pool, rewards }) => (pool.has(place) ? 1 : 0) + (rewards.has(place) ? 2 : 0)),
    ];
    const name = key.join(' ');
    const known = classes.get(name) ?? { price, count: 0, kinds: [] };
    classes.set(name, known);
    known.count += count;
    known.kinds.push(place);
    return name;
  });
  // The dearest first: so do all the lists of them go.
  const names = [...classes.keys()].sort(
    (a, b) => (classes.get(b)?.price ?? 0) - (classes.get(a)?.price ?? 0),
  );
  const renamed = (places: readonly number[]): readonly number[] =>
    [...new Set(places.map((place) => names.indexOf(classOf[place] ?? '')))].sort((a, b) => a - b);
  const simple = offers.map((offer) => ({
    ...offer,
    pool: renamed(offer.pool),
    rewards: renamed(offer.rewards),
  }));
  const all = names.flatMap((name) => classes.get(name) ?? []);
  const ways = waysOf(simple, all);
  const work = kinds.length * offers.length + ways.reduce((sum, { of }) => sum + 2 * of.pool.length, 0);
  return { offers: simple, classes: all, ways, work };
};

/**
 * Branch and bound on how often each offer applies (Decisions 7.4). A node of the search is the relaxation with some
 * sizes bounded; once all of them are whole, who plays which part is settled exactly by `assign`. What is found is right
 * in whole numbers; the fractions of the relaxation serve for bounds alone, with a margin for their inexactness.
 */
import { assign, type Assignment, type GroupedRole } from './assign.ts';
import type { Offer } from './problem.ts';
import { Relaxation, type Branching, type Side } from './relaxation.ts';
import type { TakenUnits } from './spread.ts';
import type { Simplified, UnitClass, Way } from './ways.ts';

/** A choice of deals that can be made. */
export interface Found {
  /** Applications by way. */
  readonly times: readonly number[];
  readonly saving: number;
  readonly applications: number;
  /** By offer, the units it takes of each class. */
  readonly taken: readonly TakenUnits[];
}

export interface Searched {
  readonly best: Found;
  /** No choice saves more; that of `best` where it is proven. */
  readonly bound: number;
  /** Whether the search came to its end, so that ties are settled, too. */
  readonly isSettled: boolean;
  readonly work: number;
}

type Saved = ReturnType<Relaxation['save']>;

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));

/** Every saving is a whole multiple of this. */
const grainOf = (offers: readonly Offer[], classes: readonly UnitClass[]): number =>
  Math.max(
    1,
    offers
      .flatMap(({ form, pool, rewards, price, discountOn }) =>
        form === 'together'
          ? [price, ...pool.map((c) => classes[c]?.price ?? 0)]
          : rewards.map((c) => discountOn(classes[c]?.price ?? 0)),
      )
      .reduce(gcd, 0),
  );

/** The parts that units play where each way is taken so often: those rewarded, and those paid or counted together. */
export const rolesOf = (
  ways: readonly Way[],
  prices: readonly number[],
  times: readonly number[],
): readonly (GroupedRole & { readonly isRewarded: boolean })[] =>
  ways.flatMap(({ offer, of, pool, rewards }, w) => {
    const amount = times[w] ?? 0;
    if (amount === 0) return [];
    const gains = (among: readonly number[], gain: (price: number) => number): (number | null)[] => {
      const all = prices.map((): number | null => null);
      for (const place of among) all[place] = gain(prices[place] ?? 0);
      return all;
    };
    const paid = { group: offer, isRewarded: false, demand: of.qty * amount };
    if (of.form === 'together') return [{ ...paid, gains: gains(pool, (price) => price) }];
    return [
      { group: offer, isRewarded: true, demand: of.get * amount, gains: gains(rewards, of.discountOn) },
      { ...paid, gains: gains(pool, () => 0) },
    ];
  });

/** What the roles of each offer take. */
export const takenBy = (
  offers: number,
  roles: readonly (GroupedRole & { readonly isRewarded: boolean })[],
  units: Assignment,
  kinds: number,
): readonly TakenUnits[] => {
  const taken = Array.from({ length: offers }, () => ({
    paid: Array.from({ length: kinds }, () => 0),
    rewarded: Array.from({ length: kinds }, () => 0),
  }));
  roles.forEach(({ group, isRewarded }, r) => {
    const own = taken[group]?.[isRewarded ? 'rewarded' : 'paid'];
    units[r]?.forEach((amount, kind) => {
      if (own !== undefined) own[kind] = (own[kind] ?? 0) + amount;
    });
  });
  return taken;
};

/** Of what the relaxation comes to: it is inexact in the last places. */
const marginOf = (objective: number): number => 1e-6 + 4e-12 * Math.abs(objective);

/** One search; it pauses now and then, so that others can be served meanwhile. */
export class Search {
  private readonly offers: readonly Offer[];
  private readonly ways: readonly Way[];
  private readonly limit: number;
  private readonly relaxation: Relaxation;
  /** A piastre saved outweighs any number of applications. */
  private readonly weight: number;
  private readonly grain: number;
  private readonly prices: readonly number[];
  private readonly supply: readonly number[];
  private assigned = 0;
  private best: Found;
  /** The most, in worth, that any part left unexplored may come to. */
  private open = -Infinity;

  constructor({ offers, ways, classes }: Simplified, first: Found, limit: number) {
    this.offers = offers;
    this.ways = ways;
    this.limit = limit;
    this.prices = classes.map(({ price }) => price);
    this.supply = classes.map(({ count }) => count);
    this.best = first;
    this.grain = grainOf(offers, classes);
    this.weight = offers.reduce((sum, { most }) => sum + most, 1);
    this.relaxation = new Relaxation(offers, ways, classes, this.weight);
  }

  /** The best there is, as far as the limit of work allows. */
  *run(): Generator<void, Searched> {
    const { relaxation } = this;
    this.best = this.found(this.best.times) ?? this.best;
    const outcome = yield* relaxation.solve(-Infinity, this.limit);
    if (outcome !== 'optimal') return this.searched(this.savingOfEverything());
    this.roundDown();
    const root = relaxation.save();
    yield* this.descend(() => worthOf(this.best, this.weight) + 1);
    const bound = this.boundOf(this.open);
    // Among all that save as much in as few applications, the deals that come first apply most.
    if (bound <= this.best.saving)
      for (let offer = 0; offer < this.offers.length && this.work < this.limit; offer++)
        yield* this.raise(offer, root);
    return this.searched(bound);
  }

  /** Lets an offer apply as often as any equally good choice lets it, those before it staying as they are. */
  private *raise(offer: number, root: Saved): Generator<void> {
    const { relaxation } = this;
    for (;;) {
      const before = this.best;
      const least = this.timesOf(before, offer) + 1;
      if (least > (this.offers[offer]?.most ?? 0)) return;
      relaxation.restore(root);
      for (let earlier = 0; earlier < offer; earlier++) {
        const times = this.timesOf(before, earlier);
        relaxation.lay({ choice: { offer: earlier }, least: times, most: times });
      }
      relaxation.lay({ choice: { offer }, least, most: Infinity });
      const target = worthOf(before, this.weight);
      if ((yield* relaxation.solve(target - marginOf(target), this.limit)) !== 'optimal') return;
      // One that is as good will do.
      yield* this.descend(() => (this.best === before ? target : Infinity));
      if (this.best === before) return;
    }
  }

  /** Explores all that is worth at least `target`, from the solved relaxation on. */
  private *descend(target: () => number): Generator<void> {
    const { relaxation } = this;
    const { objective } = relaxation;
    const ceiling = Math.floor(objective + marginOf(objective));
    if (ceiling < target()) return;
    const at = relaxation.branching();
    if (at === null) {
      this.settle(ceiling, target());
      return;
    }
    const here = relaxation.save();
    for (const [turn, side] of sidesOf(at).entries()) {
      const goal = target();
      if (ceiling < goal) return;
      if (this.work > this.limit) {
        this.open = Math.max(this.open, ceiling);
        return;
      }
      if (turn > 0) relaxation.restore(here);
      relaxation.lay(side);
      const outcome = yield* relaxation.solve(goal - marginOf(goal), this.limit);
      if (outcome === 'optimal') yield* this.descend(target);
      if (outcome === 'tired') this.open = Math.max(this.open, ceiling);
    }
  }

  /** The whole numbers that the relaxation has come to, looked at exactly. */
  private settle(ceiling: number, target: number): void {
    const found = this.found(this.timesNow((value) => Math.round(value)));
    if (found !== null && worthOf(found, this.weight) >= target) this.best = found;
    // What the relaxation promised here and did not keep stays open.
    if (found === null || this.boundOf(ceiling) > found.saving) this.open = Math.max(this.open, ceiling);
  }

  /** A first choice that is seldom bad: of every size what is whole of it. */
  private roundDown(): void {
    const found = this.found(this.timesNow((value) => Math.floor(value + 1e-6)));
    if (found !== null && worthOf(found, this.weight) > worthOf(this.best, this.weight)) this.best = found;
  }

  private timesNow(whole: (value: number) => number): readonly number[] {
    return this.relaxation.times().map(whole);
  }

  private timesOf({ times }: Found, offer: number): number {
    return this.ways.reduce((sum, way, w) => (way.offer === offer ? sum + (times[w] ?? 0) : sum), 0);
  }

  private found(times: readonly number[]): Found | null {
    const roles = rolesOf(this.ways, this.prices, times);
    const assigned = assign(roles, this.supply, this.limit - this.work);
    if (assigned === null) return null;
    this.assigned += assigned.work;
    const paid = this.ways.reduce((sum, { of }, w) => sum + of.price * (times[w] ?? 0), 0);
    return {
      times,
      saving: assigned.gain - paid,
      applications: times.reduce((sum, each) => sum + each, 0),
      taken: takenBy(this.offers.length, roles, assigned.units, this.supply.length),
    };
  }

  private get work(): number {
    return this.relaxation.work + this.assigned;
  }

  /** The most that can be saved where the worth is at most this. */
  private boundOf(worth: number): number {
    return worth === -Infinity
      ? 0
      : Math.floor((worth + this.weight - 1) / this.weight / this.grain) * this.grain;
  }

  /** More than any choice can save: every unit at what it brings most, alone. */
  private savingOfEverything(): number {
    return this.prices.reduce((sum, price, c) => {
      const gains = this.offers.map(({ form, pool, rewards, discountOn }) => {
        if (form === 'together') return pool.includes(c) ? price : 0;
        return rewards.includes(c) ? discountOn(price) : 0;
      });
      return sum + Math.max(...gains) * (this.supply[c] ?? 0);
    }, 0);
  }

  private searched(bound: number): Searched {
    const { best, work, limit } = this;
    return { best, bound: Math.max(bound, best.saving), isSettled: work <= limit, work };
  }
}

const worthOf = ({ saving, applications }: Found, weight: number): number => saving * weight - applications;

const sidesOf = ({ choice, most, isNearerAbove }: Branching): readonly Side[] => {
  const below: Side = { choice, least: 0, most };
  const above: Side = { choice, least: most + 1, most: Infinity };
  return isNearerAbove ? [above, below] : [below, above];
};

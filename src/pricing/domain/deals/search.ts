/**
 * Branch and bound on how often each offer applies (Decisions 7.4). A node of the search is the relaxation with some
 * sizes bounded; once all of them are whole, who plays which part is settled exactly by `assign`. What is found is right
 * in whole numbers; the fractions of the relaxation serve for bounds alone, with a margin for their inexactness.
 */
import type { Application, Repeated } from './application.ts';
import { foundOf, settledBy, worthOf, type Found } from './found.ts';
import { greedy } from './greedy.ts';
import type { Offer } from './problem.ts';
import { Relaxation, type Branching, type Side } from './relaxation.ts';
import type { Simplified, UnitClass } from './ways.ts';
import { WHOLE } from './whole.ts';

export interface Searched {
  readonly best: Found;
  /** No choice saves more; that of `best` where it is proven. */
  readonly bound: number;
  /** Where the search came to its end: applications by way of all choices that are as good by the same offers. */
  readonly splits: readonly (readonly number[])[] | null;
  readonly work: number;
}

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

/** As many applications as any choice can have. */
const mostApplications = ({ offers, classes }: Simplified): number => {
  const units = classes.reduce((sum, { count }) => sum + count, 0);
  const smallest = offers.reduce((least, { qty, get }) => Math.min(least, qty + get), Infinity);
  return Math.min(
    offers.reduce((sum, { most }) => sum + most, 0),
    Math.floor(units / smallest),
  );
};

/** Nodes after which a pass that has found something better gives way to the next; of each further pass twice as many. */
const NODES = 4;
/** Nodes among the applications that lose least, before all others are taken in. */
const FIRST_NODES = 48;
/** Applications that a first search is among. */
const ENOUGH = 200;
/** Fewer ways times classes than this are looked through at once. */
const SMALL = 150;
/** Rounds of cuts, and how many in a row may bring next to nothing. */
const CUT_ROUNDS = 40;
const IDLE_ROUNDS = 4;
/** Of equally good ways to split applications, no more than this are compared. */
const MOST_SPLITS = 20;

class Search {
  private readonly simple: Simplified;
  private readonly limit: number;
  /** A piastre saved outweighs any number of applications. */
  private readonly weight: number;
  private readonly grain: number;
  private relaxation: Relaxation;
  /** What the relaxation takes some of, at first. */
  private known: readonly Application[];
  /** Work of earlier stages. */
  private spent: number;
  private assigned = 0;
  private nodes = 0;
  private best: Found;
  /** The most, in worth, that any part left unexplored may come to. */
  private open = -Infinity;

  /** `first`: a choice to begin with, found with so much work. */
  constructor(simple: Simplified, limit: number, first: readonly Repeated[], work: number) {
    const { offers, classes } = simple;
    this.simple = simple;
    this.limit = limit;
    this.weight = mostApplications(simple) + 1;
    this.grain = grainOf(offers, classes);
    this.best = foundOf(simple, first);
    this.known = first.map(({ application }) => application);
    this.spent = work;
    this.relaxation = new Relaxation(simple, this.weight, this.known);
  }

  /** The best there is, as far as the limit of work allows. */
  *run(): Generator<void, Searched> {
    if (!(yield* this.solveFirst()))
      return this.unsettled(Math.min(this.savingOfEverything(), this.boundOf(this.relaxation.top)));
    for (let nodes = FIRST_NODES, bound = this.relaxation.top; ; nodes = Infinity) {
      const rest = yield* this.takeIn(nodes === Infinity);
      if (rest === null) return this.unsettled(this.boundOf(bound));
      yield* this.explore(nodes);
      if (rest <= this.worth && this.open === -Infinity) return yield* this.settled();
      bound = Math.min(bound, Math.max(rest, this.open));
      if (this.isTired || nodes === Infinity || !(yield* this.begin()))
        return this.unsettled(this.boundOf(bound));
    }
  }

  /** Begins anew, with the applications that the relaxation came to the last time. */
  private *begin(): Generator<void, boolean> {
    this.spent += this.relaxation.work;
    yield;
    this.relaxation = new Relaxation(this.simple, this.weight, this.known);
    return yield* this.solveFirst();
  }

  /** Solves with the applications that are known and those that their prices ask for. */
  private *solveFirst(): Generator<void, boolean> {
    const outcome = yield* this.relaxation.open(this.workLeft);
    this.known = this.relaxation.taken();
    this.round();
    return outcome === 'optimal';
  }

  /**
   * Takes applications in, those that lose least first, till they are enough to search among, or all that matter. Gives
   * what no choice is worth more than that has others; null where too many would have to be taken in.
   */
  private *takeIn(all: boolean): Generator<void, number | null> {
    let rest: number | null = null;
    const isSmall = this.simple.ways.length * this.simple.classes.length < SMALL;
    for (let parts = all || isSmall ? 1 : 16; !this.isTired && parts < 2 ** 16;) {
      const top = this.relaxation.bound();
      const target = Math.floor(top - (top - this.worth) / parts);
      if (yield* this.relaxation.takeIn(target, this.workLeft)) {
        rest = target;
        if (parts === 1 || this.relaxation.columnCount >= ENOUGH) return rest;
        parts /= 4;
      } else if (all || rest !== null || !(yield* this.begin())) return rest;
      else parts *= 16;
    }
    return rest;
  }

  /**
   * Explores all choices of the applications that were taken in. Whenever it has found a better one it begins anew: what
   * is known makes the cuts better, and leaves less to look at. The relaxation is left as it is without branches.
   */
  private *explore(nodes: number): Generator<void> {
    const last = this.nodes + nodes;
    for (let pass = 1; ; pass++) {
      yield* this.tighten();
      this.open = -Infinity;
      if (this.ceiling < this.worth + 1) return;
      const root = this.relaxation.save();
      const before = this.best;
      const [patience, start] = [NODES * 2 ** pass, this.nodes];
      yield* this.descend(
        () => this.worth + 1,
        () => this.nodes > last || (this.nodes > start + patience && this.best !== before),
      );
      this.relaxation.restore(root);
      if (this.open === -Infinity || this.nodes > last || this.isTired) return;
    }
  }

  /** The most, in worth, that the relaxation as it stands leaves to any choice. */
  private get ceiling(): number {
    return Math.floor(this.relaxation.bound());
  }

  /** Lays cuts as long as they bring the bound down to what is known. */
  private *tighten(): Generator<void> {
    const { relaxation } = this;
    let before = relaxation.bound();
    for (let round = 0, idle = 0; round < CUT_ROUNDS && idle < IDLE_ROUNDS; round++) {
      if (before < this.worth + 1 || relaxation.branching() === null) return;
      relaxation.leaveOut(this.worth, before);
      if (!relaxation.cut() || (yield* relaxation.solve(-Infinity, this.workLeft)) !== 'optimal') return;
      relaxation.loosen();
      this.round();
      const after = relaxation.bound();
      idle = before - after > (before - this.worth) / 50 ? 0 : idle + 1;
      before = after;
    }
    relaxation.leaveOut(this.worth, before);
  }

  /** The best is known; what is left to settle is which of all that are as good it is. */
  private *settled(): Generator<void, Searched> {
    yield* this.tighten();
    const splits: (readonly number[])[] = [];
    if (!this.relaxation.isOnly(this.worth)) {
      yield* this.settleOffers();
      yield* this.splitsFrom(0, this.relaxation.waysLeft(), splits);
    }
    const { best, work } = this;
    const bound = best.saving;
    return { best, bound, splits: this.isTired ? null : [best.times, ...splits], work };
  }

  /** Lets each offer in turn apply as often as any equally good choice lets it, those before it staying as they are. */
  private *settleOffers(): Generator<void> {
    const { relaxation } = this;
    for (const offer of this.simple.offers.keys()) {
      const here = relaxation.save();
      while (!this.isTired) {
        const before = this.best;
        const least = this.timesOf(before, offer) + 1;
        if (least > (this.simple.offers[offer]?.most ?? 0)) break;
        relaxation.lay({ choice: { offer }, least, most: Infinity });
        const target = this.worth;
        if ((yield* relaxation.solve(target, this.workLeft)) !== 'optimal') break;
        // One that is as good will do.
        yield* this.descend(() => (this.best === before ? target : Infinity));
        if (this.best === before) break;
        relaxation.restore(here);
      }
      if (this.isTired) return;
      relaxation.restore(here);
      const times = this.timesOf(this.best, offer);
      relaxation.lay({ choice: { offer }, least: times, most: times });
      if ((yield* relaxation.solve(-Infinity, this.workLeft)) !== 'optimal') return;
    }
  }

  /** All ways to split the offers' applications that are as good: which units those leave is for others to compare. */
  private *splitsFrom(at: number, ways: readonly number[], splits: (readonly number[])[]): Generator<void> {
    const { relaxation } = this;
    const way = ways[at];
    if (this.isTired || splits.length >= MOST_SPLITS) return;
    if (way === undefined) {
      const times = relaxation.times().map((value) => Math.round(value));
      const { found, work } = yield* settledBy(this.simple, times, this.limit - this.work);
      this.assigned += work;
      if (found !== null && worthOf(found, this.weight) === this.worth) splits.push(times);
      return;
    }
    const here = relaxation.save();
    // What can be as good lies around what the relaxation has come to.
    const now = Math.floor((relaxation.times()[way] ?? 0) + WHOLE);
    for (const step of [-1, 1])
      for (let amount = step < 0 ? now : now + 1; amount >= 0; amount += step) {
        relaxation.restore(here);
        relaxation.lay({ choice: { way }, least: amount, most: amount });
        // Further off there is nothing as good either.
        if ((yield* relaxation.solve(this.worth, this.workLeft)) !== 'optimal') break;
        yield* this.splitsFrom(at + 1, ways, splits);
      }
    relaxation.restore(here);
  }

  /** Explores all that is worth at least `target`, from the solved relaxation on, in no more than so many nodes. */
  private *descend(target: () => number, isOver: () => boolean = () => false): Generator<void> {
    const { relaxation } = this;
    const { ceiling } = this;
    if (ceiling < target()) return;
    const at = relaxation.branching();
    if (at === null) {
      yield* this.settle(ceiling, target());
      return;
    }
    const here = relaxation.save();
    for (const [turn, side] of sidesOf(at).entries()) {
      const goal = target();
      if (ceiling < goal) return;
      if (this.isTired || isOver()) {
        this.open = Math.max(this.open, ceiling);
        return;
      }
      if (turn > 0) relaxation.restore(here);
      relaxation.lay(side);
      this.nodes += 1;
      const outcome = yield* relaxation.solve(goal, this.workLeft);
      if (outcome === 'optimal') this.round();
      if (outcome === 'optimal') yield* this.descend(target, isOver);
      if (outcome === 'tired' || outcome === 'inexact') this.open = Math.max(this.open, ceiling);
    }
  }

  /** The whole numbers that the relaxation has come to, looked at exactly. */
  private *settle(ceiling: number, target: number): Generator<void> {
    const times = this.relaxation.times().map((value) => Math.round(value));
    const { found, work } = yield* settledBy(this.simple, times, this.limit - this.work);
    this.assigned += work;
    if (found !== null && worthOf(found, this.weight) >= target) this.best = found;
    // What the relaxation promised here and did not keep stays open.
    if (found === null || this.boundOf(ceiling) > found.saving) this.open = Math.max(this.open, ceiling);
  }

  /** A choice that is seldom bad: the solution made whole. */
  private round(): void {
    const found = foundOf(this.simple, this.relaxation.rounded());
    if (worthOf(found, this.weight) > this.worth) this.best = found;
  }

  private get worth(): number {
    return worthOf(this.best, this.weight);
  }

  /** For the relaxation that is at work. */
  private get workLeft(): number {
    return this.limit - this.spent - this.assigned;
  }

  private get isTired(): boolean {
    return this.work > this.limit;
  }

  private timesOf({ times }: Found, offer: number): number {
    return this.simple.ways.reduce((sum, way, w) => (way.offer === offer ? sum + (times[w] ?? 0) : sum), 0);
  }

  private get work(): number {
    return this.spent + this.relaxation.work + this.assigned;
  }

  /** The most that can be saved where the worth is at most this. */
  private boundOf(worth: number): number {
    if (worth === -Infinity) return 0;
    return Math.floor((worth + this.weight - 1) / this.weight / this.grain) * this.grain;
  }

  /** More than any choice can save: every unit at what it brings most, alone. */
  private savingOfEverything(): number {
    const { offers, classes } = this.simple;
    const most = classes.map(() => 0);
    for (const { form, pool, rewards, discountOn } of offers)
      for (const c of form === 'together' ? pool : rewards) {
        const { price = 0 } = classes[c] ?? {};
        most[c] = Math.max(most[c] ?? 0, form === 'together' ? price : discountOn(price));
      }
    return classes.reduce((sum, { count }, c) => sum + (most[c] ?? 0) * count, 0);
  }

  private unsettled(bound: number): Searched {
    const { best, work } = this;
    return { best, bound: Math.max(bound, best.saving), splits: null, work };
  }
}

const sidesOf = ({ choice, most, isNearerAbove }: Branching): readonly Side[] => {
  const below: Side = { choice, least: 0, most };
  const above: Side = { choice, least: most + 1, most: Infinity };
  return isNearerAbove ? [above, below] : [below, above];
};

/** The best choice of deals, as far as the limit of work allows; pauses now and then, so that others can be served. */
export function* search(simple: Simplified, limit: number): Generator<void, Searched> {
  const { chosen, work } = yield* greedy(simple, limit - simple.work);
  return yield* new Search(simple, limit, chosen, simple.work + work).run();
}

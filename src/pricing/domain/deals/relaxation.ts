/**
 * The linear relaxation of a problem: applications, each a set of units, in fractions, for the most saving. Every true
 * choice is a point of it, so that its optimum bounds them all.
 *
 * At first its columns are the few applications that its prices ask for. What is then known of the best choice leaves
 * only so much to lose, and `takeIn` adds every application that a better choice could have: from there on no
 * application is missing, and cuts and branches narrow it down.
 */
import type { Application, Market, Priced, Repeated } from './application.ts';
import type { Snapshot } from './revisable.ts';
import { cutsOf } from './cuts.ts';
import { near } from './near.ts';
import { bestApplication } from './pricing.ts';
import type { Offer } from './problem.ts';
import { Simplex, type Outcome } from './simplex.ts';
import type { Simplified, UnitClass, Way } from './ways.ts';
import { WHOLE } from './whole.ts';

/** What must be a whole number of applications: those of an offer, or those in one way. */
export type Choice = { readonly offer: number } | { readonly way: number };

/** A side of a branch. */
export interface Side {
  readonly choice: Choice;
  readonly least: number;
  readonly most: number;
}

/** Where a solution is not whole: at most `most` applications, or one more. */
export interface Branching {
  readonly choice: Choice;
  readonly most: number;
  readonly isNearerAbove: boolean;
}

interface Saved {
  readonly snapshot: Snapshot;
  readonly choices: readonly LaidChoice[];
}

interface LaidChoice {
  readonly choice: Choice;
  readonly row: number;
}

/** More applications than this are not written out. */
const MOST_COLUMNS = 5000;
/** Nor are more than this looked at on the way to them. */
const MOST_PICKS = 100_000;
const WORK_PER_PICK = 10;
const WORK_PER_APPLICATION = 100;

export class Relaxation {
  private readonly simplex: Simplex;
  private readonly offers: readonly Offer[];
  private readonly ways: readonly Way[];
  private readonly classes: readonly UnitClass[];
  private readonly takenOff: readonly Float64Array[];
  private readonly weight: number;
  /** Beside the simplex's columns. */
  private readonly applications: Application[] = [];
  private readonly known = new Map<string, number>();
  /** The row of the offer's cap; −1 where it has none. */
  private readonly capRows: readonly number[];
  /** Those of the classes and the caps. */
  private readonly firstRows: number;
  private readonly slack: number;
  private choices: LaidChoice[] = [];
  /** What no choice is worth more than, as far as is known without cuts and branches. */
  top = Infinity;

  /** Maximises saving × `weight` − applications. */
  constructor({ offers, ways, classes }: Simplified, weight: number, known: readonly Application[]) {
    this.offers = offers;
    this.ways = ways;
    this.classes = classes;
    this.weight = weight;
    this.takenOff = offers.map(({ form, discountOn }) =>
      Float64Array.from(classes, ({ price }) => (form === 'together' ? price : discountOn(price))),
    );
    const dearest = classes.reduce((most, { price }) => Math.max(most, price), 1);
    this.simplex = new Simplex(weight * dearest);
    for (const { count } of classes) this.simplex.addRow(null, -Infinity, count);
    this.capRows = offers.map(({ deal, most }) =>
      deal.maxPerOrder === null ? -1 : this.simplex.addRow(null, -Infinity, most),
    );
    this.firstRows = this.simplex.rowCount;
    this.slack = this.simplex.tolerance * offers.reduce((sum, { most }) => sum + most, 0);
    for (const application of known) this.buy(application);
  }

  get work(): number {
    return this.simplex.work;
  }

  /** What no choice is worth more than, as the relaxation stands. */
  bound(): number {
    const bound = this.simplex.bound();
    return bound + marginOf(bound);
  }

  get columnCount(): number {
    return this.applications.length;
  }

  /** The applications of which the solution takes some. */
  taken(): readonly Application[] {
    const taken: Application[] = [];
    this.simplex.eachTaken((column) => {
      const application = this.applications[column];
      if (application !== undefined) taken.push(application);
    });
    return taken;
  }

  // ── Columns ─────────────────────────────────────────────────────────────────────────────────────

  /** Solves with the applications that its own prices ask for, until they ask for no more. Pauses now and then. */
  *open(workLimit: number): Generator<void, Outcome> {
    for (;;) {
      const outcome = yield* this.simplex.primal(workLimit);
      if (outcome !== 'optimal' || !(yield* this.buyBest(workLimit)))
        return this.work > workLimit ? 'tired' : outcome;
    }
  }

  /**
   * Adds, for each offer, the application that is worth most more than it costs; false when none is, or there is no work
   * left for it.
   */
  private *buyBest(workLimit: number): Generator<void, boolean> {
    const { simplex, ways, offers } = this;
    const rows = this.bound();
    const market = this.market();
    const best: (Priced | null)[] = offers.map(() => null);
    const gains = offers.map(() => 0);
    for (const [index, way] of ways.entries()) {
      if (this.work > workLimit) return false;
      if (simplex.isDue()) yield;
      const { offer } = way;
      const beyond = best[offer]?.gain ?? simplex.tolerance;
      const { priced, most, work } = bestApplication(market, way, index, beyond);
      if (priced !== null) best[offer] = priced;
      gains[offer] = Math.max(gains[offer] ?? 0, most);
      simplex.addWork(work);
    }
    // However often each offer applied, it would gain no more by these prices.
    const promise = offers.reduce((sum, { most }, offer) => sum + most * (gains[offer] ?? 0), 0);
    this.top = Math.min(this.top, rows + promise);
    return best.filter((priced) => priced !== null && this.buy(priced.application)).length > 0;
  }

  /** What units and applications cost now: the prices of their rows. */
  private market(): Market {
    const { simplex, classes, weight, capRows } = this;
    const paid = new Float64Array(classes.length);
    for (let c = 0; c < paid.length; c++) paid[c] = -Math.max(0, simplex.priceOf(c));
    const offers = this.offers.map(({ price }, offer) => {
      const takenOff = this.takenOff[offer] ?? paid;
      const gained = new Float64Array(classes.length);
      for (let c = 0; c < gained.length; c++) gained[c] = weight * (takenOff[c] ?? 0) + (paid[c] ?? 0);
      const cap = capRows[offer] ?? -1;
      return {
        takenOff,
        gained,
        fee: 1 + weight * price + (cap < 0 ? 0 : Math.max(0, simplex.priceOf(cap))),
      };
    });
    simplex.addWork(offers.length * classes.length);
    return { classes, paid, offers };
  }

  /** Makes a column of an application; false where it is one already, or another with as many units saves as much. */
  private buy(application: Application): boolean {
    const { way, classes, amounts, saving } = application;
    const { offer } = this.ways[way] ?? { offer: 0 };
    let name = String.fromCharCode(offer);
    for (let k = 0; k < classes.length; k++) name += String.fromCharCode(classes[k] ?? 0, amounts[k] ?? 0);
    const before = this.known.get(name);
    if (before !== undefined && (this.applications[before]?.saving ?? 0) >= saving) return false;
    this.known.set(name, this.applications.length);
    this.applications.push(application);
    const cap = this.capRows[offer] ?? -1;
    this.simplex.addColumn({
      rows: cap < 0 ? classes : [...classes, cap],
      values: cap < 0 ? amounts : [...amounts, 1],
      cost: this.weight * saving - 1,
      most: this.offers[offer]?.most ?? 0,
    });
    return true;
  }

  /**
   * Adds every application that a choice worth `target` or more can have: they lose no more, by the prices, than the
   * relaxation is worth beyond that. False where they are too many, or there is no work left for it.
   */
  *takeIn(target: number, workLimit: number): Generator<void, boolean> {
    const counter = { picks: 0 };
    for (;;) {
      const market = this.market();
      let highest = 0;
      // Prices may be wrong by what is nothing for each application there can be.
      const least = Math.min(0, target - this.bound() - this.slack);
      for (const [index, way] of this.ways.entries()) {
        let seen = counter.picks;
        for (const priced of near(market, way, index, least, counter)) {
          this.simplex.addWork(WORK_PER_PICK * (counter.picks - seen));
          seen = counter.picks;
          if (priced !== null) {
            this.simplex.addWork(WORK_PER_APPLICATION);
            highest = Math.max(highest, priced.gain);
            this.buy(priced.application);
          }
          const isTooMuch = this.applications.length >= MOST_COLUMNS || seen > MOST_PICKS;
          if (isTooMuch || this.work > workLimit) return false;
          if (this.simplex.isDue()) yield;
        }
        this.simplex.addWork(WORK_PER_PICK * (counter.picks - seen) + way.pool.length + way.rewards.length);
      }
      // None of them gains anything by these prices: the prices are right.
      if (highest <= this.simplex.tolerance) return true;
      if ((yield* this.open(workLimit)) !== 'optimal') return false;
    }
  }

  // ── Narrowing down ──────────────────────────────────────────────────────────────────────────────

  /** Solves on after rows were laid; gives up once it is certain to stay below `cutOff`. */
  solve(cutOff: number, workLimit: number): Generator<void, Outcome | 'cut'> {
    return this.simplex.dual(workLimit, cutOff - marginOf(cutOff));
  }

  /** Leaves out for good what no choice worth `target` or more can have, by the bound as it has just been worked out. */
  leaveOut(target: number, bound: number): void {
    const kept = this.simplex.dropBelow(target - bound);
    const { applications } = this;
    if (kept.length === applications.length) return;
    kept.forEach((column, to) => {
      const application = applications[column];
      if (application !== undefined) applications[to] = application;
    });
    applications.length = kept.length;
  }

  /** Whether the solution is the only whole one that is worth `target` or more. */
  isOnly(target: number): boolean {
    return this.branching() === null && this.simplex.isOnlyWithin(this.bound() - target);
  }

  /** Lays rows that no choice breaks, but this solution does; false where none was found. */
  cut(): boolean {
    const cuts = cutsOf(this.simplex);
    for (const { entries, most } of cuts) this.simplex.addRow(entries, -Infinity, most);
    return cuts.length > 0;
  }

  /** Takes away the rows that bind nothing. */
  loosen(): void {
    this.simplex.dropLoose(this.firstRows);
  }

  /** Narrows the bounds of the row that counts a choice, which is made where it is not there yet. */
  lay({ choice, least, most }: Side): void {
    const known = this.choices.find((other) => isSame(other.choice, choice));
    if (known !== undefined) {
      const { simplex } = this;
      const lower = Math.max(simplex.boundOf(known.row, false), least);
      simplex.setBounds(known.row, lower, Math.min(simplex.boundOf(known.row, true), most));
      return;
    }
    const entries = new Float64Array(this.applications.length);
    this.applications.forEach(({ way }, column) => {
      if (this.counts(choice, way)) entries[column] = 1;
    });
    this.choices.push({ choice, row: this.simplex.addRow(entries, least, most) });
  }

  private counts(choice: Choice, way: number): boolean {
    return 'way' in choice ? choice.way === way : this.ways[way]?.offer === choice.offer;
  }

  save(): Saved {
    return { snapshot: this.simplex.save(), choices: this.choices.slice() };
  }

  restore({ snapshot, choices }: Saved): void {
    this.simplex.restore(snapshot);
    this.choices = choices.slice();
  }

  // ── Readings ────────────────────────────────────────────────────────────────────────────────────

  /** Applications of each way, perhaps not whole. */
  times(): number[] {
    const times = this.ways.map(() => 0);
    this.simplex.eachTaken((column, value) => {
      const way = this.applications[column]?.way ?? 0;
      times[way] = (times[way] ?? 0) + value;
    });
    return times;
  }

  /**
   * A whole choice near the solution: of each application what is whole of it, then one more of those that are nearest
   * to it as long as their units are there.
   */
  rounded(): readonly Repeated[] {
    const left = this.classes.map(({ count }) => count);
    const often = this.offers.map(({ most }) => most);
    const chosen: Repeated[] = [];
    const add = (application: Application, wanted: number): void => {
      const { way, classes, amounts } = application;
      const { offer } = this.ways[way] ?? { offer: 0 };
      let times = Math.min(wanted, often[offer] ?? 0);
      for (let k = 0; k < classes.length; k++)
        times = Math.min(times, Math.floor((left[classes[k] ?? 0] ?? 0) / (amounts[k] ?? 1)));
      if (times <= 0) return;
      classes.forEach((c, k) => {
        left[c] = (left[c] ?? 0) - times * (amounts[k] ?? 0);
      });
      often[offer] = (often[offer] ?? 0) - times;
      chosen.push({ application, times });
    };
    const rest: { readonly application: Application; readonly fraction: number }[] = [];
    this.simplex.eachTaken((column, value) => {
      const application = this.applications[column];
      if (application === undefined) return;
      const whole = Math.floor(value + WHOLE);
      if (whole > 0) add(application, whole);
      if (value - whole > WHOLE) rest.push({ application, fraction: value - whole });
    });
    rest.sort((a, b) => b.fraction - a.fraction);
    for (const { application } of rest) add(application, 1);
    this.simplex.addWork(10 * this.simplex.rowCount);
    return chosen;
  }

  /** Of offers that could be applied in several ways still: those ways. */
  waysLeft(): readonly number[] {
    const left = [...new Set(this.applications.map(({ way }) => way))].sort((a, b) => a - b);
    const offerOf = (way: number): number => this.ways[way]?.offer ?? 0;
    return left.filter((way) => left.some((other) => other !== way && offerOf(other) === offerOf(way)));
  }

  /** What is not whole yet, the furthest from it, offers before their ways; null when everything is. */
  branching(): Branching | null {
    const times = this.times();
    const ofOffers = this.offers.map(() => 0);
    this.ways.forEach(({ offer }, way) => {
      ofOffers[offer] = (ofOffers[offer] ?? 0) + (times[way] ?? 0);
    });
    return furthest(ofOffers, (offer) => ({ offer })) ?? furthest(times, (way) => ({ way }));
  }
}

/** Sums of this size are inexact in the last places. */
const marginOf = (sum: number): number => 1e-6 + 4e-12 * Math.abs(sum);

const isSame = (a: Choice, b: Choice): boolean =>
  'way' in a ? 'way' in b && a.way === b.way : 'offer' in b && a.offer === b.offer;

const furthest = (values: readonly number[], choiceOf: (at: number) => Choice): Branching | null => {
  let best = -1;
  let distance = WHOLE;
  values.forEach((value, at) => {
    if (Math.abs(value - Math.round(value)) <= distance) return;
    distance = Math.abs(value - Math.round(value));
    best = at;
  });
  if (best < 0) return null;
  const value = values[best] ?? 0;
  const most = Math.floor(value + WHOLE);
  return { choice: choiceOf(best), most, isNearerAbove: value - most > 0.5 };
};

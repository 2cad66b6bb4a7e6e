/**
 * The linear relaxation of a problem: applications, each a set of units, in fractions, for the most saving. Every true
 * choice is a point of it, so that its optimum bounds them all. Its rows are the units there are, and what the branches
 * of the search lay down; its columns are applications, found when the prices of the rows make them worth their units.
 */
import { bestApplication, type Application } from './application.ts';
import type { Offer } from './problem.ts';
import type { Snapshot } from './basis.ts';
import { Simplex, type Outcome } from './simplex.ts';
import type { UnitClass, Way } from './ways.ts';

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

const WHOLE = 1e-6;

/** Work after which others have their turn; some two milliseconds. */
const WORK_PER_TURN = 200_000;

export class Relaxation {
  private readonly simplex: Simplex;
  private readonly offers: readonly Offer[];
  private readonly ways: readonly Way[];
  private readonly classes: readonly UnitClass[];
  private readonly weight: number;
  /** Dearer than anything can be worth: what it costs not to do what a branch demands. */
  private readonly penalty: number;
  /** Beside the simplex's columns; null for those that stand for a demand that is not met. */
  private readonly applications: (Application | null)[] = [];
  private readonly known = new Set<string>();
  /** What each row counts, beyond the units of the classes. */
  private choices: Choice[] = [];
  private pausedAt = 0;

  /** Maximises saving × `weight` − applications. */
  constructor(offers: readonly Offer[], ways: readonly Way[], classes: readonly UnitClass[], weight: number) {
    this.offers = offers;
    this.ways = ways;
    this.classes = classes;
    this.weight = weight;
    this.penalty = weight * classes.reduce((sum, { price, count }) => sum + price * count, 1);
    const dearest = classes.reduce((most, { price }) => Math.max(most, price), 1);
    this.simplex = new Simplex(weight * dearest);
    for (const { count } of classes) this.simplex.addRow(new Map(), 0, count);
    offers.forEach(({ deal, most }, offer) => {
      if (deal.maxPerOrder !== null) this.lay({ choice: { offer }, least: 0, most });
    });
  }

  get work(): number {
    return this.simplex.work;
  }

  get objective(): number {
    return this.simplex.objective();
  }

  /** Solves, at first and on after every branch; gives up once it is certain to stay below `cutOff`. Pauses now and then. */
  *solve(cutOff: number, workLimit: number): Generator<void, Outcome | 'cut'> {
    let outcome = this.simplex.dual(workLimit);
    for (;;) {
      if (outcome !== 'optimal') return outcome;
      outcome = this.simplex.primal(workLimit);
      if (outcome !== 'optimal') return outcome;
      const promise = this.findApplications();
      if (promise === 0) break;
      if (this.objective + promise < cutOff) return 'cut';
      if (this.work - this.pausedAt < WORK_PER_TURN) continue;
      this.pausedAt = this.work;
      yield;
    }
    return this.applications.some((own, column) => own === null && this.simplex.valueOf(column) > WHOLE)
      ? 'infeasible'
      : 'optimal';
  }

  /** Narrows the bounds of the row that counts a choice, which is made where it is not there yet. */
  lay({ choice, least, most }: Side): void {
    const known = this.choices.findIndex((other) => isSame(other, choice));
    if (known >= 0) {
      const row = this.classes.length + known;
      const [lower, upper] = this.simplex.boundsOf(row);
      this.simplex.setBounds(row, Math.max(lower, least), Math.min(upper, most));
      return;
    }
    const counted = new Map<number, number>();
    this.applications.forEach((own, column) => {
      if (own !== null && this.counts(choice, own.way)) counted.set(column, 1);
    });
    const row = this.simplex.addRow(counted, least, most);
    this.choices.push(choice);
    this.applications.push(null);
    this.simplex.addColumn({ rows: [row], values: [1], cost: -this.penalty });
  }

  save(): { readonly snapshot: Snapshot; readonly choices: readonly Choice[] } {
    return { snapshot: this.simplex.save(), choices: this.choices.slice() };
  }

  restore({ snapshot, choices }: ReturnType<Relaxation['save']>): void {
    this.simplex.restore(snapshot);
    this.choices = choices.slice();
  }

  private counts(choice: Choice, way: number): boolean {
    return 'way' in choice ? choice.way === way : this.ways[way]?.offer === choice.offer;
  }

  /** Applications of each way, perhaps not whole. */
  times(): readonly number[] {
    const times = this.ways.map(() => 0);
    this.applications.forEach((own, column) => {
      if (own !== null) times[own.way] = (times[own.way] ?? 0) + this.simplex.valueOf(column);
    });
    return times;
  }

  // ── Columns ─────────────────────────────────────────────────────────────────────────────────────

  /**
   * Adds, for each offer, the application that is worth most more than its units and rows cost. Gives how much all that
   * could still bring at most; 0 when nothing does.
   */
  private findApplications(): number {
    const prices = this.simplex.prices();
    const best = this.offers.map((): { gain: number; own: Application | null } => ({ gain: 0, own: null }));
    const costs = this.ways.map(() => 1);
    this.choices.forEach((choice, index) => {
      const price = prices[this.classes.length + index] ?? 0;
      this.ways.forEach((_, way) => {
        if (this.counts(choice, way)) costs[way] = (costs[way] ?? 0) + price;
      });
    });
    this.ways.forEach((way, index) => {
      const own = bestApplication(way, index, this.classes, this.weight, prices);
      this.simplex.work += (way.pool.length * way.of.qty + way.rewards.length * way.of.get) * 4;
      const record = best[way.offer];
      if (own === null || record === undefined) return;
      const gain = own.gain - (costs[index] ?? 0);
      if (gain > record.gain + this.simplex.tolerance) best[way.offer] = { gain, own: own.application };
    });
    let promise = 0;
    best.forEach(({ gain, own }, offer) => {
      if (own === null || !this.buy(own)) return;
      promise += gain * (this.offers[offer]?.most ?? 0);
    });
    return promise;
  }

  /** Makes a column of an application; false where it is one already. */
  private buy(application: Application): boolean {
    const { way, units, saving } = application;
    const name = JSON.stringify([way, saving, [...units]]);
    if (this.known.has(name)) return false;
    this.known.add(name);
    const rows = [...units.keys()].sort((a, b) => a - b);
    const values = rows.map((c) => units.get(c) ?? 0);
    this.choices.forEach((choice, index) => {
      if (!this.counts(choice, way)) return;
      rows.push(this.classes.length + index);
      values.push(1);
    });
    this.applications.push(application);
    this.simplex.addColumn({ rows, values, cost: this.weight * saving - 1 });
    return true;
  }

  // ── Branches ────────────────────────────────────────────────────────────────────────────────────

  /** What is not whole yet, the furthest from it, offers before their ways; null when everything is. */
  branching(): Branching | null {
    const times = this.times();
    const ofOffers = this.offers.map((_, offer) =>
      times.reduce((sum, units, way) => (this.ways[way]?.offer === offer ? sum + units : sum), 0),
    );
    return (
      furthest(ofOffers.map((value, offer) => ({ choice: { offer }, value }))) ??
      furthest(times.map((value, way) => ({ choice: { way }, value })))
    );
  }
}

const isSame = (a: Choice, b: Choice): boolean =>
  'way' in a ? 'way' in b && a.way === b.way : 'offer' in b && a.offer === b.offer;

const furthest = (all: readonly { readonly choice: Choice; readonly value: number }[]): Branching | null => {
  let best: Branching | null = null;
  let distance = WHOLE;
  for (const { choice, value } of all) {
    const most = Math.floor(value + WHOLE);
    if (Math.abs(value - Math.round(value)) <= distance) continue;
    distance = Math.abs(value - Math.round(value));
    best = { choice, most, isNearerAbove: value - most > 0.5 };
  }
  return best;
};

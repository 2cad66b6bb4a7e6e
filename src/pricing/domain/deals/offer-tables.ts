/**
 * What each offer alone can gain from units that have a price of their own (Lagrangian relaxation of "each unit counts
 * once"). All values are whole numbers, so every bound is exact.
 */
import { automatonFor, PAID, REWARDED, stateCount, type Automaton, type Role } from './automaton.ts';
import type { PresolvedProblem, UnitClass } from './presolve.ts';
import { discountOf, type Offer } from './problem.ts';

/** The units of one class in the table of one offer. */
interface Step {
  readonly c: number;
  readonly count: number;
  /** Whether a unit can be paid for or be part of a bundle, and whether it can be rewarded. */
  readonly isPaid: boolean;
  readonly isRewarded: boolean;
  /** Weighted piastres that a unit gains in each role. */
  readonly paidGain: number;
  readonly rewardedGain: number;
  /** Of one pool: whether units of a lower price follow, which cannot pay for a reward of this one. */
  readonly endsLevel: boolean;
  /** Indices of the rows before and after these units. */
  readonly row: number;
  readonly after: number;
}

/** One offer. */
export interface Track {
  readonly automaton: Automaton;
  /** Weighted piastres that an application costs when it begins. */
  readonly fee: number;
  /** Dearest first. */
  readonly steps: readonly Step[];
  /** How many entries its table has. */
  readonly entries: number;
  /** Index of the first scratch row. */
  readonly scratch: number;
  readonly width: number;
}

/** A choice of units of one class for one offer. */
export interface Choice {
  readonly paid: number;
  readonly rewarded: number;
  readonly units: number;
  readonly next: number;
  /** How much less can be gained than with the best choice; at least 0. */
  readonly loss: number;
}

const membersOf = ({ form, pool, rewardPool }: Offer): readonly number[] =>
  form === 'reward-pool' ? [...new Set([...pool, ...rewardPool])].sort((a, b) => a - b) : pool;

/** The most units of one price in other classes than its first: a reward may wait for them to be paid. */
const largestDeficit = (members: readonly number[], classes: readonly UnitClass[]): number => {
  let [most, level, price] = [0, 0, -1];
  for (const c of members) {
    const { price: own = 0, count = 0 } = classes[c] ?? {};
    level = own === price ? level + count : 0;
    price = own;
    most = Math.max(most, level);
  }
  return most;
};

/** Entries of a table: a row before each class and after the last; two scratch rows for each unit of the largest class. */
const entriesOf = (members: readonly number[], classes: readonly UnitClass[], width: number): number => {
  const largest = members.reduce((most, c) => Math.max(most, classes[c]?.count ?? 0), 0);
  return (members.length + 2 + 2 * largest) * width;
};

/** About so many operations fill all tables. */
export const tableOperations = ({ offers, classes }: PresolvedProblem): number =>
  offers.reduce((sum, offer) => {
    const states = stateCount(offer, largestDeficit(membersOf(offer), classes));
    const unitsOf = (pool: readonly number[]): number =>
      pool.reduce((units, c) => units + (classes[c]?.count ?? 0), 0);
    return sum + states * (unitsOf(offer.pool) + (offer.form === 'bundle' ? 0 : unitsOf(offer.rewardPool)));
  }, 0);

/** By member, whether it is in the pool. */
const isIn = (pool: readonly number[], members: readonly number[]): readonly boolean[] => {
  if (pool === members) return members.map(() => true);
  const own = new Set(pool);
  return members.map((c) => own.has(c));
};

/** `weight`: of a piastre; an application costs 1. `base`: index of the first entry. */
const trackOf = (offer: Offer, classes: readonly UnitClass[], weight: number, base: number): Track => {
  const members = membersOf(offer);
  const automaton = automatonFor(offer, largestDeficit(members, classes));
  const width = automaton.size + 1;
  const isPaid = isIn(offer.pool, members);
  const isRewarded = isIn(offer.rewardPool, members);
  const steps = members.map((c, at): Step => {
    const { price = 0, count = 0 } = classes[c] ?? {};
    return {
      c,
      count,
      isPaid: isPaid[at] ?? false,
      isRewarded: isRewarded[at] ?? false,
      paidGain: offer.form === 'bundle' ? weight * price : 0,
      rewardedGain: weight * discountOf(price, offer.percent),
      endsLevel:
        offer.form === 'one-pool' &&
        at < members.length - 1 &&
        classes[members[at + 1] ?? 0]?.price !== price,
      row: base + at * width,
      after: base + (at + 1) * width,
    };
  });
  const entries = entriesOf(members, classes, width);
  const scratch = base + (members.length + 1) * width;
  return { automaton, fee: weight * offer.price + 1, steps, entries, scratch, width };
};

/** Table operations that take as long as one operation of work. */
export const OPERATIONS_PER_WORK = 2;

export class OfferTables {
  readonly tracks: readonly Track[];
  /** Table operations so far. */
  operations = 0;
  readonly #classes: readonly UnitClass[];
  /** Prices of the units of each class. */
  readonly #duals: Float64Array;
  readonly #values: Float64Array;

  /** `weight`: of a piastre against an application. */
  constructor({ offers, classes }: PresolvedProblem, weight: number) {
    const tracks: Track[] = [];
    let entries = 0;
    for (const offer of offers) {
      const track = trackOf(offer, classes, weight, entries);
      tracks.push(track);
      entries += track.entries;
    }
    this.tracks = tracks;
    this.#classes = classes;
    this.#duals = new Float64Array(classes.length);
    this.#values = new Float64Array(entries).fill(-Infinity);
    for (const { automaton, steps } of tracks) {
      const end = steps.at(-1)?.after ?? 0;
      for (let state = 0; state < automaton.size; state++)
        if (automaton.isComplete[state] === 1) this.#values[end + state] = 0;
    }
  }

  /** The price of a unit of the class. */
  dualOf(c: number): number {
    return this.#duals[c] ?? 0;
  }

  /** Computes all tables for these whole prices; no solution gains more than the result. */
  evaluate(duals: Float64Array): number {
    this.#duals.set(duals);
    let bound = 0;
    this.#classes.forEach(({ count }, c) => (bound += count * (duals[c] ?? 0)));
    for (const track of this.tracks) {
      const { steps, automaton } = track;
      for (let at = steps.length - 1; at >= 0; at--) this.#fillRow(track, at);
      bound += this.#values[(steps[0]?.row ?? 0) + automaton.start] ?? 0;
    }
    return bound;
  }

  /** Adds the units of the best applications of each offer alone, by class. */
  addPlan(taken: Float64Array): void {
    for (const track of this.tracks) {
      let state = track.automaton.start;
      for (let at = 0; at < track.steps.length; at++) state = this.#addBest(track, at, state, taken);
    }
  }

  /** The state after a best choice, whose units are added. */
  #addBest(track: Track, at: number, state: number, taken: Float64Array): number {
    const c = track.steps[at]?.c ?? 0;
    let next = state;
    this.#visitChoices(track, at, state, (loss, paid, rewarded, after) => {
      this.operations += 1;
      if (loss > 0) return false;
      taken[c] = (taken[c] ?? 0) + paid + rewarded;
      next = after;
      return true;
    });
    return next;
  }

  /**
   * The choices for the class at a position of the track that lose at most `limit`, the best first. After the last class
   * every complete state counts as the first.
   */
  choicesOf(track: Track, at: number, state: number, limit: number): readonly Choice[] {
    const { automaton, steps } = track;
    const isLast = at === steps.length - 1;
    const choices: Choice[] = [];
    this.#visitChoices(track, at, state, (loss, paid, rewarded, after) => {
      this.operations += 1;
      const next = isLast ? automaton.start : after;
      if (loss <= limit) choices.push({ paid, rewarded, units: paid + rewarded, next, loss });
      return false;
    });
    return choices.length > 1 ? choices.sort((a, b) => a.loss - b.loss) : choices;
  }

  /** Visits every choice of units of the class, paid ones before rewarded ones, until `visit` answers true. */
  #visitChoices(
    { automaton, fee, steps }: Track,
    at: number,
    state: number,
    visit: (loss: number, paid: number, rewarded: number, next: number) => boolean,
  ): void {
    const step = steps[at];
    if (step === undefined) return;
    const { size, next, begins } = automaton;
    const values = this.#values;
    const dual = this.dualOf(step.c);
    const best = values[step.row + state] ?? 0;
    let reached = state;
    let gained = 0;
    for (let paid = 0; reached !== size; paid++) {
      let last = reached;
      let gain = gained;
      for (let rewarded = 0; last !== size; rewarded++) {
        if (visit(best - gain - (values[step.after + last] ?? 0), paid, rewarded, last)) return;
        if (!step.isRewarded || paid + rewarded === step.count) break;
        gain += step.rewardedGain - dual - fee * (begins[REWARDED][last] ?? 0);
        last = next[REWARDED][last] ?? size;
      }
      if (!step.isPaid || paid === step.count) break;
      gained += step.paidGain - dual - fee * (begins[PAID][reached] ?? 0);
      reached = next[PAID][reached] ?? size;
    }
  }

  /** From the row of the next class: at most `count` units of this one, paid ones before rewarded ones. */
  #fillRow(track: Track, at: number): void {
    const { steps, scratch, width } = track;
    const step = steps[at];
    if (step === undefined) return;
    const { count, row, after, isPaid, isRewarded } = step;
    if (step.endsLevel) this.#forbidDeficits(track, after);
    const dual = this.dualOf(step.c);
    // The row of the class itself is the last; those of fewer units are scratch rows.
    if (isRewarded) {
      const gain = step.rewardedGain - dual;
      for (let units = 1, before = after; units <= count; units++) {
        const out = units === count && !isPaid ? row : scratch + units * width;
        this.#addUnit(track, REWARDED, gain, after, before, out);
        before = out;
      }
    }
    if (!isPaid) return;
    const gain = step.paidGain - dual;
    for (let units = 1, before = after; units <= count; units++) {
      const out = units === count ? row : scratch + (count + units) * width;
      const stopped = isRewarded ? scratch + units * width : after;
      this.#addUnit(track, PAID, gain, stopped, before, out);
      before = out;
    }
  }

  /** By state, the better of stopping and of one more unit. `stopped`, `before` and `out` are rows. */
  #addUnit(
    { automaton, fee }: Track,
    role: Role,
    gain: number,
    stopped: number,
    before: number,
    out: number,
  ): void {
    const next = automaton.next[role];
    const begins = automaton.begins[role];
    const values = this.#values;
    this.operations += automaton.size;
    for (let state = 0; state < automaton.size; state++) {
      const stop = values[stopped + state] ?? 0;
      const more = (values[before + (next[state] ?? 0)] ?? 0) + gain - fee * (begins[state] ?? 0);
      values[out + state] = more > stop ? more : stop;
    }
  }

  /** Where a reward of this price still lacks a paid unit, no unit of a lower price may follow. */
  #forbidDeficits({ automaton: { size, endsLevel } }: Track, row: number): void {
    this.operations += size;
    for (let state = 0; state < size; state++)
      if (endsLevel[state] === 0) this.#values[row + state] = -Infinity;
  }
}

/**
 * What each offer alone can gain from units that have a price of their own (Lagrangian relaxation of "each unit counts
 * once"). All values are whole numbers, so every bound is exact.
 */
import { automatonFor, PAID, REWARDED, stateCount, type Automaton, type Units } from './automaton.ts';
import type { PresolvedProblem, UnitClass } from './presolve.ts';
import type { Offer } from './problem.ts';

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
  /** Whether units of a lower price follow. */
  readonly endsLevel: boolean;
  /** Indices of the rows before and after these units. */
  readonly row: number;
  readonly after: number;
  /** The first and one past the last state that can occur before these units; others have the value −∞. */
  readonly from: number;
  readonly to: number;
}

/** One offer. */
export interface Track {
  readonly automaton: Automaton;
  /** Weighted piastres that an application costs, by the state in which one more unit of the role begins it. */
  readonly paidFees: Float64Array;
  readonly rewardedFees: Float64Array;
  /** Dearest first. */
  readonly steps: readonly Step[];
  /** The states of all rows lie from `least` to below `most`. */
  readonly least: number;
  readonly most: number;
  /** Index of the first of two rows for each unit of the largest class, and one more. */
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

const membersOf = ({ pool, rewardPool }: Offer): readonly number[] =>
  [...new Set([...pool, ...rewardPool])].sort((a, b) => a - b);

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

const largestCount = (members: readonly number[], classes: readonly UnitClass[]): number =>
  members.reduce((most, c) => Math.max(most, classes[c]?.count ?? 0), 0);

/** Entries of the offer's table. */
const entriesOf = (offer: Offer, classes: readonly UnitClass[]): number => {
  const members = membersOf(offer);
  const width = stateCount(offer, largestDeficit(members, classes)) + 1;
  return (members.length + 2 + 2 * largestCount(members, classes)) * width;
};

/** Entries of all tables. */
export const tableEntries = ({ offers, classes }: PresolvedProblem): number =>
  offers.reduce((sum, offer) => sum + entriesOf(offer, classes), 0);

const feesOf = (begins: Uint8Array, fee: number): Float64Array =>
  Float64Array.from(begins, (one) => one * fee);

/** `weight`: of a piastre; an application costs 1. `base`: index of the first entry. */
const trackOf = (offer: Offer, classes: readonly UnitClass[], weight: number, base: number): Track => {
  const members = membersOf(offer);
  const automaton = automatonFor(offer, largestDeficit(members, classes));
  const width = automaton.size + 1;
  const [pool, rewardPool] = [new Set(offer.pool), new Set(offer.rewardPool)];
  const unitsIn = (some: readonly number[]): Units => ({
    paid: some.reduce((sum, c) => sum + (pool.has(c) ? (classes[c]?.count ?? 0) : 0), 0),
    rewarded: some.reduce((sum, c) => sum + (rewardPool.has(c) ? (classes[c]?.count ?? 0) : 0), 0),
  });
  const steps = members.map((c, at): Step => {
    const { price = 0, count = 0 } = classes[c] ?? {};
    const { from, to } = automaton.statesBetween(unitsIn(members.slice(0, at)), unitsIn(members.slice(at)));
    return {
      c,
      count,
      isPaid: pool.has(c),
      isRewarded: rewardPool.has(c),
      paidGain: offer.form === 'bundle' ? weight * price : 0,
      rewardedGain: weight * offer.discountOn(price),
      endsLevel: at < members.length - 1 && classes[members[at + 1] ?? 0]?.price !== price,
      row: base + at * width,
      after: base + (at + 1) * width,
      from,
      to,
    };
  });
  const end = automaton.statesBetween(unitsIn(members), unitsIn([]));
  const fee = weight * offer.price + 1;
  return {
    automaton,
    paidFees: feesOf(automaton.begins[PAID], fee),
    rewardedFees: feesOf(automaton.begins[REWARDED], fee),
    steps,
    least: steps.reduce((least, { from }) => Math.min(least, from), end.from),
    // Paid units come before rewarded ones of their class.
    most: steps.reduce((most, { to, count, isPaid, isRewarded }) => {
      const more = isPaid && isRewarded ? count * automaton.columns : 0;
      return Math.max(most, Math.min(automaton.size, to + more));
    }, end.to),
    scratch: base + (members.length + 1) * width,
    width,
  };
};

/** By state, the better of stopping and of one more unit. All rows are places in `values`. */
const oneMore = (
  values: Float64Array,
  next: Uint16Array,
  fees: Float64Array,
  gain: number,
  least: number,
  most: number,
  stopped: number,
  from: number,
  out: number,
): void => {
  for (let state = least; state < most; state++) {
    const stop = values[stopped + state] ?? 0;
    const more = (values[from + (next[state] ?? 0)] ?? 0) + gain - (fees[state] ?? 0);
    values[out + state] = more > stop ? more : stop;
  }
};

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
      tracks.push(trackOf(offer, classes, weight, entries));
      entries += entriesOf(offer, classes);
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
    const { automaton, paidFees, rewardedFees, steps } = track;
    const step = steps[at];
    if (step === undefined) return state;
    const { size, next } = automaton;
    const values = this.#values;
    const dual = this.dualOf(step.c);
    const best = values[step.row + state] ?? 0;
    let reached = state;
    let gained = 0;
    for (let paid = 0; reached !== size; paid++) {
      let last = reached;
      let gain = gained;
      for (let rewarded = 0; last !== size; rewarded++) {
        if (gain + (values[step.after + last] ?? 0) === best) {
          taken[step.c] = (taken[step.c] ?? 0) + paid + rewarded;
          return last;
        }
        if (!step.isRewarded || paid + rewarded === step.count) break;
        gain += step.rewardedGain - dual - (rewardedFees[last] ?? 0);
        last = next[REWARDED][last] ?? size;
      }
      if (!step.isPaid || paid === step.count) break;
      gained += step.paidGain - dual - (paidFees[reached] ?? 0);
      reached = next[PAID][reached] ?? size;
    }
    throw new RangeError('a state without a best choice');
  }

  /**
   * The choices for the class at a position of the track that lose at most `limit`, the best first. After the last class
   * every complete state counts as the first.
   */
  choicesOf(track: Track, at: number, state: number, limit: number): readonly Choice[] {
    const { automaton, paidFees, rewardedFees, steps } = track;
    const step = steps[at];
    if (step === undefined) return [];
    const { size, next, start } = automaton;
    const values = this.#values;
    const dual = this.dualOf(step.c);
    const paidGain = step.paidGain - dual;
    const rewardedGain = step.rewardedGain - dual;
    const isLast = at === steps.length - 1;
    const best = values[step.row + state] ?? 0;
    const choices: Choice[] = [];
    let reached = state;
    let gained = 0;
    for (let paid = 0; reached !== size; paid++) {
      let last = reached;
      let gain = gained;
      for (let rewarded = 0; last !== size; rewarded++) {
        const loss = best - gain - (values[step.after + last] ?? 0);
        this.operations += 1;
        if (loss <= limit)
          choices.push({ paid, rewarded, units: paid + rewarded, next: isLast ? start : last, loss });
        if (!step.isRewarded || paid + rewarded === step.count) break;
        gain += rewardedGain - (rewardedFees[last] ?? 0);
        last = next[REWARDED][last] ?? size;
      }
      if (!step.isPaid || paid === step.count) break;
      gained += paidGain - (paidFees[reached] ?? 0);
      reached = next[PAID][reached] ?? size;
    }
    return choices.length > 1 ? choices.sort((a, b) => a.loss - b.loss) : choices;
  }

  /** From the row of the next class: at most `count` units of this one, paid ones before rewarded ones. */
  #fillRow(track: Track, at: number): void {
    const { automaton, steps, paidFees, rewardedFees, least, most, scratch, width } = track;
    const step = steps[at];
    if (step === undefined) return;
    const { count, row, after, from, to, isPaid, isRewarded } = step;
    const values = this.#values;
    if (step.endsLevel) this.#forbidDeficits(automaton, after);
    const dual = this.dualOf(step.c);
    const [paid, rewarded] = automaton.next;
    let before = after;
    if (isRewarded) {
      const gain = step.rewardedGain - dual;
      for (let units = 1; units <= count; units++) {
        const isDone = units === count && !isPaid;
        const out = isDone ? row : scratch + units * width;
        oneMore(
          values,
          rewarded,
          rewardedFees,
          gain,
          isDone ? from : least,
          isDone ? to : most,
          after,
          before,
          out,
        );
        before = out;
      }
      this.operations += (count - 1) * (most - least) + to - from;
    }
    if (!isPaid) return;
    const gain = step.paidGain - dual;
    before = after;
    for (let units = 1; units <= count; units++) {
      const isDone = units === count;
      const out = isDone ? row : scratch + (count + units) * width;
      const stopped = isRewarded ? scratch + units * width : after;
      oneMore(values, paid, paidFees, gain, isDone ? from : least, isDone ? to : most, stopped, before, out);
      before = out;
    }
    this.operations += (count - 1) * (most - least) + to - from;
  }

  /** Where a reward of this price still lacks a paid unit, no unit of a lower price may follow. */
  #forbidDeficits({ size, endsLevel }: Automaton, row: number): void {
    for (let state = 0; state < size; state++)
      if (endsLevel[state] === 0) this.#values[row + state] = -Infinity;
  }
}

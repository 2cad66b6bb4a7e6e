/**
 * Branch and cut on the number of applications of each variant (Decisions 7.4). At a leaf these numbers are integers,
 * and an assignment decides which units are taken. Incumbents are exact; the relaxation gives bounds only.
 */
import type { Application, RepeatedApplication } from './application.ts';
import { greedy } from './greedy.ts';
import { INTEGRALITY_TOLERANCE } from './lp/integrality.ts';
import type { PresolvedProblem } from './presolve.ts';
import { discountOf } from './problem.ts';
import { Relaxation, VARIANTS_PER_WORK } from './relaxation.ts';
import { assignUnits, objectiveOf, solutionOf, type Solution } from './solution.ts';

// The figures of branch and bound are of 366 carts (decision 0017), of which it leaves 14 unproven by itself.

/**
 * A first search is among the columns within this part of the gap. Without that search 8 more carts stay unproven; with a
 * quarter of the gap none, at 3 % more work; with a 64th 1.
 */
const FIRST_PART = 1 / 16;
/**
 * Where there are more, the dynamic program may compare them. With 5 one of 564 carts has other ties, with 100 none; of
 * 358 carts with more than 20, 86 stay undecided even with 100,000, at 82 % more work.
 */
const MAX_TIES = 20;

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));

/** Every saving is a multiple of this. */
const savingStepOf = ({ offers, classes }: PresolvedProblem): number =>
  Math.max(
    1,
    offers
      .flatMap(({ form, pool, rewardPool, price, percent }) =>
        form === 'bundle'
          ? [price, ...pool.map((c) => classes[c]?.price ?? 0)]
          : rewardPool.map((c) => discountOf(classes[c]?.price ?? 0, percent)),
      )
      .reduce(gcd, 0),
  );

/** No solution has more applications. */
const mostApplications = ({ offers, classes }: PresolvedProblem): number => {
  const units = classes.reduce((sum, { count }) => sum + count, 0);
  const smallest = offers.reduce((least, { qty, getQty }) => Math.min(least, qty + getQty), Infinity);
  const times = offers.reduce((sum, { maxTimes }) => sum + maxTimes, 0);
  return Math.min(times, Math.floor(units / smallest));
};

export class BranchAndBound {
  readonly #problem: PresolvedProblem;
  readonly #workLimit: number;
  readonly #weight: number;
  readonly #savingStep: number;
  #relaxation: Relaxation;
  #earlierWork = 0;
  /** Of reduced cost 0 at the optimum without cuts. */
  #rootColumns: readonly Application[] = [];
  #incumbent: Solution;
  /** The least value that a solution must have. */
  #target = 0;
  /** Whether one solution is enough. */
  #endsAtFirst = false;
  /** Whether the search for ties had to leave some out. */
  #missesTies = false;
  /** No solution has a larger value; the simplex method is not exact. */
  #bound = Infinity;
  /** Largest bound of the open nodes. */
  #openBound = -Infinity;

  /** `known`: a solution. */
  constructor(problem: PresolvedProblem, workLimit: number, known: readonly RepeatedApplication[]) {
    this.#problem = problem;
    this.#workLimit = workLimit;
    this.#weight = mostApplications(problem) + 1;
    this.#savingStep = savingStepOf(problem);
    this.#incumbent = solutionOf(problem, known);
    this.#target = this.#value + 1;
    this.#relaxation = new Relaxation(
      problem,
      this.#weight,
      known.map(({ application }) => application),
    );
  }

  /** The best solution found. */
  get incumbent(): Solution {
    return this.#incumbent;
  }

  /** Piastres; no solution saves more. */
  get bound(): number {
    return Math.max(this.#savingBound(this.#bound), this.#incumbent.saving);
  }

  get work(): number {
    return this.#earlierWork + this.#relaxation.work;
  }

  /** Whether the incumbent is proven within the work limit. */
  prove(): boolean {
    if (this.#search(FIRST_PART)) return true;
    if (this.#isOutOfWork) return false;
    // Cuts have no entries for columns that come later, so the second search begins without cuts.
    this.#earlierWork += this.#relaxation.work;
    this.#relaxation = new Relaxation(this.#problem, this.#weight, this.#rootColumns);
    return this.#search(1);
  }

  /** Searches among the columns within this part of the gap; whether the incumbent is proven. */
  #search(part: number): boolean {
    const relaxation = this.#relaxation;
    const isRoot = relaxation.generateColumns(this.#workLeft);
    this.#bound = Math.min(this.#bound, relaxation.rootBound);
    if (!isRoot) return false;
    this.#round();
    this.#rootColumns = relaxation.bestColumns();
    const rootBound = relaxation.bound();
    const ofOtherColumns = Math.floor(rootBound - part * (rootBound - this.#value));
    const isComplete = relaxation.enumerateColumns(ofOtherColumns, this.#workLeft);
    this.#openBound = -Infinity;
    if (this.#runCutRounds()) this.#explore();
    else this.#openBound = this.#nodeBound;
    if (!isComplete) return false;
    const most = Math.max(ofOtherColumns, this.#openBound);
    this.#bound = Math.min(this.#bound, most);
    return most <= this.#value;
  }

  /** Objective values are integers. */
  get #nodeBound(): number {
    return Math.floor(this.#relaxation.bound());
  }

  /**
   * Adds cuts until the gap is closed or none is found; false without an optimum of the relaxation. Without cuts 74 more
   * carts stay unproven, at twice the work.
   */
  #runCutRounds(): boolean {
    const relaxation = this.#relaxation;
    while (this.#nodeBound > this.#value && relaxation.mostFractional() !== null) {
      relaxation.removeColumns(this.#value);
      if (!relaxation.addCuts()) return true;
      const outcome = relaxation.reoptimise(this.#target, this.#workLeft);
      if (outcome !== 'optimal') return outcome === 'cutoff';
      this.#round();
    }
    return true;
  }

  // ── Nodes ───────────────────────────────────────────────────────────────────────────────────────

  /** Depth first, from an optimum of the relaxation. */
  #explore(): void {
    const relaxation = this.#relaxation;
    const bound = this.#nodeBound;
    if (bound < this.#target) return;
    const fractional = relaxation.mostFractional();
    if (fractional === null) {
      this.#solveLeaf(bound);
      return;
    }
    const { key, value } = fractional;
    const floor = Math.floor(value);
    const [lower, upper] = relaxation.boundsOf(key);
    if (floor < lower || floor >= upper) {
      // An inaccurate basis: the node stays open.
      this.#openBound = Math.max(this.#openBound, bound);
      return;
    }
    const branches = [
      [lower, floor],
      [floor + 1, upper],
    ] as const;
    for (const [least, most] of value - floor > 0.5 ? branches.toReversed() : branches) {
      if (bound < this.#target) break;
      if (this.#isOutOfWork) {
        this.#openBound = Math.max(this.#openBound, bound);
        break;
      }
      relaxation.setBounds(key, least, most);
      const outcome = relaxation.reoptimise(this.#target, this.#workLeft);
      if (outcome === 'optimal') {
        this.#round();
        this.#explore();
      } else if (outcome === 'stopped') this.#openBound = Math.max(this.#openBound, bound);
    }
    relaxation.setBounds(key, lower, upper);
  }

  #solveLeaf(bound: number): void {
    const solution = this.#assigned(this.#integerTimes());
    if (solution !== null) this.#accept(solution);
    // The bound was not reached, so the node stays open.
    if (solution === null || this.#savingBound(bound) > solution.saving)
      this.#openBound = Math.max(this.#openBound, bound);
  }

  #integerTimes(): readonly number[] {
    return Array.from(this.#relaxation.variantTimes(), Math.round);
  }

  /** Null where the units are too few, or the times of an offer too many: the simplex method is not exact. */
  #assigned(times: readonly number[]): Solution | null {
    const { variants, offers, classes } = this.#problem;
    this.#earlierWork += Math.ceil((offers.length * variants.length) / VARIANTS_PER_WORK);
    if (offers.some(({ maxTimes }, offer) => this.#timesIn(times, offer) > maxTimes)) return null;
    const { taken, saving, work } = assignUnits(
      { variants, offers, kinds: classes, times },
      { isOrdered: false, workLimit: this.#workLimit - this.work },
    );
    this.#earlierWork += work;
    if (taken === null) return null;
    return { times, saving, applications: times.reduce((sum, each) => sum + each, 0), taken: () => taken };
  }

  #accept(solution: Solution): void {
    const value = objectiveOf(solution, this.#weight);
    if (value < this.#target) return;
    this.#incumbent = solution;
    this.#target = this.#endsAtFirst ? Infinity : value + 1;
  }

  /** Without it 8 more carts stay unproven, at 18 % more work. */
  #round(): void {
    if (this.#endsAtFirst) return;
    const wanted = this.#relaxation.roundedApplications();
    const { chosen, work } = greedy(this.#problem, this.#workLimit - this.work, wanted);
    this.#earlierWork += work;
    this.#accept(solutionOf(this.#problem, chosen));
  }

  // ── Tie-break ───────────────────────────────────────────────────────────────────────────────────

  /**
   * After `prove`: times by variant of the solutions tied with the incumbent, which is the first, where the deals of lower
   * sort and id apply most often. Null at the work limit, and where there are more than it compares.
   */
  ties(): readonly (readonly number[])[] | null {
    this.#endsAtFirst = true;
    this.#target = this.#value;
    this.#openBound = -Infinity;
    // The last node may have been cut off, which leaves no optimum.
    if (!this.#reachesOptimum()) return null;
    this.#runCutRounds();
    this.#relaxation.removeColumns(this.#value);
    this.#maximiseOffersInOrder();
    const ties: (readonly number[])[] = [];
    if (this.#reachesOptimum()) this.#collectTies(this.#relaxation.ambiguousVariants(), ties);
    const isDecided = !this.#isOutOfWork && !this.#missesTies && this.#openBound < this.#value;
    return isDecided ? [this.#incumbent.times, ...ties] : null;
  }

  /** Among optimal solutions, maximises the applications of each offer in turn. */
  #maximiseOffersInOrder(): void {
    const relaxation = this.#relaxation;
    for (const offer of this.#problem.offers.keys()) {
      const key = -1 - offer;
      const most = relaxation.mostTimes(key);
      let times = this.#timesOf(offer);
      for (let step = 1; step > 0 && times < most && !this.#isOutOfWork;) {
        step = Math.min(step, most - times);
        relaxation.setBounds(key, times + step, most);
        this.#target = this.#value;
        if (this.#reachesOptimum()) this.#explore();
        const more = this.#timesOf(offer) - times;
        times += more;
        step = more > 0 ? 2 * step : Math.floor(step / 2);
      }
      relaxation.setBounds(key, times, times);
    }
  }

  #timesOf(offer: number): number {
    return this.#timesIn(this.#incumbent.times, offer);
  }

  #timesIn(times: readonly number[], offer: number): number {
    const { variants } = this.#problem;
    return times.reduce((sum, own, v) => (variants[v]?.offerIndex === offer ? sum + own : sum), 0);
  }

  /** The ways to split the applications of the offers over their variants. Needs an optimum of the relaxation. */
  #collectTies([variant, ...others]: readonly number[], ties: (readonly number[])[]): void {
    const relaxation = this.#relaxation;
    this.#missesTies ||= ties.length >= MAX_TIES;
    if (this.#isOutOfWork || this.#missesTies) return;
    if (variant === undefined) {
      const times = this.#integerTimes();
      const solution = this.#assigned(times);
      if (solution !== null && objectiveOf(solution, this.#weight) === this.#value) ties.push(times);
      return;
    }
    const [lower, upper] = relaxation.boundsOf(variant);
    const current = Math.floor((relaxation.variantTimes()[variant] ?? 0) + INTEGRALITY_TOLERANCE);
    for (const step of [-1, 1])
      for (let times = step < 0 ? current : current + 1; times >= lower && times <= upper; times += step) {
        relaxation.setBounds(variant, times, times);
        // The optimum is concave in `times`, so no value further away is optimal.
        if (!this.#reachesOptimum()) break;
        this.#collectTies(others, ties);
      }
    relaxation.setBounds(variant, lower, upper);
  }

  #reachesOptimum(): boolean {
    const outcome = this.#relaxation.reoptimise(this.#value, this.#workLeft);
    this.#missesTies ||= outcome === 'stopped';
    return outcome === 'optimal';
  }

  // ── Values and work ─────────────────────────────────────────────────────────────────────────────

  get #value(): number {
    return objectiveOf(this.#incumbent, this.#weight);
  }

  /** For the relaxation. */
  get #workLeft(): number {
    return this.#workLimit - this.#earlierWork;
  }

  get #isOutOfWork(): boolean {
    return this.work > this.#workLimit;
  }

  /** The largest saving with an objective of at most `objective`. */
  #savingBound(objective: number): number {
    if (objective === -Infinity) return 0;
    const step = this.#savingStep;
    return Math.floor((objective + this.#weight - 1) / this.#weight / step) * step;
  }
}

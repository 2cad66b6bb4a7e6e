/**
 * The largest saving by a dynamic program with bounds of a Lagrangian relaxation. Solutions are compared by their gain:
 * the weight of a piastre exceeds any number of applications.
 */
import type { TakenUnits } from './allocation.ts';
import type { RepeatedApplication } from './application.ts';
import { LayeredSearch } from './layered-search.ts';
import { OfferTables, tableEntries } from './offer-tables.ts';
import { preferredSolution } from './optimal-path.ts';
import type { PresolvedProblem } from './presolve.ts';
import type { Problem } from './problem.ts';
import { firstDuals, relax } from './unit-prices.ts';

// ── Which carts ─────────────────────────────────────────────────────────────────────────────────

const MAX_ENTRIES = 200_000;
const FEW_UNITS = 16;
const MANY_CLASSES = 14;
/** With more units of each class than that, on average, too many states have the same loss. */
const UNITS_OF_CLASS = { few: 4.5, many: 6 };

/** Whether a dynamic program proves such carts sooner than branch and bound. */
export const fitsDynamicProgram = (problem: PresolvedProblem): boolean => {
  const { classes } = problem;
  const units = classes.reduce((sum, { count }) => sum + count, 0);
  const most = classes.length >= MANY_CLASSES ? UNITS_OF_CLASS.many : UNITS_OF_CLASS.few;
  return units <= Math.max(FEW_UNITS, most * classes.length) && tableEntries(problem) <= MAX_ENTRIES;
};

// ── The search ──────────────────────────────────────────────────────────────────────────────────

/** Subgradient steps before the first search, and its limit of the loss as a part of the bound. */
const FEW = { steps: 4, limit: 0.05 };
const MANY = { steps: 20, limit: 0.003 };
/** Subgradient steps before the second search. */
const MORE_STEPS = 60;
/** How much a limit grows without an end: at least, and at most. */
const WIDENING = { least: 1.35, most: 2 };
/** Table operations that take as long as one operation of work. */
const OPERATIONS_PER_WORK = 2;
/** Work of the first search, of what its relaxation took. */
const FIRST_SHARE = 4;
const BEAM = 100;

export class DynamicProgram {
  readonly #problem: Problem;
  readonly #presolved: PresolvedProblem;
  /** Of a piastre against an application. */
  readonly #weight: number;
  readonly #tables: OfferTables;
  readonly #gain: number;
  #duals: Float64Array;
  #search: LayeredSearch | null = null;
  #searched = 0;
  /** Of the last relaxation. */
  #relaxed = 0;
  /** No solution gains more. */
  #most = Infinity;

  /** `known`: a solution. */
  constructor(problem: Problem, presolved: PresolvedProblem, known: readonly RepeatedApplication[]) {
    const weight = presolved.classes.reduce((sum, { count }) => sum + count, 1);
    this.#problem = problem;
    this.#presolved = presolved;
    this.#weight = weight;
    this.#tables = new OfferTables(presolved, weight);
    this.#duals = firstDuals(presolved, known, weight);
    this.#gain = known.reduce(
      (sum, { application, times }) => sum + times * (weight * application.saving - 1),
      0,
    );
  }

  /** Piastres; no solution saves more. */
  get bound(): number {
    return Math.ceil(this.#most / this.#weight);
  }

  get work(): number {
    return Math.ceil(
      this.#searched + (this.#search?.work ?? 0) + this.#tables.operations / OPERATIONS_PER_WORK,
    );
  }

  /** Whether it finds, within the work limit, the solution that saves the bound. */
  prove(workLimit: number): boolean {
    const first = this.#weight - 1 <= FEW_UNITS ? FEW : MANY;
    this.#relax(first.steps, workLimit);
    const relaxing = this.#tables.operations / OPERATIONS_PER_WORK;
    if (this.#widen(first.limit, Math.min(workLimit, FIRST_SHARE * relaxing))) return true;
    if (this.work > workLimit) return false;
    this.#relax(MORE_STEPS, workLimit);
    return this.#widen(first.limit, workLimit - this.work);
  }

  /** Whether it finds a solution that saves more than the known one. */
  improve(workLimit: number): boolean {
    const search = this.#search;
    if (search === null) return false;
    const gap = this.#relaxed - this.#gain;
    const limit = Math.min(gap, WIDENING.most * (this.#relaxed - this.#most));
    const work = search.work + workLimit - this.work;
    const loss = search.run({ loss: limit, work, beam: BEAM });
    return loss !== null && loss < gap;
  }

  /** By offer, the units of each class in the solution found. Beyond the work limit ties are not compared. */
  solution(workLimit: number): readonly TakenUnits[] {
    const search = this.#search;
    if (search === null) throw new RangeError('no search has found a solution');
    const left = search.work + workLimit - this.work;
    return preferredSolution(this.#problem, this.#presolved, search, this.#tables, left);
  }

  /** The solution can no longer be asked for. */
  end(): void {
    this.#searched += this.#search?.work ?? 0;
    this.#search?.end();
    this.#search = null;
  }

  #relax(steps: number, workLimit: number): void {
    this.end();
    const limits = { steps, operations: OPERATIONS_PER_WORK * workLimit };
    const { bound, duals } = relax(this.#presolved, this.#tables, this.#duals, this.#gain, limits);
    this.#duals = duals;
    this.#relaxed = bound;
    this.#most = Math.min(this.#most, bound);
    this.#search = new LayeredSearch(this.#presolved.classes, this.#tables, bound - this.#gain);
  }

  /** Widens the limit of the loss until a solution is within it. `share`: of the bound, the first limit. */
  #widen(share: number, workLimit: number): boolean {
    const search = this.#search;
    if (search === null) return false;
    const gap = this.#relaxed - this.#gain;
    let limit = this.#relaxed - this.#most + Math.floor(this.#relaxed * share);
    while (search.work <= workLimit) {
      limit = Math.min(limit, gap);
      const loss = search.run({ loss: limit, work: workLimit });
      if (loss !== null) {
        this.#most = this.#relaxed - loss;
        return true;
      }
      if (search.work > workLimit) break;
      this.#most = this.#relaxed - limit - 1;
      const least = Math.floor(limit * WIDENING.least) + 1;
      limit = Math.max(least, Math.min(limit * WIDENING.most, search.leastPruned));
    }
    return false;
  }
}

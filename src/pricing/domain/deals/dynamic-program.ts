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

export interface DynamicProgramResult {
  /** By offer, the units of each class; null where it found nothing better than the known solution. */
  readonly taken: readonly TakenUnits[] | null;
  /** Piastres; no solution saves more. */
  readonly bound: number;
  readonly work: number;
}

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
/** The part of the work limit that is left for an incumbent. */
const BEAM_SHARE = 0.2;
const BEAM = 100;

class DynamicProgram {
  readonly #problem: Problem;
  readonly #presolved: PresolvedProblem;
  /** Of a piastre against an application. */
  readonly #weight: number;
  readonly #tables: OfferTables;
  readonly #known: readonly RepeatedApplication[];
  readonly #gain: number;
  #searched = 0;
  /** No solution gains more. */
  #most = Infinity;

  constructor(problem: Problem, presolved: PresolvedProblem, known: readonly RepeatedApplication[]) {
    const weight = presolved.classes.reduce((sum, { count }) => sum + count, 1);
    this.#problem = problem;
    this.#presolved = presolved;
    this.#weight = weight;
    this.#tables = new OfferTables(presolved, weight);
    this.#known = known;
    this.#gain = known.reduce(
      (sum, { application, times }) => sum + times * (weight * application.saving - 1),
      0,
    );
  }

  *solve(workLimit: number): Generator<void, DynamicProgramResult> {
    const first = this.#weight <= FEW_UNITS ? FEW : MANY;
    let duals = firstDuals(this.#presolved, this.#known, this.#weight);
    for (const steps of [first.steps, MORE_STEPS]) {
      const isLast = steps === MORE_STEPS;
      const relaxation = yield* relax(this.#presolved, this.#tables, duals, this.#gain, steps);
      const { bound } = relaxation;
      duals = relaxation.duals;
      this.#most = Math.min(this.#most, bound);
      const relaxed = this.#tables.operations / OPERATIONS_PER_WORK;
      const allowed = isLast
        ? workLimit * (1 - BEAM_SHARE) - this.#work()
        : Math.min(workLimit, FIRST_SHARE * relaxed);
      const search = new LayeredSearch(this.#presolved.classes, this.#tables, bound - this.#gain);
      const taken =
        (yield* this.#prove(search, bound, bound * first.limit, allowed)) ??
        (isLast ? yield* this.#improve(search, bound, workLimit - this.#work()) : null);
      this.#searched += search.work;
      search.end();
      if (taken !== null || isLast)
        return { taken, bound: Math.ceil(this.#most / this.#weight), work: Math.ceil(this.#work()) };
    }
    throw new RangeError('no last search');
  }

  #work(): number {
    return this.#searched + this.#tables.operations / OPERATIONS_PER_WORK;
  }

  /** Widens the limit until a solution is within it; null beyond the work limit. */
  *#prove(
    search: LayeredSearch,
    bound: number,
    firstLimit: number,
    workLimit: number,
  ): Generator<void, readonly TakenUnits[] | null> {
    const gap = bound - this.#gain;
    let limit = bound - this.#most + Math.floor(firstLimit);
    while (search.work <= workLimit) {
      limit = Math.min(limit, gap);
      const loss = yield* search.run({ loss: limit, work: workLimit });
      if (loss !== null) {
        this.#most = bound - loss;
        return preferredSolution(this.#problem, this.#presolved, search, this.#tables);
      }
      if (search.work > workLimit) break;
      this.#most = bound - limit - 1;
      const least = Math.floor(limit * WIDENING.least) + 1;
      limit = Math.max(least, Math.min(limit * WIDENING.most, search.leastPruned));
    }
    return null;
  }

  /** A good solution, with limits that do not suffice for a proof. */
  *#improve(
    search: LayeredSearch,
    bound: number,
    workLimit: number,
  ): Generator<void, readonly TakenUnits[] | null> {
    const gap = bound - this.#gain;
    const limit = Math.min(gap, WIDENING.most * (bound - this.#most));
    const loss = yield* search.run({ loss: limit, work: search.work + workLimit, beam: BEAM });
    if (loss === null || loss >= gap) return null;
    return preferredSolution(this.#problem, this.#presolved, search, this.#tables);
  }
}

/** `known`: a solution. Pauses now and then. */
export const solveByDynamicProgram = (
  problem: Problem,
  presolved: PresolvedProblem,
  known: readonly RepeatedApplication[],
  workLimit: number,
): Generator<void, DynamicProgramResult> => new DynamicProgram(problem, presolved, known).solve(workLimit);

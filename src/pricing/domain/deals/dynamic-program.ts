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
  /** By offer, the units of each class; null at the work limit. */
  readonly taken: readonly TakenUnits[] | null;
  /** Piastres; no solution saves more. */
  readonly bound: number;
  readonly work: number;
}

const MAX_ENTRIES = 200_000;
/** With more units of each class than that, on average, there are too many states of equal loss. */
const MOST_UNITS_OF_CLASS = 4.5;
const FEW_UNITS = 16;
/** Subgradient steps before the first search, and before each later one. */
const STAGES = [12, 30, 60];
/** The first limit of the loss, of the bound. */
const FIRST_LIMIT = 0.003;
const WIDENING = 1.35;
const MOST_WIDENING = 2;
/** Table operations that take as long as one operation of work. */
const OPERATIONS_PER_WORK = 2;

export const fitsDynamicProgram = (problem: PresolvedProblem): boolean => {
  const units = problem.classes.reduce((sum, { count }) => sum + count, 0);
  const isSpread = units <= Math.max(FEW_UNITS, MOST_UNITS_OF_CLASS * problem.classes.length);
  return isSpread && tableEntries(problem) <= MAX_ENTRIES;
};

/** `known`: a solution. */
export const solveByDynamicProgram = (
  problem: Problem,
  presolved: PresolvedProblem,
  known: readonly RepeatedApplication[],
  workLimit: number,
): DynamicProgramResult => {
  const { classes } = presolved;
  const weight = classes.reduce((sum, { count }) => sum + count, 1);
  const gain = known.reduce(
    (sum, { application, times }) => sum + times * (weight * application.saving - 1),
    0,
  );
  const tables = new OfferTables(presolved, weight);
  let duals = firstDuals(presolved, known, weight);
  /** No solution gains more. */
  let most = Infinity;
  let work = 0;
  for (const [stage, steps] of STAGES.entries()) {
    const relaxation = relax(presolved, tables, duals, gain, steps);
    const { bound } = relaxation;
    duals = relaxation.duals;
    most = Math.min(most, bound);
    const gap = bound - gain;
    const search = new LayeredSearch(classes, tables, gap);
    const spent = work + tables.operations / OPERATIONS_PER_WORK;
    const allowed =
      stage === STAGES.length - 1
        ? workLimit - spent
        : Math.min(workLimit, tables.operations / OPERATIONS_PER_WORK);
    for (let limit = bound - most + Math.floor(bound * FIRST_LIMIT); search.work <= allowed;) {
      limit = Math.min(limit, gap);
      const loss = search.run({ loss: limit, beam: Infinity, work: allowed });
      if (loss !== null) {
        const taken = preferredSolution(problem, presolved, search, tables);
        return { taken, bound: Math.ceil((bound - loss) / weight), work: Math.ceil(spent + search.work) };
      }
      if (search.work > allowed) break;
      most = bound - limit - 1;
      limit = Math.max(Math.floor(limit * WIDENING) + 1, Math.min(limit * MOST_WIDENING, search.leastPruned));
    }
    work += search.work;
  }
  return {
    taken: null,
    bound: Math.ceil(most / weight),
    work: Math.ceil(work + tables.operations / OPERATIONS_PER_WORK),
  };
};

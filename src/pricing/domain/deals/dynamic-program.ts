/**
 * The largest saving by a dynamic program with bounds of a Lagrangian relaxation. Solutions are compared by their gain:
 * the weight of a piastre exceeds any number of applications.
 */
import type { RepeatedApplication } from './application.ts';
import { LayeredSearch } from './layered-search.ts';
import { OfferTables, OPERATIONS_PER_WORK, tableOperations } from './offer-tables.ts';
import { solutionsOf, type FoundSolutions } from './optimal-path.ts';
import type { PresolvedProblem } from './presolve.ts';
import type { Problem } from './problem.ts';
import { SortedPlans, workOfPlan } from './sorted-plans.ts';
import { descend, firstDuals, type Steps } from './unit-prices.ts';

// ── Which carts ─────────────────────────────────────────────────────────────────────────────────

/** Operations of one evaluation of the tables: a twentieth of a work limit of four million. It also bounds their memory. */
const MAX_OPERATIONS = 400_000;
/** With 0 460 carts of 5 to 24 units take three times the work; with 16 twice. */
const FEW_UNITS = 24;
/** With more units of each class on average, too many states have the same loss. With 4.5 20 % more work, without it 16 %. */
const UNITS_OF_CLASS = 6;
/**
 * Many offers on units of so few prices: too many solutions save the same. Without this rule 45 carts of 16 or 40 units of
 * one or two prices take 18 % more work; for any number of offers 180 carts of up to a dozen units take 80 % more.
 */
const ALIKE = { prices: 2, offers: 6 };

const isAlike = ({ classes, offers }: PresolvedProblem): boolean =>
  offers.length > ALIKE.offers && new Set(classes.map(({ price }) => price)).size <= ALIKE.prices;

/** Whether its tables are small enough for a dynamic program. */
export const canRunProgram = (problem: PresolvedProblem): boolean =>
  tableOperations(problem) <= MAX_OPERATIONS;

/** Whether a dynamic program proves such carts sooner than branch and bound. */
export const fitsDynamicProgram = (problem: PresolvedProblem): boolean => {
  const { classes } = problem;
  const units = classes.reduce((sum, { count }) => sum + count, 0);
  if (isAlike(problem) || !canRunProgram(problem)) return false;
  return units <= FEW_UNITS || units <= UNITS_OF_CLASS * classes.length;
};

// ── The search ──────────────────────────────────────────────────────────────────────────────────

// Figures: of the 564 carts of the bench `ablations` (130 million of work) 5 stay unproven.

/**
 * For carts of many. Without steps 6 stay unproven, at 4 % more work; with 20 steps 6, at 15 % more for the median cart. A
 * first step of 0.4: 6. A last step of 0.1: 6, 4 % more work. A limit of 0.001: 6, 3 % more work; of 0.006: 9, 6 % more.
 */
const MANY = { steps: { count: 10, first: 0.2, last: 0.02 }, limit: 0.003 };
/**
 * Steps on sorted plans, before those on tables. Without any 25 stay unproven, at 2.8 times the work; with 20 steps 8. A
 * first step of 0.4: 8, at 10 % more work.
 */
const ROUGH: Steps = { count: 40, first: 1, last: 0.02 };
/**
 * For carts of few units: steps on tables, as long as those on plans; the first limit of the loss, of the bound. Without
 * steps 16 % more work on such carts; with a limit of 0.2 66 % more.
 */
const FEW = { steps: { ...ROUGH, count: 4 }, limit: 0.05 };
/** How much the limit of the loss grows without an end. With 1.1 7 stay unproven, at 8 % more work; with 1.5 8, at 5 % more. */
const WIDENING = 1.2;

/** About the work of the rough steps; none for few units. */
export const roughWork = ({ classes, offers }: PresolvedProblem): number =>
  classes.reduce((sum, { count }) => sum + count, 0) > FEW_UNITS ? ROUGH.count * workOfPlan(offers) : 0;

export class DynamicProgram {
  readonly #problem: Problem;
  readonly #presolved: PresolvedProblem;
  /** Of a piastre against an application. */
  readonly #weight: number;
  readonly #tables: OfferTables;
  readonly #known: readonly RepeatedApplication[];
  /** Of the known solution. */
  readonly #gain: number;
  #search: LayeredSearch | null = null;
  /** Operations of sorted plans. */
  #planned = 0;
  /** No solution gains more. */
  #most = Infinity;

  /** `known`: a solution. */
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

  /** Piastres; no solution saves more. */
  get bound(): number {
    return Math.ceil(this.#most / this.#weight);
  }

  get work(): number {
    const priced = this.#planned + this.#tables.operations / OPERATIONS_PER_WORK;
    return Math.ceil((this.#search?.work ?? 0) + priced);
  }

  /** Whether it finds, within the work limit, the solution that saves the bound. */
  prove(workLimit: number): boolean {
    const isSmall = this.#weight - 1 <= FEW_UNITS;
    const { steps, limit } = isSmall ? FEW : MANY;
    const first = firstDuals(this.#presolved, this.#known, this.#weight);
    const bound = this.#relax(isSmall ? first : this.#roughPrices(first, workLimit), steps, workLimit);
    this.#most = bound;
    const searchLimit = workLimit - this.work;
    this.#search = new LayeredSearch(this.#presolved.classes, this.#tables, bound - this.#gain);
    return this.#widen(this.#search, bound, Math.floor(bound * limit), searchLimit);
  }

  /** The solutions found; the limit is of all work of this program. */
  solutions(): FoundSolutions {
    const search = this.#search;
    if (search === null) throw new RangeError('no search has found a solution');
    const { preferred, any } = solutionsOf(this.#problem, this.#presolved, search, this.#tables);
    return { preferred: (workLimit) => preferred(search.work + workLimit - this.work), any };
  }

  /** The solutions can no longer be asked for. */
  end(): void {
    this.#search?.end();
  }

  #roughPrices(first: Float64Array, workLimit: number): Float64Array {
    const plans = new SortedPlans(this.#presolved, this.#weight);
    const { last } = descend(this.#presolved, plans, first, this.#gain, ROUGH, workLimit);
    this.#planned = plans.operations;
    return last.duals;
  }

  /** Leaves the tables at the best prices; returns the bound. */
  #relax(first: Float64Array, steps: Steps, workLimit: number): number {
    const operations = OPERATIONS_PER_WORK * workLimit;
    const { best, last } = descend(this.#presolved, this.#tables, first, this.#gain, steps, operations);
    if (best.bound < last.bound) this.#tables.evaluate(best.duals);
    return best.bound;
  }

  /** Widens the limit of the loss until a solution is within it. */
  #widen(search: LayeredSearch, bound: number, first: number, workLimit: number): boolean {
    const gap = bound - this.#gain;
    for (let limit = Math.min(first, gap); ; limit = Math.min(Math.floor(limit * WIDENING) + 1, gap)) {
      const loss = search.run(limit, workLimit);
      if (loss !== null) {
        this.#most = bound - loss;
        return true;
      }
      if (search.workWithTables > workLimit || limit === gap) return false;
      this.#most = bound - limit - 1;
    }
  }
}

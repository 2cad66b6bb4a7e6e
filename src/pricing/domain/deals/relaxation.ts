/**
 * The linear relaxation: a column per application, a row per class of units and per cap. `enumerateColumns` adds every
 * column that a better solution than the incumbent can use, so cuts and branches need no further pricing.
 */
import { groupBy } from '../../../kernel/group-by.ts';
import type { Application, RepeatedApplication } from './application.ts';
import { ColumnSearch } from './column-search.ts';
import { separateCuts } from './lp/cuts.ts';
import { fractionality, INTEGRALITY_TOLERANCE } from './lp/integrality.ts';
import { LinearProgram, type Outcome } from './lp/linear-program.ts';
import type { PresolvedProblem } from './presolve.ts';

/** Enumeration gives up beyond so many. With 1,250 12 more carts stay unproven; with 20,000 2 save less. */
const MAX_COLUMNS = 5000;

/** Variants whose times are looked at in one operation. */
export const VARIANTS_PER_WORK = 8;

export class Relaxation {
  /** Bound without cuts and branches. */
  rootBound: number;
  readonly #program: LinearProgram;
  readonly #problem: PresolvedProblem;
  readonly #weight: number;
  readonly #search: ColumnSearch;
  #columns: Application[] = [];
  readonly #columnByUnits = new Map<string, number>();
  /** By offer; −1 without a cap. */
  readonly #capRows: readonly number[];
  /** The variable of the first column. */
  readonly #first: number;
  /** Sum of the reduced costs that count as zero in one solution. */
  readonly #slack: number;
  #cutRows: number[] = [];
  /** By variant, or −1 − offer. */
  readonly #countRows = new Map<number, number>();

  /** Maximises saving × `weight` − applications. */
  constructor(problem: PresolvedProblem, weight: number, startColumns: readonly Application[]) {
    const { offers, classes } = problem;
    this.#problem = problem;
    this.#weight = weight;
    this.#search = new ColumnSearch(problem, weight);
    this.rootBound = weight * classes.reduce((sum, { price, count }) => sum + price * count, 0);
    const program = new LinearProgram(weight * (classes[0]?.price ?? 1));
    for (const { count } of classes) program.addRow(null, count);
    this.#capRows = offers.map(({ isCapped, maxTimes }) => (isCapped ? program.addRow(null, maxTimes) : -1));
    this.#program = program;
    this.#first = program.variables;
    this.#slack = program.tolerance * offers.reduce((sum, { maxTimes }) => sum + maxTimes, 0);
    for (const application of startColumns) this.#addColumn(application);
  }

  get work(): number {
    return this.#program.work;
  }

  bound(): number {
    return this.#program.bound();
  }

  reoptimise(cutoff: number, workLimit: number): Outcome {
    return this.#program.reoptimise(cutoff, workLimit);
  }

  // ── Columns ─────────────────────────────────────────────────────────────────────────────────────

  /** False for one that saves no money, and where a column of the same offer and units saves as much. */
  #addColumn(application: Application): boolean {
    const { offer, classes, amounts, saving } = application;
    if (saving <= 0) return false;
    let key = String.fromCharCode(offer);
    for (let k = 0; k < classes.length; k++) key += String.fromCharCode(classes[k] ?? 0, amounts[k] ?? 0);
    const known = this.#columnByUnits.get(key);
    if (known !== undefined && (this.#columns[known]?.saving ?? 0) >= saving) return false;
    this.#columnByUnits.set(key, this.#columns.length);
    this.#columns.push(application);
    const cap = this.#capRows[offer] ?? -1;
    let most = this.#problem.offers[offer]?.maxTimes ?? 0;
    classes.forEach((c, k) => {
      most = Math.min(most, Math.floor((this.#problem.classes[c]?.count ?? 0) / (amounts[k] ?? 1)));
    });
    // One more than the rows allow: a column at its upper bound would have a reduced cost above 0 at an optimum.
    this.#program.addColumn(
      cap < 0 ? classes : [...classes, cap],
      cap < 0 ? amounts : [...amounts, 1],
      this.#weight * saving - 1,
      most + 1,
    );
    return true;
  }

  /** Column generation: false at the work limit. */
  generateColumns(workLimit: number): boolean {
    for (;;) {
      if (this.reoptimise(-Infinity, workLimit) !== 'optimal') return false;
      const bound = this.bound();
      let missing = 0;
      let added = false;
      for (const [offer, { maxTimes }] of this.#problem.offers.entries()) {
        const best: Application[] = [];
        let largest = 0;
        const isDone = this.#visitColumns(offer, this.#program.tolerance, workLimit, (reducedCost) => {
          best[0] = this.#search.application();
          largest = reducedCost;
          return reducedCost + this.#program.tolerance;
        });
        if (!isDone) return false;
        missing += maxTimes * largest;
        if (best[0] !== undefined && this.#addColumn(best[0])) added = true;
      }
      // Each offer applies at most `maxTimes` times.
      this.rootBound = Math.min(this.rootBound, bound + missing + this.#slack);
      if (!added) return true;
    }
  }

  /** False at the work limit. */
  #visitColumns(
    offer: number,
    threshold: number,
    workLimit: number,
    visit: (reducedCost: number) => number,
  ): boolean {
    const [search, program] = [this.#search, this.#program];
    if (offer === 0) search.setDuals(program.duals);
    const capDual = program.duals[this.#capRows[offer] ?? -1] ?? 0;
    const earlier = search.work;
    const isDone = search.search(offer, capDual, threshold, visit, workLimit - program.work);
    program.work += search.work - earlier;
    return isDone;
  }

  /**
   * Adds every column that a solution of value `target` or more can use: its reduced cost is no further below 0 than
   * `target` is below the bound. False when there are too many, or at the work limit.
   */
  enumerateColumns(target: number, workLimit: number): boolean {
    const threshold = Math.min(0, target - this.bound() - this.#slack);
    for (const offer of this.#problem.offers.keys()) {
      const isDone = this.#visitColumns(offer, threshold, workLimit, () => {
        if (this.#columns.length >= MAX_COLUMNS) return Infinity;
        this.#addColumn(this.#search.application());
        return threshold;
      });
      if (!isDone || this.#columns.length >= MAX_COLUMNS) return false;
    }
    return true;
  }

  /** Removes the columns that no solution of this value can use. Without it 5 more carts stay unproven, at 33 % more work. */
  removeColumns(value: number): void {
    const program = this.#program;
    const least = value - this.bound() - this.#slack;
    const last = this.#first + this.#columns.length;
    const isKept = (variable: number): boolean =>
      variable < this.#first ||
      variable >= last ||
      program.isBasic(variable) ||
      program.reducedCostOf(variable) >= least;
    const kept = this.#columns.filter((_, column) => isKept(this.#first + column));
    if (kept.length === this.#columns.length) return;
    program.removeColumns(isKept);
    this.#columns = kept;
  }

  // ── Cuts and branches ───────────────────────────────────────────────────────────────────────────

  /** False when no cut was found. Those that are not tight make room: without that 11 % more work. */
  addCuts(): boolean {
    const program = this.#program;
    const cuts = separateCuts(program, this.#first, this.#first + this.#columns.length);
    this.#cutRows = this.#cutRows.filter((row) => !program.removeSlackRow(row));
    for (const { entries, upper } of cuts) this.#cutRows.push(program.addRow(entries, upper));
    return cuts.length > 0;
  }

  boundsOf(key: number): readonly [lower: number, upper: number] {
    return this.#program.boundsOf(this.#countRowOf(key));
  }

  /** Bounds the applications of a variant; `key`: its index, or −1 − the index of an offer. */
  setBounds(key: number, lower: number, upper: number): void {
    this.#program.setBounds(this.#countRowOf(key), lower, upper);
  }

  #countRowOf(key: number): number {
    const known = this.#countRows.get(key);
    if (known !== undefined) return known;
    const entries = new Float64Array(this.#first + this.#columns.length);
    this.#columns.forEach(({ variant, offer }, column) => {
      if (key === variant || key === -1 - offer) entries[this.#first + column] = 1;
    });
    // One more, so that a fraction above the most times can be branched on.
    const row = this.#program.addRow(entries, this.mostTimes(key) + 1);
    this.#countRows.set(key, row);
    return row;
  }

  mostTimes(key: number): number {
    const offer = key < 0 ? -1 - key : (this.#problem.variants[key]?.offerIndex ?? 0);
    return this.#problem.offers[offer]?.maxTimes ?? 0;
  }

  // ── Readings ────────────────────────────────────────────────────────────────────────────────────

  #forEachPositive(visit: (application: Application, times: number) => void): void {
    for (let column = 0; column < this.#columns.length; column++) {
      const times = this.#program.valueOf(this.#first + column);
      const application = this.#columns[column];
      if (times > INTEGRALITY_TOLERANCE && application !== undefined) visit(application, times);
    }
    this.#program.work += this.#columns.length;
  }

  /** Of reduced cost 0. */
  bestColumns(): readonly Application[] {
    const { tolerance } = this.#program;
    return this.#columns.filter((_, column) => this.#reducedCostOf(column) >= -tolerance);
  }

  #reducedCostOf(column: number): number {
    return this.#program.reducedCostOf(this.#first + column);
  }

  /** Every application as often as the whole part of its value, then once more, by decreasing fraction. */
  roundedApplications(): readonly RepeatedApplication[] {
    const whole: RepeatedApplication[] = [];
    const rest: { readonly application: Application; readonly fraction: number }[] = [];
    this.#forEachPositive((application, value) => {
      const times = Math.floor(value + INTEGRALITY_TOLERANCE);
      if (times > 0) whole.push({ application, times });
      if (value - times > INTEGRALITY_TOLERANCE) rest.push({ application, fraction: value - times });
    });
    rest.sort((a, b) => b.fraction - a.fraction);
    return [...whole, ...rest.map(({ application }) => ({ application, times: 1 }))];
  }

  /** Applications by variant, fractional. */
  variantTimes(): Float64Array {
    const times = new Float64Array(this.#problem.variants.length);
    this.#program.work += Math.floor(times.length / VARIANTS_PER_WORK);
    this.#forEachPositive(({ variant }, value) => {
      times[variant] = (times[variant] ?? 0) + value;
    });
    return times;
  }

  /**
   * Of offers, then of variants, the number of applications that is furthest from an integer, with its key; null when
   * all are integers. With variants alone 2 more carts stay unproven.
   */
  mostFractional(): { readonly key: number; readonly value: number } | null {
    const ofVariants = this.variantTimes();
    const ofOffers = new Float64Array(this.#problem.offers.length);
    this.#problem.variants.forEach(({ offerIndex }, variant) => {
      ofOffers[offerIndex] = (ofOffers[offerIndex] ?? 0) + (ofVariants[variant] ?? 0);
    });
    for (const times of [ofOffers, ofVariants]) {
      let [best, largest] = [-1, INTEGRALITY_TOLERANCE];
      times.forEach((value, index) => {
        if (fractionality(value) > largest) [best, largest] = [index, fractionality(value)];
      });
      if (best >= 0) return { key: times === ofOffers ? -1 - best : best, value: times[best] ?? 0 };
    }
    return null;
  }

  /** Variants with columns, of offers that have columns of several variants; ascending. */
  ambiguousVariants(): readonly number[] {
    const used = new Set(this.#columns.map(({ variant }) => variant));
    const byOffer = groupBy([...used], (variant) => this.#problem.variants[variant]?.offerIndex ?? 0);
    return [...byOffer.values()]
      .filter(({ length }) => length > 1)
      .flat()
      .sort((a, b) => a - b);
  }
}

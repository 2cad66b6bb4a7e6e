/**
 * The linear relaxation: a column per application, a row per class of units and per cap. `enumerateColumns` adds every
 * column that a better solution than the incumbent can use, so cuts and branches need no further pricing.
 */
import type { Application, RepeatedApplication } from './application.ts';
import {
  isSameVariable,
  mostFractional,
  type Branch,
  type BranchVariable,
  type Fractional,
} from './branching.ts';
import { enumerateColumns } from './column-enumeration.ts';
import { bestColumn, type PricedColumn, type PricingProblem } from './column-pricing.ts';
import { LinearProgram, type SimplexOutcome, type Snapshot } from './lp/linear-program.ts';
import type { PresolvedProblem, Variant } from './presolve.ts';
import { discountOf } from './problem.ts';
import { rounded, type FractionalApplication } from './rounding.ts';

interface BranchRow {
  readonly variable: BranchVariable;
  readonly row: number;
}

interface RelaxationSnapshot {
  readonly program: Snapshot;
  readonly branchRows: readonly BranchRow[];
}

/**
 * Enumeration gives up beyond so many columns. With 1,250, 28 instead of 21 carts stay unproven. Without a limit one
 * cart takes more work, and 10 of 40 maximum carts (100 lines, or bundles of six to nine of twenty kinds) save less.
 */
const MAX_COLUMNS = 5000;
/**
 * The time of enumeration, in operations of the simplex method. With 40, 22 carts stay unproven, at 3 % more work; with
 * 2.5 still 21, at 0.8 % less.
 */
const WORK_PER_NODE = 10;
/** With 400, 27 carts stay unproven, at 18 % more work; with 25 still 21, at 5 % less. */
const WORK_PER_COLUMN = 100;

/** Rounding error of a sum of this size. Without it 11 proven carts have other deals, because ties are lost. */
const marginOf = (sum: number): number => 1e-6 + 4e-12 * Math.abs(sum);

export class Relaxation {
  private readonly program: LinearProgram;
  private readonly problem: PresolvedProblem;
  private readonly weight: number;
  /** By offer and class. */
  private readonly discounts: readonly Float64Array[];
  /** By column. */
  private readonly applications: Application[] = [];
  private readonly columnByUnits = new Map<string, number>();
  /** By offer; −1 without a cap. */
  private readonly capRows: readonly number[];
  private readonly structuralRows: number;
  /** Sum of the reduced costs that count as zero in one solution. */
  private readonly slack: number;
  private branchRows: BranchRow[] = [];
  /** Bound without cuts and branches. */
  rootBound = Infinity;

  /** Maximises saving × `weight` − applications. */
  constructor(problem: PresolvedProblem, weight: number, startColumns: readonly Application[]) {
    const { offers, classes } = problem;
    this.problem = problem;
    this.weight = weight;
    this.discounts = offers.map(({ form, percent }) =>
      Float64Array.from(classes, ({ price }) => (form === 'bundle' ? price : discountOf(price, percent))),
    );
    const dearest = classes.reduce((most, { price }) => Math.max(most, price), 1);
    this.program = new LinearProgram(weight * dearest);
    for (const { count } of classes) this.program.addRow(null, -Infinity, count);
    this.capRows = offers.map(({ isCapped, maxTimes }) =>
      isCapped ? this.program.addRow(null, -Infinity, maxTimes) : -1,
    );
    this.structuralRows = this.program.rowCount;
    this.slack = this.program.tolerance * offers.reduce((sum, { maxTimes }) => sum + maxTimes, 0);
    for (const application of startColumns) this.addColumn(application);
  }

  get work(): number {
    return this.program.meter.total;
  }

  get columnCount(): number {
    return this.applications.length;
  }

  bound(): number {
    const bound = this.program.bound();
    return bound + marginOf(bound);
  }

  // ── Columns ─────────────────────────────────────────────────────────────────────────────────────

  /** Column generation: solves until no variant prices out a column. */
  generateColumns(workLimit: number): SimplexOutcome {
    for (;;) {
      const outcome = this.program.primal(workLimit);
      if (outcome !== 'optimal' || !this.addBestColumns(workLimit))
        return this.work > workLimit ? 'work limit' : outcome;
    }
  }

  /** Adds a column per offer; false when no reduced cost is positive, or at the work limit. */
  private addBestColumns(workLimit: number): boolean {
    const { program } = this;
    const { offers, variants } = this.problem;
    const bound = this.bound();
    const pricing = this.pricingProblem();
    const best: (PricedColumn | null)[] = offers.map(() => null);
    const largest = offers.map(() => 0);
    for (const [index, variant] of variants.entries()) {
      if (this.work > workLimit) return false;
      const { offerIndex } = variant;
      const threshold = best[offerIndex]?.reducedCost ?? program.tolerance;
      const priced = bestColumn(pricing, variant, index, threshold);
      if (priced.column !== null) best[offerIndex] = priced.column;
      largest[offerIndex] = Math.max(largest[offerIndex] ?? 0, priced.bound);
      program.meter.add(priced.work);
    }
    // Lagrangian bound: each offer applies at most `maxTimes` times.
    const missing = offers.reduce((sum, { maxTimes }, offer) => sum + maxTimes * (largest[offer] ?? 0), 0);
    this.rootBound = Math.min(this.rootBound, bound + missing);
    return best.filter((column) => column !== null && this.addColumn(column.application)).length > 0;
  }

  private pricingProblem(): PricingProblem {
    const { program, weight, capRows } = this;
    const { classes } = this.problem;
    const paidValues = new Float64Array(classes.length);
    for (let c = 0; c < paidValues.length; c++) paidValues[c] = -Math.max(0, program.dualPrice(c));
    const offers = this.problem.offers.map(({ price }, offer) => {
      const discounts = this.discounts[offer] ?? paidValues;
      const values = new Float64Array(classes.length);
      for (let c = 0; c < values.length; c++) values[c] = weight * (discounts[c] ?? 0) + (paidValues[c] ?? 0);
      const cap = capRows[offer] ?? -1;
      const fixedCost = 1 + weight * price + (cap < 0 ? 0 : Math.max(0, program.dualPrice(cap)));
      return { discounts, values, fixedCost };
    });
    program.meter.add(offers.length * classes.length);
    return { classes, paidValues, offers };
  }

  /** False when a column of the same offer and units saves as much. */
  private addColumn(application: Application): boolean {
    const { variant, classes, amounts, saving } = application;
    const { offerIndex } = this.problem.variants[variant] ?? { offerIndex: 0 };
    let key = String.fromCharCode(offerIndex);
    for (let k = 0; k < classes.length; k++) key += String.fromCharCode(classes[k] ?? 0, amounts[k] ?? 0);
    const known = this.columnByUnits.get(key);
    if (known !== undefined && (this.applications[known]?.saving ?? 0) >= saving) return false;
    this.columnByUnits.set(key, this.applications.length);
    this.applications.push(application);
    const cap = this.capRows[offerIndex] ?? -1;
    this.program.addColumn({
      rows: cap < 0 ? classes : [...classes, cap],
      values: cap < 0 ? amounts : [...amounts, 1],
      cost: this.weight * saving - 1,
      impliedUpper: this.problem.offers[offerIndex]?.maxTimes ?? 0,
    });
    return true;
  }

  /**
   * Adds every column that a solution of value `target` or more can use: its reduced cost is no further below 0 than
   * `target` is below the bound. False when there are too many, or at the work limit.
   */
  enumerateColumns(target: number, workLimit: number): boolean {
    const counter = { nodes: 0 };
    for (;;) {
      const pricing = this.pricingProblem();
      const threshold = Math.min(0, target - this.bound() - this.slack);
      let largest = 0;
      for (const [index, variant] of this.problem.variants.entries()) {
        const found = this.enumerateVariant(pricing, variant, index, threshold, counter, workLimit);
        if (found === null) return false;
        largest = Math.max(largest, found);
      }
      // No reduced cost is positive, so the dual prices were optimal and no column is missing.
      if (largest <= this.program.tolerance) return true;
      if (this.generateColumns(workLimit) !== 'optimal') return false;
    }
  }

  /** Returns the largest reduced cost; null beyond a limit. */
  private enumerateVariant(
    pricing: PricingProblem,
    variant: Variant,
    index: number,
    threshold: number,
    counter: { nodes: number },
    workLimit: number,
  ): number | null {
    const { meter } = this.program;
    let largest = 0;
    let counted = counter.nodes;
    for (const column of enumerateColumns(pricing, variant, index, threshold, counter)) {
      meter.add(WORK_PER_NODE * (counter.nodes - counted));
      counted = counter.nodes;
      if (column !== null) {
        meter.add(WORK_PER_COLUMN);
        largest = Math.max(largest, column.reducedCost);
        this.addColumn(column.application);
      }
      if (this.applications.length >= MAX_COLUMNS || meter.total > workLimit) return null;
    }
    meter.add(WORK_PER_NODE * (counter.nodes - counted) + variant.pool.length + variant.rewardPool.length);
    return largest;
  }

  // ── Cuts and branches ───────────────────────────────────────────────────────────────────────────

  reoptimise(cutoff: number, workLimit: number): SimplexOutcome | 'cutoff' {
    return this.program.dual(workLimit, cutoff - marginOf(cutoff));
  }

  /** Removes the columns that no solution of value `target` can use. `bound`: the current one. */
  fixByReducedCost(target: number, bound: number): void {
    const kept = this.program.removeColumnsBelow(target - bound);
    const { applications } = this;
    if (kept.length === applications.length) return;
    kept.forEach((column, to) => {
      const application = applications[column];
      if (application !== undefined) applications[to] = application;
    });
    applications.length = kept.length;
  }

  /** Whether no other integer solution has the value `target`. */
  isUnique(target: number): boolean {
    return this.mostFractional() === null && this.program.isUniqueWithin(this.bound() - target);
  }

  /** False when no cut was found. */
  addCuts(): boolean {
    const cuts = this.program.separateCuts();
    for (const cut of cuts) this.program.addCut(cut);
    return cuts.length > 0;
  }

  removeSlackCuts(): void {
    this.program.removeSlackRows(this.structuralRows);
  }

  addBranch({ variable, lower, upper }: Branch): void {
    const known = this.branchRows.find((other) => isSameVariable(other.variable, variable));
    if (known !== undefined) {
      this.program.tightenBounds(known.row, lower, upper);
      return;
    }
    const entries = new Float64Array(this.applications.length);
    this.applications.forEach(({ variant }, column) => {
      if (this.isCounted(variable, variant)) entries[column] = 1;
    });
    this.branchRows.push({ variable, row: this.program.addRow(entries, lower, upper) });
  }

  private isCounted(variable: BranchVariable, variant: number): boolean {
    return 'variant' in variable
      ? variable.variant === variant
      : this.problem.variants[variant]?.offerIndex === variable.offer;
  }

  save(): RelaxationSnapshot {
    return { program: this.program.save(), branchRows: this.branchRows.slice() };
  }

  restore({ program, branchRows }: RelaxationSnapshot): void {
    this.program.restore(program);
    this.branchRows = branchRows.slice();
  }

  // ── Readings ────────────────────────────────────────────────────────────────────────────────────

  basicApplications(): readonly FractionalApplication[] {
    const basic: FractionalApplication[] = [];
    this.program.forEachBasicColumn((column, times) => {
      const application = this.applications[column];
      if (application !== undefined) basic.push({ application, times });
    });
    return basic;
  }

  /** Applications by variant, fractional. */
  variantTimes(): readonly number[] {
    const times = this.problem.variants.map(() => 0);
    this.program.forEachBasicColumn((column, value) => {
      const variant = this.applications[column]?.variant ?? 0;
      times[variant] = (times[variant] ?? 0) + value;
    });
    return times;
  }

  rounded(): readonly RepeatedApplication[] {
    this.program.meter.add(10 * this.program.rowCount);
    return rounded(this.problem, this.basicApplications());
  }

  /** Variants with columns, of offers that have columns of several variants. */
  ambiguousVariants(): readonly number[] {
    const used = [...new Set(this.applications.map(({ variant }) => variant))].sort((a, b) => a - b);
    const offerOf = (variant: number): number => this.problem.variants[variant]?.offerIndex ?? 0;
    return used.filter((variant) =>
      used.some((other) => other !== variant && offerOf(other) === offerOf(variant)),
    );
  }

  /** The most fractional branch variable, offers before variants; null when all are integers. */
  mostFractional(): Fractional | null {
    const times = this.variantTimes();
    const ofOffers = this.problem.offers.map(() => 0);
    this.problem.variants.forEach(({ offerIndex }, variant) => {
      ofOffers[offerIndex] = (ofOffers[offerIndex] ?? 0) + (times[variant] ?? 0);
    });
    return (
      mostFractional(ofOffers, (offer) => ({ offer })) ?? mostFractional(times, (variant) => ({ variant }))
    );
  }
}

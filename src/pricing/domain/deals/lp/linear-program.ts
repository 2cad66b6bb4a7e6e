import { BasisInverse } from './inverse.ts';
import { DENSE, withCapacity } from './vector.ts';

/** 'cutoff': no point reaches the value asked for. 'stopped': at the work limit, or inaccurate. */
export type Outcome = 'optimal' | 'cutoff' | 'stopped';

/** Places of nonbasic variables; those of basic ones are their positions, 0 and up. */
const AT_LOWER = -1;
const AT_UPPER = -2;

/** Of the largest cost: a smaller reduced cost counts as zero. With 0 21 more carts stay unproven; with 1e-9 none. */
const RELATIVE_TOLERANCE = 1e-11;
/** A smaller violation of a bound counts as none. With 1e-9 or 1e-5 no cart changes. */
const FEASIBILITY_TOLERANCE = 1e-7;
/** A smaller pivot counts as zero. With 0 nodes are inaccurate; with 1e-7 no cart changes. */
const SMALLEST_PIVOT = 1e-9;
/** Without it no more carts stay unproven, at 1.3 % less work. */
const WORK_PER_PIVOT = 100;

/** Rounding error of a sum of this size. Without it 3 bounds are below a saving that another run finds. */
const marginOf = (sum: number): number => 1e-6 + 4e-12 * Math.abs(sum);

/**
 * max c·x, by the dual simplex alone. Columns and the activities of rows are variables alike: A x − r = 0, each within
 * finite bounds. So every basis is dual feasible once each nonbasic variable is at its better bound, whichever bounds,
 * rows and columns have changed. The order of the arithmetic is fixed, so every machine computes the same numbers.
 */
export class LinearProgram {
  work = 0;
  rows = 0;
  variables = 0;
  readonly tolerance: number;
  // By row.
  duals = new Float64Array(16);
  #activities = new Int32Array(16);
  /** By row, the entries of those that were added after the columns, by variable. */
  readonly #added: (Float64Array | undefined)[] = [];
  readonly #freeRows: number[] = [];
  // By variable.
  #costs = new Float64Array(64);
  #lower = new Float64Array(64);
  #upper = new Float64Array(64);
  #reducedCosts = new Float64Array(64);
  #pivotRow = new Float64Array(64);
  #places = new Int32Array(64);
  #starts = new Int32Array(65);
  #entryRows = new Int32Array(256);
  #entries = new Float64Array(256);
  // By position.
  #basic = new Int32Array(16);
  #values = new Float64Array(16);
  #pivotColumn = new Float64Array(16);
  readonly #inverse = new BasisInverse();
  #objective = 0;
  /** Kept until the dual prices, rows, columns or bounds change. */
  #bound: number | null = null;

  constructor(largestCost: number) {
    this.tolerance = RELATIVE_TOLERANCE * largestCost;
  }

  // ── Rows, columns and bounds ────────────────────────────────────────────────────────────────────

  /** A variable from 0 to `upper`; only before the first row with entries. */
  addColumn(rows: readonly number[], values: readonly number[], cost: number, upper: number): void {
    const variable = this.variables++;
    const count = this.variables;
    const start = this.#starts[variable] ?? 0;
    const end = start + rows.length;
    this.#costs = withCapacity(this.#costs, count);
    this.#lower = withCapacity(this.#lower, count);
    this.#upper = withCapacity(this.#upper, count);
    this.#reducedCosts = withCapacity(this.#reducedCosts, count);
    this.#pivotRow = withCapacity(this.#pivotRow, count);
    this.#places = withCapacity(this.#places, count);
    this.#starts = withCapacity(this.#starts, count + 1);
    this.#entryRows = withCapacity(this.#entryRows, end);
    this.#entries = withCapacity(this.#entries, end);
    this.#costs[variable] = cost;
    this.#upper[variable] = upper;
    this.#places[variable] = AT_LOWER;
    this.#starts[count] = end;
    this.#entryRows.set(rows, start);
    this.#entries.set(values, start);
    this.#bound = null;
    this.work += rows.length + 50;
  }

  /** A row whose activity is from 0 to `upper`. `entries`: by variable; null where they come with later columns. */
  addRow(entries: Float64Array | null, upper: number): number {
    const row = this.#freeRows.pop() ?? this.#appendRow();
    this.setBounds(row, 0, upper);
    if (entries === null) return row;
    this.#added[row] = entries;
    const own = this.#inverse.row(this.#places[this.#activities[row] ?? 0] ?? 0);
    for (let i = 0; i < this.rows; i++) {
      const entry = entries[this.#basic[i] ?? 0] ?? 0;
      if (entry === 0) continue;
      this.#inverse.addRow(i, entry, own);
      this.work += this.rows / DENSE;
    }
    this.work += this.rows + 100;
    return row;
  }

  #appendRow(): number {
    const row = this.rows++;
    this.duals = withCapacity(this.duals, this.rows);
    this.#activities = withCapacity(this.#activities, this.rows);
    this.#basic = withCapacity(this.#basic, this.rows);
    this.#values = withCapacity(this.#values, this.rows);
    this.#pivotColumn = withCapacity(this.#pivotColumn, this.rows);
    this.#inverse.append();
    this.#activities[row] = this.variables;
    this.#basic[row] = this.variables;
    this.addColumn([row], [-1], 0, 0);
    this.#places[this.variables - 1] = row;
    return row;
  }

  /** Removes a row with entries unless it is tight; returns whether it did. */
  removeSlackRow(row: number): boolean {
    const place = this.#places[this.#activities[row] ?? 0] ?? 0;
    if (place < 0) return false;
    this.#added[row] = undefined;
    this.#inverse.clear(place, row);
    this.work += this.rows / DENSE;
    this.setBounds(row, 0, 0);
    this.#freeRows.push(row);
    return true;
  }

  /** Removes nonbasic columns; `isKept`: by variable. Columns move to the places of removed ones. */
  removeColumns(isKept: (variable: number) => boolean): void {
    const after = new Int32Array(this.variables);
    const byVariable = [this.#costs, this.#lower, this.#upper, this.#reducedCosts, this.#places];
    let [count, end] = [0, 0];
    for (let variable = 0; variable < this.variables; variable++) {
      if (!isKept(variable)) continue;
      const [from, to] = [this.#starts[variable] ?? 0, this.#starts[variable + 1] ?? 0];
      for (const numbers of byVariable) numbers[count] = numbers[variable] ?? 0;
      for (const entries of this.#added) if (entries !== undefined) entries[count] = entries[variable] ?? 0;
      this.#entryRows.copyWithin(end, from, to);
      this.#entries.copyWithin(end, from, to);
      this.#starts[count] = end;
      end += to - from;
      after[variable] = count++;
    }
    this.#starts[count] = end;
    this.#added.forEach((entries, row) => (this.#added[row] = entries?.subarray(0, count)));
    for (const variables of [this.#basic, this.#activities])
      for (let i = 0; i < this.rows; i++) variables[i] = after[variables[i] ?? 0] ?? 0;
    this.work += this.variables + end;
    this.variables = count;
  }

  isBasic(variable: number): boolean {
    return (this.#places[variable] ?? 0) >= 0;
  }

  setBounds(row: number, lower: number, upper: number): void {
    const variable = this.#activities[row] ?? 0;
    this.#lower[variable] = lower;
    this.#upper[variable] = upper;
    this.#bound = null;
  }

  // ── Readings ────────────────────────────────────────────────────────────────────────────────────

  boundsOf(row: number): readonly [lower: number, upper: number] {
    const variable = this.#activities[row] ?? 0;
    return [this.#lower[variable] ?? 0, this.#upper[variable] ?? 0];
  }

  valueOf(variable: number): number {
    const place = this.#places[variable] ?? 0;
    if (place >= 0) return this.#values[place] ?? 0;
    return (place === AT_UPPER ? this.#upper[variable] : this.#lower[variable]) ?? 0;
  }

  /** As of the last bound. */
  reducedCostOf(variable: number): number {
    return this.#reducedCosts[variable] ?? 0;
  }

  /** The row of the inverse where the variable is basic; null where it is not. */
  inverseRowOf(variable: number): Float64Array | null {
    const place = this.#places[variable] ?? 0;
    return place < 0 ? null : this.#inverse.row(place);
  }

  entriesOf(variable: number): Float64Array {
    return this.#addEntries(variable, 1, new Float64Array(this.rows));
  }

  /** `into` (by row) += `factor` × the entries of the variable. */
  #addEntries(variable: number, factor: number, into: Float64Array): Float64Array {
    const end = this.#starts[variable + 1] ?? 0;
    for (let e = this.#starts[variable] ?? 0; e < end; e++) {
      const row = this.#entryRows[e] ?? 0;
      into[row] = (into[row] ?? 0) + factor * (this.#entries[e] ?? 0);
    }
    for (let row = 0; row < this.#added.length; row++)
      into[row] = (into[row] ?? 0) + factor * (this.#added[row]?.[variable] ?? 0);
    this.work += this.#added.length;
    return into;
  }

  /** `vector` (by row) times the matrix: one sum per variable. */
  multiply(vector: Float64Array, into: Float64Array): void {
    const { variables } = this;
    const [starts, entryRows, entries] = [this.#starts, this.#entryRows, this.#entries];
    for (let variable = 0, e = 0; variable < variables; variable++) {
      const end = starts[variable + 1] ?? 0;
      let sum = 0;
      for (; e < end; e++) sum += (vector[entryRows[e] ?? 0] ?? 0) * (entries[e] ?? 0);
      into[variable] = sum;
    }
    let work = variables + (starts[variables] ?? 0);
    for (let row = 0; row < this.#added.length; row++) {
      const added = this.#added[row];
      const factor = vector[row] ?? 0;
      if (added === undefined || factor === 0) continue;
      for (let variable = 0; variable < added.length; variable++)
        into[variable] = (into[variable] ?? 0) + factor * (added[variable] ?? 0);
      work += added.length / DENSE;
    }
    this.work += work;
  }

  /**
   * An upper bound on every point. It follows from the dual prices alone, with all reduced costs recomputed: an
   * inaccurate inverse makes it larger, never wrong.
   */
  bound(): number {
    if (this.#bound !== null) return this.#bound;
    const [reduced, costs, lower, upper] = [this.#reducedCosts, this.#costs, this.#lower, this.#upper];
    this.multiply(this.duals, reduced);
    let sum = 0;
    for (let variable = 0; variable < this.variables; variable++) {
      const cost = (costs[variable] ?? 0) - (reduced[variable] ?? 0);
      sum += cost * ((cost > 0 ? upper[variable] : lower[variable]) ?? 0);
      reduced[variable] = cost;
    }
    this.#bound = sum + marginOf(sum);
    return this.#bound;
  }

  // ── The dual simplex ────────────────────────────────────────────────────────────────────────────

  /** Goes on from the last basis. */
  reoptimise(cutoff: number, workLimit: number): Outcome {
    const target = cutoff - marginOf(cutoff);
    this.#refresh();
    for (;;) {
      if (this.work > workLimit) return 'stopped';
      // The objective only decreases.
      if (this.#objective < target && this.bound() < target) return 'cutoff';
      const position = this.#leavingPosition();
      if (position < 0) return 'optimal';
      const leaving = this.#basic[position] ?? 0;
      const isBelow = (this.#values[position] ?? 0) < (this.#lower[leaving] ?? 0);
      const bound = (isBelow ? this.#lower[leaving] : this.#upper[leaving]) ?? 0;
      this.multiply(this.#inverse.row(position), this.#pivotRow);
      const entering = this.#enteringVariable(isBelow);
      if (entering < 0) return this.#isBeyondRay(position, bound, target) ? 'cutoff' : 'stopped';
      this.#pivot(position, entering, bound, isBelow ? AT_LOWER : AT_UPPER);
    }
  }

  /** Dual prices, reduced costs and values of the basis, with each nonbasic variable at its better bound. */
  #refresh(): void {
    const { duals, rows } = this;
    duals.fill(0);
    for (let i = 0; i < rows; i++) {
      const cost = this.#costs[this.#basic[i] ?? 0] ?? 0;
      if (cost === 0) continue;
      this.#inverse.addRow(i, cost, duals);
      this.work += rows / DENSE;
    }
    this.#bound = null;
    this.#objective = this.bound();
    const activity = new Float64Array(rows);
    for (let variable = 0; variable < this.variables; variable++) {
      const place = this.#places[variable] ?? 0;
      if (place >= 0) continue;
      const cost = this.#reducedCosts[variable] ?? 0;
      if (Math.abs(cost) > this.tolerance) this.#places[variable] = cost > 0 ? AT_UPPER : AT_LOWER;
      const value = this.valueOf(variable);
      if (value !== 0) this.#addEntries(variable, -value, activity);
    }
    this.#addInverse(activity, this.#values.fill(0));
    this.work += this.variables;
  }

  /** `into` (by position) += the inverse times `vector` (by row). */
  #addInverse(vector: Float64Array, into: Float64Array): void {
    for (let row = 0; row < vector.length; row++) {
      if (vector[row] === 0) continue;
      this.#inverse.addColumn(row, vector[row] ?? 0, into);
      this.work += this.rows;
    }
  }

  /** Dual steepest edge with exact norms: the largest violation per length of the row; −1 when there is none. */
  #leavingPosition(): number {
    let [largest, leaving] = [0, -1];
    for (let i = 0; i < this.rows; i++) {
      const variable = this.#basic[i] ?? 0;
      const value = this.#values[i] ?? 0;
      const violation = Math.max((this.#lower[variable] ?? 0) - value, value - (this.#upper[variable] ?? 0));
      if (violation <= FEASIBILITY_TOLERANCE) continue;
      this.work += this.rows / DENSE;
      const score = (violation * violation) / this.#inverse.squaredNorm(i);
      if (score > largest) [largest, leaving] = [score, i];
    }
    this.work += this.rows;
    return leaving;
  }

  /** Dual ratio test; ties go to the larger pivot. −1 when no variable can repair the violation. */
  #enteringVariable(isBelow: boolean): number {
    const [places, lower, upper, row] = [this.#places, this.#lower, this.#upper, this.#pivotRow];
    let [best, smallest, pivot] = [-1, Infinity, 0];
    for (let variable = 0; variable < this.variables; variable++) {
      const place = places[variable] ?? 0;
      if (place >= 0) continue;
      const entry = row[variable] ?? 0;
      const helps = isBelow === (place === AT_LOWER) ? entry < -SMALLEST_PIVOT : entry > SMALLEST_PIVOT;
      if (!helps || lower[variable] === upper[variable]) continue;
      const ratio = Math.abs((this.#reducedCosts[variable] ?? 0) / entry);
      if (ratio > smallest || (ratio === smallest && Math.abs(entry) <= pivot)) continue;
      [best, smallest, pivot] = [variable, ratio, Math.abs(entry)];
    }
    this.work += this.variables;
    return best;
  }

  /** Whether the bound falls below `target` along a row of the inverse: the program is infeasible. */
  #isBeyondRay(position: number, bound: number, target: number): boolean {
    const violation = (this.#values[position] ?? 0) - bound;
    const gap = this.bound() - target;
    const step = (-2 * (gap + marginOf(gap))) / violation;
    this.#inverse.addRow(position, step, this.duals);
    this.#bound = null;
    return this.bound() < target;
  }

  /** `entering` becomes basic; the variable at `position` goes to the bound that it violates. */
  #pivot(position: number, entering: number, bound: number, place: number): void {
    const [column, row, reduced, values] = [
      this.#pivotColumn.fill(0),
      this.#pivotRow,
      this.#reducedCosts,
      this.#values,
    ];
    this.#addInverse(this.entriesOf(entering), column);
    const leaving = this.#basic[position] ?? 0;
    const pivot = column[position] ?? 1;
    const length = ((values[position] ?? 0) - bound) / pivot;
    const value = this.valueOf(entering) + length;
    for (let i = 0; i < this.rows; i++) values[i] = (values[i] ?? 0) - length * (column[i] ?? 0);
    const cost = reduced[entering] ?? 0;
    const step = cost / pivot;
    for (let variable = 0; variable < this.variables; variable++)
      reduced[variable] = (reduced[variable] ?? 0) - step * (row[variable] ?? 0);
    reduced[entering] = 0;
    reduced[leaving] = -step;
    this.#inverse.addRow(position, step, this.duals);
    this.work +=
      this.#inverse.pivot(position, column) + (this.variables + 2 * this.rows) / DENSE + WORK_PER_PIVOT;
    values[position] = value;
    this.#basic[position] = entering;
    this.#places[entering] = position;
    this.#places[leaving] = place;
    this.#objective -= Math.abs(cost * length);
    this.#bound = null;
  }
}

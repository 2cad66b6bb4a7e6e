/**
 * A basis of a linear program, its inverse and what follows from both, kept up to date from step to step.
 *
 * Maximise c·x for x ≥ 0, where the activity of each row, z_i = Σ a_ij x_j, stays within its bounds. A variable is a
 * column, j ≥ 0, or an activity, −1 − i; as many of them are basic as there are rows, the others rest at a bound.
 */
import { Pace } from '../../../kernel/pace.ts';
import { inverted } from './inverse.ts';
import { DENSE, Matrix, roomy, type Entries } from './matrix.ts';

/** A column: its entries by row, and what one of it adds to the objective. */
export interface Column extends Entries {
  readonly cost: number;
  /** As many of it as there can be in any solution in whole numbers. */
  readonly most: number;
}

/** What is nothing: so much of the largest cost, and never more than a small part of one. */
const DUAL = 1e-11;
const NOTHING = 0.01;

/** Less than this of a row or a column is inexactness. */
const SLIGHT = 1e-7;

/** Places of variables that are not basic; those that are have their row for a place. */
export const AT_LOWER = -1;
export const AT_UPPER = -2;

export const activityOf = (row: number): number => -1 - row;
export const isActivity = (variable: number): boolean => variable < 0;
export const rowOf = (variable: number): number => -1 - variable;

export class Basis {
  readonly matrix = new Matrix();
  /** Less than this is nothing, of costs. */
  readonly tolerance: number;
  private readonly pace = new Pace();
  protected m = 0;
  protected stride = 16;
  protected inverse = new Float64Array(16 * 16);
  /** Of the basic variables, by row. */
  protected values = new Float64Array(16);
  /** The variable that is basic in each row. */
  protected basis = new Int32Array(16);
  protected rowPlaces = new Int32Array(16);
  protected lower = new Float64Array(16);
  protected upper = new Float64Array(16);
  /** What one more of each row's activity is worth. */
  protected prices = new Float64Array(16);
  protected costs = new Float64Array(64);
  protected mosts = new Float64Array(64);
  /** Numbers by row, to work with. */
  private scratch = new Float64Array(16);
  protected columnPlaces = new Int32Array(64);
  /** What one more of each column brings, all else made to fit; 0 for those that are basic. */
  protected gains = new Float64Array(64);
  protected sinceFactor = 0;

  /** `largestCost`: what inexactness is measured by. */
  constructor(largestCost: number) {
    this.tolerance = Math.min(DUAL * largestCost, NOTHING);
  }

  /** Elementary operations so far. */
  get work(): number {
    return this.matrix.work;
  }

  addWork(work: number): void {
    this.matrix.work += work;
  }

  /** Whether others should have their turn now. */
  isDue(): boolean {
    return this.pace.isDueAt(this.work);
  }

  // ── Rows and columns ────────────────────────────────────────────────────────────────────────────

  /** A further column, at 0. */
  addColumn(column: Column): number {
    const { matrix } = this;
    const index = matrix.columns;
    matrix.addColumn(column);
    this.costs = roomy(this.costs, index + 1);
    this.gains = roomy(this.gains, index + 1);
    this.columnPlaces = roomy(this.columnPlaces, index + 1);
    this.mosts = roomy(this.mosts, index + 1);
    this.costs[index] = column.cost;
    this.mosts[index] = column.most;
    this.columnPlaces[index] = AT_LOWER;
    this.gains[index] = this.gainOf(index);
    return index;
  }

  /** A further row, with entries as a matrix has them; its activity becomes basic at what it is. */
  addRow(entries: Float64Array | null, lower: number, upper: number): number {
    const row = this.m;
    this.grow(row + 1);
    this.matrix.addRow(entries);
    const { stride, inverse, values, basis } = this;
    for (let k = 0; k <= row; k++) {
      inverse[row * stride + k] = 0;
      inverse[k * stride + row] = 0;
    }
    let activity = 0;
    for (let i = 0; i < row; i++) {
      const variable = basis[i] ?? 0;
      const entry = isActivity(variable) ? 0 : (entries?.[variable] ?? 0);
      if (entry === 0) continue;
      for (let k = 0; k < row; k++)
        inverse[row * stride + k] = (inverse[row * stride + k] ?? 0) + entry * (inverse[i * stride + k] ?? 0);
      activity += entry * (values[i] ?? 0);
      this.addWork(row / DENSE);
    }
    inverse[row * stride + row] = -1;
    this.m = row + 1;
    basis[row] = activityOf(row);
    values[row] = activity;
    this.rowPlaces[row] = row;
    this.lower[row] = lower;
    this.upper[row] = upper;
    this.prices[row] = 0;
    this.addWork(row + 100);
    return row;
  }

  private grow(rows: number): void {
    if (rows <= this.stride) return;
    const { stride, m } = this;
    const room = stride * 2;
    const inverse = new Float64Array(room * room);
    for (let i = 0; i < m; i++) inverse.set(this.inverse.subarray(i * stride, i * stride + m), i * room);
    this.inverse = inverse;
    this.stride = room;
    for (const of of ['values', 'lower', 'upper', 'prices', 'scratch'] as const)
      this[of] = roomy(this[of], room);
    for (const of of ['basis', 'rowPlaces'] as const) this[of] = roomy(this[of], room);
  }

  /** New bounds of a row's activity. */
  setBounds(row: number, lower: number, upper: number): void {
    const before = this.restOf(activityOf(row));
    this.lower[row] = lower;
    this.upper[row] = upper;
    if ((this.rowPlaces[row] ?? 0) >= 0) return;
    if (this.rowPlaces[row] === AT_UPPER && upper === Infinity) this.rowPlaces[row] = AT_LOWER;
    const moved = this.restOf(activityOf(row)) - before;
    if (moved === 0) return;
    const { m, stride, inverse, values } = this;
    for (let i = 0; i < m; i++) values[i] = (values[i] ?? 0) + (inverse[i * stride + row] ?? 0) * moved;
    this.addWork(m);
  }

  boundOf(row: number, isUpper: boolean): number {
    return (isUpper ? this.upper[row] : this.lower[row]) ?? 0;
  }

  // ── Readings ────────────────────────────────────────────────────────────────────────────────────

  protected placeOf(variable: number): number {
    return (isActivity(variable) ? this.rowPlaces[rowOf(variable)] : this.columnPlaces[variable]) ?? AT_LOWER;
  }

  protected setPlace(variable: number, place: number): void {
    if (isActivity(variable)) this.rowPlaces[rowOf(variable)] = place;
    else this.columnPlaces[variable] = place;
  }

  protected lowerOf(variable: number): number {
    return isActivity(variable) ? (this.lower[rowOf(variable)] ?? 0) : 0;
  }

  protected upperOf(variable: number): number {
    return isActivity(variable) ? (this.upper[rowOf(variable)] ?? Infinity) : Infinity;
  }

  /** The value of a variable that is not basic. */
  protected restOf(variable: number): number {
    if (!isActivity(variable)) return 0;
    return this.placeOf(variable) === AT_UPPER ? this.upperOf(variable) : this.lowerOf(variable);
  }

  get rowCount(): number {
    return this.m;
  }

  /** The row of the inverse that belongs to what is basic there. */
  rowOfInverse(row: number): Float64Array {
    return this.inverse.subarray(row * this.stride, row * this.stride + this.m);
  }

  /** The columns that are basic, with how much of each is taken. */
  eachTaken(take: (column: number, value: number, row: number) => void): void {
    for (let i = 0; i < this.m; i++) {
      const variable = this.basis[i] ?? 0;
      if (!isActivity(variable)) take(variable, this.values[i] ?? 0, i);
    }
  }

  objective(): number {
    let sum = 0;
    for (let i = 0; i < this.m; i++) {
      const variable = this.basis[i] ?? 0;
      if (!isActivity(variable)) sum += (this.costs[variable] ?? 0) * (this.values[i] ?? 0);
    }
    return sum;
  }

  priceOf(row: number): number {
    return this.prices[row] ?? 0;
  }

  /**
   * What no solution in whole numbers is worth more than. It follows from the prices alone, with what each column brings
   * by them worked out anew: a basis that has lost its exactness makes it larger, never wrong.
   */
  bound(): number {
    const { m, prices, lower, upper, gains, costs, mosts, matrix, columnPlaces } = this;
    let sum = 0;
    for (let row = 0; row < m; row++) {
      const bound = ((prices[row] ?? 0) > 0 ? upper[row] : lower[row]) ?? 0;
      // A price that its row has no bound for is inexact: any other is as good for a bound.
      if (Math.abs(bound) === Infinity) prices[row] = 0;
      else sum += (prices[row] ?? 0) * bound;
    }
    matrix.times(prices, gains);
    for (let column = 0; column < matrix.columns; column++) {
      const gain = (costs[column] ?? 0) - (gains[column] ?? 0);
      if (gain > 0) sum += gain * (mosts[column] ?? 0);
      gains[column] = (columnPlaces[column] ?? 0) < 0 ? gain : 0;
    }
    this.addWork(m + matrix.columns / DENSE);
    return sum;
  }

  /**
   * Whether no solution keeps all bounds, by the rows' sum with these multipliers: what the columns make of it and what
   * the activities make of it can never be equal.
   */
  protected isRefuted(multipliers: Float64Array, across: Float64Array): boolean {
    const { m, lower, upper, mosts, matrix, scratch } = this;
    for (const sign of [1, -1]) {
      let most = 0;
      for (let row = 0; row < m; row++) {
        const share = sign * (multipliers[row] ?? 0);
        const bound = (share > 0 ? upper[row] : lower[row]) ?? 0;
        scratch[row] = Math.abs(bound) === Infinity && Math.abs(share) < SLIGHT ? 0 : share;
        if (scratch[row] !== 0) most += share * bound;
      }
      if (most >= 0) continue;
      matrix.times(scratch, across);
      let least = 0;
      for (let column = 0; column < matrix.columns; column++)
        least += Math.min(0, across[column] ?? 0) * (mosts[column] ?? 0);
      if (least > most + SLIGHT) return true;
    }
    return false;
  }

  private gainOf(column: number): number {
    return (this.costs[column] ?? 0) - this.matrix.columnTimes(column, this.prices);
  }

  /** A row of the inverse times every column; 0 for those that are basic. */
  protected rowOfTableau(row: number, into: Float64Array): void {
    this.matrix.times(this.rowOfInverse(row), into);
    for (let i = 0; i < this.m; i++) {
      const variable = this.basis[i] ?? 0;
      if (!isActivity(variable)) into[variable] = 0;
    }
  }

  /** How the basic variables shrink per unit of this one. */
  protected columnOfTableau(variable: number, into: Float64Array): void {
    const { m, stride, inverse } = this;
    if (isActivity(variable)) {
      const row = rowOf(variable);
      for (let i = 0; i < m; i++) into[i] = -(inverse[i * stride + row] ?? 0);
      this.addWork(m);
      return;
    }
    into.fill(0, 0, m);
    this.matrix.eachEntry(variable, (row, entry) => {
      for (let i = 0; i < m; i++) into[i] = (into[i] ?? 0) + (inverse[i * stride + row] ?? 0) * entry;
      this.addWork(m);
    });
  }

  // ── Changes ─────────────────────────────────────────────────────────────────────────────────────

  /** Makes `entering` basic in `row` at `value`; `column` is its column of the tableau, `across` the row's. */
  protected pivot(
    row: number,
    entering: number,
    value: number,
    leavesAt: number,
    column: Float64Array,
    across: Float64Array,
  ): void {
    const { m, stride, inverse, gains, prices } = this;
    const { columns } = this.matrix;
    const at = row * stride;
    const pivot = column[row] ?? 1;
    const leaving = this.basis[row] ?? 0;
    const step = (isActivity(entering) ? (prices[rowOf(entering)] ?? 0) : (gains[entering] ?? 0)) / pivot;
    for (let other = 0; other < columns; other++)
      gains[other] = (gains[other] ?? 0) - step * (across[other] ?? 0);
    for (let i = 0; i < m; i++) prices[i] = (prices[i] ?? 0) + step * (inverse[at + i] ?? 0);
    for (let k = 0; k < m; k++) inverse[at + k] = (inverse[at + k] ?? 0) / pivot;
    for (let i = 0; i < m; i++) {
      const share = column[i] ?? 0;
      if (i === row || share === 0) continue;
      const to = i * stride;
      for (let k = 0; k < m; k++) inverse[to + k] = (inverse[to + k] ?? 0) - share * (inverse[at + k] ?? 0);
      this.addWork(m / DENSE);
    }
    if (isActivity(entering)) prices[rowOf(entering)] = 0;
    else gains[entering] = 0;
    if (!isActivity(leaving)) gains[leaving] = -step;
    this.setPlace(leaving, leavesAt);
    this.basis[row] = entering;
    this.setPlace(entering, row);
    this.values[row] = value;
    this.sinceFactor += 1;
    this.addWork((columns + 2 * m) / DENSE + 100);
  }

  /** Columns of activities cost next to nothing. */
  protected get workOfFactor(): number {
    let columns = 0;
    for (let i = 0; i < this.m; i++) if (!isActivity(this.basis[i] ?? 0)) columns += 1;
    return (2 * columns * this.m ** 2) / DENSE + this.m ** 2;
  }

  /** Works everything out anew that follows from the basis; false when that has lost its exactness. */
  protected factor(): boolean {
    const { m, stride } = this;
    const columns = Array.from({ length: m }, (_, i): Entries => {
      const variable = this.basis[i] ?? 0;
      if (isActivity(variable)) return { rows: [rowOf(variable)], values: [-1] };
      const own = { rows: [] as number[], values: [] as number[] };
      this.matrix.eachEntry(variable, (row, entry) => {
        own.rows.push(row);
        own.values.push(entry);
      });
      return own;
    });
    const inverse = inverted(columns);
    this.addWork(this.workOfFactor);
    if (inverse === null) return false;
    for (let i = 0; i < m; i++) this.inverse.set(inverse.subarray(i * m, (i + 1) * m), i * stride);
    this.sinceFactor = 0;
    this.revalue();
    return true;
  }

  private revalue(): void {
    const { m, stride, inverse, values, prices, gains, matrix } = this;
    prices.fill(0, 0, m);
    for (let i = 0; i < m; i++) {
      let value = 0;
      for (let k = 0; k < m; k++)
        if ((this.rowPlaces[k] ?? 0) < 0)
          value += (inverse[i * stride + k] ?? 0) * this.restOf(activityOf(k));
      values[i] = value;
      const variable = this.basis[i] ?? 0;
      const cost = isActivity(variable) ? 0 : (this.costs[variable] ?? 0);
      if (cost === 0) continue;
      for (let k = 0; k < m; k++) prices[k] = (prices[k] ?? 0) + cost * (inverse[i * stride + k] ?? 0);
    }
    for (let column = 0; column < matrix.columns; column++)
      gains[column] = (this.columnPlaces[column] ?? 0) < 0 ? this.gainOf(column) : 0;
    this.addWork(m * m);
  }
}

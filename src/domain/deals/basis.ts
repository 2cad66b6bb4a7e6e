/**
 * A basis of a linear program, with its inverse kept whole: rows with bounds on their activities, sparse columns from 0
 * up, and which of them are basic. Activities are variables too: variable −1 − i is that of row i.
 */
import { inverted, type Entries } from './inverse.ts';

/** One column: what a unit of the variable adds to rows, and to the objective. */
export interface Column extends Entries {
  readonly cost: number;
}

/** Of the largest cost. */
const DUAL = 1e-11;

export const AT_LOWER = -1;
export const AT_UPPER = -2;

export interface Snapshot {
  readonly m: number;
  readonly inverse: Float64Array;
  readonly value: Float64Array;
  readonly basis: readonly number[];
  readonly place: readonly number[];
  readonly placeOfRow: readonly number[];
  readonly lower: readonly number[];
  readonly upper: readonly number[];
  readonly sinceFactor: number;
}

interface Growing extends Column {
  readonly rows: number[];
  readonly values: number[];
}

const activityOf = (row: number): number => -1 - row;
const isActivity = (variable: number): boolean => variable < 0;
const rowOf = (variable: number): number => -1 - variable;

export class Basis {
  /** Elementary operations so far. */
  work = 0;
  protected readonly columns: Growing[] = [];
  /** Less than this is nothing, of costs. */
  readonly tolerance: number;
  protected m = 0;
  protected stride = 16;
  protected inverse = new Float64Array(16 * 16);
  /** Of the basic variables, by row. */
  protected value = new Float64Array(16);
  /** The variable that is basic in each row. */
  protected basis: number[] = [];
  /** Of each column, and of each activity: the row in which it is basic, else AT_LOWER or AT_UPPER. */
  private place: number[] = [];
  private placeOfRow: number[] = [];
  /** Of the activities. */
  private lower: number[] = [];
  private upper: number[] = [];
  protected sinceFactor = 0;

  /** `largestCost`: what inexactness is measured by. */
  constructor(largestCost: number) {
    this.tolerance = DUAL * largestCost;
  }

  // ── Rows and bounds ─────────────────────────────────────────────────────────────────────────────

  /** A further column, at 0. */
  addColumn({ rows, values, cost }: Column): number {
    this.place.push(AT_LOWER);
    return this.columns.push({ rows: [...rows], values: [...values], cost }) - 1;
  }

  /** A further row over columns; its activity becomes basic at what it is. */
  addRow(entries: ReadonlyMap<number, number>, lower: number, upper: number): number {
    const row = this.m;
    for (const [j, entry] of entries) {
      this.columns[j]?.rows.push(row);
      this.columns[j]?.values.push(entry);
    }
    this.append(lower, upper);
    const { stride, inverse } = this;
    let activity = 0;
    for (let i = 0; i < row; i++) {
      const entry = entries.get(this.basis[i] ?? 0);
      if (entry === undefined) continue;
      for (let k = 0; k < row; k++)
        inverse[row * stride + k] = (inverse[row * stride + k] ?? 0) + entry * (inverse[i * stride + k] ?? 0);
      activity += entry * (this.value[i] ?? 0);
    }
    this.value[row] = activity;
    this.work += row * 8;
    return row;
  }

  private append(lower: number, upper: number): void {
    const row = this.m;
    if (row === this.stride) this.grow();
    const { stride, inverse } = this;
    for (let k = 0; k < row; k++) {
      inverse[row * stride + k] = 0;
      inverse[k * stride + row] = 0;
    }
    inverse[row * stride + row] = -1;
    this.m = row + 1;
    this.basis[row] = activityOf(row);
    this.placeOfRow[row] = row;
    this.value[row] = 0;
    this.lower[row] = lower;
    this.upper[row] = upper;
  }

  private grow(): void {
    const stride = this.stride * 2;
    const inverse = new Float64Array(stride * stride);
    const value = new Float64Array(stride);
    value.set(this.value);
    for (let i = 0; i < this.m; i++)
      inverse.set(this.inverse.subarray(i * this.stride, i * this.stride + this.m), i * stride);
    this.stride = stride;
    this.inverse = inverse;
    this.value = value;
  }

  /** New bounds of a row's activity. */
  setBounds(row: number, lower: number, upper: number): void {
    const variable = activityOf(row);
    const before = this.restOf(variable);
    this.lower[row] = lower;
    this.upper[row] = upper;
    if ((this.placeOfRow[row] ?? 0) >= 0) return;
    if (this.placeOfRow[row] === AT_UPPER && upper === Infinity) this.placeOfRow[row] = AT_LOWER;
    const moved = this.restOf(variable) - before;
    if (moved === 0) return;
    for (let i = 0; i < this.m; i++)
      this.value[i] = (this.value[i] ?? 0) + (this.inverse[i * this.stride + row] ?? 0) * moved;
    this.work += this.m;
  }

  boundsOf(row: number): readonly [lower: number, upper: number] {
    return [this.lower[row] ?? 0, this.upper[row] ?? Infinity];
  }

  protected placeOf(variable: number): number {
    return (isActivity(variable) ? this.placeOfRow[rowOf(variable)] : this.place[variable]) ?? AT_LOWER;
  }

  protected setPlace(variable: number, place: number): void {
    if (isActivity(variable)) this.placeOfRow[rowOf(variable)] = place;
    else this.place[variable] = place;
  }

  /** The value of a variable that is not basic. */
  protected restOf(variable: number): number {
    if (!isActivity(variable)) return 0;
    return this.placeOf(variable) === AT_UPPER ? this.upperOf(variable) : this.lowerOf(variable);
  }

  protected lowerOf(variable: number): number {
    return isActivity(variable) ? (this.lower[rowOf(variable)] ?? 0) : 0;
  }

  protected upperOf(variable: number): number {
    return isActivity(variable) ? (this.upper[rowOf(variable)] ?? Infinity) : Infinity;
  }

  private costOf(variable: number): number {
    return isActivity(variable) ? 0 : (this.columns[variable]?.cost ?? 0);
  }

  // ── Readings ────────────────────────────────────────────────────────────────────────────────────

  valueOf(variable: number): number {
    const row = this.placeOf(variable);
    return row >= 0 ? (this.value[row] ?? 0) : this.restOf(variable);
  }

  objective(): number {
    let sum = 0;
    for (let i = 0; i < this.m; i++) sum += this.costOf(this.basis[i] ?? 0) * (this.value[i] ?? 0);
    return sum;
  }

  /** What a unit of each row's activity is worth: the costs of the basis times its inverse. */
  prices(): Float64Array {
    const { m, stride, inverse } = this;
    const prices = new Float64Array(m);
    for (let i = 0; i < m; i++) {
      const cost = this.costOf(this.basis[i] ?? 0);
      if (cost === 0) continue;
      const at = i * stride;
      for (let k = 0; k < m; k++) prices[k] = (prices[k] ?? 0) + cost * (inverse[at + k] ?? 0);
      this.work += m;
    }
    return prices;
  }

  /** A row vector times the column of a variable. */
  protected times(vector: Float64Array, variable: number, at = 0): number {
    if (isActivity(variable)) return -(vector[at + rowOf(variable)] ?? 0);
    const column = this.columns[variable];
    if (column === undefined) return 0;
    const { rows, values } = column;
    let sum = 0;
    for (let k = 0; k < rows.length; k++) sum += (vector[at + (rows[k] ?? 0)] ?? 0) * (values[k] ?? 0);
    return sum;
  }

  /** What one more of a variable brings, all else made to fit. */
  protected reducedCost(variable: number, prices: Float64Array): number {
    return this.costOf(variable) - this.times(prices, variable);
  }

  /** How the basic variables shrink per unit of this one. */
  protected columnIn(variable: number): Float64Array {
    const { m, stride, inverse } = this;
    const result = new Float64Array(m);
    if (isActivity(variable)) {
      const row = rowOf(variable);
      for (let i = 0; i < m; i++) result[i] = -(inverse[i * stride + row] ?? 0);
      return result;
    }
    const column = this.columns[variable];
    if (column === undefined) return result;
    for (let i = 0; i < m; i++) {
      let sum = 0;
      for (let k = 0; k < column.rows.length; k++)
        sum += (inverse[i * stride + (column.rows[k] ?? 0)] ?? 0) * (column.values[k] ?? 0);
      result[i] = sum;
    }
    this.work += m * column.rows.length;
    return result;
  }

  // ── Changes ─────────────────────────────────────────────────────────────────────────────────────

  /** Makes `entering` basic in `row` at `value`; `column` is its column in the basis. */
  protected pivot(
    row: number,
    entering: number,
    column: Float64Array,
    value: number,
    leavesAt: number,
  ): void {
    const { m, stride, inverse } = this;
    const at = row * stride;
    const pivot = column[row] ?? 1;
    for (let k = 0; k < m; k++) inverse[at + k] = (inverse[at + k] ?? 0) / pivot;
    for (let i = 0; i < m; i++) {
      const share = column[i] ?? 0;
      if (i === row || share === 0) continue;
      const to = i * stride;
      for (let k = 0; k < m; k++) inverse[to + k] = (inverse[to + k] ?? 0) - share * (inverse[at + k] ?? 0);
      this.work += m;
    }
    this.setPlace(this.basis[row] ?? 0, leavesAt);
    this.basis[row] = entering;
    this.setPlace(entering, row);
    this.value[row] = value;
    this.sinceFactor += 1;
  }

  /** Works the inverse and the values out anew; false when the basis has lost its exactness. */
  protected factor(): boolean {
    const { m, stride } = this;
    const columns = this.basis.map((variable): Entries => {
      if (isActivity(variable)) return { rows: [rowOf(variable)], values: [-1] };
      return this.columns[variable] ?? { rows: [], values: [] };
    });
    const inverse = inverted(columns);
    this.work += m * m * m;
    if (inverse === null) return false;
    for (let i = 0; i < m; i++) this.inverse.set(inverse.subarray(i * m, (i + 1) * m), i * stride);
    this.sinceFactor = 0;
    this.revalue();
    return true;
  }

  private revalue(): void {
    const { m, stride } = this;
    const rest = new Float64Array(m);
    for (let row = 0; row < m; row++) {
      if ((this.placeOfRow[row] ?? 0) < 0) rest[row] = this.restOf(activityOf(row));
    }
    for (let i = 0; i < m; i++) {
      let sum = 0;
      for (let k = 0; k < m; k++) sum += (this.inverse[i * stride + k] ?? 0) * (rest[k] ?? 0);
      this.value[i] = sum;
    }
  }

  // ── Going back ──────────────────────────────────────────────────────────────────────────────────

  save(): Snapshot {
    const { m, stride } = this;
    const inverse = new Float64Array(m * m);
    for (let i = 0; i < m; i++) inverse.set(this.inverse.subarray(i * stride, i * stride + m), i * m);
    this.work += m * m;
    return {
      m,
      inverse,
      value: this.value.slice(0, m),
      basis: this.basis.slice(0, m),
      place: this.place.slice(),
      placeOfRow: this.placeOfRow.slice(0, m),
      lower: this.lower.slice(0, m),
      upper: this.upper.slice(0, m),
      sinceFactor: this.sinceFactor,
    };
  }

  /** As it was; rows added since are gone, columns stay at 0. */
  restore({ m, inverse, value, basis, place, placeOfRow, lower, upper, sinceFactor }: Snapshot): void {
    for (let i = 0; i < m; i++) this.inverse.set(inverse.subarray(i * m, (i + 1) * m), i * this.stride);
    this.work += m * m;
    this.m = m;
    this.value.set(value);
    this.basis = basis.slice();
    this.place = this.columns.map((_, variable) => place[variable] ?? AT_LOWER);
    this.placeOfRow = placeOfRow.slice();
    this.lower = lower.slice();
    this.upper = upper.slice();
    this.sinceFactor = sinceFactor;
    for (const column of this.columns)
      while ((column.rows.at(-1) ?? -1) >= m) {
        column.rows.pop();
        column.values.pop();
      }
  }
}

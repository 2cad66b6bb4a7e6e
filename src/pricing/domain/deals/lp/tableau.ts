import { AT_LOWER, AT_UPPER, Basis, isLogical, logicalOf, rowOf, type BasisSnapshot } from './basis.ts';
import { BasisInverse } from './inverse.ts';
import { Matrix, type SparseColumn } from './matrix.ts';
import { DENSE, withCapacity, type ReadonlyVector } from './vector.ts';
import { WorkMeter } from './work-meter.ts';

export interface Column extends SparseColumn {
  /** Objective coefficient. */
  readonly cost: number;
  /** Upper bound of every integer solution, for the dual bound only. */
  readonly impliedUpper: number;
}

export interface TableauSnapshot {
  readonly inverse: Float64Array;
  readonly basis: BasisSnapshot;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  readonly duals: Float64Array;
  readonly reducedCosts: Float64Array;
  readonly pivotsSinceRefactor: number;
}

/** Of the largest cost. With 0, 510 instead of 21 carts stay unproven; with 1e-9 only the work on 10 carts changes. */
const RELATIVE_TOLERANCE = 1e-11;

/**
 * A basis of max c·x, x ≥ 0, lower ≤ Ax ≤ upper, with values, dual prices and reduced costs. The order of the
 * arithmetic is fixed, so every machine computes the same numbers.
 */
export class Tableau {
  readonly meter = new WorkMeter();
  readonly matrix = new Matrix(this.meter);
  readonly basis = new Basis();
  /** A smaller reduced cost counts as zero. */
  readonly tolerance: number;
  private readonly inverse = new BasisInverse(this.meter);
  // By row.
  private lowerBounds = new Float64Array(16);
  private upperBounds = new Float64Array(16);
  private dualValues = new Float64Array(16);
  private scratchColumn = new Float64Array(16);
  // By column.
  private costs = new Float64Array(64);
  private impliedUpperValues = new Float64Array(64);
  private reducedCostValues = new Float64Array(64);
  private scratchRow = new Float64Array(64);
  private pivots = 0;

  constructor(largestCost: number) {
    this.tolerance = RELATIVE_TOLERANCE * largestCost;
  }

  get rowCount(): number {
    return this.basis.size;
  }

  get lower(): ReadonlyVector {
    return this.lowerBounds;
  }

  get upper(): ReadonlyVector {
    return this.upperBounds;
  }

  /** By column. */
  get impliedUppers(): ReadonlyVector {
    return this.impliedUpperValues;
  }

  /** By row. */
  get duals(): ReadonlyVector {
    return this.dualValues;
  }

  /** By column; 0 for basic ones. */
  get reducedCosts(): ReadonlyVector {
    return this.reducedCostValues;
  }

  get pivotsSinceRefactor(): number {
    return this.pivots;
  }

  inverseRow(position: number): Float64Array {
    return this.inverse.row(position);
  }

  inverseRowNorm(position: number): number {
    return this.inverse.squaredNorm(position);
  }

  // ── Rows and columns ────────────────────────────────────────────────────────────────────────────

  /** Returns the index. */
  addColumn(column: Column): number {
    const { matrix } = this;
    const index = matrix.columnCount;
    matrix.addColumn(column);
    this.costs = withCapacity(this.costs, index + 1);
    this.impliedUpperValues = withCapacity(this.impliedUpperValues, index + 1);
    this.reducedCostValues = withCapacity(this.reducedCostValues, index + 1);
    this.scratchRow = withCapacity(this.scratchRow, index + 1);
    this.costs[index] = column.cost;
    this.impliedUpperValues[index] = column.impliedUpper;
    this.basis.addColumn(index);
    this.reducedCostValues[index] = this.reducedCostOf(index);
    return index;
  }

  /** Returns the index. `entries` by column; null for a row whose entries come with later columns. */
  addRow(entries: Float64Array | null, lower: number, upper: number): number {
    const { basis, meter } = this;
    const row = basis.size;
    this.reserveRows(row + 1);
    const coefficients = new Float64Array(row);
    let activity = 0;
    if (entries === null) this.matrix.addStructuralRow();
    else {
      this.matrix.addDenseRow(entries);
      basis.forEachColumn((column, value, position) => {
        const entry = entries[column] ?? 0;
        coefficients[position] = entry;
        if (entry !== 0) activity += entry * value;
      });
    }
    this.inverse.append(coefficients);
    basis.addRow(activity);
    this.lowerBounds[row] = lower;
    this.upperBounds[row] = upper;
    this.dualValues[row] = 0;
    meter.add(row + 100);
    return row;
  }

  private reserveRows(count: number): void {
    this.lowerBounds = withCapacity(this.lowerBounds, count);
    this.upperBounds = withCapacity(this.upperBounds, count);
    this.dualValues = withCapacity(this.dualValues, count);
    this.scratchColumn = withCapacity(this.scratchColumn, count);
  }

  setBounds(row: number, lower: number, upper: number): void {
    const { basis } = this;
    const logical = logicalOf(row);
    const before = this.nonbasicValue(logical);
    this.lowerBounds[row] = lower;
    this.upperBounds[row] = upper;
    const position = basis.positionOf(logical);
    if (position >= 0) return;
    if (position === AT_UPPER && upper === Infinity) basis.setPosition(logical, AT_LOWER);
    const moved = this.nonbasicValue(logical) - before;
    if (moved === 0) return;
    this.inverse.scaledColumn(row, 1, this.scratchColumn);
    basis.moveValues(this.scratchColumn, moved);
  }

  /** `least`: negative. Returns the indices that stay. */
  removeColumnsBelow(least: number): readonly number[] {
    const { matrix, basis, costs, impliedUpperValues, reducedCostValues } = this;
    const { columnPositions } = basis;
    const kept: number[] = [];
    for (let column = 0; column < matrix.columnCount; column++) {
      if ((columnPositions[column] ?? 0) < 0 && (reducedCostValues[column] ?? 0) < least) continue;
      const to = kept.push(column) - 1;
      costs[to] = costs[column] ?? 0;
      impliedUpperValues[to] = impliedUpperValues[column] ?? 0;
      reducedCostValues[to] = reducedCostValues[column] ?? 0;
    }
    this.meter.add(matrix.columnCount);
    if (kept.length < matrix.columnCount) {
      basis.keepColumns(kept);
      matrix.keepColumns(kept);
    }
    return kept;
  }

  /** Removes the rows from `first` on whose logical is basic: they are not tight. */
  removeSlackRows(first: number): void {
    const { basis, lowerBounds, upperBounds, dualValues } = this;
    const m = basis.size;
    const kept: number[] = [];
    for (let row = 0; row < m; row++)
      if (row < first || (basis.logicalPositions[row] ?? 0) < 0) kept.push(row);
    if (kept.length === m) return;
    // A basic logical is alone in its column, so the rest of the inverse is the inverse of the rest.
    this.inverse.keep(basis.keepRows(kept), kept);
    kept.forEach((row, to) => {
      lowerBounds[to] = lowerBounds[row] ?? 0;
      upperBounds[to] = upperBounds[row] ?? 0;
      dualValues[to] = dualValues[row] ?? 0;
    });
    this.matrix.keepRows(kept);
    this.meter.add((m * m) / DENSE);
  }

  // ── Readings ────────────────────────────────────────────────────────────────────────────────────

  lowerOf(variable: number): number {
    return isLogical(variable) ? (this.lowerBounds[rowOf(variable)] ?? 0) : 0;
  }

  upperOf(variable: number): number {
    return isLogical(variable) ? (this.upperBounds[rowOf(variable)] ?? Infinity) : Infinity;
  }

  nonbasicValue(variable: number): number {
    if (!isLogical(variable)) return 0;
    return this.basis.positionOf(variable) === AT_UPPER ? this.upperOf(variable) : this.lowerOf(variable);
  }

  objective(): number {
    const { basis, costs } = this;
    const { variables, values, size } = basis;
    let sum = 0;
    for (let i = 0; i < size; i++) {
      const variable = variables[i] ?? 0;
      if (!isLogical(variable)) sum += (costs[variable] ?? 0) * (values[i] ?? 0);
    }
    return sum;
  }

  /**
   * An upper bound on every integer solution. It follows from the dual prices alone, with all reduced costs recomputed:
   * an inaccurate inverse makes it larger, never wrong.
   */
  bound(): number {
    const {
      basis,
      dualValues,
      lowerBounds,
      upperBounds,
      reducedCostValues,
      costs,
      impliedUpperValues,
      matrix,
    } = this;
    const { columnPositions, size } = basis;
    let sum = 0;
    for (let row = 0; row < size; row++) {
      const bound = ((dualValues[row] ?? 0) > 0 ? upperBounds[row] : lowerBounds[row]) ?? 0;
      // Any dual price gives a valid bound, so one whose row has no bound on its side may become 0.
      if (Math.abs(bound) === Infinity) dualValues[row] = 0;
      else sum += (dualValues[row] ?? 0) * bound;
    }
    matrix.multiply(dualValues, reducedCostValues);
    for (let column = 0; column < matrix.columnCount; column++) {
      const reducedCost = (costs[column] ?? 0) - (reducedCostValues[column] ?? 0);
      if (reducedCost > 0) sum += reducedCost * (impliedUpperValues[column] ?? 0);
      reducedCostValues[column] = (columnPositions[column] ?? 0) < 0 ? reducedCost : 0;
    }
    this.meter.add(size + matrix.columnCount / DENSE);
    return sum;
  }

  private reducedCostOf(column: number): number {
    return (this.costs[column] ?? 0) - this.matrix.dot(column, this.dualValues);
  }

  // ── Pivots ──────────────────────────────────────────────────────────────────────────────────────

  get pivotRow(): ReadonlyVector {
    return this.scratchRow;
  }

  get pivotColumn(): ReadonlyVector {
    return this.scratchColumn;
  }

  /** A row of the inverse times every nonbasic column. */
  computePivotRow(position: number): void {
    const { scratchRow } = this;
    this.matrix.multiply(this.inverse.row(position), scratchRow);
    this.basis.forEachColumn((column) => {
      scratchRow[column] = 0;
    });
  }

  /** By position, how much the basic variable decreases per unit of this variable. */
  computePivotColumn(variable: number): void {
    const { inverse, scratchColumn } = this;
    if (isLogical(variable)) {
      inverse.scaledColumn(rowOf(variable), -1, scratchColumn);
      return;
    }
    scratchColumn.fill(0, 0, this.rowCount);
    this.matrix.forEachEntry(variable, (row, entry) => {
      inverse.addColumn(row, entry, scratchColumn);
    });
  }

  moveAlongPivotColumn(length: number): void {
    this.basis.moveValues(this.scratchColumn, -length);
  }

  /** Makes `entering` basic at `value`; the pivot row and column must be those of this pivot. */
  pivot(position: number, entering: number, value: number, leavesAt: number): void {
    const { basis, inverse, reducedCostValues, dualValues, scratchRow, scratchColumn } = this;
    const m = basis.size;
    const columns = this.matrix.columnCount;
    const pivot = scratchColumn[position] ?? 1;
    const leaving = basis.variableAt(position);
    const improvement = isLogical(entering) ? dualValues[rowOf(entering)] : reducedCostValues[entering];
    const step = (improvement ?? 0) / pivot;
    for (let column = 0; column < columns; column++)
      reducedCostValues[column] = (reducedCostValues[column] ?? 0) - step * (scratchRow[column] ?? 0);
    const inverseRow = inverse.row(position);
    for (let i = 0; i < m; i++) dualValues[i] = (dualValues[i] ?? 0) + step * (inverseRow[i] ?? 0);
    inverse.pivot(position, scratchColumn);
    if (isLogical(entering)) dualValues[rowOf(entering)] = 0;
    else reducedCostValues[entering] = 0;
    if (!isLogical(leaving)) reducedCostValues[leaving] = -step;
    basis.setPosition(leaving, leavesAt);
    basis.enter(entering, position, value);
    this.pivots += 1;
    this.meter.add((columns + 2 * m) / DENSE + 100);
  }

  get workOfRefactor(): number {
    let columns = 0;
    this.basis.forEachColumn(() => {
      columns += 1;
    });
    return (2 * columns * this.rowCount ** 2) / DENSE + this.rowCount ** 2;
  }

  /** False when the basis is numerically singular. */
  refactor(): boolean {
    const columns = Array.from({ length: this.rowCount }, (_, position): SparseColumn => {
      const variable = this.basis.variableAt(position);
      if (isLogical(variable)) return { rows: [rowOf(variable)], values: [-1] };
      const rows: number[] = [];
      const values: number[] = [];
      this.matrix.forEachEntry(variable, (row, entry) => {
        rows.push(row);
        values.push(entry);
      });
      return { rows, values };
    });
    this.meter.add(this.workOfRefactor);
    if (!this.inverse.refactor(columns)) return false;
    this.pivots = 0;
    this.recompute();
    return true;
  }

  private recompute(): void {
    const { basis, inverse, dualValues, reducedCostValues, costs, matrix } = this;
    const { logicalPositions, columnPositions, size } = basis;
    dualValues.fill(0, 0, size);
    for (let i = 0; i < size; i++) {
      const inverseRow = inverse.row(i);
      let value = 0;
      for (let k = 0; k < size; k++)
        if ((logicalPositions[k] ?? 0) < 0) value += (inverseRow[k] ?? 0) * this.nonbasicValue(logicalOf(k));
      basis.setValue(i, value);
      const variable = basis.variableAt(i);
      const cost = isLogical(variable) ? 0 : (costs[variable] ?? 0);
      if (cost === 0) continue;
      for (let k = 0; k < size; k++) dualValues[k] = (dualValues[k] ?? 0) + cost * (inverseRow[k] ?? 0);
    }
    for (let column = 0; column < matrix.columnCount; column++)
      reducedCostValues[column] = (columnPositions[column] ?? 0) < 0 ? this.reducedCostOf(column) : 0;
    this.meter.add(size * size);
  }

  // ── Snapshots ───────────────────────────────────────────────────────────────────────────────────

  save(): TableauSnapshot {
    const m = this.rowCount;
    this.meter.add((m * m) / DENSE + 200);
    return {
      inverse: this.inverse.copy(),
      basis: this.basis.save(),
      lower: this.lowerBounds.slice(0, m),
      upper: this.upperBounds.slice(0, m),
      duals: this.dualValues.slice(0, m),
      reducedCosts: this.reducedCostValues.slice(0, this.matrix.columnCount),
      pivotsSinceRefactor: this.pivots,
    };
  }

  restore({ inverse, basis, lower, upper, duals, reducedCosts, pivotsSinceRefactor }: TableauSnapshot): void {
    const m = lower.length;
    this.inverse.restore(m, inverse);
    this.basis.restore(basis);
    this.matrix.truncateRows(m);
    this.lowerBounds.set(lower);
    this.upperBounds.set(upper);
    this.dualValues.set(duals);
    this.reducedCostValues.set(reducedCosts);
    this.pivots = pivotsSinceRefactor;
    this.meter.add((m * m + reducedCosts.length) / DENSE + 100);
  }
}

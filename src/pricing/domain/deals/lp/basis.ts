import { withCapacity, type ReadonlyVector } from './vector.ts';

/** Positions of nonbasic variables; those of basic variables are 0 and up. */
export const AT_LOWER = -1;
export const AT_UPPER = -2;

// A variable is a column, j ≥ 0, or the logical of a row (its activity), −1 − i.
export const logicalOf = (row: number): number => -1 - row;
export const isLogical = (variable: number): boolean => variable < 0;
export const rowOf = (variable: number): number => -1 - variable;

export interface BasisSnapshot {
  readonly variables: Int32Array;
  readonly values: Float64Array;
  readonly logicalPositions: Int32Array;
}

/** Which variable is basic at each position, its value, and the bound that each nonbasic variable is at. */
export class Basis {
  private count = 0;
  private basicVariables = new Int32Array(16);
  private basicValues = new Float64Array(16);
  private ofLogicals = new Int32Array(16);
  private ofColumns = new Int32Array(64);

  get size(): number {
    return this.count;
  }

  /** By position. */
  get variables(): ReadonlyVector {
    return this.basicVariables;
  }

  /** By position. */
  get values(): ReadonlyVector {
    return this.basicValues;
  }

  /** Of the logicals, by row. */
  get logicalPositions(): ReadonlyVector {
    return this.ofLogicals;
  }

  get columnPositions(): ReadonlyVector {
    return this.ofColumns;
  }

  variableAt(position: number): number {
    return this.basicVariables[position] ?? 0;
  }

  valueAt(position: number): number {
    return this.basicValues[position] ?? 0;
  }

  positionOf(variable: number): number {
    return (isLogical(variable) ? this.ofLogicals[rowOf(variable)] : this.ofColumns[variable]) ?? AT_LOWER;
  }

  setPosition(variable: number, position: number): void {
    if (isLogical(variable)) this.ofLogicals[rowOf(variable)] = position;
    else this.ofColumns[variable] = position;
  }

  enter(variable: number, position: number, value: number): void {
    this.basicVariables[position] = variable;
    this.basicValues[position] = value;
    this.setPosition(variable, position);
  }

  setValue(position: number, value: number): void {
    this.basicValues[position] = value;
  }

  /** Values += `factor` × `direction`. */
  moveValues(direction: Float64Array, factor: number): void {
    const { basicValues, count } = this;
    for (let i = 0; i < count; i++) basicValues[i] = (basicValues[i] ?? 0) + factor * (direction[i] ?? 0);
  }

  forEachColumn(visit: (column: number, value: number, position: number) => void): void {
    for (let i = 0; i < this.count; i++) {
      const variable = this.basicVariables[i] ?? 0;
      if (!isLogical(variable)) visit(variable, this.basicValues[i] ?? 0, i);
    }
  }

  addColumn(column: number): void {
    this.ofColumns = withCapacity(this.ofColumns, column + 1);
    this.ofColumns[column] = AT_LOWER;
  }

  /** A further row, whose logical is basic. */
  addRow(value: number): void {
    const row = this.count;
    this.count = row + 1;
    this.basicVariables = withCapacity(this.basicVariables, this.count);
    this.basicValues = withCapacity(this.basicValues, this.count);
    this.ofLogicals = withCapacity(this.ofLogicals, this.count);
    this.enter(logicalOf(row), row, value);
  }

  /** `kept`: ascending, with all basic columns. */
  keepColumns(kept: readonly number[]): void {
    kept.forEach((column, to) => {
      const position = this.ofColumns[column] ?? AT_LOWER;
      this.ofColumns[to] = position;
      if (position >= 0) this.basicVariables[position] = to;
    });
  }

  /** `rows`: ascending; the logical of every other row is basic. Returns the positions that stay. */
  keepRows(rows: readonly number[]): readonly number[] {
    const { basicVariables, basicValues, ofLogicals } = this;
    const rowAfter = new Int32Array(this.count).fill(-1);
    rows.forEach((row, to) => {
      rowAfter[row] = to;
    });
    const positions: number[] = [];
    for (let position = 0; position < this.count; position++) {
      const variable = basicVariables[position] ?? 0;
      const row = isLogical(variable) ? (rowAfter[rowOf(variable)] ?? 0) : 0;
      if (row < 0) continue;
      const to = positions.push(position) - 1;
      basicVariables[to] = isLogical(variable) ? logicalOf(row) : variable;
      basicValues[to] = basicValues[position] ?? 0;
    }
    rows.forEach((row, to) => {
      ofLogicals[to] = ofLogicals[row] ?? 0;
    });
    this.count = rows.length;
    for (let position = 0; position < this.count; position++)
      this.setPosition(basicVariables[position] ?? 0, position);
    return positions;
  }

  save(): BasisSnapshot {
    return {
      variables: this.basicVariables.slice(0, this.count),
      values: this.basicValues.slice(0, this.count),
      logicalPositions: this.ofLogicals.slice(0, this.count),
    };
  }

  restore({ variables, values, logicalPositions }: BasisSnapshot): void {
    this.forEachColumn((column) => {
      this.ofColumns[column] = AT_LOWER;
    });
    this.count = variables.length;
    this.basicVariables.set(variables);
    this.basicValues.set(values);
    this.ofLogicals.set(logicalPositions);
    this.forEachColumn((column, _, position) => {
      this.ofColumns[column] = position;
    });
  }
}

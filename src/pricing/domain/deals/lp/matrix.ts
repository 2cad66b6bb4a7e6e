import { DENSE, withCapacity } from './vector.ts';
import type { WorkMeter } from './work-meter.ts';

/** The nonzero entries of one column. */
export interface SparseColumn {
  readonly rows: readonly number[];
  readonly values: readonly number[];
}

/**
 * The constraint matrix: first the structural rows, stored as sparse columns; then the dense rows that were added
 * later, each with an entry for every column.
 */
export class Matrix {
  private readonly meter: WorkMeter;
  private columns = 0;
  private rows = 0;
  private structuralRows = 0;
  private starts = new Int32Array(65);
  private entryRows = new Int32Array(256);
  private entries = new Float64Array(256);
  private readonly denseRows: Float64Array[] = [];

  constructor(meter: WorkMeter) {
    this.meter = meter;
  }

  get columnCount(): number {
    return this.columns;
  }

  get rowCount(): number {
    return this.rows;
  }

  addColumn({ rows, values }: SparseColumn): void {
    const start = this.starts[this.columns] ?? 0;
    const end = start + rows.length;
    this.columns += 1;
    this.starts = withCapacity(this.starts, this.columns + 1);
    this.entryRows = withCapacity(this.entryRows, end);
    this.entries = withCapacity(this.entries, end);
    this.starts[this.columns] = end;
    this.entryRows.set(rows, start);
    this.entries.set(values, start);
    this.meter.add(rows.length + 50);
  }

  /** A row whose entries come with the columns; only before the first dense row. */
  addStructuralRow(): void {
    this.structuralRows += 1;
    this.rows += 1;
  }

  addDenseRow(entries: Float64Array): void {
    this.denseRows[this.rows - this.structuralRows] = entries;
    this.rows += 1;
  }

  truncateRows(count: number): void {
    this.rows = count;
  }

  /** `kept`: ascending, with all structural rows. */
  keepRows(kept: readonly number[]): void {
    const { structuralRows, denseRows } = this;
    for (let to = structuralRows; to < kept.length; to++) {
      const row = denseRows[(kept[to] ?? 0) - structuralRows];
      if (row !== undefined) denseRows[to - structuralRows] = row;
    }
    this.rows = kept.length;
  }

  /** `kept`: ascending. */
  keepColumns(kept: readonly number[]): void {
    const { starts, entryRows, entries, denseRows } = this;
    let end = 0;
    // Columns move down only, so every entry is read before it is overwritten.
    kept.forEach((column, to) => {
      const next = starts[column + 1] ?? 0;
      for (let e = starts[column] ?? 0; e < next; e++, end++) {
        entryRows[end] = entryRows[e] ?? 0;
        entries[end] = entries[e] ?? 0;
      }
      starts[to] = end;
    });
    // `starts` holds the ends so far; each end is the start of the next column.
    starts.copyWithin(1, 0, kept.length);
    starts[0] = 0;
    for (let row = 0; row < this.rows - this.structuralRows; row++) {
      const dense = denseRows[row];
      if (dense === undefined) continue;
      for (let to = 0; to < kept.length; to++) dense[to] = dense[kept[to] ?? 0] ?? 0;
      this.meter.add(kept.length / DENSE);
    }
    this.columns = kept.length;
    this.meter.add(end + kept.length);
  }

  /** `vector` (by row) times the matrix: one sum per column. */
  multiply(vector: Float64Array, into: Float64Array): void {
    const { columns, rows, structuralRows, starts, entryRows, entries, denseRows } = this;
    for (let column = 0, e = 0; column < columns; column++) {
      const end = starts[column + 1] ?? 0;
      let sum = 0;
      for (; e < end; e++) sum += (vector[entryRows[e] ?? 0] ?? 0) * (entries[e] ?? 0);
      into[column] = sum;
    }
    let work = columns + (starts[columns] ?? 0);
    for (let row = structuralRows; row < rows; row++) {
      const dense = denseRows[row - structuralRows];
      const factor = vector[row] ?? 0;
      if (dense === undefined || factor === 0) continue;
      for (let column = 0; column < columns; column++)
        into[column] = (into[column] ?? 0) + factor * (dense[column] ?? 0);
      work += columns / DENSE;
    }
    this.meter.add(work);
  }

  /** `vector` (by row) times one column. */
  dot(column: number, vector: Float64Array): number {
    const { rows, structuralRows, starts, entryRows, entries, denseRows } = this;
    const end = starts[column + 1] ?? 0;
    let sum = 0;
    for (let e = starts[column] ?? 0; e < end; e++)
      sum += (vector[entryRows[e] ?? 0] ?? 0) * (entries[e] ?? 0);
    for (let row = structuralRows; row < rows; row++)
      sum += (vector[row] ?? 0) * (denseRows[row - structuralRows]?.[column] ?? 0);
    this.meter.add(rows - structuralRows + 5);
    return sum;
  }

  /** Visits the nonzero entries of a column. */
  forEachEntry(column: number, visit: (row: number, entry: number) => void): void {
    const { rows, structuralRows, starts, entryRows, entries, denseRows } = this;
    const end = starts[column + 1] ?? 0;
    for (let e = starts[column] ?? 0; e < end; e++) visit(entryRows[e] ?? 0, entries[e] ?? 0);
    for (let row = structuralRows; row < rows; row++) {
      const entry = denseRows[row - structuralRows]?.[column] ?? 0;
      if (entry !== 0) visit(row, entry);
    }
    this.meter.add(rows - structuralRows);
  }
}

/**
 * The entries of a linear program. Columns have few entries each, in the rows that were there first; a row that is laid
 * afterwards has an entry for every column.
 */

/** Entries by row, mostly missing. */
export interface Entries {
  readonly rows: readonly number[];
  readonly values: readonly number[];
}

type Numbers = Float64Array | Int32Array;

/** With room for at least this many. */
export const roomy = <T extends Numbers>(numbers: T, room: number): T => {
  if (numbers.length >= room) return numbers;
  const larger = new (numbers.constructor as new (length: number) => T)(Math.max(room, numbers.length * 2));
  larger.set(numbers);
  return larger;
};

/** Of operations on numbers that stand side by side, so many count as one. */
export const DENSE = 4;

export class Matrix {
  /** Elementary operations so far. */
  work = 0;
  columns = 0;
  rows = 0;
  /** The entries in the first rows, one column after the other. */
  private starts = new Int32Array(65);
  private entryRows = new Int32Array(256);
  private entries = new Float64Array(256);
  /** Rows that columns have their entries in; of each that follows, its entries by column. */
  private first = 0;
  private readonly laid: Float64Array[] = [];

  addColumn({ rows, values }: Entries): void {
    const start = this.starts[this.columns] ?? 0;
    const end = start + rows.length;
    this.columns += 1;
    this.starts = roomy(this.starts, this.columns + 1);
    this.entryRows = roomy(this.entryRows, end);
    this.entries = roomy(this.entries, end);
    this.starts[this.columns] = end;
    this.entryRows.set(rows, start);
    this.entries.set(values, start);
    this.work += rows.length + 50;
  }

  /** Null for one of the first rows, which columns still to come have their entries in. */
  addRow(entries: Float64Array | null): void {
    if (entries === null) this.first += 1;
    else this.laid[this.rows - this.first] = entries;
    this.rows += 1;
  }

  /** Takes the last rows away. */
  dropRowsFrom(row: number): void {
    this.rows = row;
  }

  /** Keeps these rows alone, in their order; all of the first ones must be among them. */
  keepRows(kept: readonly number[]): void {
    const { first, laid } = this;
    for (let to = first; to < kept.length; to++) {
      const own = laid[(kept[to] ?? 0) - first];
      if (own !== undefined) laid[to - first] = own;
    }
    this.rows = kept.length;
  }

  /** Keeps these columns alone, in their order. */
  keepColumns(kept: readonly number[]): void {
    const { starts, entryRows, entries, laid } = this;
    let end = 0;
    // Columns only move down: what is overwritten has been read.
    kept.forEach((column, to) => {
      const next = starts[column + 1] ?? 0;
      for (let e = starts[column] ?? 0; e < next; e++, end++) {
        entryRows[end] = entryRows[e] ?? 0;
        entries[end] = entries[e] ?? 0;
      }
      starts[to] = end;
    });
    // `starts` has the ends so far: each is the start of the next.
    starts.copyWithin(1, 0, kept.length);
    starts[0] = 0;
    for (let row = 0; row < this.rows - this.first; row++) {
      const own = laid[row];
      if (own === undefined) continue;
      for (let to = 0; to < kept.length; to++) own[to] = own[kept[to] ?? 0] ?? 0;
      this.work += kept.length / DENSE;
    }
    this.columns = kept.length;
    this.work += end + kept.length;
  }

  /** Every column times a vector with a number for each row. */
  times(vector: Float64Array, into: Float64Array): void {
    const { columns, rows, first, starts, entryRows, entries, laid } = this;
    for (let column = 0, e = 0; column < columns; column++) {
      const end = starts[column + 1] ?? 0;
      let sum = 0;
      for (; e < end; e++) sum += (vector[entryRows[e] ?? 0] ?? 0) * (entries[e] ?? 0);
      into[column] = sum;
    }
    this.work += columns + (starts[columns] ?? 0);
    for (let row = first; row < rows; row++) {
      const own = laid[row - first];
      const share = vector[row] ?? 0;
      if (own === undefined || share === 0) continue;
      for (let column = 0; column < columns; column++)
        into[column] = (into[column] ?? 0) + share * (own[column] ?? 0);
      this.work += columns / DENSE;
    }
  }

  /** One column times a vector with a number for each row. */
  columnTimes(column: number, vector: Float64Array): number {
    const { rows, first, starts, entryRows, entries, laid } = this;
    const end = starts[column + 1] ?? 0;
    let sum = 0;
    for (let e = starts[column] ?? 0; e < end; e++)
      sum += (vector[entryRows[e] ?? 0] ?? 0) * (entries[e] ?? 0);
    for (let row = first; row < rows; row++) sum += (vector[row] ?? 0) * (laid[row - first]?.[column] ?? 0);
    this.work += rows - first + 5;
    return sum;
  }

  /** The entries of a column that are not 0. */
  eachEntry(column: number, take: (row: number, entry: number) => void): void {
    const end = this.starts[column + 1] ?? 0;
    for (let e = this.starts[column] ?? 0; e < end; e++) take(this.entryRows[e] ?? 0, this.entries[e] ?? 0);
    for (let row = this.first; row < this.rows; row++) {
      const entry = this.laid[row - this.first]?.[column] ?? 0;
      if (entry !== 0) take(row, entry);
    }
    this.work += this.rows - this.first;
  }
}

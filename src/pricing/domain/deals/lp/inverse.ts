import type { SparseColumn } from './matrix.ts';
import { DENSE } from './vector.ts';
import type { WorkMeter } from './work-meter.ts';

/** A smaller pivot counts as zero. With 0, 1,221 instead of 21 carts stay unproven; with 1e-7 no cart changes. */
export const SMALLEST_PIVOT = 1e-9;

/** The inverse of the basis matrix, dense: a row per basic position, a column per constraint row. */
export class BasisInverse {
  private readonly meter: WorkMeter;
  private size = 0;
  private stride = 16;
  private entries = new Float64Array(16 * 16);

  constructor(meter: WorkMeter) {
    this.meter = meter;
  }

  /** A view of one row, valid until the inverse next grows. */
  row(position: number): Float64Array {
    return this.entries.subarray(position * this.stride, position * this.stride + this.size);
  }

  squaredNorm(position: number): number {
    const { entries, stride, size } = this;
    const start = position * stride;
    let sum = 0;
    for (let k = start; k < start + size; k++) sum += (entries[k] ?? 0) ** 2;
    return sum;
  }

  /** `into` += `factor` × column. */
  addColumn(column: number, factor: number, into: Float64Array): void {
    const { entries, stride, size } = this;
    for (let i = 0; i < size; i++) into[i] = (into[i] ?? 0) + (entries[i * stride + column] ?? 0) * factor;
    this.meter.add(size);
  }

  /** `into` = `factor` × column. */
  scaledColumn(column: number, factor: number, into: Float64Array): void {
    const { entries, stride, size } = this;
    for (let i = 0; i < size; i++) into[i] = factor * (entries[i * stride + column] ?? 0);
    this.meter.add(size);
  }

  /**
   * Borders the basis with a constraint row whose logical is basic; `coefficients` are its entries in the basic
   * columns.
   */
  append(coefficients: Float64Array): void {
    const row = this.size;
    this.reserve(row + 1);
    const { entries, stride } = this;
    for (let k = 0; k <= row; k++) {
      entries[row * stride + k] = 0;
      entries[k * stride + row] = 0;
    }
    for (let i = 0; i < row; i++) {
      const coefficient = coefficients[i] ?? 0;
      if (coefficient === 0) continue;
      for (let k = 0; k < row; k++)
        entries[row * stride + k] =
          (entries[row * stride + k] ?? 0) + coefficient * (entries[i * stride + k] ?? 0);
      this.meter.add(row / DENSE);
    }
    entries[row * stride + row] = -1;
    this.size = row + 1;
  }

  private reserve(size: number): void {
    if (size <= this.stride) return;
    const copy = this.copy();
    this.stride *= 2;
    this.entries = new Float64Array(this.stride * this.stride);
    this.restore(this.size, copy);
  }

  /** Replaces the basic column at `position`; `column` is the entering column of the tableau. */
  pivot(position: number, column: Float64Array): void {
    const { entries, stride, size } = this;
    const at = position * stride;
    const pivot = column[position] ?? 1;
    for (let k = 0; k < size; k++) entries[at + k] = (entries[at + k] ?? 0) / pivot;
    for (let i = 0; i < size; i++) {
      const factor = column[i] ?? 0;
      if (i === position || factor === 0) continue;
      const to = i * stride;
      for (let k = 0; k < size; k++)
        entries[to + k] = (entries[to + k] ?? 0) - factor * (entries[at + k] ?? 0);
      this.meter.add(size / DENSE);
    }
  }

  /** Both ascending. */
  keep(positions: readonly number[], rows: readonly number[]): void {
    const { entries, stride } = this;
    positions.forEach((position, i) => {
      for (let k = 0; k < rows.length; k++)
        entries[i * stride + k] = entries[position * stride + (rows[k] ?? 0)] ?? 0;
    });
    this.size = rows.length;
  }

  /** False, and no change, when the basic columns are numerically dependent. */
  refactor(columns: readonly SparseColumn[]): boolean {
    const inverse = inverted(columns);
    if (inverse === null) return false;
    this.restore(columns.length, inverse);
    return true;
  }

  /** The entries row by row, without gaps. */
  copy(): Float64Array {
    const { entries, stride, size } = this;
    const copy = new Float64Array(size * size);
    for (let i = 0; i < size; i++) copy.set(entries.subarray(i * stride, i * stride + size), i * size);
    return copy;
  }

  /** `entries` as `copy` returns them. */
  restore(size: number, entries: Float64Array): void {
    this.size = size;
    for (let i = 0; i < size; i++)
      this.entries.set(entries.subarray(i * size, (i + 1) * size), i * this.stride);
  }
}

/** Gauss–Jordan elimination with the largest pivot of each column; row by row. */
const inverted = (columns: readonly SparseColumn[]): Float64Array | null => {
  const m = columns.length;
  const width = 2 * m;
  const lines = Array.from({ length: m }, (_, i) => {
    const line = new Float64Array(width);
    line[m + i] = 1;
    return line;
  });
  columns.forEach(({ rows, values }, c) =>
    rows.forEach((row, k) => {
      lines[row]?.fill(values[k] ?? 0, c, c + 1);
    }),
  );
  for (let c = 0; c < m; c++) {
    let best = c;
    for (let i = c + 1; i < m; i++)
      if (Math.abs(lines[i]?.[c] ?? 0) > Math.abs(lines[best]?.[c] ?? 0)) best = i;
    const [pivotLine, swapped] = [lines[best], lines[c]];
    const pivot = pivotLine?.[c] ?? 0;
    if (pivotLine === undefined || swapped === undefined || Math.abs(pivot) < SMALLEST_PIVOT) return null;
    lines[best] = swapped;
    lines[c] = pivotLine;
    for (let k = c; k < width; k++) pivotLine[k] = (pivotLine[k] ?? 0) / pivot;
    for (const [i, line] of lines.entries()) {
      const factor = line[c] ?? 0;
      if (i === c || factor === 0) continue;
      for (let k = c; k < width; k++) line[k] = (line[k] ?? 0) - factor * (pivotLine[k] ?? 0);
    }
  }
  const inverse = new Float64Array(m * m);
  lines.forEach((line, i) => {
    inverse.set(line.subarray(m), i * m);
  });
  return inverse;
};

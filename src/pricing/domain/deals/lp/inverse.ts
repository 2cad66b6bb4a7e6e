import { DENSE } from './vector.ts';

/** The inverse of the basis matrix, dense: a row per basic position, a column per constraint row. */
export class BasisInverse {
  size = 0;
  #stride = 16;
  #entries = new Float64Array(16 * 16);

  /** A view of one row, valid until the inverse next grows. */
  row(position: number): Float64Array {
    return this.#entries.subarray(position * this.#stride, position * this.#stride + this.size);
  }

  squaredNorm(position: number): number {
    const entries = this.#entries;
    const start = position * this.#stride;
    let sum = 0;
    for (let k = start; k < start + this.size; k++) sum += (entries[k] ?? 0) ** 2;
    return sum;
  }

  /** `into` += `factor` × column. */
  addColumn(column: number, factor: number, into: Float64Array): void {
    const entries = this.#entries;
    for (let i = 0, at = column; i < this.size; i++, at += this.#stride)
      into[i] = (into[i] ?? 0) + factor * (entries[at] ?? 0);
  }

  /** `into` += `factor` × row. */
  addRow(position: number, factor: number, into: Float64Array): void {
    const entries = this.#entries;
    const start = position * this.#stride;
    for (let k = 0; k < this.size; k++) into[k] = (into[k] ?? 0) + factor * (entries[start + k] ?? 0);
  }

  /** A further row, whose activity is basic at the last position. */
  append(): void {
    if (this.size === this.#stride) this.#grow();
    this.size += 1;
    this.clear(this.size - 1, this.size - 1);
  }

  /** The activity of `row`, which has no entries, is basic at `position`. */
  clear(position: number, row: number): void {
    const own = this.row(position).fill(0);
    own[row] = -1;
  }

  #grow(): void {
    const [entries, stride] = [this.#entries, this.#stride];
    this.#stride *= 2;
    this.#entries = new Float64Array(this.#stride ** 2);
    for (let i = 0; i < stride; i++)
      this.#entries.set(entries.subarray(i * stride, (i + 1) * stride), i * this.#stride);
  }

  /** Replaces the basic variable at `position`; `column` is that of the entering one. Returns the work. */
  pivot(position: number, column: Float64Array): number {
    const { size } = this;
    const entries = this.#entries;
    const stride = this.#stride;
    const at = position * stride;
    const pivot = column[position] ?? 1;
    for (let k = at; k < at + size; k++) entries[k] = (entries[k] ?? 0) / pivot;
    let rows = 1;
    for (let i = 0; i < size; i++) {
      const factor = column[i] ?? 0;
      if (i === position || factor === 0) continue;
      const to = i * stride;
      for (let k = 0; k < size; k++)
        entries[to + k] = (entries[to + k] ?? 0) - factor * (entries[at + k] ?? 0);
      rows += 1;
    }
    return (rows * size) / DENSE;
  }
}

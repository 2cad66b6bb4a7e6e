/** A basis that can go back to what it was, and let go of rows and columns that it needs no more. */
import { activityOf, AT_LOWER, Basis, isActivity, rowOf } from './basis.ts';
import { DENSE } from './matrix.ts';

export interface Snapshot {
  readonly m: number;
  readonly inverse: Float64Array;
  readonly values: Float64Array;
  readonly basis: Int32Array;
  readonly rowPlaces: Int32Array;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  readonly prices: Float64Array;
  readonly gains: Float64Array;
  readonly sinceFactor: number;
}

export class RevisableBasis extends Basis {
  /** Takes away the columns that are at 0 and bring less than this (a negative number); gives those that stay. */
  dropBelow(gain: number): readonly number[] {
    const { matrix, costs, mosts, gains, columnPlaces, basis } = this;
    const kept: number[] = [];
    for (let column = 0; column < matrix.columns; column++) {
      const place = columnPlaces[column] ?? 0;
      if (place < 0 && (gains[column] ?? 0) < gain) continue;
      const to = kept.push(column) - 1;
      costs[to] = costs[column] ?? 0;
      mosts[to] = mosts[column] ?? 0;
      gains[to] = gains[column] ?? 0;
      columnPlaces[to] = place;
      if (place >= 0) basis[place] = to;
    }
    this.addWork(matrix.columns);
    if (kept.length < matrix.columns) matrix.keepColumns(kept);
    return kept;
  }

  /** Takes the rows from `first` on away whose activity is basic: they bind nothing. */
  dropLoose(first: number): void {
    const { m, stride, inverse, basis, values, rowPlaces, lower, upper, prices } = this;
    const kept: number[] = [];
    const after = new Int32Array(m).fill(-1);
    for (let row = 0; row < m; row++)
      if (row < first || (rowPlaces[row] ?? 0) < 0) after[row] = kept.push(row) - 1;
    if (kept.length === m) return;
    // A loose row's activity stands alone in its column: the inverse without that row and its place is that of the rest.
    let i = 0;
    for (let place = 0; place < m; place++) {
      const variable = basis[place] ?? 0;
      const row = isActivity(variable) ? (after[rowOf(variable)] ?? 0) : 0;
      if (row < 0) continue;
      for (let k = 0; k < kept.length; k++)
        inverse[i * stride + k] = inverse[place * stride + (kept[k] ?? 0)] ?? 0;
      basis[i] = isActivity(variable) ? activityOf(row) : variable;
      values[i] = values[place] ?? 0;
      i += 1;
    }
    kept.forEach((row, to) => {
      rowPlaces[to] = rowPlaces[row] ?? 0;
      lower[to] = lower[row] ?? 0;
      upper[to] = upper[row] ?? 0;
      prices[to] = prices[row] ?? 0;
    });
    this.matrix.keepRows(kept);
    this.m = kept.length;
    for (let place = 0; place < this.m; place++) this.setPlace(basis[place] ?? 0, place);
    this.addWork((m * m) / DENSE);
  }

  // ── Going back ──────────────────────────────────────────────────────────────────────────────────

  save(): Snapshot {
    const { m, stride } = this;
    const inverse = new Float64Array(m * m);
    for (let i = 0; i < m; i++) inverse.set(this.inverse.subarray(i * stride, i * stride + m), i * m);
    this.addWork((m * m) / DENSE + 200);
    return {
      m,
      inverse,
      values: this.values.slice(0, m),
      basis: this.basis.slice(0, m),
      rowPlaces: this.rowPlaces.slice(0, m),
      lower: this.lower.slice(0, m),
      upper: this.upper.slice(0, m),
      prices: this.prices.slice(0, m),
      gains: this.gains.slice(0, this.matrix.columns),
      sinceFactor: this.sinceFactor,
    };
  }

  /** As it was; rows laid since are gone. Neither columns nor earlier rows may have come or gone. */
  restore({ m, inverse, sinceFactor, ...saved }: Snapshot): void {
    for (let i = 0; i < m; i++) this.inverse.set(inverse.subarray(i * m, (i + 1) * m), i * this.stride);
    this.eachTaken((column) => {
      this.columnPlaces[column] = AT_LOWER;
    });
    this.m = m;
    this.matrix.dropRowsFrom(m);
    this.values.set(saved.values);
    this.basis.set(saved.basis);
    this.rowPlaces.set(saved.rowPlaces);
    this.lower.set(saved.lower);
    this.upper.set(saved.upper);
    this.prices.set(saved.prices);
    this.gains.set(saved.gains);
    this.sinceFactor = sinceFactor;
    this.eachTaken((column, _, row) => {
      this.columnPlaces[column] = row;
    });
    this.addWork((m * m + saved.gains.length) / DENSE + 100);
  }
}

/**
 * A bounded simplex for small linear programs that are solved again and again with a row, a bound or a column more. It is
 * plain arithmetic in a fixed order, so every machine comes to the same numbers.
 */
import { activityOf, AT_LOWER, AT_UPPER } from './basis.ts';
import { SMALLEST_PIVOT } from './inverse.ts';
import { RevisableBasis } from './revisable.ts';

/** `tired`: out of work. `inexact`: out of exactness. Of both nothing is known. */
export type Outcome = 'optimal' | 'infeasible' | 'tired' | 'inexact';

const FEASIBLE = 1e-7;
/** Steps without progress after which the first variable that brings anything enters: seldom a circle, and work ends it. */
const PATIENCE = 30;
const STEPS_PER_FACTOR = 100;
/** A pivot that is less than this of its column, or that its row and its column do not agree about, is not to be trusted. */
const LEAST_SHARE = 1e-6;
const AGREEMENT = 1e-7;

export class Simplex extends RevisableBasis {
  /** A column and a row of the tableau, to work with. */
  private column = new Float64Array(16);
  private across = new Float64Array(64);

  /** Solves on from a basis that keeps all bounds, such as the first. */
  *primal(workLimit: number): Generator<void, Outcome> {
    let idle = 0;
    for (;;) {
      if (this.isDue()) yield;
      const fault = this.prepare(workLimit);
      if (fault !== null) return fault;
      const entering = this.entering(idle > PATIENCE);
      if (entering === null) return 'optimal';
      const length = this.step(entering);
      if (length === null) {
        if (this.sinceFactor === 0 || !this.factor()) return 'inexact';
        continue;
      }
      idle = length > FEASIBLE ? 0 : idle + 1;
    }
  }

  /** Solves on from an optimal basis after rows were laid or bounds moved; stops below `cutOff`, which nothing passes. */
  *dual(workLimit: number, cutOff = -Infinity): Generator<void, Outcome | 'cut'> {
    for (let steps = 0; ; steps++) {
      if (this.isDue()) yield;
      const fault = this.prepare(workLimit);
      if (fault !== null) return fault;
      const row = this.mostViolated();
      if (row < 0) return 'optimal';
      // Every step lowers the objective, on to the optimum.
      if (this.objective() < cutOff && this.bound() < cutOff) return 'cut';
      // Without this a circle would be walked for ever.
      if (steps > 20 * (this.m + 10)) return 'inexact';
      const grows = (this.values[row] ?? 0) < this.lowerOf(this.basis[row] ?? 0);
      this.rowOfTableau(row, this.across);
      const entering = this.enteringFor(row, grows);
      if (entering === null) {
        if (this.isRefuted(this.rowOfInverse(row), this.across)) return 'infeasible';
      } else {
        this.columnOfTableau(entering, this.column);
        if (this.isTrusted(row, entering)) {
          this.leave(row, entering, grows);
          continue;
        }
      }
      if (this.sinceFactor === 0 || !this.factor()) return 'inexact';
    }
  }

  /** The basic variable of `row` goes to the bound that it lies beyond. */
  private leave(row: number, entering: number, grows: boolean): void {
    const basic = this.basis[row] ?? 0;
    const bound = grows ? this.lowerOf(basic) : this.upperOf(basic);
    const length = ((this.values[row] ?? 0) - bound) / (this.column[row] ?? 1);
    const value = this.restOf(entering) + length;
    this.move(length);
    this.pivot(row, entering, value, grows ? AT_LOWER : AT_UPPER, this.column, this.across);
  }

  /** Whether the pivot is large enough, and known well enough, that the inverse stays exact. */
  private isTrusted(row: number, entering: number): boolean {
    const { m, column, across } = this;
    const pivot = column[row] ?? 0;
    const other = entering < 0 ? -(this.rowOfInverse(row)[-1 - entering] ?? 0) : (across[entering] ?? 0);
    let largest = 0;
    for (let i = 0; i < m; i++) largest = Math.max(largest, Math.abs(column[i] ?? 0));
    return Math.abs(pivot) > LEAST_SHARE * largest && Math.abs(pivot - other) < AGREEMENT * Math.abs(pivot);
  }

  /**
   * Whether, of all solutions in whole numbers, this one alone loses no more than `loss`: any other moves something that
   * is not basic by one at least.
   */
  isOnlyWithin(loss: number): boolean {
    for (let i = 0; i < this.m; i++)
      if ((this.rowPlaces[i] ?? 0) < 0 && Math.abs(this.prices[i] ?? 0) <= loss) return false;
    for (let column = 0; column < this.matrix.columns; column++)
      if ((this.columnPlaces[column] ?? 0) < 0 && Math.abs(this.gains[column] ?? 0) <= loss) return false;
    return true;
  }

  /** Makes room for what is worked with, and keeps the inverse exact as long as there is work left for it. */
  private prepare(workLimit: number): 'tired' | 'inexact' | null {
    if (this.column.length < this.m) this.column = new Float64Array(this.stride);
    const { columns } = this.matrix;
    if (this.across.length < columns) this.across = new Float64Array(2 * columns);
    if (this.work > workLimit) return 'tired';
    if (this.sinceFactor <= STEPS_PER_FACTOR || this.work + this.workOfFactor > workLimit) return null;
    return this.factor() ? null : 'inexact';
  }

  /** The variable whose move brings most; or, to be sure of an end, the first that brings anything. */
  private entering(first: boolean): number | null {
    const { m, tolerance, columnPlaces, gains, prices, rowPlaces, lower, upper } = this;
    const { columns } = this.matrix;
    let best: number | null = null;
    let bestGain = tolerance;
    for (let i = m - 1; i >= 0; i--) {
      const place = rowPlaces[i] ?? 0;
      if (place >= 0 || lower[i] === upper[i]) continue;
      const gain = place === AT_LOWER ? (prices[i] ?? 0) : -(prices[i] ?? 0);
      if (gain <= bestGain) continue;
      [best, bestGain] = [activityOf(i), gain];
      if (first) return best;
    }
    for (let variable = 0; variable < columns; variable++) {
      const gain = gains[variable] ?? 0;
      if (gain <= bestGain || (columnPlaces[variable] ?? 0) >= 0) continue;
      [best, bestGain] = [variable, gain];
      if (first) return best;
    }
    this.addWork(m + columns);
    return best;
  }

  private move(length: number): void {
    const { m, values, column } = this;
    for (let i = 0; i < m; i++) values[i] = (values[i] ?? 0) - length * (column[i] ?? 0);
  }

  /**
   * Moves a variable away from its bound as far as the others allow, and says how far; null when nothing holds it, or the
   * pivot is not to be trusted.
   */
  private step(entering: number): number | null {
    const direction = this.placeOf(entering) === AT_LOWER ? 1 : -1;
    const { column } = this;
    this.columnOfTableau(entering, column);
    let [length, leaving] = [this.upperOf(entering) - this.lowerOf(entering), -1];
    for (let i = 0; i < this.m; i++) {
      const share = direction * (column[i] ?? 0);
      if (Math.abs(share) < SMALLEST_PIVOT) continue;
      const basic = this.basis[i] ?? 0;
      const bound = share > 0 ? this.lowerOf(basic) : this.upperOf(basic);
      if (Math.abs(bound) === Infinity) continue;
      const room = Math.max(0, ((this.values[i] ?? 0) - bound) / share);
      const isNearer = room < length - FEASIBLE;
      const isEqual = leaving >= 0 && room < length + FEASIBLE;
      if (!isNearer && !(isEqual && Math.abs(share) > Math.abs(column[leaving] ?? 0))) continue;
      [length, leaving] = [Math.min(room, length), i];
    }
    if (length === Infinity) return null;
    if (leaving >= 0) {
      this.rowOfTableau(leaving, this.across);
      if (!this.isTrusted(leaving, entering)) return null;
    }
    const value = this.restOf(entering) + direction * length;
    this.move(direction * length);
    this.addWork(2 * this.m);
    if (leaving < 0) this.setPlace(entering, direction === 1 ? AT_UPPER : AT_LOWER);
    else {
      const shrinks = direction * (column[leaving] ?? 0) > 0;
      this.pivot(leaving, entering, value, shrinks ? AT_LOWER : AT_UPPER, column, this.across);
    }
    return length;
  }

  /** The row whose basic variable is furthest beyond its bounds, by the length of the row of the inverse. */
  private mostViolated(): number {
    const { m, stride, inverse, basis, values, lower, upper } = this;
    let [worst, row] = [0, -1];
    for (let i = 0; i < m; i++) {
      const basic = basis[i] ?? 0;
      const value = values[i] ?? 0;
      const violation =
        basic < 0 ? Math.max((lower[-1 - basic] ?? 0) - value, value - (upper[-1 - basic] ?? 0)) : -value;
      if (violation <= FEASIBLE) continue;
      let square = 0;
      for (let k = i * stride; k < i * stride + m; k++) square += (inverse[k] ?? 0) ** 2;
      this.addWork(m);
      const score = (violation * violation) / square;
      if (score > worst) [worst, row] = [score, i];
    }
    this.addWork(m);
    return row;
  }

  /** The variable that can move the basic one of `row` back within its bounds at the least loss. */
  private enteringFor(row: number, grows: boolean): number | null {
    const { m, stride, inverse, across, gains, prices, rowPlaces } = this;
    const { columns } = this.matrix;
    const at = row * stride;
    let best: number | null = null;
    let [bestLoss, bestShare] = [Infinity, 0];
    for (let i = 0; i < m; i++) {
      const place = rowPlaces[i] ?? 0;
      if (place >= 0 || this.lower[i] === this.upper[i]) continue;
      const share = -(inverse[at + i] ?? 0);
      const helps = grows === (place === AT_LOWER) ? share < -SMALLEST_PIVOT : share > SMALLEST_PIVOT;
      if (!helps) continue;
      const loss = Math.abs((prices[i] ?? 0) / share);
      if (loss > bestLoss || (loss === bestLoss && Math.abs(share) <= bestShare)) continue;
      [best, bestLoss, bestShare] = [activityOf(i), loss, Math.abs(share)];
    }
    for (let variable = 0; variable < columns; variable++) {
      const share = across[variable] ?? 0;
      const helps = grows ? share < -SMALLEST_PIVOT : share > SMALLEST_PIVOT;
      if (!helps) continue;
      const loss = Math.abs((gains[variable] ?? 0) / share);
      if (loss > bestLoss || (loss === bestLoss && Math.abs(share) <= bestShare)) continue;
      [best, bestLoss, bestShare] = [variable, loss, Math.abs(share)];
    }
    this.addWork(m + columns);
    return best;
  }
}

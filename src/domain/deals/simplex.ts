/**
 * A bounded simplex for small linear programs that are solved again and again with a row, a bound or a column more.
 *
 * Maximise c·x for x ≥ 0, where the activity of each row, z_i = Σ a_ij x_j, stays within its bounds. It is plain
 * arithmetic in a fixed order, so every machine comes to the same numbers.
 */
import { AT_LOWER, AT_UPPER, Basis } from './basis.ts';
import { SMALLEST_PIVOT } from './inverse.ts';

/** `tired`: out of work, or out of exactness; nothing is known. */
export type Outcome = 'optimal' | 'infeasible' | 'tired';

const FEASIBLE = 1e-7;
/** Steps without progress after which the lowest index decides, which cannot go round in circles. */
const PATIENCE = 30;
const STEPS_PER_FACTOR = 150;

export class Simplex extends Basis {
  /** Solves on from a basis that keeps all bounds, such as the first. */
  primal(workLimit: number): Outcome {
    let best = -Infinity;
    let idle = 0;
    for (;;) {
      if (this.work > workLimit) return 'tired';
      if (this.sinceFactor > STEPS_PER_FACTOR && !this.factor()) return 'tired';
      const objective = this.objective();
      idle = objective > best + this.tolerance ? 0 : idle + 1;
      best = Math.max(best, objective);
      const entering = this.entering(this.prices(), idle > PATIENCE);
      if (entering === null) return 'optimal';
      if (!this.step(entering)) return 'tired';
    }
  }

  /** The variable whose move brings most; or, to be sure of an end, the first that brings anything. */
  private entering(prices: Float64Array, first: boolean): number | null {
    let best: number | null = null;
    let bestGain = this.tolerance;
    for (let variable = -this.m; variable < this.columns.length; variable++) {
      const place = this.placeOf(variable);
      if (place >= 0 || this.lowerOf(variable) === this.upperOf(variable)) continue;
      const cost = this.reducedCost(variable, prices);
      const gain = place === AT_LOWER ? cost : -cost;
      if (gain <= bestGain) continue;
      [best, bestGain] = [variable, gain];
      if (first) break;
    }
    this.work += this.columns.length * 4;
    return best;
  }

  /** Moves a variable away from its bound as far as the others allow. */
  private step(entering: number): boolean {
    const direction = this.placeOf(entering) === AT_LOWER ? 1 : -1;
    const column = this.columnIn(entering);
    let [length, leaving] = [this.upperOf(entering) - this.lowerOf(entering), -1];
    for (let i = 0; i < this.m; i++) {
      const share = direction * (column[i] ?? 0);
      if (Math.abs(share) < SMALLEST_PIVOT) continue;
      const basic = this.basis[i] ?? 0;
      const bound = share > 0 ? this.lowerOf(basic) : this.upperOf(basic);
      if (Math.abs(bound) === Infinity) continue;
      const room = Math.max(0, ((this.value[i] ?? 0) - bound) / share);
      const isNearer = room < length - FEASIBLE;
      const isEqual = leaving >= 0 && room < length + FEASIBLE;
      if (!isNearer && !(isEqual && Math.abs(share) > Math.abs(column[leaving] ?? 0))) continue;
      [length, leaving] = [Math.min(room, length), i];
    }
    if (length === Infinity) return false;
    const value = this.restOf(entering) + direction * length;
    for (let i = 0; i < this.m; i++)
      this.value[i] = (this.value[i] ?? 0) - direction * length * (column[i] ?? 0);
    if (leaving < 0) this.setPlace(entering, direction === 1 ? AT_UPPER : AT_LOWER);
    else {
      const shrinks = direction * (column[leaving] ?? 0) > 0;
      this.pivot(leaving, entering, column, value, shrinks ? AT_LOWER : AT_UPPER);
    }
    return true;
  }

  /** Solves on from an optimal basis after rows were added or bounds moved. */
  dual(workLimit: number): Outcome {
    for (let steps = 0; ; steps++) {
      if (this.work > workLimit) return 'tired';
      if (this.sinceFactor > STEPS_PER_FACTOR && !this.factor()) return 'tired';
      const row = this.mostViolated();
      if (row < 0) return 'optimal';
      // Without this a circle would be walked for ever.
      if (steps > 20 * (this.m + 10)) return 'tired';
      const grows = (this.value[row] ?? 0) < this.lowerOf(this.basis[row] ?? 0);
      const entering = this.enteringFor(row, grows);
      if (entering === null) return 'infeasible';
      const column = this.columnIn(entering);
      const pivot = column[row] ?? 0;
      if (Math.abs(pivot) < SMALLEST_PIVOT) {
        if (this.sinceFactor === 0 || !this.factor()) return 'tired';
        continue;
      }
      const basic = this.basis[row] ?? 0;
      const bound = grows ? this.lowerOf(basic) : this.upperOf(basic);
      const length = ((this.value[row] ?? 0) - bound) / pivot;
      const value = this.restOf(entering) + length;
      for (let i = 0; i < this.m; i++) this.value[i] = (this.value[i] ?? 0) - length * (column[i] ?? 0);
      this.pivot(row, entering, column, value, grows ? AT_LOWER : AT_UPPER);
    }
  }

  private mostViolated(): number {
    let [worst, row] = [FEASIBLE, -1];
    for (let i = 0; i < this.m; i++) {
      const basic = this.basis[i] ?? 0;
      const value = this.value[i] ?? 0;
      const violation = Math.max(this.lowerOf(basic) - value, value - this.upperOf(basic));
      if (violation > worst) [worst, row] = [violation, i];
    }
    return row;
  }

  /** The variable that can move the basic one of `row` back within its bounds at the least loss. */
  private enteringFor(row: number, grows: boolean): number | null {
    const prices = this.prices();
    const at = row * this.stride;
    let best: number | null = null;
    let [bestLoss, bestShare] = [Infinity, 0];
    for (let variable = -this.m; variable < this.columns.length; variable++) {
      const place = this.placeOf(variable);
      if (place >= 0 || this.lowerOf(variable) === this.upperOf(variable)) continue;
      const share = this.times(this.inverse, variable, at);
      const helps = grows === (place === AT_LOWER) ? share < -SMALLEST_PIVOT : share > SMALLEST_PIVOT;
      if (!helps) continue;
      const loss = Math.abs(this.reducedCost(variable, prices)) / Math.abs(share);
      const isBetter = loss < bestLoss || (loss === bestLoss && Math.abs(share) > bestShare);
      if (isBetter) [best, bestLoss, bestShare] = [variable, loss, Math.abs(share)];
    }
    this.work += this.columns.length * 8;
    return best;
  }
}

import { AT_LOWER, AT_UPPER, isLogical, logicalOf, rowOf } from './basis.ts';
import { provesInfeasible } from './infeasibility.ts';
import { SMALLEST_PIVOT } from './inverse.ts';
import {
  FEASIBILITY_TOLERANCE,
  stopReason,
  isPivotStable,
  type SimplexOutcome,
} from './numerical-stability.ts';
import type { Tableau } from './tableau.ts';

/** Dual simplex from a dual feasible basis, after rows or bounds changed. Stops once the bound is below `cutoff`. */
export const dualSimplex = (
  tableau: Tableau,
  workLimit: number,
  cutoff: number,
): SimplexOutcome | 'cutoff' => {
  for (;;) {
    const interrupted = stopReason(tableau, workLimit);
    if (interrupted !== null) return interrupted;
    const leaving = leavingPosition(tableau);
    if (leaving < 0) return 'optimal';
    // The objective only decreases.
    if (tableau.objective() < cutoff && tableau.bound() < cutoff) return 'cutoff';
    const isBelow = tableau.basis.valueAt(leaving) < tableau.lowerOf(tableau.basis.variableAt(leaving));
    tableau.computePivotRow(leaving);
    const entering = enteringVariable(tableau, leaving, isBelow);
    if (entering === null) {
      if (provesInfeasible(tableau, leaving)) return 'infeasible';
    } else {
      tableau.computePivotColumn(entering);
      if (isPivotStable(tableau, leaving)) {
        leave(tableau, leaving, entering, isBelow);
        continue;
      }
    }
    if (tableau.pivotsSinceRefactor === 0 || !tableau.refactor()) return 'inaccurate';
  }
};

/** Moves the leaving variable to the bound that it violates. */
const leave = (tableau: Tableau, leaving: number, entering: number, isBelow: boolean): void => {
  const variable = tableau.basis.variableAt(leaving);
  const bound = isBelow ? tableau.lowerOf(variable) : tableau.upperOf(variable);
  const length = (tableau.basis.valueAt(leaving) - bound) / (tableau.pivotColumn[leaving] ?? 1);
  const value = tableau.nonbasicValue(entering) + length;
  tableau.moveAlongPivotColumn(length);
  tableau.pivot(leaving, entering, value, isBelow ? AT_LOWER : AT_UPPER);
};

/**
 * Dual steepest edge with exact norms: the largest violation per length of the row of the inverse; −1 when feasible.
 */
const leavingPosition = (tableau: Tableau): number => {
  const { basis, lower, upper, meter } = tableau;
  const { variables, values, size } = basis;
  let [largest, leaving] = [0, -1];
  for (let i = 0; i < size; i++) {
    const variable = variables[i] ?? 0;
    const value = values[i] ?? 0;
    const row = rowOf(variable);
    const violation = isLogical(variable)
      ? Math.max((lower[row] ?? 0) - value, value - (upper[row] ?? 0))
      : -value;
    if (violation <= FEASIBILITY_TOLERANCE) continue;
    meter.add(size);
    const score = (violation * violation) / tableau.inverseRowNorm(i);
    if (score > largest) [largest, leaving] = [score, i];
  }
  meter.add(size);
  return leaving;
};

/** Dual ratio test; ties go to the larger pivot. Null when no variable can repair the violation. */
const enteringVariable = (tableau: Tableau, leaving: number, isBelow: boolean): number | null => {
  const { basis, duals, lower, upper, reducedCosts, pivotRow, meter } = tableau;
  const { logicalPositions, size } = basis;
  const columns = tableau.matrix.columnCount;
  const inverseRow = tableau.inverseRow(leaving);
  let best: number | null = null;
  let [smallest, pivot] = [Infinity, 0];
  for (let i = 0; i < size; i++) {
    const position = logicalPositions[i] ?? 0;
    if (position >= 0 || lower[i] === upper[i]) continue;
    const entry = -(inverseRow[i] ?? 0);
    const helps = isBelow === (position === AT_LOWER) ? entry < -SMALLEST_PIVOT : entry > SMALLEST_PIVOT;
    if (!helps) continue;
    const ratio = Math.abs((duals[i] ?? 0) / entry);
    if (ratio > smallest || (ratio === smallest && Math.abs(entry) <= pivot)) continue;
    [best, smallest, pivot] = [logicalOf(i), ratio, Math.abs(entry)];
  }
  for (let column = 0; column < columns; column++) {
    const entry = pivotRow[column] ?? 0;
    const helps = isBelow ? entry < -SMALLEST_PIVOT : entry > SMALLEST_PIVOT;
    if (!helps) continue;
    const ratio = Math.abs((reducedCosts[column] ?? 0) / entry);
    if (ratio > smallest || (ratio === smallest && Math.abs(entry) <= pivot)) continue;
    [best, smallest, pivot] = [column, ratio, Math.abs(entry)];
  }
  meter.add(size + columns);
  return best;
};

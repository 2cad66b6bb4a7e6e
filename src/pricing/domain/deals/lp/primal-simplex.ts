import { AT_LOWER, AT_UPPER, logicalOf } from './basis.ts';
import { SMALLEST_PIVOT } from './inverse.ts';
import {
  FEASIBILITY_TOLERANCE,
  stopReason,
  isPivotStable,
  type SimplexOutcome,
} from './numerical-stability.ts';
import type { Tableau } from './tableau.ts';

/**
 * Primal simplex from a feasible basis, such as the first.  The work limit ends a cycle; no cart
 * of 4,891 had one, so there is no rule against cycles.
 */
export const primalSimplex = (tableau: Tableau, workLimit: number): SimplexOutcome => {
  for (;;) {
    const interrupted = stopReason(tableau, workLimit);
    if (interrupted !== null) return interrupted;
    const entering = enteringVariable(tableau);
    if (entering === null) return 'optimal';
    if (step(tableau, entering)) continue;
    if (tableau.pivotsSinceRefactor === 0 || !tableau.refactor()) return 'inaccurate';
  }
};

/** The variable of largest reduced cost (Dantzig's rule); null at the optimum. */
const enteringVariable = (tableau: Tableau): number | null => {
  const { basis, tolerance, duals, lower, upper, reducedCosts, meter } = tableau;
  const { logicalPositions, columnPositions, size } = basis;
  const columns = tableau.matrix.columnCount;
  let best: number | null = null;
  let largest = tolerance;
  for (let i = size - 1; i >= 0; i--) {
    const position = logicalPositions[i] ?? 0;
    if (position >= 0 || lower[i] === upper[i]) continue;
    const reducedCost = position === AT_LOWER ? (duals[i] ?? 0) : -(duals[i] ?? 0);
    if (reducedCost <= largest) continue;
    [best, largest] = [logicalOf(i), reducedCost];
  }
  for (let column = 0; column < columns; column++) {
    const reducedCost = reducedCosts[column] ?? 0;
    if (reducedCost <= largest || (columnPositions[column] ?? 0) >= 0) continue;
    [best, largest] = [column, reducedCost];
  }
  meter.add(size + columns);
  return best;
};

/** Harris-like ratio test on the pivot column: the step length and the position that leaves; −1 for a bound flip. */
const ratioTest = (
  tableau: Tableau,
  entering: number,
  direction: number,
): { readonly length: number; readonly leaving: number } => {
  const { basis, pivotColumn } = tableau;
  const { size } = basis;
  let [length, leaving] = [tableau.upperOf(entering) - tableau.lowerOf(entering), -1];
  for (let i = 0; i < size; i++) {
    const rate = direction * (pivotColumn[i] ?? 0);
    if (Math.abs(rate) < SMALLEST_PIVOT) continue;
    const variable = basis.variableAt(i);
    const bound = rate > 0 ? tableau.lowerOf(variable) : tableau.upperOf(variable);
    if (Math.abs(bound) === Infinity) continue;
    const ratio = Math.max(0, (basis.valueAt(i) - bound) / rate);
    const isSmaller = ratio < length - FEASIBILITY_TOLERANCE;
    const isTie = leaving >= 0 && ratio < length + FEASIBILITY_TOLERANCE;
    if (!isSmaller && !(isTie && Math.abs(rate) > Math.abs(pivotColumn[leaving] ?? 0))) continue;
    [length, leaving] = [Math.min(ratio, length), i];
  }
  return { length, leaving };
};

/** False for an unbounded ray or an unstable pivot. */
const step = (tableau: Tableau, entering: number): boolean => {
  const { basis } = tableau;
  const direction = basis.positionOf(entering) === AT_LOWER ? 1 : -1;
  tableau.computePivotColumn(entering);
  const { length, leaving } = ratioTest(tableau, entering, direction);
  if (length === Infinity) return false;
  if (leaving >= 0) {
    if (!isPivotStable(tableau, leaving)) return false;
    tableau.computePivotRow(leaving);
  }
  const value = tableau.nonbasicValue(entering) + direction * length;
  tableau.moveAlongPivotColumn(direction * length);
  tableau.meter.add(2 * basis.size);
  if (leaving < 0) basis.setPosition(entering, direction === 1 ? AT_UPPER : AT_LOWER);
  else {
    const isDecreasing = direction * (tableau.pivotColumn[leaving] ?? 0) > 0;
    tableau.pivot(leaving, entering, value, isDecreasing ? AT_LOWER : AT_UPPER);
  }
  return true;
};

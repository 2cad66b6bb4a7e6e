import { isLogical, rowOf } from './basis.ts';
import type { Tableau } from './tableau.ts';

/** After 'work limit' and 'inaccurate' neither optimality nor infeasibility is known. */
export type SimplexOutcome = 'optimal' | 'infeasible' | 'work limit' | 'inaccurate';

/** A smaller violation of a bound counts as none. From 1e-9 to 1e-3 no cart has other deals. */
export const FEASIBILITY_TOLERANCE = 1e-7;
/** Without refactoring the work is 3.7 % less, and 8 carts save less, 9 more; with 25 pivots 14 less and 9 more. */
const PIVOTS_PER_REFACTOR = 100;
/** Smallest stable pivot, as a share of the largest entry of its column. */
const SMALLEST_SHARE = 1e-6;
/** Largest relative difference between a pivot computed from its row and from its column. */
const AGREEMENT = 1e-7;

/** Why the simplex must stop before its next step. Refactors when that is due and there is work left for it. */
export const stopReason = (tableau: Tableau, workLimit: number): 'work limit' | 'inaccurate' | null => {
  const { meter } = tableau;
  if (meter.total > workLimit) return 'work limit';
  if (tableau.pivotsSinceRefactor <= PIVOTS_PER_REFACTOR) return null;
  if (meter.total + tableau.workOfRefactor > workLimit) return null;
  return tableau.refactor() ? null : 'inaccurate';
};

/** Whether the inverse stays accurate after this pivot. */
export const isPivotStable = (tableau: Tableau, leaving: number, entering: number): boolean => {
  const { pivotColumn, pivotRow, rowCount } = tableau;
  const pivot = pivotColumn[leaving] ?? 0;
  const fromRow = isLogical(entering)
    ? -(tableau.inverseRow(leaving)[rowOf(entering)] ?? 0)
    : (pivotRow[entering] ?? 0);
  let largest = 0;
  for (let i = 0; i < rowCount; i++) largest = Math.max(largest, Math.abs(pivotColumn[i] ?? 0));
  return (
    Math.abs(pivot) > SMALLEST_SHARE * largest && Math.abs(pivot - fromRow) < AGREEMENT * Math.abs(pivot)
  );
};

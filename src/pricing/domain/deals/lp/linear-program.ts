import { separateCuts, type Cut } from './cuts.ts';
import { dualSimplex } from './dual-simplex.ts';
import type { SimplexOutcome } from './numerical-stability.ts';
import { primalSimplex } from './primal-simplex.ts';
import { Tableau, type Column, type TableauSnapshot } from './tableau.ts';
import type { WorkMeter } from './work-meter.ts';

export type { Column, Cut, SimplexOutcome };
export type Snapshot = TableauSnapshot;

/**
 * max c·x, x ≥ 0, lower ≤ Ax ≤ upper, by the bounded primal and dual simplex; reoptimises after a row, a bound or a
 * column changed.
 */
export class LinearProgram {
  private readonly tableau: Tableau;

  /** `largestCost` scales the tolerance of reduced costs. */
  constructor(largestCost: number) {
    this.tableau = new Tableau(largestCost);
  }

  get meter(): WorkMeter {
    return this.tableau.meter;
  }

  get tolerance(): number {
    return this.tableau.tolerance;
  }

  get rowCount(): number {
    return this.tableau.rowCount;
  }

  addColumn(column: Column): void {
    this.tableau.addColumn(column);
  }

  /** Returns the row's index. `entries` by column; null for a row whose entries come with later columns. */
  addRow(entries: Float64Array | null, lower: number, upper: number): number {
    return this.tableau.addRow(entries, lower, upper);
  }

  addCut({ entries, upper }: Cut): void {
    this.tableau.addRow(entries, -Infinity, upper);
  }

  setBounds(row: number, lower: number, upper: number): void {
    this.tableau.setBounds(row, lower, upper);
  }

  tightenBounds(row: number, lower: number, upper: number): void {
    const { tableau } = this;
    tableau.setBounds(
      row,
      Math.max(tableau.lower[row] ?? 0, lower),
      Math.min(tableau.upper[row] ?? 0, upper),
    );
  }

  /** From a feasible basis, such as the first, or an optimal one after columns were added. */
  primal(workLimit: number): SimplexOutcome {
    return primalSimplex(this.tableau, workLimit);
  }

  /** From an optimal basis after rows or bounds changed; 'cutoff' once no integer solution can reach `cutoff`. */
  dual(workLimit: number, cutoff = -Infinity): SimplexOutcome | 'cutoff' {
    return dualSimplex(this.tableau, workLimit, cutoff);
  }

  objective(): number {
    return this.tableau.objective();
  }

  /** An upper bound on every integer solution, valid despite rounding errors. Refreshes the reduced costs. */
  bound(): number {
    return this.tableau.bound();
  }

  dualPrice(row: number): number {
    return this.tableau.duals[row] ?? 0;
  }

  forEachBasicColumn(visit: (column: number, value: number) => void): void {
    this.tableau.basis.forEachColumn(visit);
  }

  /** Whether every other integer solution, which moves a nonbasic variable by 1, loses more than `loss`. */
  isUniqueWithin(loss: number): boolean {
    const { duals, reducedCosts, basis, matrix } = this.tableau;
    const { logicalPositions, columnPositions, size } = basis;
    for (let row = 0; row < size; row++)
      if ((logicalPositions[row] ?? 0) < 0 && Math.abs(duals[row] ?? 0) <= loss) return false;
    for (let column = 0; column < matrix.columnCount; column++)
      if ((columnPositions[column] ?? 0) < 0 && Math.abs(reducedCosts[column] ?? 0) <= loss) return false;
    return true;
  }

  /** Cuts that the solution violates. All rows must have integer entries and upper bounds, and no lower bounds. */
  separateCuts(): readonly Cut[] {
    return separateCuts(this.tableau);
  }

  /** Removes the nonbasic columns whose reduced cost is below `least` (negative); returns the indices that stay. */
  removeColumnsBelow(least: number): readonly number[] {
    return this.tableau.removeColumnsBelow(least);
  }

  /** Removes the rows from `first` on that are not tight. */
  removeSlackRows(first: number): void {
    this.tableau.removeSlackRows(first);
  }

  save(): Snapshot {
    return this.tableau.save();
  }

  /** Removes the rows that were added since. No column or earlier row may have been added or removed. */
  restore(snapshot: Snapshot): void {
    this.tableau.restore(snapshot);
  }
}

import { YieldBudget } from '../../../../kernel/yield-budget.ts';

/**
 * Counts elementary operations. Limits and pauses depend on this count, never on a clock. Without all fixed charges,
 * such as 100 for a pivot, the work is 8 % less, and 20 instead of 21 carts stay unproven.
 */
export class WorkMeter {
  private readonly pace = new YieldBudget();
  private operations = 0;

  get total(): number {
    return this.operations;
  }

  add(operations: number): void {
    this.operations += operations;
  }

  /** Whether the caller should pause now; true once per slice of work. */
  isPauseDue(): boolean {
    return this.pace.isSpentAt(this.operations);
  }
}

/**
 * Counts elementary operations. Limits depend on this count, never on a clock. Without all fixed charges,
 * such as 100 for a pivot, the work is 8 % less, and 20 instead of 21 carts stay unproven.
 */
export class WorkMeter {
  private operations = 0;

  get total(): number {
    return this.operations;
  }

  add(operations: number): void {
    this.operations += operations;
  }
}

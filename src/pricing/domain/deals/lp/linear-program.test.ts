import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LinearProgram, type Column } from './linear-program.ts';
import { valueOf } from './linear-program.test-support.ts';

interface Instance {
  readonly columns: readonly Column[];
  /** Upper bounds; every activity is at least 0. */
  readonly rows: readonly number[];
}

const instance = fc
  .record({ rows: fc.integer({ min: 1, max: 5 }), width: fc.integer({ min: 1, max: 8 }) })
  .chain(({ rows, width }): fc.Arbitrary<Instance> =>
    fc.record({
      columns: fc
        .array(
          fc.record({
            rows: fc.uniqueArray(fc.nat(rows - 1), { minLength: 1, maxLength: rows }),
            cost: fc.integer({ min: -20, max: 60 }),
          }),
          { minLength: width, maxLength: width },
        )
        .chain((columns) =>
          fc.tuple(
            ...columns.map(({ rows: own, cost }) =>
              fc
                .array(fc.integer({ min: 1, max: 4 }), { minLength: own.length, maxLength: own.length })
                .map((values): Column => ({
                  rows: [...own].sort((a, b) => a - b),
                  values,
                  cost,
                  impliedUpper: 12,
                })),
            ),
          ),
        ),
      rows: fc.array(fc.nat(12), { minLength: rows, maxLength: rows }),
    }),
  );

const programOf = ({ columns, rows }: Instance): LinearProgram => {
  const program = new LinearProgram(100);
  for (const most of rows) program.addRow(null, 0, most);
  for (const column of columns) program.addColumn(column);
  return program;
};

/**
 * Primal feasible, dual feasible and equal objectives: a proof of optimality. A row at its lower bound, 0, may have a
 * negative dual.
 */
const expectOptimal = (
  program: LinearProgram,
  { columns, rows }: Instance,
  most: readonly number[] = rows,
): void => {
  const x = columns.map((_, j) => valueOf(program, j));
  const duals = rows.map((_, i) => program.dualPrice(i));
  const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
  const activity = rows.map((_, i) =>
    sum(columns.map(({ rows: own, values }, j) => (values[own.indexOf(i)] ?? 0) * (x[j] ?? 0))),
  );
  for (const value of x) expect(value).toBeGreaterThanOrEqual(-1e-7);
  activity.forEach((value, i) => expect(value).toBeLessThanOrEqual((most[i] ?? 0) + 1e-6));
  for (const { rows: own, values, cost } of columns)
    expect(cost - sum(own.map((row, k) => (duals[row] ?? 0) * (values[k] ?? 0)))).toBeLessThanOrEqual(1e-6);
  expect(program.objective()).toBeCloseTo(
    sum(rows.map((_, i) => Math.max(0, duals[i] ?? 0) * (most[i] ?? 0))),
    5,
  );
};

test('the primal simplex finds an optimal point, and the dual prices prove it', () => {
  fc.assert(
    fc.property(instance, (given) => {
      const program = programOf(given);
      expect(program.primal(1e9)).toBe('optimal');
      expectOptimal(program, given);
    }),
    { numRuns: 1000 },
  );
});

test('the dual simplex reoptimises after bounds are tightened, and a snapshot restores the program', () => {
  fc.assert(
    fc.property(instance, fc.array(fc.nat(6), { minLength: 5, maxLength: 5 }), (given, tighter) => {
      const program = programOf(given);
      program.primal(1e9);
      const before = program.objective();
      const saved = program.save();
      const tightened = given.rows.map((most, i) => Math.min(most, tighter[i] ?? 0));
      tightened.forEach((most, row) => program.setBounds(row, 0, most));
      expect(program.dual(1e9)).toBe('optimal');
      expectOptimal(program, given, tightened);
      program.restore(saved);
      expect(program.objective()).toBeCloseTo(before, 6);
      expect(program.primal(1e9)).toBe('optimal');
      expectOptimal(program, given);
    }),
    { numRuns: 1000 },
  );
});

test('adding a column and then a row gives the same optimum as a new program with both', () => {
  fc.assert(
    fc.property(instance, fc.nat(10), fc.integer({ min: 1, max: 40 }), (given, most, cost) => {
      const program = programOf(given);
      program.primal(1e9);
      const last: Column = { rows: [0], values: [1], cost, impliedUpper: 12 };
      program.addColumn(last);
      expect(program.primal(1e9)).toBe('optimal');
      const all = [...given.columns, last];
      const row = program.addRow(new Float64Array(all.length).fill(1), 0, most);
      expect(program.dual(1e9)).toBe('optimal');
      const columns = all.map(({ rows, values, ...column }) => ({
        ...column,
        rows: [...rows, row],
        values: [...values, 1],
      }));
      const extended = { columns, rows: [...given.rows, most] };
      expectOptimal(program, extended);
      const fresh = programOf(extended);
      fresh.primal(1e9);
      expect(program.objective()).toBeCloseTo(fresh.objective(), 5);
    }),
    { numRuns: 1000 },
  );
});

test('removing slack rows and nonbasic columns keeps the optimum', () => {
  fc.assert(
    fc.property(
      instance,
      fc.array(fc.tuple(fc.nat(12), fc.integer({ min: 1, max: 3 })), { maxLength: 6 }),
      fc.integer({ min: -40, max: 0 }),
      fc.nat(3),
      (given, extraRows, least, limit) => {
        const program = programOf(given);
        program.primal(1e9);
        const width = given.columns.length;
        for (const [most, step] of extraRows)
          program.addRow(
            Float64Array.from({ length: width }, (_, j) => (j % step === 0 ? 1 : 0)),
            -Infinity,
            most,
          );
        expect(program.dual(1e9)).toBe('optimal');
        const best = program.objective();
        program.removeSlackRows(given.rows.length);
        const kept = program.removeColumnsBelow(least);
        expect(program.objective()).toBeCloseTo(best, 6);
        expect(program.primal(1e9)).toBe('optimal');
        expect(program.objective()).toBeCloseTo(best, 6);
        // The removed columns were 0, so the rest is still optimal.
        program.addRow(new Float64Array(kept.length).fill(1), -Infinity, limit);
        expect(program.dual(1e9)).toBe('optimal');
        const sum = kept.map((_, j) => valueOf(program, j)).reduce((all, value) => all + value, 0);
        expect(sum).toBeLessThanOrEqual(limit + 1e-6);
        expect(program.objective()).toBeLessThanOrEqual(best + 1e-6);
      },
    ),
    { numRuns: 1000 },
  );
});

test('reports infeasibility and the work limit', () => {
  const program = programOf({ columns: [{ rows: [0], values: [1], cost: 1, impliedUpper: 12 }], rows: [3] });
  expect(program.primal(-1)).toBe('work limit');
  expect(program.primal(1e9)).toBe('optimal');
  program.addRow(Float64Array.of(1), 4, Infinity);
  expect(program.dual(1e9)).toBe('infeasible');
});

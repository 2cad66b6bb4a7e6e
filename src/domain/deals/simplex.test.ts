import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Column } from './basis.ts';
import { Simplex } from './simplex.ts';

interface Program {
  readonly columns: readonly Column[];
  /** Upper bounds; every activity is at least 0. */
  readonly rows: readonly number[];
}

const program = fc
  .record({ rows: fc.integer({ min: 1, max: 5 }), width: fc.integer({ min: 1, max: 8 }) })
  .chain(({ rows, width }): fc.Arbitrary<Program> =>
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
                .map((values): Column => ({ rows: [...own].sort((a, b) => a - b), values, cost })),
            ),
          ),
        ),
      rows: fc.array(fc.nat(12), { minLength: rows, maxLength: rows }),
    }),
  );

const started = ({ columns, rows }: Program): Simplex => {
  const simplex = new Simplex(100);
  for (const most of rows) simplex.addRow(new Map(), 0, most);
  for (const column of columns) simplex.addColumn(column);
  return simplex;
};

/**
 * A point within the bounds, and prices of the rows that no column beats: together they prove each other best, for no
 * point can be worth more than what its rows cost. (A negative price goes with a row at its lower bound, 0.)
 */
const expectBest = (simplex: Simplex, { columns, rows }: Program, most: readonly number[] = rows): void => {
  const x = columns.map((_, j) => simplex.valueOf(j));
  const prices = simplex.prices();
  const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
  const activity = rows.map((_, i) =>
    sum(columns.map(({ rows: own, values }, j) => (values[own.indexOf(i)] ?? 0) * (x[j] ?? 0))),
  );
  for (const value of x) expect(value).toBeGreaterThanOrEqual(-1e-7);
  activity.forEach((value, i) => expect(value).toBeLessThanOrEqual((most[i] ?? 0) + 1e-6));
  for (const { rows: own, values, cost } of columns)
    expect(cost - sum(own.map((row, k) => (prices[row] ?? 0) * (values[k] ?? 0)))).toBeLessThanOrEqual(1e-6);
  expect(simplex.objective()).toBeCloseTo(
    sum(rows.map((_, i) => Math.max(0, prices[i] ?? 0) * (most[i] ?? 0))),
    5,
  );
};

test('finds a best point, and the prices that prove it', () => {
  fc.assert(
    fc.property(program, (given) => {
      const simplex = started(given);
      expect(simplex.primal(1e9)).toBe('optimal');
      expectBest(simplex, given);
    }),
    { numRuns: 1000 },
  );
});

test('solves on when bounds are narrowed, and goes back to what it was', () => {
  fc.assert(
    fc.property(program, fc.array(fc.nat(6), { minLength: 5, maxLength: 5 }), (given, cuts) => {
      const simplex = started(given);
      simplex.primal(1e9);
      const before = simplex.objective();
      const saved = simplex.save();
      const narrowed = given.rows.map((most, i) => Math.min(most, cuts[i] ?? 0));
      narrowed.forEach((most, row) => simplex.setBounds(row, 0, most));
      expect(simplex.dual(1e9)).toBe('optimal');
      expectBest(simplex, given, narrowed);
      simplex.restore(saved);
      expect(simplex.objective()).toBeCloseTo(before, 6);
      expect(simplex.primal(1e9)).toBe('optimal');
      expectBest(simplex, given);
    }),
    { numRuns: 1000 },
  );
});

test('a row and a column more are the same as having had them from the start', () => {
  fc.assert(
    fc.property(program, fc.nat(10), fc.integer({ min: 1, max: 40 }), (given, most, cost) => {
      const simplex = started(given);
      simplex.primal(1e9);
      const row = simplex.addRow(new Map(given.columns.map((_, j) => [j, 1])), 0, most);
      expect(simplex.dual(1e9)).toBe('optimal');
      const last: Column = { rows: [0, row], values: [1, 1], cost };
      simplex.addColumn(last);
      expect(simplex.primal(1e9)).toBe('optimal');
      const columns = given.columns.map((column) => ({
        ...column,
        rows: [...column.rows, row],
        values: [...column.values, 1],
      }));
      const whole = { columns: [...columns, last], rows: [...given.rows, most] };
      expectBest(simplex, whole);
      const anew = started(whole);
      anew.primal(1e9);
      expect(simplex.objective()).toBeCloseTo(anew.objective(), 5);
    }),
    { numRuns: 1000 },
  );
});

test('says when bounds cannot all be kept, and when it is out of work', () => {
  const simplex = started({ columns: [{ rows: [0], values: [1], cost: 1 }], rows: [3] });
  expect(simplex.primal(-1)).toBe('tired');
  expect(simplex.primal(1e9)).toBe('optimal');
  simplex.addRow(new Map([[0, 1]]), 4, Infinity);
  expect(simplex.dual(1e9)).toBe('infeasible');
});

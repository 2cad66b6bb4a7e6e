import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Column } from './basis.ts';
import { Simplex } from './simplex.ts';
import { ended, valueOf } from './simplex.test-support.ts';

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
                .map((values): Column => ({ rows: [...own].sort((a, b) => a - b), values, cost, most: 12 })),
            ),
          ),
        ),
      rows: fc.array(fc.nat(12), { minLength: rows, maxLength: rows }),
    }),
  );

const started = ({ columns, rows }: Program): Simplex => {
  const simplex = new Simplex(100);
  for (const most of rows) simplex.addRow(null, 0, most);
  for (const column of columns) simplex.addColumn(column);
  return simplex;
};

/**
 * A point within the bounds, and prices of the rows that no column beats: together they prove each other best, for no
 * point can be worth more than what its rows cost. (A negative price goes with a row at its lower bound, 0.)
 */
const expectBest = (simplex: Simplex, { columns, rows }: Program, most: readonly number[] = rows): void => {
  const x = columns.map((_, j) => valueOf(simplex, j));
  const prices = rows.map((_, i) => simplex.priceOf(i));
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
      expect(ended(simplex.primal(1e9))).toBe('optimal');
      expectBest(simplex, given);
    }),
    { numRuns: 1000 },
  );
});

test('solves on when bounds are narrowed, and goes back to what it was', () => {
  fc.assert(
    fc.property(program, fc.array(fc.nat(6), { minLength: 5, maxLength: 5 }), (given, cuts) => {
      const simplex = started(given);
      ended(simplex.primal(1e9));
      const before = simplex.objective();
      const saved = simplex.save();
      const narrowed = given.rows.map((most, i) => Math.min(most, cuts[i] ?? 0));
      narrowed.forEach((most, row) => simplex.setBounds(row, 0, most));
      expect(ended(simplex.dual(1e9))).toBe('optimal');
      expectBest(simplex, given, narrowed);
      simplex.restore(saved);
      expect(simplex.objective()).toBeCloseTo(before, 6);
      expect(ended(simplex.primal(1e9))).toBe('optimal');
      expectBest(simplex, given);
    }),
    { numRuns: 1000 },
  );
});

test('a column more and then a row are the same as having had them from the start', () => {
  fc.assert(
    fc.property(program, fc.nat(10), fc.integer({ min: 1, max: 40 }), (given, most, cost) => {
      const simplex = started(given);
      ended(simplex.primal(1e9));
      const last: Column = { rows: [0], values: [1], cost, most: 12 };
      simplex.addColumn(last);
      expect(ended(simplex.primal(1e9))).toBe('optimal');
      const all = [...given.columns, last];
      const row = simplex.addRow(new Float64Array(all.length).fill(1), 0, most);
      expect(ended(simplex.dual(1e9))).toBe('optimal');
      const columns = all.map(({ rows, values, ...column }) => ({
        ...column,
        rows: [...rows, row],
        values: [...values, 1],
      }));
      const whole = { columns, rows: [...given.rows, most] };
      expectBest(simplex, whole);
      const anew = started(whole);
      ended(anew.primal(1e9));
      expect(simplex.objective()).toBeCloseTo(anew.objective(), 5);
    }),
    { numRuns: 1000 },
  );
});

test('without the rows that bind nothing, and the columns that lose too much, the best stays the best', () => {
  fc.assert(
    fc.property(
      program,
      fc.array(fc.tuple(fc.nat(12), fc.integer({ min: 1, max: 3 })), { maxLength: 6 }),
      fc.integer({ min: -40, max: 0 }),
      fc.nat(3),
      (given, laid, least, further) => {
        const simplex = started(given);
        ended(simplex.primal(1e9));
        const width = given.columns.length;
        for (const [most, step] of laid)
          simplex.addRow(
            Float64Array.from({ length: width }, (_, j) => (j % step === 0 ? 1 : 0)),
            -Infinity,
            most,
          );
        expect(ended(simplex.dual(1e9))).toBe('optimal');
        const best = simplex.objective();
        simplex.dropLoose(given.rows.length);
        const kept = simplex.dropBelow(least);
        expect(simplex.objective()).toBeCloseTo(best, 6);
        expect(ended(simplex.primal(1e9))).toBe('optimal');
        expect(simplex.objective()).toBeCloseTo(best, 6);
        // What was taken away was at 0, so the rest still stands where it stood.
        const next = new Float64Array(kept.length).fill(1);
        simplex.addRow(next, -Infinity, further);
        expect(ended(simplex.dual(1e9))).toBe('optimal');
        const taken = kept.map((_, j) => valueOf(simplex, j)).reduce((sum, value) => sum + value, 0);
        expect(taken).toBeLessThanOrEqual(further + 1e-6);
        expect(simplex.objective()).toBeLessThanOrEqual(best + 1e-6);
      },
    ),
    { numRuns: 1000 },
  );
});

test('says when bounds cannot all be kept, and when it is out of work', () => {
  const simplex = started({ columns: [{ rows: [0], values: [1], cost: 1, most: 12 }], rows: [3] });
  expect(ended(simplex.primal(-1))).toBe('tired');
  expect(ended(simplex.primal(1e9))).toBe('optimal');
  simplex.addRow(Float64Array.of(1), 4, Infinity);
  expect(ended(simplex.dual(1e9))).toBe('infeasible');
});

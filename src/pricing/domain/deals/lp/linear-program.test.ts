import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LinearProgram } from './linear-program.ts';

const MOST = 12;

interface Column {
  readonly rows: readonly number[];
  readonly values: readonly number[];
  readonly cost: number;
}

interface Instance {
  readonly columns: readonly Column[];
  /** Bounds of the activities. */
  readonly rows: readonly (readonly [lower: number, upper: number])[];
}

const instance = fc
  .record({ rows: fc.integer({ min: 1, max: 5 }), width: fc.integer({ min: 1, max: 8 }) })
  .chain(({ rows, width }): fc.Arbitrary<Instance> =>
    fc.record({
      columns: fc.array(
        fc.uniqueArray(fc.nat(rows - 1), { minLength: 1, maxLength: rows }).chain((own) =>
          fc.record({
            rows: fc.constant(own),
            values: fc.array(fc.integer({ min: 1, max: 4 }), {
              minLength: own.length,
              maxLength: own.length,
            }),
            cost: fc.integer({ min: -20, max: 60 }),
          }),
        ),
        { minLength: width, maxLength: width },
      ),
      rows: fc.array(
        fc.nat(12).map((most) => [0, most] as const),
        { minLength: rows, maxLength: rows },
      ),
    }),
  );

/** The variables of the rows come first. */
const programOf = ({ columns, rows }: Instance): LinearProgram => {
  const program = new LinearProgram(100);
  for (const [, upper] of rows) program.addRow(null, upper);
  for (const { rows: own, values, cost } of columns) program.addColumn(own, values, cost, MOST);
  return program;
};

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

/** Within all bounds, and as large as an upper bound: a proof of optimality. */
const expectOptimal = (program: LinearProgram, { columns, rows }: Instance, first = rows.length): void => {
  expect(program.reoptimise(-1e6, 1e9)).toBe('optimal');
  const x = columns.map((_, column) => program.valueOf(first + column));
  for (const value of x) expect(Math.abs(value - MOST / 2)).toBeLessThanOrEqual(MOST / 2 + 1e-6);
  rows.forEach(([lower, upper], row) => {
    const activity = sum(
      columns.map(({ rows: own, values }, j) => (values[own.indexOf(row)] ?? 0) * (x[j] ?? 0)),
    );
    expect(activity).toBeGreaterThanOrEqual(lower - 1e-6);
    expect(activity).toBeLessThanOrEqual(upper + 1e-6);
  });
  expect(sum(columns.map(({ cost }, j) => cost * (x[j] ?? 0)))).toBeCloseTo(program.bound(), 4);
};

/** A row with these entries of the columns. */
const rowOf = (first: number, entries: readonly number[]): Float64Array =>
  Float64Array.from([...Array.from({ length: first }, () => 0), ...entries]);

test('finds an optimal point, and the bound proves it', () => {
  fc.assert(
    fc.property(instance, (given) => {
      expectOptimal(programOf(given), given);
    }),
    { numRuns: 1000 },
  );
});

test('goes on from the last basis when bounds of rows change, tighter or wider', () => {
  const changes = fc.array(fc.array(fc.nat(12), { minLength: 5, maxLength: 5 }), { maxLength: 4 });
  fc.assert(
    fc.property(instance, changes, (given, all) => {
      const program = programOf(given);
      expectOptimal(program, given);
      for (const change of all) {
        const rows = given.rows.map((_, row) => [0, change[row] ?? 0] as const);
        rows.forEach(([lower, upper], row) => program.setBounds(row, lower, upper));
        expectOptimal(program, { ...given, rows });
      }
    }),
    { numRuns: 1000 },
  );
});

test('adding a column and then a row gives the same optimum as a new program with both', () => {
  fc.assert(
    fc.property(instance, fc.nat(10), fc.integer({ min: 1, max: 40 }), (given, most, cost) => {
      const program = programOf(given);
      expectOptimal(program, given);
      program.addColumn([0], [1], cost, MOST);
      const columns: readonly Column[] = [...given.columns, { rows: [0], values: [1], cost }];
      expectOptimal(program, { ...given, columns });
      const first = given.rows.length;
      const entries = columns.map(() => 1);
      program.addRow(rowOf(first, entries), most);
      const extended: Instance = {
        rows: [...given.rows, [0, most]],
        columns: columns.map(({ rows, values, ...column }) => ({
          ...column,
          rows: [...rows, first],
          values: [...values, 1],
        })),
      };
      expectOptimal(program, extended, first);
      const fresh = programOf(extended);
      expectOptimal(fresh, extended);
      expect(program.bound()).toBeCloseTo(fresh.bound(), 4);
    }),
    { numRuns: 1000 },
  );
});

test('rows that are not tight and columns that cannot matter leave the optimum as it is', () => {
  const extraRows = fc.array(fc.tuple(fc.nat(12), fc.integer({ min: 1, max: 3 })), { maxLength: 6 });
  fc.assert(
    fc.property(
      instance,
      extraRows,
      fc.integer({ min: -40, max: -1 }),
      fc.nat(3),
      (given, extra, least, limit) => {
        const program = programOf(given);
        expectOptimal(program, given);
        const first = given.rows.length;
        const last = first + given.columns.length;
        const added = extra.map(([most, step]) =>
          program.addRow(
            rowOf(
              first,
              given.columns.map((_, column) => (column % step === 0 ? 1 : 0)),
            ),
            most,
          ),
        );
        expect(program.reoptimise(-1e6, 1e9)).toBe('optimal');
        const best = program.bound();
        for (const row of added) program.removeSlackRow(row);
        const isKept = (variable: number): boolean =>
          variable < first || variable >= last || program.reducedCostOf(variable) >= least;
        const kept = given.columns.filter((_, column) => isKept(first + column)).length;
        program.removeColumns(isKept);
        expect(program.reoptimise(-1e6, 1e9)).toBe('optimal');
        expect(program.bound()).toBeCloseTo(best, 4);
        program.addRow(
          rowOf(
            first,
            Array.from({ length: kept }, () => 1),
          ),
          limit,
        );
        expect(program.reoptimise(-1e6, 1e9)).toBe('optimal');
        const values = Array.from({ length: kept }, (_, column) => program.valueOf(first + column));
        expect(sum(values)).toBeLessThanOrEqual(limit + 1e-6);
        expect(program.bound()).toBeLessThanOrEqual(best + 1e-4);
      },
    ),
    { numRuns: 1000 },
  );
});

test('reports the work limit, and what cannot reach the cutoff because it is infeasible or gains less', () => {
  const program = programOf({ columns: [{ rows: [0], values: [1], cost: 1 }], rows: [[0, 3]] });
  expect(program.reoptimise(0, -1)).toBe('stopped');
  expect(program.reoptimise(3, 1e9)).toBe('optimal');
  expect(program.reoptimise(4, 1e9)).toBe('cutoff');
  program.addRow(rowOf(1, [1]), 9);
  program.setBounds(1, 4, 9);
  expect(program.reoptimise(0, 1e9)).toBe('cutoff');
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutsOf } from './cuts.ts';
import { Simplex } from './simplex.ts';
import { ended, valueOf } from './simplex.test-support.ts';

interface Program {
  /** Entries by column and row, from 0 up. */
  readonly columns: readonly { readonly entries: readonly number[]; readonly cost: number }[];
  readonly most: readonly number[];
}

const program: fc.Arbitrary<Program> = fc.integer({ min: 1, max: 3 }).chain((rows) =>
  fc.record({
    columns: fc.array(
      fc.record({
        entries: fc
          .array(fc.nat(3), { minLength: rows, maxLength: rows })
          .filter((entries) => entries.some((entry) => entry > 0)),
        cost: fc.integer({ min: 1, max: 60 }),
      }),
      { minLength: 1, maxLength: 5 },
    ),
    most: fc.array(fc.nat(5), { minLength: rows, maxLength: rows }),
  }),
);

/** Every solution in whole numbers, slowly. */
const everySolution = ({ columns, most }: Program): readonly (readonly number[])[] => {
  const from = (at: number, left: readonly number[]): number[][] => {
    const column = columns[at];
    if (column === undefined) return [[]];
    const solutions: number[][] = [];
    for (let amount = 0, rest = left; rest.every((each) => each >= 0); amount++) {
      solutions.push(...from(at + 1, rest).map((others) => [amount, ...others]));
      rest = rest.map((each, row) => each - (column.entries[row] ?? 0));
    }
    return solutions;
  };
  return from(0, most);
};

test('cuts and the bound hold for every solution in whole numbers, and what a cut is made of lies beyond it', () => {
  let made = 0;
  fc.assert(
    fc.property(program, (given) => {
      const simplex = new Simplex(100);
      for (const most of given.most) simplex.addRow(null, -Infinity, most);
      for (const { entries, cost } of given.columns)
        simplex.addColumn({
          rows: entries.flatMap((entry, row) => (entry > 0 ? [row] : [])),
          values: entries.filter((entry) => entry > 0),
          cost,
          most: 5,
        });
      ended(simplex.primal(1e9));
      const solutions = everySolution(given);
      const most = Math.max(
        ...solutions.map((solution) =>
          solution.reduce((sum, amount, column) => sum + amount * (given.columns[column]?.cost ?? 0), 0),
        ),
      );
      for (let round = 0; round < 6; round++) {
        expect(simplex.bound()).toBeGreaterThanOrEqual(most - 1e-6);
        const cuts = cutsOf(simplex);
        for (const { entries, most } of cuts) {
          made += 1;
          const sum = (solution: (column: number) => number): number =>
            entries.reduce((all, entry, column) => all + entry * solution(column), 0);
          expect(sum((column) => valueOf(simplex, column))).toBeGreaterThan(most);
          for (const solution of solutions)
            expect(sum((column) => solution[column] ?? 0)).toBeLessThanOrEqual(most);
        }
        for (const { entries, most } of cuts) simplex.addRow(entries, -Infinity, most);
        if (cuts.length === 0 || ended(simplex.dual(1e9)) !== 'optimal') return;
        simplex.dropLoose(given.most.length);
      }
    }),
    { numRuns: 2000 },
  );
  expect(made).toBeGreaterThan(1000);
});

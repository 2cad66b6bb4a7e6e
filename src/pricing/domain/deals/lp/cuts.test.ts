import fc from 'fast-check';
import { expect, test } from 'vitest';
import { separateCuts } from './cuts.ts';
import { LinearProgram } from './linear-program.ts';

interface Instance {
  /** Nonnegative entries, by row. */
  readonly columns: readonly { readonly entries: readonly number[]; readonly cost: number }[];
  readonly most: readonly number[];
}

const instance: fc.Arbitrary<Instance> = fc.integer({ min: 1, max: 3 }).chain((rows) =>
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

/** Every integer solution, by brute force. */
const everySolution = ({ columns, most }: Instance): readonly (readonly number[])[] => {
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

test('cuts and the bound hold for every integer solution, and the current solution violates each cut', () => {
  let cutCount = 0;
  fc.assert(
    fc.property(instance, (given) => {
      const program = new LinearProgram(100);
      const first = given.most.length;
      const last = first + given.columns.length;
      for (const most of given.most) program.addRow(null, most);
      for (const { entries, cost } of given.columns)
        program.addColumn(
          entries.flatMap((entry, row) => (entry > 0 ? [row] : [])),
          entries.filter((entry) => entry > 0),
          cost,
          6,
        );
      program.reoptimise(0, 1e9);
      const solutions = everySolution(given);
      const most = Math.max(
        ...solutions.map((solution) =>
          solution.reduce((sum, amount, column) => sum + amount * (given.columns[column]?.cost ?? 0), 0),
        ),
      );
      let rows: number[] = [];
      for (let round = 0; round < 6; round++) {
        expect(program.bound()).toBeGreaterThanOrEqual(most - 1e-6);
        const cuts = separateCuts(program, first, last);
        for (const { entries, upper } of cuts) {
          cutCount += 1;
          const sum = (solution: (column: number) => number): number =>
            given.columns.reduce(
              (all, _, column) => all + (entries[first + column] ?? 0) * solution(column),
              0,
            );
          expect(sum((column) => program.valueOf(first + column))).toBeGreaterThan(upper);
          for (const solution of solutions)
            expect(sum((column) => solution[column] ?? 0)).toBeLessThanOrEqual(upper);
        }
        rows = rows.filter((row) => !program.removeSlackRow(row));
        for (const { entries, upper } of cuts) rows.push(program.addRow(entries, upper));
        if (cuts.length === 0 || program.reoptimise(0, 1e9) !== 'optimal') return;
      }
    }),
    { numRuns: 2000 },
  );
  expect(cutCount).toBeGreaterThan(1000);
});

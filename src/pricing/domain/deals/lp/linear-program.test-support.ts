import type { LinearProgram } from './linear-program.ts';

/** The result of a computation, run to its end without pauses. */
export const resultOf = <T>(steps: Generator<void, T>): T => {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
};

export const valueOf = (program: LinearProgram, column: number): number => {
  let found = 0;
  program.forEachBasicColumn((other, value) => {
    if (other === column) found = value;
  });
  return found;
};

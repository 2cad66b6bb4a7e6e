/** For the tests of the simplex and what stands beside it. */
import type { Simplex } from './simplex.ts';

/** What it comes to, without its pauses. */
export const ended = <T>(steps: Generator<void, T>): T => {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
};

/** How much of a column is taken. */
export const valueOf = (simplex: Simplex, column: number): number => {
  let taken = 0;
  simplex.eachTaken((other, value) => {
    if (other === column) taken = value;
  });
  return taken;
};

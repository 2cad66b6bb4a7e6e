/** Runs the remaining steps of a job without pauses. */
export const finish = <T>(steps: Generator<void, T>): T => {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
};

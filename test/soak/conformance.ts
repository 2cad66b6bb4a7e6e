/** Runs of an engine against its reference implementation, on random cases whose seed is printed. */
import fc from 'fast-check';

const BATCH = 500;

export const say = (line: string): void => void process.stdout.write(`${line}\n`);

export interface Comparison<T> {
  /** Plural, such as `carts`. */
  readonly what: string;
  readonly cases: fc.Arbitrary<T>;
  readonly count: number;
  readonly against: (one: T) => readonly string[];
}

/** Whether all cases agree; ends at the first difference, which it prints shrunk. */
export const agrees = <T>({ what, cases, count, against }: Comparison<T>, seed: number): boolean => {
  const began = performance.now();
  for (let done = 0; done < count; done += BATCH) {
    const property = fc.property(cases, (one) => {
      const differences = against(one);
      if (differences.length > 0) throw new Error(differences.join('\n'));
    });
    const batch = Math.min(BATCH, count - done);
    const result = fc.check(property, { seed: seed + done, numRuns: batch });
    if (result.failed) {
      say(fc.stringify(result.counterexample));
      say(result.errorInstance instanceof Error ? result.errorInstance.message : 'failed');
      return false;
    }
    const seconds = Math.round((performance.now() - began) / 1000);
    say(`  ${done + batch} of ${count} ${what} without a difference, ${seconds} s`);
  }
  return true;
};

/** Reads the seed from the command line, or draws one; exits with 1 after a difference. `command`: as it is typed. */
export const soak = (command: string, run: (seed: number) => boolean): void => {
  const seed = Number(process.argv[2] ?? Date.now() % 2 ** 31);
  if (!Number.isSafeInteger(seed)) {
    say(`usage: ${command} [seed], the seed a whole number`);
    process.exitCode = 2;
    return;
  }
  say(`seed ${seed}`);
  const isEqual = run(seed);
  say(isEqual ? 'no difference' : `a difference: ${command} ${seed} shows it again`);
  process.exitCode = isEqual ? 0 : 1;
};

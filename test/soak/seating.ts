/**
 * Seating against its brute force: `npm run soak -- seating [seed]`. Without a seed the evenings
 * are random; the run prints its seed. It ends at the first difference, shrunk, and exits with 1.
 */
import fc from 'fast-check';
import {
  emptyTally,
  eveningDifferences,
} from '../../src/bookings/domain/seating/conformance.test-support.ts';
import { evening } from '../../src/bookings/domain/seating/evenings.test-support.ts';

const EVENINGS = 5_000;
const BATCH = 500;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(2)} %`;

const soak = (seed: number): boolean => {
  const tally = emptyTally();
  for (let done = 0; done < EVENINGS; done += BATCH) {
    const property = fc.property(evening, (any) => {
      const differences = eveningDifferences(any, tally);
      if (differences.length > 0) throw new Error(differences.join('\n'));
    });
    const result = fc.check(property, { seed: seed + done, numRuns: BATCH });
    if (result.failed) {
      say(fc.stringify(result.counterexample));
      say(result.errorInstance instanceof Error ? result.errorInstance.message : 'failed');
      return false;
    }
    say(`  ${done + BATCH} of ${EVENINGS} evenings without a difference`);
  }
  const { questions, accepted, moved, fixedFull, countedFree, countedFull } = tally;
  say(`${questions} questions, ${accepted} accepted, ${moved} of them with moves`);
  say(`a fixed assignment: wrongly full ${percent(fixedFull, accepted)} of the accepted`);
  say(`counting seats: wrongly free ${percent(countedFree, questions - accepted)} of the refused`);
  say(`counting seats: wrongly full ${percent(countedFull, accepted)} of the accepted`);
  return true;
};

const seed = Number(process.argv[2] ?? Date.now() % 2 ** 31);
if (!Number.isSafeInteger(seed)) {
  say('usage: tsx test/soak/seating.ts [seed], the seed a whole number');
  process.exitCode = 2;
} else {
  say(`seed ${seed}`);
  const agrees = soak(seed);
  say(agrees ? 'no difference' : `a difference: seed ${seed} shows it again`);
  process.exitCode = agrees ? 0 : 1;
}

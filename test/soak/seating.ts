/**
 * Seating against its brute force: `npm run soak -- seating [seed]`. Without a seed the evenings are random; the run
 * prints its seed.
 */
import {
  emptyTally,
  eveningDifferences,
} from '../../src/bookings/domain/seating/conformance.test-support.ts';
import { evening } from '../../src/bookings/domain/seating/evenings.test-support.ts';
import { agrees, say, soak } from './conformance.ts';

const EVENINGS = 5_000;

const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(2)} %`;

soak('npm run soak -- seating', (seed) => {
  const tally = emptyTally();
  const against = (any: Parameters<typeof eveningDifferences>[0]) => eveningDifferences(any, tally);
  if (!agrees({ what: 'evenings', cases: evening, count: EVENINGS, against }, seed)) return false;
  const { questions, accepted, moved, fixedFull, countedFree, countedFull } = tally;
  say(`${questions} questions, ${accepted} accepted, ${moved} of them with moves`);
  say(`a fixed assignment: wrongly full ${percent(fixedFull, accepted)} of the accepted`);
  say(`counting seats: wrongly free ${percent(countedFree, questions - accepted)} of the refused`);
  say(`counting seats: wrongly full ${percent(countedFull, accepted)} of the accepted`);
  return true;
});

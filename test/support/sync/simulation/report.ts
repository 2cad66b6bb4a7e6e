/** What a seed that fails prints: the command that replays it, its history, and the checks that failed. */
import type { Simulated } from './simulate.ts';

export const reportOf = (seed: number, { history, faults }: Simulated): string =>
  [
    `seed ${seed} fails; npm run soak -- sync 1 ${seed} replays it`,
    ...history,
    ...faults.map(({ check, text }) => `${check}: ${text}`),
  ].join('\n');

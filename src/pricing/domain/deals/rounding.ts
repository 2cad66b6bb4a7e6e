import type { Application, RepeatedApplication } from './application.ts';
import { INTEGRALITY_TOLERANCE } from './lp/integrality.ts';
import type { PresolvedProblem } from './presolve.ts';

export interface FractionalApplication {
  readonly application: Application;
  readonly times: number;
}

/**
 * Rounding heuristic: every application as often as the integer part of its value, then once more, by decreasing
 * fraction, while units and caps allow it.
 */
export const rounded = (
  { offers, variants, classes }: PresolvedProblem,
  solution: readonly FractionalApplication[],
): readonly RepeatedApplication[] => {
  const unitsLeft = classes.map(({ count }) => count);
  const timesLeft = offers.map(({ maxTimes }) => maxTimes);
  const chosen: RepeatedApplication[] = [];
  const add = (application: Application, wanted: number): void => {
    const { variant, classes: own, amounts } = application;
    const { offerIndex } = variants[variant] ?? { offerIndex: 0 };
    let times = Math.min(wanted, timesLeft[offerIndex] ?? 0);
    for (let k = 0; k < own.length; k++)
      times = Math.min(times, Math.floor((unitsLeft[own[k] ?? 0] ?? 0) / (amounts[k] ?? 1)));
    if (times <= 0) return;
    own.forEach((c, k) => {
      unitsLeft[c] = (unitsLeft[c] ?? 0) - times * (amounts[k] ?? 0);
    });
    timesLeft[offerIndex] = (timesLeft[offerIndex] ?? 0) - times;
    chosen.push({ application, times });
  };
  const rest: { readonly application: Application; readonly fraction: number }[] = [];
  for (const { application, times } of solution) {
    const floor = Math.floor(times + INTEGRALITY_TOLERANCE);
    if (floor > 0) add(application, floor);
    if (times - floor > INTEGRALITY_TOLERANCE) rest.push({ application, fraction: times - floor });
  }
  rest.sort((a, b) => b.fraction - a.fraction);
  for (const { application } of rest) add(application, 1);
  return chosen;
};

import { optional } from './endpoint.ts';
import { integerScalar } from './scalars.ts';

/** What a list of the staff's side has at most, and where nothing is said. */
export const MOST_LISTED = 200;
export const listLimit = optional(
  integerScalar(1, MOST_LISTED),
  `At most so many; ${MOST_LISTED} when left out.`,
);

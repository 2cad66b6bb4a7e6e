import { optional } from './endpoint.ts';
import { integerScalar } from './scalars.ts';

export const MAX_LISTED = 200;
export const listLimit = optional(
  integerScalar(1, MAX_LISTED),
  `At most so many; ${MAX_LISTED} when left out.`,
);

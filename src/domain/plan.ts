import type { Piastres } from './money.ts';

/** What a shop pays for each of its branches, as shops are told of it. */
export interface Plan {
  readonly name: string;
  readonly monthlyPiastresPerBranch: Piastres;
}

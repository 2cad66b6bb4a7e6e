import type { Piastres } from '../../kernel/money.ts';

/** What a shop pays for each of its branches, as shops are told of it. */
export interface Plan {
  readonly name: string;
  readonly monthlyPiastresPerBranch: Piastres;
}

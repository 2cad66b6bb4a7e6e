import type { Piastres } from '../../kernel/money.ts';

export interface Plan {
  readonly name: string;
  readonly monthlyPiastresPerBranch: Piastres;
}

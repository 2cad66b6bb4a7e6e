/** The loyalty programme of a shop (Decisions 11). */
import type { Uuid } from '../../kernel/ids.ts';
import type { Piastres } from '../../kernel/money.ts';
import type { Language } from '../../kernel/names.ts';
import type { DealPoolEntry } from '../../menu/domain/menubook.ts';
import type { Reward } from './reward.ts';

export const MODES = ['points', 'visits'] as const;
/** What a card counts; it has a balance of each. */
export type Mode = (typeof MODES)[number];

/** One for each mode, at least 0. */
export type Balances = Readonly<Record<Mode, number>>;

/** Text in both languages; null: the shop wrote none. */
export type LocalizedText = Readonly<Record<Language, string | null>>;

interface Greeting {
  readonly isEnabled: boolean;
  /** Points or visits; null: no gift. */
  readonly amount: number | null;
  /** `{name}` is the guest's first name. */
  readonly message: LocalizedText;
}

export interface Programme {
  readonly orgId: Uuid;
  readonly isEnabled: boolean;
  readonly mode: Mode;
  readonly programName: string;
  readonly programNameAr: string | null;
  readonly earnPiastresPerPoint: Piastres;
  readonly earnOnTax: boolean;
  /** Null: one visit for each sale. */
  readonly visitItems: readonly DealPoolEntry[] | null;
  /** In the shop's order. */
  readonly rewards: readonly Reward[];
  /** Of the next reward, where the shop lists none. */
  readonly defaultRewardCost: number;
  /** Null: none. */
  readonly balanceCap: number | null;
  readonly maxRewardsPerOrder: number | null;
  /** Points or visits that one voucher is good for at most; null: the shop gives none. */
  readonly offlineLimit: number | null;
  readonly requireOtp: boolean;
  readonly birthday: Greeting;
  /** `afterDays` is null where it is off. */
  readonly winBack: Greeting & { readonly afterDays: number | null };
  readonly terms: LocalizedText;
}

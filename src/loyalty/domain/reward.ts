import type { Uuid } from '../../kernel/ids.ts';
import type { Named, Translations } from '../../kernel/names.ts';
import type { DealPoolEntry } from '../../menu/domain/menubook.ts';

/** One free unit of a plain line, with its add-ons and optionals (Decisions 11). */
export interface Reward extends Named {
  readonly id: Uuid;
  /** Points or visits. */
  readonly cost: number;
  /** Empty: any plain item. */
  readonly items: readonly DealPoolEntry[];
}

/** The first of those with the lowest cost; null: the shop lists none. */
export const cheapestReward = <T extends Pick<Reward, 'cost'>>(rewards: readonly T[]): T | null =>
  rewards.reduce<T | null>((best, each) => (best === null || each.cost < best.cost ? each : best), null);

/** A reward as an entry of the ledger tells it. */
export interface RewardUse {
  readonly reward_id: Uuid;
  readonly name: string;
  readonly name_translations: Translations;
  readonly units: number;
  /** Of all units. */
  readonly cost: number;
}

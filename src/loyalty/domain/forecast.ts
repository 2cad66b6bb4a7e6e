/** What a cart will change on a card, shown before the guest pays. */
import { earnedBy, type SaleToEarn } from './earning.ts';
import { progressOf } from './progress.ts';
import type { Balances, Mode, Programme } from './programme.ts';
import { cheapestReward, type Reward } from './reward.ts';

export interface Forecast {
  readonly mode: Mode;
  readonly balance: number;
  readonly earns: number;
  /** After the rewards of the cart and what it earns. */
  readonly balanceAfter: number;
  readonly pointsToNextReward: number;
  /** The cheapest; null: the shop lists none. */
  readonly nextReward: Reward | null;
}

/** `rewardCost`: of the rewards in the cart. */
export const forecastOf = (
  programme: Programme,
  balances: Balances,
  rewardCost: number,
  sale: SaleToEarn,
): Forecast => {
  const { mode, balanceCap } = programme;
  const balance = balances[mode];
  const left = balance - rewardCost;
  const room = balanceCap === null ? Infinity : Math.max(0, balanceCap - left);
  const earns = Math.min(earnedBy(programme, sale), room);
  const { pointsToNextReward } = progressOf(programme, left + earns);
  const nextReward = cheapestReward(programme.rewards);
  return { mode, balance, earns, balanceAfter: left + earns, pointsToNextReward, nextReward };
};

/** How far a balance is from its next reward (Decisions 11). */
import type { Programme } from './programme.ts';
import { cheapestReward } from './reward.ts';

/** Points or visits of the cheapest reward. */
export const nextRewardCost = ({
  rewards,
  defaultRewardCost,
}: Pick<Programme, 'rewards' | 'defaultRewardCost'>): number =>
  cheapestReward(rewards)?.cost ?? defaultRewardCost;

/** Points or visits that a balance lacks for its next reward; of a whole number of rewards, those of one more. */
export const missingForNext = (cost: number, balance: number): number => cost - (balance % cost);

export interface Progress {
  readonly nextRewardCost: number;
  /** Rewards that the balance pays for. */
  readonly rewardsReady: number;
  readonly progressToNext: number;
  readonly pointsToNextReward: number;
  /** By the balance alone, which stays while the programme is off: `enabled` is said beside it. */
  readonly canRedeem: boolean;
}

export const progressOf = (
  programme: Pick<Programme, 'rewards' | 'defaultRewardCost'>,
  balance: number,
): Progress => {
  const cost = nextRewardCost(programme);
  const ready = Math.floor(balance / cost);
  return {
    nextRewardCost: cost,
    rewardsReady: ready,
    progressToNext: balance % cost,
    pointsToNextReward: missingForNext(cost, balance),
    canRedeem: ready > 0,
  };
};

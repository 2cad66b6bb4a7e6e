/** The rewards of the card that pay for units of the cart. They stay in the tab until the order is placed. */
import { useEffect, useRef } from 'preact/hooks';
import type { CartLine, OrderIslandProps, RewardClaim } from '../../../components/order.ts';
import { dropDraft, keepDraft, readDraft } from '../../draft.ts';
import { makingOf } from '../cart.ts';
import type { Card, TakenReward } from '../use-card.ts';

const nameOf = ({ branch, channel }: OrderIslandProps): string => `ahwa-rewards ${branch.id} ${channel}`;

export const forgetRewards = (shop: OrderIslandProps): void => dropDraft(nameOf(shop));

const isTaken = (value: unknown): value is readonly TakenReward[] => Array.isArray(value);

/** Of lines that are gone, none; of a line with fewer units, no more than those. */
const fitting = (taken: readonly TakenReward[], lines: readonly CartLine[]): readonly TakenReward[] =>
  taken.flatMap((each) => {
    const line = lines.find((one) => makingOf(one) === each.making);
    return line === undefined ? [] : [{ ...each, units: Math.min(each.units, line.quantity) }];
  });

export const claimsOn = (taken: readonly TakenReward[], lines: readonly CartLine[]): readonly RewardClaim[] =>
  fitting(taken, lines).map(({ making, rewardId, units }) => ({
    reward_id: rewardId,
    line_index: lines.findIndex((line) => makingOf(line) === making),
    units,
  }));

/** One more unit of the line. */
export const withReward = (
  taken: readonly TakenReward[],
  line: CartLine,
  rewardId: string,
): readonly TakenReward[] => {
  const making = makingOf(line);
  const isIt = (each: TakenReward): boolean => each.making === making && each.rewardId === rewardId;
  const units = (taken.find(isIt)?.units ?? 0) + 1;
  return [...taken.filter((each) => !isIt(each)), { making, rewardId, units }];
};

export const withoutRewardsOf = (taken: readonly TakenReward[], line: CartLine): readonly TakenReward[] =>
  taken.filter(({ making }) => making !== makingOf(line));

/** Those of before a reload are there again. */
export const useKeptRewards = (
  shop: OrderIslandProps,
  { state: { taken }, change }: Card,
  lines: readonly CartLine[],
): void => {
  const isRead = useRef(false);
  useEffect(() => {
    const known = isRead.current ? taken : [...(readDraft(nameOf(shop), isTaken) ?? []), ...taken];
    isRead.current = true;
    const fits = fitting(known, lines);
    if (JSON.stringify(fits) !== JSON.stringify(taken)) change({ taken: fits });
    if (fits.length === 0) forgetRewards(shop);
    else keepDraft(nameOf(shop), fits);
  }, [taken, lines]);
};

/** The sale of a settled ticket: its lines as they were fired, with what deals and rewards took off them. */
import { groupBy } from '../../kernel/group-by.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { Piastres } from '../../kernel/money.ts';
import type { Reward } from '../../loyalty/domain/reward.ts';
import {
  unitPrice,
  withoutLineNotes,
  type FrozenCart,
  type FrozenDeal,
  type FrozenLine,
  type FrozenReward,
} from '../../pricing/domain/frozen-cart.ts';
import type { LineDeal, PartBill } from './check-part.ts';

export interface SoldItem {
  readonly id: Uuid;
  readonly line: FrozenLine;
  readonly lineTotal: Piastres;
}

/** Units of a line that a reward pays for. */
export interface PaidByReward {
  readonly reward: Reward;
  readonly itemId: Uuid;
  readonly units: number;
}

/** Units that rewards pay for, by the line's id. */
export const unitsByReward = (rewards: readonly PaidByReward[]): ReadonlyMap<Uuid, number> => {
  const units = new Map<Uuid, number>();
  for (const one of rewards) units.set(one.itemId, (units.get(one.itemId) ?? 0) + one.units);
  return units;
};

const sumOf = <T>(all: readonly T[], amountOf: (one: T) => number): number =>
  all.reduce((sum, one) => sum + amountOf(one), 0);

const lineOf = (item: SoldItem, { deals }: PartBill, rewards: readonly PaidByReward[]): FrozenLine => {
  const units = sumOf(rewards, (one) => (one.itemId === item.id ? one.units : 0));
  const off = sumOf(deals, (one) => (one.lineId === item.id ? one.discount : 0));
  const rewardDiscount = units * unitPrice(item.line);
  return {
    ...withoutLineNotes(item.line),
    ...{ deal_discount: off, reward_units: units, reward_discount: rewardDiscount },
    line_total: item.lineTotal - rewardDiscount - off,
  };
};

const dealsOf = (items: readonly SoldItem[], { deals, timesOf }: PartBill): readonly FrozenDeal[] =>
  [...groupBy(deals, ({ deal }) => deal)].map(([deal, shares]) => ({
    ...{ deal_rule_id: deal.id, name: deal.name, name_translations: deal.nameTranslations },
    times: timesOf.get(deal) ?? 0,
    discount: sumOf(shares, ({ discount }) => discount),
    lines: shares.map(({ lineId, units, discount }: LineDeal) => ({
      ...{ line_index: items.findIndex(({ id }) => id === lineId), units, discount },
    })),
  }));

const rewardsOf = (items: readonly SoldItem[], rewards: readonly PaidByReward[]): readonly FrozenReward[] =>
  rewards.flatMap(({ reward, itemId, units }): FrozenReward[] => {
    const index = items.findIndex(({ id }) => id === itemId);
    const item = items[index];
    if (item === undefined) return [];
    return [
      {
        ...{ reward_id: reward.id, name: reward.name, name_translations: reward.nameTranslations },
        ...{ line_index: index, units, discount: units * unitPrice(item.line), cost: units * reward.cost },
      },
    ];
  });

/** The lines sum to what the items of the part come to after deals and rewards. */
export const ticketCart = (
  items: readonly SoldItem[],
  part: PartBill,
  rewards: readonly PaidByReward[],
): FrozenCart => ({
  lines: items.map((item) => lineOf(item, part, rewards)),
  deals: dealsOf(items, part),
  rewards: rewardsOf(items, rewards),
});

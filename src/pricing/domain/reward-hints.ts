/** Where a reward of the card saves most (Decisions 11). */
import { groupBy } from '../../kernel/group-by.ts';
import type { Piastres } from '../../kernel/money.ts';
import type { Reward } from '../../loyalty/domain/reward.ts';
import { hintedCart, type UnfinishedHints } from './hinted-cart.ts';
import type { FoundRewardHint, RewardHintSearch } from './reward-hint-search.ts';
import type { Quote, QuotedLine, QuoteInput } from './quote.ts';
import { paysFor } from './rewards.ts';

export interface RewardHint {
  readonly reward: Reward;
  readonly lineIndex: number;
  /** How much lower the total before the delivery fee is; more than 0. */
  readonly saving: Piastres;
}

/** A line of which a reward can pay for one more unit. */
interface Candidate {
  readonly line: QuotedLine;
  /** The cheapest that pays for it. */
  readonly reward: Reward;
  /** The price of a unit: no reward saves more items than that. */
  readonly price: Piastres;
}

/** The rewards that the balance pays for besides those in the cart, cheapest first. */
const affordable = ({ redemption }: QuoteInput, quoted: Quote): readonly Reward[] => {
  const programme = redemption?.programme ?? null;
  if (redemption == null || programme?.isEnabled !== true) return [];
  const units = quoted.rewards.reduce((sum, granted) => sum + granted.units, 0);
  if (units >= (programme.maxRewardsPerOrder ?? Infinity)) return [];
  const left = redemption.balances[programme.mode] - quoted.rewardCost;
  return programme.rewards.filter(({ cost }) => cost <= left).toSorted((a, b) => a.cost - b.cost);
};

/** Lines with the same units save the same; the first stands for them. */
const kindOf = ({ item, sizeLabel, addonsTotal }: QuotedLine): string =>
  JSON.stringify([item.id, sizeLabel, addonsTotal]);

/** Dearest unit first. */
const candidatesIn = (input: QuoteInput, quoted: Quote): readonly Candidate[] => {
  const rewards = affordable(input, quoted);
  return [...groupBy(quoted.lines, kindOf).values()]
    .flatMap((lines) => {
      const line = lines.find(({ dealUnits }) => dealUnits !== null);
      const reward = line === undefined ? undefined : rewards.find((each) => paysFor(each, line));
      if (line === undefined || reward === undefined) return [];
      return [{ line, reward, price: line.unitPrice + line.addonsTotal }];
    })
    .sort((a, b) => b.price - a.price || a.line.index - b.line.index);
};

/** Null where the cart itself is not proven to have the best deals. */
export const beginRewardHints = (
  input: QuoteInput,
  quoted: Quote,
): UnfinishedHints<RewardHintSearch, FoundRewardHint, RewardHint> | null => {
  if (!quoted.deals.optimal) return null;
  const all = candidatesIn(input, quoted);
  if (all.length === 0) return null;
  const search: RewardHintSearch = {
    ...hintedCart(input, quoted),
    items: quoted.itemsTotal,
    candidates: all.map(({ line, reward, price }) => ({ lineIndex: line.index, cost: reward.cost, price })),
  };
  const finish = (found: readonly FoundRewardHint[]): readonly RewardHint[] =>
    found.flatMap(({ candidate, saving }) => {
      const { line, reward } = all[candidate] ?? {};
      return line === undefined || reward === undefined ? [] : [{ reward, lineIndex: line.index, saving }];
    });
  return { search, memo: input.book.memo, finish };
};

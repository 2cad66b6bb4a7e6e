/** Where a reward of the card saves most (Decisions 11), exact by the deals of the cart without the unit. */
import { billOf } from './bill.ts';
import { searchBestSaving, WORK_LIMIT } from './deals/best.ts';
import type { Piastres } from '../../kernel/money.ts';
import type { Reward } from '../../loyalty/domain/reward.ts';
import { groupBy } from '../../kernel/group-by.ts';
import { YieldBudget } from '../../kernel/yield-budget.ts';
import type { Quote, QuotedLine, QuoteInput } from './quote.ts';
import { paysFor } from './rewards.ts';

export interface RewardHint {
  readonly reward: Reward;
  readonly lineIndex: number;
  /** How much lower the total before the delivery fee is; more than 0. */
  readonly saving: Piastres;
}

const MAX_HINTS = 3;
/** Elementary operations of any search, and of each deal and each line in it. */
const WORK_TO_BEGIN = 5_000;
const WORK_PER_DEAL = 300;
const WORK_PER_LINE = 500;

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

const unitsWithout = ({ lines }: Quote, { line }: Candidate) =>
  lines.flatMap(({ index, dealUnits }) => {
    if (dealUnits === null) return [];
    const quantity = dealUnits.quantity - (index === line.index ? 1 : 0);
    return quantity === 0 ? [] : [{ ...dealUnits, quantity }];
  });

const best = (hints: readonly RewardHint[]): readonly RewardHint[] =>
  hints
    .toSorted((a, b) => b.saving - a.saving || a.reward.cost - b.reward.cost || a.lineIndex - b.lineIndex)
    .slice(0, MAX_HINTS);

/**
 * At most three, the best first. All searches share `workLimit` elementary operations, dearest units first; what is not
 * proven within it is left out.
 */
export function* rewardHintSteps(
  input: QuoteInput,
  quoted: Quote,
  workLimit = WORK_LIMIT,
): Generator<void, readonly RewardHint[]> {
  if (!quoted.deals.optimal) return [];
  const { book, terms } = input;
  const cut = book.menu.discount?.cut ?? null;
  const totalOf = (items: Piastres): Piastres => billOf(items, cut, terms).beforeFee.total;
  const pace = new YieldBudget();
  const toBegin =
    WORK_TO_BEGIN + WORK_PER_DEAL * book.menu.deals.length + WORK_PER_LINE * quoted.lines.length;
  let hints: readonly RewardHint[] = [];
  let left = workLimit;
  for (const candidate of candidatesIn(input, quoted)) {
    const { line, reward, price } = candidate;
    const most = quoted.bill.beforeFee.total - totalOf(Math.max(0, quoted.totalAfterDeals - price));
    const worst = hints.length === MAX_HINTS ? (hints.at(-1)?.saving ?? 0) : 0;
    if (most < worst || left <= toBegin) break;
    const { saving: dealSaving, work } = yield* searchBestSaving(
      unitsWithout(quoted, candidate),
      book.menu.deals,
      left - toBegin,
      book.memo,
    );
    left -= toBegin + work;
    const saving =
      dealSaving === null ? 0 : quoted.bill.beforeFee.total - totalOf(quoted.itemsTotal - price - dealSaving);
    if (saving > 0) hints = best([...hints, { reward, lineIndex: line.index, saving }]);
    if (pace.isSpentAfter(toBegin + work)) yield;
  }
  return hints;
}

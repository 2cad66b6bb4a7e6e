import { WORK_LIMIT } from './deals/best.ts';
import { searchHints } from './hint-search.ts';
import { beginHints, type Hint } from './hints.ts';
import type { Quote, QuoteInput } from './quote.ts';
import { searchRewardHints } from './reward-hint-search.ts';
import { beginRewardHints, type RewardHint } from './reward-hints.ts';

/** The hints of a cart, found at once. */
export const hintsOf = (input: QuoteInput, quoted: Quote, workLimit = WORK_LIMIT): readonly Hint[] => {
  const begun = beginHints(input, quoted);
  return begun === null ? [] : begun.finish(searchHints(begun.search, workLimit, begun.memo).found);
};

export const rewardHintsOf = (input: QuoteInput, quoted: Quote): readonly RewardHint[] => {
  const begun = beginRewardHints(input, quoted);
  return begun === null ? [] : begun.finish(searchRewardHints(begun.search, WORK_LIMIT, begun.memo).found);
};

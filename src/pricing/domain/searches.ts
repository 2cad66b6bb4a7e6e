/** The searches that may take long. Their input and results are plain data, so that a worker thread can run them. */
import { WORK_LIMIT } from './deals/best.ts';
import type { Problem } from './deals/problem.ts';
import { solve, type Solved } from './deals/solve.ts';
import type { Found } from './hinted-cart.ts';
import { searchHints, type FoundHint, type HintSearch } from './hint-search.ts';
import { searchRewardHints, type FoundRewardHint, type RewardHintSearch } from './reward-hint-search.ts';

interface Types {
  readonly deals: [input: { readonly problem: Problem; readonly workLimit: number }, result: Solved];
  readonly hints: [input: HintSearch, result: Found<FoundHint>];
  readonly rewardHints: [input: RewardHintSearch, result: Found<FoundRewardHint>];
}

export type SearchName = keyof Types;
export type SearchInput<N extends SearchName> = Types[N][0];
export type SearchResult<N extends SearchName> = Types[N][1];

/** Each with its whole limit of work. */
export const SEARCHES: { readonly [N in SearchName]: (input: SearchInput<N>) => SearchResult<N> } = {
  deals: ({ problem, workLimit }) => solve(problem, workLimit),
  hints: (search) => searchHints(search, WORK_LIMIT),
  rewardHints: (search) => searchRewardHints(search, WORK_LIMIT),
};

/**
 * Searches for deals and hints: small ones at once, within the request, long ones in worker threads. Counted work decides,
 * never time, and the result is the same.
 */
import { Refusal } from '../../kernel/refusal.ts';
import { FairPlaces } from '../../platform/app/fair-places.ts';
import type { JobContext } from '../../platform/app/job-context.ts';
import type { SearchThreads, Timers } from '../../ports.ts';
import { CartDeals, WORK_LIMIT } from '../domain/deals/best.ts';
import type { SolutionMemo } from '../domain/deals/memo.ts';
import { solveWithin } from '../domain/deals/solve.ts';
import type { BestDeals, DealRule } from '../domain/deals/types.ts';
import { MAX_SEARCHED, searchHints } from '../domain/hint-search.ts';
import type { HintedCart, UnfinishedHints } from '../domain/hinted-cart.ts';
import { beginHints, type Hint } from '../domain/hints.ts';
import {
  beginQuote,
  finishQuote,
  type Quote,
  type QuoteInput,
  type QuoteResult,
  type UnfinishedQuote,
} from '../domain/quote.ts';
import { searchRewardHints } from '../domain/reward-hint-search.ts';
import { beginRewardHints, type RewardHint } from '../domain/reward-hints.ts';
import type { SearchInput, SearchName, SearchResult } from '../domain/searches.ts';

declare module '../../platform/app/app.ts' {
  interface App {
    readonly dealSearches: DealSearches;
  }
}

/** Elementary operations within a request: some 1.5 ms for deals, 3 ms for hints. */
const WORK_AT_ONCE = { deals: 200_000, hints: 600_000 };

/** Less than a query waits for a connection to the database, because a search may hold one. */
const PLACES = { most: 64, mostPerClient: 6, waitMs: 400 };

/** What is known of a cart, or of a check, before its deals. */
type Unfinished = Pick<UnfinishedQuote, 'units' | 'deals'> & Partial<Pick<UnfinishedQuote, 'memo'>>;

/** Lines × deals, whose setup alone takes as long as all hints may. Everyday carts have some 30. */
const LONG_SETUP = 1000;

/** Whether hints of this cart need a thread: each of their searches takes about as much as its deals, and a setup. */
const isLong = ({ deals }: Quote, search: HintedCart): boolean =>
  MAX_SEARCHED * deals.work > WORK_AT_ONCE.hints || search.units.length * search.deals.length > LONG_SETUP;

/** Solves the problems before the first long one, and returns the others: none of them is smaller. */
const solveAtOnce = (cart: CartDeals): CartDeals['problems'] => {
  let left = WORK_AT_ONCE.deals;
  for (const [index, problem] of cart.problems.entries()) {
    const known = cart.remembered(problem);
    const solved = known ?? (left > 0 ? solveWithin(problem, left) : null);
    if (solved === null) return cart.problems.slice(index);
    // What is remembered took no time.
    if (known === null) left -= solved.work;
    cart.add(problem, solved);
  }
  return [];
};

/** Without names, times and branches, which no search reads. */
const ruleOf = ({ id, sort, terms, qty, maxPerOrder, pool, rewardPool }: DealRule): DealRule => ({
  ...{ id, sort, terms, qty, maxPerOrder, pool, rewardPool },
});

export class DealSearches {
  readonly #threads: SearchThreads;
  readonly #places: FairPlaces;

  constructor(threads: SearchThreads, timers: Pick<Timers, 'after'>) {
    this.#threads = threads;
    this.#places = new FairPlaces({ ...PLACES, running: threads.size }, timers);
  }

  /** Long searches under way or waiting. */
  get open(): number {
    return this.#places.taken;
  }

  /** As `quote` of the domain. Throws UNAVAILABLE and RATE_LIMITED where a thread is needed and none is free. */
  async quote(input: QuoteInput, caller: JobContext): Promise<QuoteResult> {
    const begun = caller.meter.measure(() => beginQuote(input));
    if ('faults' in begun) return begun;
    const deals = await this.bestDeals(begun.unfinished, caller);
    return caller.meter.measure(() => finishQuote(begun.unfinished, deals));
  }

  /** Throws as `quote`. */
  async bestDeals({ units, deals, memo = null }: Unfinished, caller: JobContext): Promise<BestDeals> {
    const cart = caller.meter.measure(() => new CartDeals(units, deals, WORK_LIMIT, memo));
    const rest = caller.meter.measure(() => solveAtOnce(cart));
    if (rest.length > 0) await this.#inPlace(caller, () => this.#solveInThread(cart, rest, caller));
    return cart.result();
  }

  async #solveInThread(
    cart: CartDeals,
    problems: CartDeals['problems'],
    { meter }: JobContext,
  ): Promise<void> {
    for (const problem of problems) {
      const { kinds, offers } = problem;
      const input = { problem: { kinds, offers }, workLimit: cart.workLeft };
      const known = meter.measure(() => cart.remembered(problem));
      const solved = known ?? (await this.#inThread('deals', input, meter));
      meter.measure(() => cart.add(problem, solved));
    }
  }

  /** At most three (see `searchHints`); none where they need a thread and none is free. */
  hints(input: QuoteInput, quoted: Quote, caller: JobContext): Promise<readonly Hint[]> {
    return this.#hints('hints', quoted, () => beginHints(input, quoted), searchHints, caller);
  }

  /** At most three (see `searchRewardHints`); none where they need a thread and none is free. */
  rewardHints(input: QuoteInput, quoted: Quote, caller: JobContext): Promise<readonly RewardHint[]> {
    const begin = () => beginRewardHints(input, quoted);
    return this.#hints('rewardHints', quoted, begin, searchRewardHints, caller);
  }

  async #hints<N extends 'hints' | 'rewardHints', One>(
    name: N,
    quoted: Quote,
    begin: () => UnfinishedHints<SearchInput<N>, SearchResult<N>['found'][number], One> | null,
    search: (input: SearchInput<N>, workLimit: number, memo: SolutionMemo | null) => SearchResult<N>,
    caller: JobContext,
  ): Promise<readonly One[]> {
    const begun = caller.meter.measure(begin);
    if (begun === null) return [];
    const searchNow = () => search(begun.search, WORK_AT_ONCE.hints, begun.memo);
    const atOnce = isLong(quoted, begun.search) ? null : caller.meter.measure(searchNow);
    if (atOnce?.isLimited === false) return begun.finish(atOnce.found);
    try {
      const deals = caller.meter.measure(() => begun.search.deals.map(ruleOf));
      const input = { ...begun.search, deals };
      const inThread = () => this.#inThread(name, input, caller.meter);
      return begun.finish((await this.#inPlace(caller, inThread)).found);
    } catch (fault) {
      // The quote is worth more than its hints.
      if (fault instanceof Refusal) return [];
      throw fault;
    }
  }

  #inPlace<T>({ client, isCommitted = false }: JobContext, work: () => Promise<T>): Promise<T> {
    return this.#places.run(client, work, isCommitted);
  }

  /** Needs a place. */
  async #inThread<N extends SearchName>(
    name: N,
    input: SearchInput<N>,
    meter: JobContext['meter'],
  ): Promise<SearchResult<N>> {
    // Copying the input, and starting a thread that is missing, take time of the event loop.
    const { result, ms } = await meter.measure(() => this.#threads.run(name, input));
    meter.ms += ms;
    return result;
  }
}

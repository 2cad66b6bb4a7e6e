/**
 * Searches for deals and hints: small ones at once, within the request, long ones in worker threads. Counted work decides,
 * never time, and the result is the same.
 */
import { FairPlaces } from '../../platform/app/fair-places.ts';
import type { JobContext } from '../../platform/app/job-context.ts';
import type { SearchThreads, Timers } from '../../ports.ts';
import { CartDeals } from '../domain/deals/best.ts';
import { solveWithin } from '../domain/deals/solve.ts';
import type { BestDeals } from '../domain/deals/types.ts';
import { MAX_SEARCHED, searchHints } from '../domain/hint-search.ts';
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

/** A search takes 30 ms at most: a client with one waits for no more than one of each other client. */
const PLACES = { most: 64, mostPerClient: 6, waitMs: 750 };

type Unfinished = Pick<UnfinishedQuote, 'units' | 'deals'> & Partial<Pick<UnfinishedQuote, 'memo'>>;

/** Whether hints of this cart need a thread: each of their searches takes about as much as its deals. */
const isLong = ({ deals }: Quote): boolean => MAX_SEARCHED * deals.work > WORK_AT_ONCE.hints;

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
    const { meter } = caller;
    const cart = meter.measure(() => new CartDeals(units, deals, memo));
    for (const problem of cart.problems) {
      const solved = meter.measure(
        () => cart.remembered(problem) ?? solveWithin(problem, WORK_AT_ONCE.deals - cart.work),
      );
      const { kinds, offers } = problem;
      const input = { problem: { kinds, offers }, workLimit: cart.workLeft };
      cart.add(problem, solved ?? (await this.#inThread('deals', input, caller)));
    }
    return cart.result();
  }

  /** At most three (see `searchHints`). Throws as `quote`. */
  async hints(input: QuoteInput, quoted: Quote, caller: JobContext): Promise<readonly Hint[]> {
    const begun = caller.meter.measure(() => beginHints(input, quoted));
    if (begun === null) return [];
    const { search, memo, finish } = begun;
    const atOnce = isLong(quoted)
      ? null
      : caller.meter.measure(() => searchHints(search, WORK_AT_ONCE.hints, memo));
    const { found } = atOnce?.isLimited === false ? atOnce : await this.#inThread('hints', search, caller);
    return finish(found);
  }

  /** At most three (see `searchRewardHints`). Throws as `quote`. */
  async rewardHints(input: QuoteInput, quoted: Quote, caller: JobContext): Promise<readonly RewardHint[]> {
    const begun = caller.meter.measure(() => beginRewardHints(input, quoted));
    if (begun === null) return [];
    const { search, memo, finish } = begun;
    const atOnce = isLong(quoted)
      ? null
      : caller.meter.measure(() => searchRewardHints(search, WORK_AT_ONCE.hints, memo));
    const { found } =
      atOnce?.isLimited === false ? atOnce : await this.#inThread('rewardHints', search, caller);
    return finish(found);
  }

  #inThread<N extends SearchName>(
    name: N,
    input: SearchInput<N>,
    { client, meter }: JobContext,
  ): Promise<SearchResult<N>> {
    return this.#places.run(client, () => meter.measureAsync(() => this.#threads.run(name, input)));
  }
}

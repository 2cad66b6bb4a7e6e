/** Polls the change log for changes that other processes made to the cached shops. */
import type { ScopedChanges } from '../../../kernel/change.ts';
import type { Uuid } from '../../../kernel/ids.ts';

export interface ChangeFeed {
  changesSince(lastVersions: ReadonlyMap<Uuid, number>): Promise<readonly ScopedChanges[]>;
}

/** Poll interval, ms. */
export const POLL_MS = 400;

/** How long cached responses are served while the feed fails (docs/spec/caching-and-limits.md). */
const SILENCE_MS = 60_000;

export interface PollerParts {
  readonly feed: ChangeFeed;
  readonly monotonic: () => number;
  readonly lastVersions: () => ReadonlyMap<Uuid, number>;
  /** `after`: the number that was polled from. */
  readonly onChange: (change: ScopedChanges, after: number) => void;
  /** Called with the first failure after a success, and with null on recovery. */
  readonly onFeed: (failure: unknown) => void;
}

export interface Poller {
  isFresh(now: number): boolean;
  poll(): Promise<void>;
  start(): void;
  stop(): void;
}

export const createPoller = ({ feed, monotonic, lastVersions, onChange, onFeed }: PollerParts): Poller => {
  let polledAt = monotonic();
  let isFailing = false;
  let timer: NodeJS.Timeout | null = null;

  const poll = async (): Promise<void> => {
    const askedAt = monotonic();
    const polledFrom = lastVersions();
    for (const change of polledFrom.size === 0 ? [] : await feed.changesSince(polledFrom))
      onChange(change, polledFrom.get(change.orgId) ?? 0);
    polledAt = askedAt;
  };
  const report = (failure: unknown): void => {
    const failed = failure !== null;
    if (failed !== isFailing) onFeed(failure);
    isFailing = failed;
  };
  const again = (afterMs: number): void => {
    timer = setTimeout(() => void pollRepeatedly(), afterMs).unref();
  };
  const pollRepeatedly = async (): Promise<void> => {
    const begunAt = monotonic();
    try {
      await poll();
      report(null);
    } catch (failure) {
      report(failure);
    }
    if (timer !== null) again(Math.max(0, POLL_MS - (monotonic() - begunAt)));
  };
  return {
    isFresh: (now) => now - polledAt <= SILENCE_MS,
    poll,
    start: () => {
      if (timer === null) again(POLL_MS);
    },
    stop: () => {
      if (timer !== null) clearTimeout(timer);
      timer = null;
    },
  };
};

/** Hears what other processes have changed: asks the change log about the kept shops, again and again. */
import type { Uuid } from '../../../kernel/ids.ts';
import type { ScopedChange } from './journal.ts';

/** The change log, as far as ready answers depend on it. */
export interface ChangeFeed {
  /** What happened at the given shops after the number each was last seen at. */
  changesSince(seen: ReadonlyMap<Uuid, number>): Promise<readonly ScopedChange[]>;
}

/** From one poll to the next, ms. */
export const POLL_MS = 400;

/** How long kept answers may be served while the feed does not answer (docs/spec/caching-and-limits.md). */
const SILENCE_MS = 60_000;

export interface PollerParts {
  readonly feed: ChangeFeed;
  readonly monotonic: () => number;
  readonly seen: () => ReadonlyMap<Uuid, number>;
  /** A change, and the number from which it was asked for. */
  readonly tell: (change: ScopedChange, after: number) => void;
  /** Told of the first failed poll after a good one, and of recovery (null). */
  readonly onFeed: (failure: unknown) => void;
}

export interface Poller {
  isHeard(now: number): boolean;
  poll(): Promise<void>;
  start(): void;
  stop(): void;
}

export const createPoller = ({ feed, monotonic, seen, tell, onFeed }: PollerParts): Poller => {
  let heardAt = monotonic();
  let failing = false;
  let timer: NodeJS.Timeout | null = null;

  const poll = async (): Promise<void> => {
    const askedAt = monotonic();
    const asked = seen();
    for (const change of asked.size === 0 ? [] : await feed.changesSince(asked))
      tell(change, asked.get(change.orgId) ?? 0);
    heardAt = askedAt;
  };
  const report = (failure: unknown): void => {
    const failed = failure !== null;
    if (failed !== failing) onFeed(failure);
    failing = failed;
  };
  const again = (afterMs: number): void => {
    timer = setTimeout(() => void pollOnAndOn(), afterMs).unref();
  };
  const pollOnAndOn = async (): Promise<void> => {
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
    isHeard: (now) => now - heardAt <= SILENCE_MS,
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

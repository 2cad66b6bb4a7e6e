/**
 * Ready-made bytes of public reads. An answer is kept with the shop, the scopes and the change number it was read at,
 * and is served until the moment it changes by itself, or until a change of one of its scopes with a higher number
 * is heard: at once from this process (`changed`), within a poll from others. No answer is older than a change that
 * this process acknowledged before the request came, nor by more than a poll and a build than any other's.
 *
 * - One build at a time per key. A change detaches those under way, so that later requests begin anew; so does a poll's
 *   time, because polls ask about kept shops only, and a slow build may be of another.
 * - What was heard during a build is looked up before its answer is kept (`journal.ts`).
 * - The number polls ask from moves by polls alone: a local change must not hide another process's earlier one.
 */
import type { Answer } from '../../../platform/app/answer.ts';
import type { Endpoint } from '../../../platform/contract/endpoint.ts';
import type { Scope } from '../../../kernel/change.ts';
import type { Uuid } from '../../../kernel/ids.ts';
import type { Instant } from '../../../kernel/time.ts';
import type { Clock } from '../../../ports.ts';
import { EVERY_ANSWER, JSON_TYPE } from '../headers.ts';
import { createJournal } from './journal.ts';
import type { ScopedChange } from './journal.ts';
import { createPoller, POLL_MS } from './poller.ts';
import type { ChangeFeed } from './poller.ts';
import { Representations } from './representation.ts';
import { Shelf } from './cache.ts';
import type { Entry, Kept, ShelfSize } from './cache.ts';

export type { ChangeFeed } from './poller.ts';
export type { Entry } from './cache.ts';

export interface PublishedOptions extends ShelfSize {
  readonly clock: Clock;
  /** Milliseconds that only ever grow, for waiting and for the age of the feed. */
  readonly monotonic: () => number;
  readonly feed: ChangeFeed;
  /** Told of the first failed poll after a good one, and of recovery (null). */
  readonly onFeed?: (failure: unknown) => void;
}

export interface Published {
  /** The servable answer that is known by this very address, or null. `now` is monotonic. */
  find(address: string, now: number): Entry | null;
  /** The servable answer of `key`, known by this address from then on: kept, under way, or built; the refusals of a build pass through and are not kept. */
  read(key: string, address: string | null, endpoint: Endpoint, build: Build): Promise<Entry>;
  /** Whether an answer held since may still be sent. */
  isCurrent(entry: Entry): boolean;
  /** Keeps nothing that this committed change of a shop has outdated. */
  changed(orgId: Uuid, version: number, scopes: readonly Scope[]): void;
  /** Hears of all changes since the last poll. Rejects when the feed does not answer. */
  poll(): Promise<void>;
  /** Polls by itself until `stop`. */
  start(): void;
  stop(): void;
  counts(): {
    readonly entries: number;
    readonly addresses: number;
    readonly bytes: number;
    readonly builds: number;
  };
}

/** Reads one answer, in one snapshot. */
export type Build = () => Promise<Answer<unknown>>;

/** A build under way. */
interface Running {
  /** Monotonic ms. */
  readonly begunAt: number;
  readonly mark: number;
  readonly answer: Promise<Kept>;
}

/** What an entry costs besides its bytes and addresses. */
const ENTRY_BYTES = 1024;
/** Builds of one request whose answer has lapsed before it could be sent. */
const MAX_BUILDS = 3;

export const createPublished = (options: PublishedOptions): Published => {
  const { clock, monotonic } = options;
  const shelf = new Shelf(options);
  const isCurrent = (entry: Entry): boolean => {
    const now = clock.now();
    return now >= entry.from && now < entry.until;
  };
  const builds = createBuilds(options, shelf, isCurrent);
  const poller = createPoller({
    feed: options.feed,
    monotonic,
    onFeed: options.onFeed ?? (() => undefined),
    seen: () => shelf.seen(),
    tell: (change, after) => {
      builds.hear(change);
      shelf.told(change.orgId, after, change.version);
    },
  });
  return {
    find: (address, now) => {
      const entry = shelf.at(address);
      if (entry === undefined || !isCurrent(entry) || !poller.isHeard(now)) return null;
      entry.used = true;
      return entry;
    },
    read: async (key, address, endpoint, build) => {
      for (let built = 1; ; built += 1) {
        const kept = shelf.get(key);
        if (kept !== undefined && isCurrent(kept) && poller.isHeard(monotonic())) {
          kept.used = true;
          if (address !== null) shelf.knowBy(kept, address);
          return kept;
        }
        const entry = await builds.join(key, endpoint, build);
        if (!isCurrent(entry) && built < MAX_BUILDS) continue;
        if (address !== null) shelf.knowBy(entry, address);
        return entry;
      }
    },
    isCurrent,
    changed: (orgId, version, scopes) => builds.hear({ orgId, version, scopes }),
    poll: () => poller.poll(),
    start: () => poller.start(),
    stop: () => poller.stop(),
    counts: () => ({ ...shelf.counts, builds: builds.count() }),
  };
};

interface Builds {
  /** The answer of the build of `key`, joined or begun. */
  join(key: string, endpoint: Endpoint, build: Build): Promise<Kept>;
  hear(change: ScopedChange): void;
  count(): number;
}

/** A build's answer as an entry; what its bytes come to is the shelf's to count. */
const entryOf = (
  shelf: Shelf,
  key: string,
  endpoint: Endpoint,
  answer: Answer<unknown>,
  from: Instant,
): Kept => {
  const { orgId, scopes, version, validUntil } = answer;
  const body = new Representations(JSON.stringify(answer.body), JSON_TYPE, EVERY_ANSWER, (bytes) =>
    shelf.grow(entry, bytes),
  );
  const entry: Kept = {
    key,
    endpoint,
    body,
    from,
    until: validUntil ?? Number.POSITIVE_INFINITY,
    orgId,
    scopes,
    version,
    addresses: [],
    used: false,
    live: false,
    size: body.plainSize + 2 * key.length + ENTRY_BYTES,
  };
  return entry;
};

const createBuilds = (
  { clock, monotonic }: PublishedOptions,
  shelf: Shelf,
  isCurrent: (entry: Entry) => boolean,
): Builds => {
  const journal = createJournal();
  /** Those that may be joined. */
  const byKey = new Map<string, Running>();
  /** All, oldest first. */
  const underWay = new Set<Running>();

  /** Whether what is kept is as new, and read no earlier. */
  const isSurpassed = (entry: Kept): boolean => {
    const kept = shelf.get(entry.key);
    if (kept === undefined || !isCurrent(kept)) return false;
    return kept.version > entry.version || (kept.version === entry.version && kept.from > entry.from);
  };

  const finish = (key: string, running: Running): void => {
    if (byKey.get(key) === running) byKey.delete(key);
    underWay.delete(running);
    const [oldest] = underWay;
    journal.forgetBefore(oldest?.mark ?? journal.mark());
  };

  const begin = (key: string, endpoint: Endpoint, build: Build): Running => {
    const mark = journal.mark();
    const run = async (): Promise<Kept> => {
      const from = clock.now();
      try {
        const answer = await build();
        const entry = entryOf(shelf, key, endpoint, answer, from);
        if (!journal.outdates(mark, answer) && !isSurpassed(entry)) shelf.keep(entry);
        return entry;
      } finally {
        finish(key, running);
      }
    };
    const running: Running = { begunAt: monotonic(), mark, answer: Promise.resolve().then(run) };
    byKey.set(key, running);
    underWay.add(running);
    return running;
  };

  return {
    join: (key, endpoint, build) => {
      const running = byKey.get(key);
      const isRecent = running !== undefined && monotonic() - running.begunAt < POLL_MS;
      return (isRecent ? running : begin(key, endpoint, build)).answer;
    },
    hear: (change) => {
      if (underWay.size > 0) journal.note(change);
      byKey.clear();
      shelf.dropOutdated(change);
    },
    count: () => underWay.size,
  };
};

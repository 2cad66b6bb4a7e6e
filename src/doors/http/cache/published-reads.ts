/**
 * The cache of public reads. An entry is stored with the shop, scopes and change number that it was read at. It is
 * served until it expires, or until a higher change of one of its scopes: at once for changes of this process
 * (`changed`), within a poll for others. No response is older than a change that this process acknowledged before the
 * request, nor by more than a poll and a build than any other change.
 *
 * One build runs at a time per key. A change detaches the builds in flight, so that later requests begin a new one; so
 * does a poll interval, because polls cover only cached shops. Changes during a build are looked up before it is stored
 * (`recent-changes.ts`). Only polls move the number that is polled from: a change of this process must not hide an
 * earlier one of another.
 */
import type { Answer, Content } from '../../../platform/app/answer.ts';
import { isContent, type Endpoint } from '../../../platform/contract/endpoint.ts';
import type { ChangeScope, ScopedChanges } from '../../../kernel/change.ts';
import type { Uuid } from '../../../kernel/ids.ts';
import type { Instant } from '../../../kernel/time.ts';
import type { Clock } from '../../../ports.ts';
import { PUBLIC_HEADERS, JSON_TYPE } from '../headers.ts';
import { createRecentChanges } from './recent-changes.ts';
import { createPoller, POLL_MS } from './poller.ts';
import type { ChangeFeed } from './poller.ts';
import { Representations, varyOf } from './representation.ts';
import { ResponseCache } from './response-cache.ts';
import type { Entry, CachedEntry, ResponseCacheSize } from './response-cache.ts';

export type { ChangeFeed } from './poller.ts';
export type { Entry } from './response-cache.ts';

export interface PublishedOptions {
  readonly size?: ResponseCacheSize;
  readonly clock: Clock;
  /** Monotonic ms. */
  readonly monotonic: () => number;
  readonly feed: ChangeFeed;
  /** As in `PollerParts`. */
  readonly onFeed?: (failure: unknown) => void;
}

export interface Published {
  /** The valid entry of this address, or null. `now`: monotonic ms. */
  find(address: string, now: number): Entry | null;
  /**
   * The valid entry of `key`: cached, in flight, or built. It is found by `address` from then on. A refusal of the
   * build is thrown and not cached.
   */
  read(key: string, address: string | null, endpoint: Endpoint, build: Build): Promise<Entry>;
  isCurrent(entry: Entry): boolean;
  changed(orgId: Uuid, version: number, scopes: readonly ChangeScope[]): void;
  /** Rejects when the feed fails. */
  poll(): Promise<void>;
  start(): void;
  stop(): void;
  counts(): {
    readonly entries: number;
    readonly addresses: number;
    readonly bytes: number;
    readonly builds: number;
  };
}

export type Build = () => Promise<Answer<unknown>>;

interface Running {
  /** Monotonic ms. */
  readonly begunAt: number;
  readonly mark: number;
  readonly answer: Promise<CachedEntry>;
}

/** Memory of an entry besides its bytes and addresses. */
const ENTRY_BYTES = 1024;
/** Builds for one request whose response expired before it could be sent. */
const MAX_BUILDS = 3;

export const createPublished = (options: PublishedOptions): Published => {
  const { clock, monotonic } = options;
  const cache = new ResponseCache(options.size ?? {});
  const isCurrent = (entry: Entry): boolean => {
    const now = clock.now();
    return now >= entry.from && now < entry.until;
  };
  const builds = createBuilds(options, cache, isCurrent);
  const poller = createPoller({
    feed: options.feed,
    monotonic,
    onFeed: options.onFeed ?? (() => undefined),
    lastVersions: () => cache.lastVersions(),
    onChange: (change, after) => {
      builds.invalidate(change);
      cache.polled(change.orgId, after, change.version);
    },
  });
  return {
    find: (address, now) => {
      const entry = cache.at(address);
      if (entry === undefined || !isCurrent(entry) || !poller.isFresh(now)) return null;
      entry.used = true;
      return entry;
    },
    read: async (key, address, endpoint, build) => {
      for (let built = 1; ; built += 1) {
        const cached = cache.get(key);
        if (cached !== undefined && isCurrent(cached) && poller.isFresh(monotonic())) {
          cached.used = true;
          if (address !== null) cache.addAddress(cached, address);
          return cached;
        }
        const entry = await builds.join(key, endpoint, build);
        if (!isCurrent(entry) && built < MAX_BUILDS) continue;
        if (address !== null) cache.addAddress(entry, address);
        return entry;
      }
    },
    isCurrent,
    changed: (orgId, version, scopes) => builds.invalidate({ orgId, version, scopes }),
    poll: () => poller.poll(),
    start: () => poller.start(),
    stop: () => poller.stop(),
    counts: () => ({ ...cache.counts, builds: builds.count() }),
  };
};

interface Builds {
  join(key: string, endpoint: Endpoint, build: Build): Promise<CachedEntry>;
  invalidate(change: ScopedChanges): void;
  count(): number;
}

const jsonContent = (body: unknown): Content => ({
  type: JSON_TYPE,
  body: JSON.stringify(body),
  headers: PUBLIC_HEADERS,
});

const entryOf = (
  cache: ResponseCache,
  key: string,
  endpoint: Endpoint,
  answer: Answer<unknown>,
  from: Instant,
): CachedEntry => {
  const { orgId, scopes, version, validUntil } = answer;
  const content = isContent(endpoint) ? (answer.body as Content) : jsonContent(answer.body);
  const body = new Representations(content, varyOf(endpoint), (bytes) => cache.grow(entry, bytes));
  const entry: CachedEntry = {
    key,
    part: content.type.startsWith('image/') ? 'pictures' : 'answers',
    endpoint,
    body,
    from,
    until: validUntil ?? Number.POSITIVE_INFINITY,
    orgId,
    scopes,
    version,
    addresses: [],
    used: false,
    isStored: false,
    size: body.plainSize + 2 * key.length + ENTRY_BYTES,
  };
  return entry;
};

const createBuilds = (
  { clock, monotonic }: PublishedOptions,
  cache: ResponseCache,
  isCurrent: (entry: Entry) => boolean,
): Builds => {
  const recentChanges = createRecentChanges();
  /** Builds that may be joined. */
  const byKey = new Map<string, Running>();
  /** All builds, oldest first. */
  const inFlight = new Set<Running>();

  /** Whether the stored entry is newer, or equally new and read later. */
  const isSuperseded = (entry: CachedEntry): boolean => {
    const cached = cache.get(entry.key);
    if (cached === undefined || !isCurrent(cached)) return false;
    return cached.version > entry.version || (cached.version === entry.version && cached.from > entry.from);
  };

  const finish = (key: string, running: Running): void => {
    if (byKey.get(key) === running) byKey.delete(key);
    inFlight.delete(running);
    const [oldest] = inFlight;
    recentChanges.forgetBefore(oldest?.mark ?? recentChanges.mark());
  };

  const begin = (key: string, endpoint: Endpoint, build: Build): Running => {
    const mark = recentChanges.mark();
    const run = async (): Promise<CachedEntry> => {
      const from = clock.now();
      try {
        const answer = await build();
        const entry = entryOf(cache, key, endpoint, answer, from);
        if (!recentChanges.outdates(mark, answer) && !isSuperseded(entry)) cache.store(entry);
        return entry;
      } finally {
        finish(key, running);
      }
    };
    const running: Running = { begunAt: monotonic(), mark, answer: Promise.resolve().then(run) };
    byKey.set(key, running);
    inFlight.add(running);
    return running;
  };

  return {
    join: (key, endpoint, build) => {
      const running = byKey.get(key);
      const isRecent = running !== undefined && monotonic() - running.begunAt < POLL_MS;
      return (isRecent ? running : begin(key, endpoint, build)).answer;
    },
    invalidate: (change) => {
      if (inFlight.size > 0) recentChanges.add(change);
      byKey.clear();
      cache.removeOutdated(change);
    },
    count: () => inFlight.size,
  };
};

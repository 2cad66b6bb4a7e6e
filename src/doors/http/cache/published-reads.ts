/**
 * The cache of public reads. An entry is stored with the shop, scopes and change number that it was read at. It is
 * served until it expires, or until a higher change of one of its scopes: at once for changes of this process, as soon as
 * the feed reads them for others. No response is older than a change that this process acknowledged before the request,
 * nor by more than a poll of the feed and a build than any other change.
 *
 * One build runs at a time per key. A change detaches the builds in flight, so that later requests begin a new one.
 * Changes during a build are looked up before it is stored (`recent-changes.ts`).
 */
import type { Answer, Content } from '../../../platform/app/answer.ts';
import type { ChangeFeed } from '../../../platform/app/changes/change-feed.ts';
import { isContent, type Endpoint } from '../../../platform/contract/endpoint.ts';
import type { ScopedChanges } from '../../../kernel/change.ts';
import type { Instant } from '../../../kernel/time.ts';
import type { Clock } from '../../../ports.ts';

import { PUBLIC_HEADERS, JSON_TYPE } from '../headers.ts';
import { createRecentChanges } from './recent-changes.ts';
import { Representations, varyOf } from './representation.ts';
import { ResponseCache } from './response-cache.ts';
import type { Entry, CachedEntry, ResponseCacheSize } from './response-cache.ts';

export type { Entry } from './response-cache.ts';

export interface PublishedOptions {
  readonly size?: ResponseCacheSize;
  readonly clock: Clock;
  /** Monotonic ms. */
  readonly monotonic: () => number;
  readonly feed: Pick<ChangeFeed, 'isFresh'>;
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
  readonly changed: (changes: ScopedChanges) => void;
  /** Also what is being built. */
  readonly forgetAll: () => void;
  counts(): {
    readonly entries: number;
    readonly addresses: number;
    readonly bytes: number;
    readonly builds: number;
  };
}

export type Build = () => Promise<Answer<unknown>>;

interface Running {
  readonly mark: number;
  readonly answer: Promise<CachedEntry>;
}

/** Memory of an entry besides its bytes and addresses. */
const ENTRY_BYTES = 1024;
/** Builds for one request whose response expired before it could be sent. */
const MAX_BUILDS = 3;

export const createPublished = (options: PublishedOptions): Published => {
  const { clock, monotonic, feed } = options;
  const cache = new ResponseCache(options.size ?? {});
  const isCurrent = (entry: Entry): boolean => {
    const now = clock.now();
    return now >= entry.from && now < entry.until;
  };
  const builds = createBuilds(options, cache, isCurrent);
  return {
    find: (address, now) => {
      const entry = cache.at(address);
      if (entry === undefined || !isCurrent(entry) || !feed.isFresh(now)) return null;
      entry.used = true;
      return entry;
    },
    read: async (key, address, endpoint, build) => {
      for (let built = 1; ; built += 1) {
        const cached = cache.get(key);
        if (cached !== undefined && isCurrent(cached) && feed.isFresh(monotonic())) {
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
    changed: (changes) => builds.invalidate(changes),
    forgetAll: () => builds.invalidateAll(),
    counts: () => ({ ...cache.counts, builds: builds.count() }),
  };
};

interface Builds {
  join(key: string, endpoint: Endpoint, build: Build): Promise<CachedEntry>;
  invalidate(change: ScopedChanges): void;
  invalidateAll(): void;
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
  { clock }: PublishedOptions,
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
    const running: Running = { mark, answer: Promise.resolve().then(run) };
    byKey.set(key, running);
    inFlight.add(running);
    return running;
  };

  return {
    join: (key, endpoint, build) => (byKey.get(key) ?? begin(key, endpoint, build)).answer,
    invalidate: (change) => {
      if (inFlight.size > 0) recentChanges.add(change);
      byKey.clear();
      cache.removeOutdated(change);
    },
    invalidateAll: () => {
      recentChanges.forgetAll();
      byKey.clear();
      cache.clear();
    },
    count: () => inFlight.size,
  };
};

/** The cached responses by key, address and shop, within a number of bytes and of entries. */
import type { ChangeScope, ScopedChanges } from '../../../kernel/change.ts';
import type { Uuid } from '../../../kernel/ids.ts';
import type { Instant } from '../../../kernel/time.ts';
import type { Endpoint } from '../../../platform/contract/endpoint.ts';
import type { Representations } from './representation.ts';

export interface Entry {
  readonly endpoint: Endpoint;
  readonly body: Representations;
  /** Valid in [from, until) of the service's clock. */
  readonly from: Instant;
  readonly until: Instant;
}

export interface CachedEntry extends Entry, ScopedChanges {
  readonly key: string;
  readonly addresses: string[];
  /** Found again since the eviction last passed it. */
  used: boolean;
  isStored: boolean;
  /** Bytes. */
  size: number;
}

interface Shop {
  /** The number of the last change that polls have read. */
  lastVersion: number;
  readonly entries: Set<CachedEntry>;
}

export interface ResponseCacheSize {
  readonly maxBytes?: number;
  readonly maxEntries?: number;
}

const MAX_BYTES = 64 * 1024 * 1024;
const MAX_ENTRIES = 20_000;
const MAX_ALIASES = 8;
/** An entry may take at most 1/8 of the cache. */
const LARGEST_SHARE = 8;

export class ResponseCache {
  readonly #maxBytes: number;
  readonly #maxEntries: number;
  /** In the order of arrival; an entry that the eviction spares moves to the end (CLOCK). */
  readonly #entries = new Map<string, CachedEntry>();
  readonly #byAddress = new Map<string, CachedEntry>();
  readonly #shops = new Map<Uuid, Shop>();
  #bytes = 0;

  constructor({ maxBytes = MAX_BYTES, maxEntries = MAX_ENTRIES }: ResponseCacheSize) {
    this.#maxBytes = maxBytes;
    this.#maxEntries = maxEntries;
  }

  get counts(): { readonly entries: number; readonly addresses: number; readonly bytes: number } {
    return { entries: this.#entries.size, addresses: this.#byAddress.size, bytes: this.#bytes };
  }

  at(address: string): CachedEntry | undefined {
    return this.#byAddress.get(address);
  }

  get(key: string): CachedEntry | undefined {
    return this.#entries.get(key);
  }

  store(entry: CachedEntry): void {
    if (entry.size > this.#maxBytes / LARGEST_SHARE) return;
    const before = this.#entries.get(entry.key);
    if (before !== undefined) this.#remove(before);
    const shop = this.#shops.get(entry.orgId) ?? {
      lastVersion: entry.version,
      entries: new Set<CachedEntry>(),
    };
    this.#shops.set(entry.orgId, shop);
    // Older than the last poll: changes in between must be polled again.
    shop.lastVersion = Math.min(shop.lastVersion, entry.version);
    shop.entries.add(entry);
    this.#entries.set(entry.key, entry);
    entry.isStored = true;
    this.#bytes += entry.size;
    this.#evict();
  }

  /** Beyond eight addresses the oldest is removed. */
  addAddress(entry: CachedEntry, address: string): void {
    if (!entry.isStored || this.#byAddress.has(address)) return;
    const oldest = entry.addresses.length < MAX_ALIASES ? undefined : entry.addresses.shift();
    if (oldest !== undefined) this.#byAddress.delete(oldest);
    this.#byAddress.set(address, entry);
    entry.addresses.push(address);
    this.grow(entry, 2 * (address.length - (oldest?.length ?? 0)));
  }

  grow(entry: CachedEntry, by: number): void {
    entry.size += by;
    if (!entry.isStored) return;
    this.#bytes += by;
    this.#evict();
  }

  removeOutdated(change: ScopedChanges): void {
    const scopes = new Set<ChangeScope>(change.scopes);
    for (const entry of this.#shops.get(change.orgId)?.entries ?? [])
      if (entry.version < change.version && entry.scopes.some((scope) => scopes.has(scope)))
        this.#remove(entry);
  }

  /** The change number to poll from, by shop. */
  lastVersions(): Map<Uuid, number> {
    return new Map([...this.#shops].map(([orgId, shop]) => [orgId, shop.lastVersion]));
  }

  /** A poll from `after` has read every change up to `version`. */
  polled(orgId: Uuid, after: number, version: number): void {
    const shop = this.#shops.get(orgId);
    // An older entry may have set it back: the next poll begins there.
    if (shop !== undefined && shop.lastVersion >= after)
      shop.lastVersion = Math.max(shop.lastVersion, version);
  }

  #remove(entry: CachedEntry): void {
    entry.isStored = false;
    this.#bytes -= entry.size;
    this.#entries.delete(entry.key);
    for (const address of entry.addresses) this.#byAddress.delete(address);
    const shop = this.#shops.get(entry.orgId);
    shop?.entries.delete(entry);
    if (shop?.entries.size === 0) this.#shops.delete(entry.orgId);
  }

  /** Oldest first; an entry that was used is spared once. */
  #evict(): void {
    for (const entry of this.#entries.values()) {
      if (this.#bytes <= this.#maxBytes && this.#entries.size <= this.#maxEntries) return;
      if (entry.used) {
        entry.used = false;
        this.#entries.delete(entry.key);
        this.#entries.set(entry.key, entry);
      } else this.#remove(entry);
    }
  }
}

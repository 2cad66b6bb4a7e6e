/** Where ready answers are kept: by key, by address, by shop; within a budget of bytes and a number of answers. */
import type { Scope } from '../../../kernel/change.ts';
import type { Uuid } from '../../../kernel/ids.ts';
import type { Instant } from '../../../kernel/time.ts';
import type { Endpoint } from '../../../platform/contract/endpoint.ts';
import type { ScopedChange } from './journal.ts';
import type { Representations } from './representation.ts';

/** One ready answer. */
export interface Entry {
  readonly endpoint: Endpoint;
  readonly body: Representations;
  /** Servable in [from, until) of the service's clock. */
  readonly from: Instant;
  readonly until: Instant;
}

/** An answer that is, was or could be on the shelf. */
export interface Kept extends Entry, ScopedChange {
  readonly key: string;
  readonly addresses: string[];
  /** Found again since eviction last looked at it. */
  used: boolean;
  live: boolean;
  /** Bytes. */
  size: number;
}

interface Shop {
  /** The number up to which polls have told everything. */
  seen: number;
  readonly entries: Set<Kept>;
}

export interface ShelfSize {
  readonly maxBytes?: number;
  readonly maxEntries?: number;
}

const MAX_BYTES = 64 * 1024 * 1024;
const MAX_ENTRIES = 20_000;
/** Different spellings of one address that are looked up directly. */
const MAX_ALIASES = 8;
/** One answer takes at most one part in so many of the room. */
const LARGEST_SHARE = 8;

export class Shelf {
  readonly #maxBytes: number;
  readonly #maxEntries: number;
  /** In order of arrival, or of the last time eviction passed a used one over. */
  readonly #entries = new Map<string, Kept>();
  readonly #byAddress = new Map<string, Kept>();
  readonly #shops = new Map<Uuid, Shop>();
  #bytes = 0;

  constructor({ maxBytes = MAX_BYTES, maxEntries = MAX_ENTRIES }: ShelfSize) {
    this.#maxBytes = maxBytes;
    this.#maxEntries = maxEntries;
  }

  get counts(): { readonly entries: number; readonly addresses: number; readonly bytes: number } {
    return { entries: this.#entries.size, addresses: this.#byAddress.size, bytes: this.#bytes };
  }

  at(address: string): Kept | undefined {
    return this.#byAddress.get(address);
  }

  get(key: string): Kept | undefined {
    return this.#entries.get(key);
  }

  /** Puts an answer in the place of an older one of its key. */
  keep(entry: Kept): void {
    if (entry.size > this.#maxBytes / LARGEST_SHARE) return;
    const before = this.#entries.get(entry.key);
    if (before !== undefined) this.#drop(before);
    const shop = this.#shops.get(entry.orgId) ?? { seen: entry.version, entries: new Set<Kept>() };
    this.#shops.set(entry.orgId, shop);
    // Older than what polls have told: what lies between concerned other answers, so it must be told again.
    shop.seen = Math.min(shop.seen, entry.version);
    shop.entries.add(entry);
    this.#entries.set(entry.key, entry);
    entry.live = true;
    this.#bytes += entry.size;
    this.#makeRoom();
  }

  /** Finds the answer by this address from now on; the oldest of too many spellings is forgotten. */
  knowBy(entry: Kept, address: string): void {
    if (!entry.live || this.#byAddress.has(address)) return;
    const oldest = entry.addresses.length < MAX_ALIASES ? undefined : entry.addresses.shift();
    if (oldest !== undefined) this.#byAddress.delete(oldest);
    this.#byAddress.set(address, entry);
    entry.addresses.push(address);
    this.grow(entry, 2 * (address.length - (oldest?.length ?? 0)));
  }

  /** An answer takes more bytes than before, on the shelf or not. */
  grow(entry: Kept, by: number): void {
    entry.size += by;
    if (!entry.live) return;
    this.#bytes += by;
    this.#makeRoom();
  }

  dropOutdated(change: ScopedChange): void {
    const scopes = new Set<Scope>(change.scopes);
    for (const entry of this.#shops.get(change.orgId)?.entries ?? [])
      if (entry.version < change.version && entry.scopes.some((scope) => scopes.has(scope)))
        this.#drop(entry);
  }

  /** Each shop that has answers here, and the number from which polls must ask on. */
  seen(): Map<Uuid, number> {
    return new Map([...this.#shops].map(([orgId, shop]) => [orgId, shop.seen]));
  }

  /** A poll that asked from `after` has told everything up to `version`. */
  told(orgId: Uuid, after: number, version: number): void {
    const shop = this.#shops.get(orgId);
    // Set back meanwhile by an older answer: the next poll asks again from there.
    if (shop !== undefined && shop.seen >= after) shop.seen = Math.max(shop.seen, version);
  }

  #drop(entry: Kept): void {
    entry.live = false;
    this.#bytes -= entry.size;
    this.#entries.delete(entry.key);
    for (const address of entry.addresses) this.#byAddress.delete(address);
    const shop = this.#shops.get(entry.orgId);
    shop?.entries.delete(entry);
    if (shop?.entries.size === 0) this.#shops.delete(entry.orgId);
  }

  /** Oldest first; one that was found again since gets a second round. */
  #makeRoom(): void {
    for (const entry of this.#entries.values()) {
      if (this.#bytes <= this.#maxBytes && this.#entries.size <= this.#maxEntries) return;
      if (entry.used) {
        entry.used = false;
        this.#entries.delete(entry.key);
        this.#entries.set(entry.key, entry);
      } else this.#drop(entry);
    }
  }
}

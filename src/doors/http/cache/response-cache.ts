/** The cached responses by key, address and shop; pictures apart from the others, which they would push out. */
import type { ChangeScope, ScopedChanges } from '../../../kernel/change.ts';
import type { Uuid } from '../../../kernel/ids.ts';
import type { Instant } from '../../../kernel/time.ts';
import type { Endpoint } from '../../../platform/contract/endpoint.ts';
import { EvictionQueue, type Evictable, type Limits } from './eviction-queue.ts';
import type { Representations } from './representation.ts';

export interface Entry {
  readonly endpoint: Endpoint;
  readonly body: Representations;
  /** Valid in [from, until) of the service's clock. */
  readonly from: Instant;
  readonly until: Instant;
}

type Part = 'answers' | 'pictures';

export interface CachedEntry extends Entry, ScopedChanges, Evictable {
  readonly key: string;
  readonly part: Part;
  readonly addresses: string[];
  isStored: boolean;
}

export type ResponseCacheSize = Readonly<Partial<Record<Part, Partial<Limits>>>>;

const MEBIBYTE = 1024 * 1024;
const SIZE: Readonly<Record<Part, Limits>> = {
  answers: { maxBytes: 64 * MEBIBYTE, maxEntries: 20_000 },
  pictures: { maxBytes: 32 * MEBIBYTE, maxEntries: 20_000 },
};
const MAX_ALIASES = 8;

export class ResponseCache {
  readonly #parts: Readonly<Record<Part, EvictionQueue<CachedEntry>>>;
  readonly #entries = new Map<string, CachedEntry>();
  readonly #byAddress = new Map<string, CachedEntry>();
  readonly #byShop = new Map<Uuid, Set<CachedEntry>>();

  constructor({ answers, pictures }: ResponseCacheSize) {
    const evict = (entry: CachedEntry): void => this.#remove(entry);
    this.#parts = {
      answers: new EvictionQueue({ ...SIZE.answers, ...answers }, evict),
      pictures: new EvictionQueue({ ...SIZE.pictures, ...pictures }, evict),
    };
  }

  get counts(): { readonly entries: number; readonly addresses: number; readonly bytes: number } {
    const { answers, pictures } = this.#parts;
    return {
      entries: answers.length + pictures.length,
      addresses: this.#byAddress.size,
      bytes: answers.bytes + pictures.bytes,
    };
  }

  at(address: string): CachedEntry | undefined {
    return this.#byAddress.get(address);
  }

  get(key: string): CachedEntry | undefined {
    return this.#entries.get(key);
  }

  store(entry: CachedEntry): void {
    const part = this.#parts[entry.part];
    if (!part.takes(entry)) return;
    const before = this.#entries.get(entry.key);
    if (before !== undefined) this.#remove(before);
    this.#byShop.set(entry.orgId, (this.#byShop.get(entry.orgId) ?? new Set<CachedEntry>()).add(entry));
    this.#entries.set(entry.key, entry);
    entry.isStored = true;
    part.add(entry);
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
    if (entry.isStored) this.#parts[entry.part].grow(entry, by);
    else entry.size += by;
  }

  removeOutdated(change: ScopedChanges): void {
    const scopes = new Set<ChangeScope>(change.scopes);
    for (const entry of this.#byShop.get(change.orgId) ?? [])
      if (entry.version < change.version && entry.scopes.some((scope) => scopes.has(scope)))
        this.#remove(entry);
  }

  clear(): void {
    for (const entry of this.#entries.values()) this.#remove(entry);
  }

  #remove(entry: CachedEntry): void {
    entry.isStored = false;
    this.#parts[entry.part].remove(entry);
    this.#entries.delete(entry.key);
    for (const address of entry.addresses) this.#byAddress.delete(address);
    const ofShop = this.#byShop.get(entry.orgId);
    ofShop?.delete(entry);
    if (ofShop?.size === 0) this.#byShop.delete(entry.orgId);
  }
}

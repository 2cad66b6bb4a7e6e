/** Entries within a number of bytes and of entries. The oldest is evicted, one that was used is spared once (CLOCK). */

export interface Evictable {
  /** Found again since the eviction last passed it. */
  used: boolean;
  /** Bytes. */
  size: number;
}

export interface Limits {
  readonly maxBytes: number;
  readonly maxEntries: number;
}

/** An entry may take at most 1/8 of the bytes. */
const LARGEST_SHARE = 8;

export class EvictionQueue<Entry extends Evictable> {
  readonly #limits: Limits;
  readonly #onEvict: (entry: Entry) => void;
  /** In the order of arrival; an entry that the eviction spares moves to the end. */
  readonly #entries = new Set<Entry>();
  #bytes = 0;

  /** `onEvict` removes the entry, from here too. */
  constructor(limits: Limits, onEvict: (entry: Entry) => void) {
    this.#limits = limits;
    this.#onEvict = onEvict;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get length(): number {
    return this.#entries.size;
  }

  takes({ size }: Entry): boolean {
    return size <= this.#limits.maxBytes / LARGEST_SHARE;
  }

  add(entry: Entry): void {
    this.#entries.add(entry);
    this.#bytes += entry.size;
    this.#evict();
  }

  remove(entry: Entry): void {
    this.#entries.delete(entry);
    this.#bytes -= entry.size;
  }

  grow(entry: Entry, by: number): void {
    entry.size += by;
    this.#bytes += by;
    this.#evict();
  }

  #evict(): void {
    const { maxBytes, maxEntries } = this.#limits;
    for (const entry of this.#entries) {
      if (this.#bytes <= maxBytes && this.#entries.size <= maxEntries) return;
      if (entry.used) {
        entry.used = false;
        this.#entries.delete(entry);
        this.#entries.add(entry);
      } else this.#onEvict(entry);
    }
  }
}

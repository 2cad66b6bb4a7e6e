/**
 * Values that are loaded once and kept as long as each use finds them current, so that each use includes every change
 * committed before its request.
 */
import { Refusal } from '../../kernel/refusal.ts';

/** How often a newly loaded value may be outdated before the request gets UNAVAILABLE. */
const MAX_ATTEMPTS = 5;

/** Such as an LRU cache. */
interface Kept<V> {
  get(key: string): V | undefined;
  set(key: string, value: V): unknown;
  delete(key: string): unknown;
}

export class LoadedCache<V> {
  readonly #kept: Kept<V>;
  readonly #inFlight = new Map<string, Promise<V>>();

  constructor(kept: Kept<V>) {
    this.#kept = kept;
  }

  /**
   * The result of `use`, which compares the value with the database; null: the value is outdated, and another one is
   * loaded. Passes refusals of both functions on.
   */
  async use<T extends object>(
    key: string,
    load: () => Promise<V>,
    use: (value: V) => Promise<T | null>,
  ): Promise<T> {
    for (let tried = 1; tried <= MAX_ATTEMPTS; tried += 1) {
      const value = this.#kept.get(key) ?? (await this.#loadedOrAwaited(key, load));
      const result = await use(value);
      if (result !== null) return result;
      // Unless a newer value has been loaded meanwhile.
      if (this.#kept.get(key) === value) this.#kept.delete(key);
    }
    throw new Refusal('UNAVAILABLE');
  }

  /** One load per key at a time. A refusal by an earlier load may be outdated for this request. */
  async #loadedOrAwaited(key: string, load: () => Promise<V>): Promise<V> {
    const earlier = this.#inFlight.get(key);
    if (earlier === undefined) return this.#loaded(key, load);
    try {
      return await earlier;
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown;
      // A load in flight now began after this request, so its result is current.
      return this.#inFlight.get(key) ?? this.#loaded(key, load);
    }
  }

  async #loaded(key: string, load: () => Promise<V>): Promise<V> {
    const loading = load();
    this.#inFlight.set(key, loading);
    try {
      const value = await loading;
      this.#kept.set(key, value);
      return value;
    } finally {
      if (this.#inFlight.get(key) === loading) this.#inFlight.delete(key);
    }
  }
}

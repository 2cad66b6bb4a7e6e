/**
 * Runs work of one key after the other, in this process. Work that would wait for the same lock of the database waits
 * here instead, without a connection.
 */
export class KeyedQueue {
  readonly #tails = new Map<string, Promise<unknown>>();

  /** Starts at once where no work of the key runs. */
  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key);
    const result = before === undefined ? work() : before.then(work);
    const tail = result
      .catch(() => undefined)
      .finally(() => {
        if (this.#tails.get(key) === tail) this.#tails.delete(key);
      });
    this.#tails.set(key, tail);
    return result;
  }

  /** Keys with work. */
  get size(): number {
    return this.#tails.size;
  }
}

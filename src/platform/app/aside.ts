/** Work that no answer waits for: notes of what was used, or tried in vain. */
export class Aside {
  readonly #underWay = new Set<Promise<void>>();
  readonly #keys = new Set<string>();
  readonly #onFault: (fault: unknown) => void;

  constructor(onFault: (fault: unknown) => void) {
    this.#onFault = onFault;
  }

  /** Begins `work`. What goes wrong is told, and concerns nobody else. */
  run(work: () => Promise<unknown>): void {
    const done: Promise<void> = work()
      .then(() => undefined, this.#onFault)
      .finally(() => this.#underWay.delete(done));
    this.#underWay.add(done);
  }

  /** The same, unless work under the same key is under way. */
  runOnce(key: string, work: () => Promise<unknown>): void {
    if (this.#keys.has(key)) return;
    this.#keys.add(key);
    this.run(() => work().finally(() => this.#keys.delete(key)));
  }

  /** Resolves once nothing is under way. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }
}

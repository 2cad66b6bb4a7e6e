/** Things that wait, by client: clients take turns, and each has its own in the order in which they came. */
export class RoundRobin<T> {
  /** In the order of turns; no list is empty. */
  readonly #byClient = new Map<string, T[]>();

  get isEmpty(): boolean {
    return this.#byClient.size === 0;
  }

  add(client: string, thing: T): void {
    const own = this.#byClient.get(client);
    if (own === undefined) this.#byClient.set(client, [thing]);
    else own.push(thing);
  }

  /** Takes the next one; its client comes last then. */
  take(): T | undefined {
    const [first] = this.#byClient;
    if (first === undefined) return undefined;
    const [client, own] = first;
    const thing = own.shift();
    this.#byClient.delete(client);
    if (own.length > 0) this.#byClient.set(client, own);
    return thing;
  }

  remove(client: string, thing: T): void {
    const own = this.#byClient.get(client) ?? [];
    const left = own.filter((other) => other !== thing);
    if (left.length > 0) own.splice(0, own.length, ...left);
    else this.#byClient.delete(client);
  }
}

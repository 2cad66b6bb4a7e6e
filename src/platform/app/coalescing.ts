/**
 * Questions that come together are asked once. An answer is only given to those who asked before its question was put:
 * who asks while one is under way shares the next.
 */

/** Puts one question for all these wishes. */
type Put<Wish, Answer> = (wishes: readonly Wish[]) => Promise<Answer>;

interface Round<Wish, Answer> {
  readonly wishes: Wish[];
  readonly answer: Promise<Answer>;
}

/** One question is under way at a time for each key. */
export class AskedTogether<Wish, Answer> {
  readonly #rounds = new Map<string, Round<Wish, Answer>>();
  readonly #underWay = new Map<string, Promise<unknown>>();

  ask(key: string, wish: Wish, put: Put<Wish, Answer>): Promise<Answer> {
    const next = this.#rounds.get(key);
    if (next !== undefined) {
      next.wishes.push(wish);
      return next.answer;
    }
    const wishes = [wish];
    const answer = this.#put(key, wishes, put);
    this.#rounds.set(key, { wishes, answer });
    return answer;
  }

  async #put(key: string, wishes: readonly Wish[], put: Put<Wish, Answer>): Promise<Answer> {
    // Requests that have arrived by now are read in this turn of the loop: they are to come along.
    await (this.#underWay.get(key) ?? new Promise((done) => setImmediate(done)));
    this.#rounds.delete(key);
    const answer = put(wishes);
    const ended = answer.then(
      () => undefined,
      () => undefined,
    );
    this.#underWay.set(key, ended);
    try {
      return await answer;
    } finally {
      if (this.#underWay.get(key) === ended) this.#underWay.delete(key);
    }
  }
}

/**
 * Work in steps, of many requests side by side: one step of one of them in each turn of the loop, so that whatever else
 * there is to be done waits for one step at most, however many are at work.
 */
import { Refusal } from '../domain/refusal.ts';

/** How many may go on after their first step at once; what takes more than that one while they do is refused. */
const MOST_OPEN = 64;
/** Most first steps are the only ones: they go before those of work that is open, but no more than so many in a row. */
const NEWCOMERS_IN_A_ROW = 8;

type Go = () => void;

/** Made once for the whole process, for it is the process that is shared out. */
export class Turns {
  readonly #mostOpen: number;
  /** Those that wait for their first step. */
  readonly #newcomers: Go[] = [];
  /** Those that wait for a further one, going round. */
  readonly #others: Go[] = [];
  #open = 0;
  /** Whether a step has been taken in this turn of the loop: others may have been woken together. */
  #isSpent = false;
  #inARow = 0;
  #isTurnAsked = false;

  constructor(mostOpen = MOST_OPEN) {
    this.#mostOpen = mostOpen;
  }

  /** Takes the steps to their end; the first of them at once where this turn is still to be had. Refuses with UNAVAILABLE. */
  async run<T>(steps: Generator<void, T>): Promise<T> {
    if (this.#isSpent || this.#open + this.#newcomers.length > 0) await this.#turnAmong(this.#newcomers);
    this.#spend();
    let step = steps.next();
    if (step.done === true) return step.value;
    if (this.#open >= this.#mostOpen) {
      throw new Refusal('UNAVAILABLE');
    }
    this.#open += 1;
    try {
      while (step.done !== true) {
        await this.#turnAmong(this.#others);
        step = steps.next();
      }
      return step.value;
    } finally {
      this.#open -= 1;
    }
  }

  #spend(): void {
    if (this.#isSpent) return;
    this.#isSpent = true;
    setImmediate(() => (this.#isSpent = false));
  }

  #turnAmong(waiting: Go[]): Promise<void> {
    return new Promise((go) => {
      waiting.push(go);
      this.#askForTurn();
    });
  }

  #askForTurn(): void {
    if (this.#isTurnAsked) return;
    this.#isTurnAsked = true;
    setImmediate(() => {
      this.#isTurnAsked = false;
      this.#next()?.();
      if (this.#newcomers.length + this.#others.length > 0) this.#askForTurn();
    });
  }

  #next(): Go | undefined {
    const isOthersTurn = this.#inARow >= NEWCOMERS_IN_A_ROW && this.#others.length > 0;
    const newcomer = isOthersTurn ? undefined : this.#newcomers.shift();
    this.#inARow = newcomer === undefined ? 0 : this.#inARow + 1;
    return newcomer ?? this.#others.shift();
  }
}

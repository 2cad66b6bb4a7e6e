/**
 * Work in steps, of many requests side by side: in each turn of the loop one step, and such first steps as end while the
 * turn is still short, so that whatever else there is to be done waits little, however many are at work.
 */
import { Refusal } from '../../kernel/refusal.ts';
import type { Meter } from './meter.ts';

/** How many may go on after their first step at once; what takes more than that one while they do is refused. */
const MOST_OPEN = 64;
/** Once half of those places are taken, one client may have no more than so many. */
const MOST_OF_A_CLIENT = 6;
/** Most first steps are the only ones: they go before those of work that is open, but no more than so many in a row. */
const NEWCOMERS_IN_A_ROW = 8;

/** Milliseconds in which further first steps may still begin in a turn: a turn of the loop of their own would cost more. */
const SHORT_TURN = 4;

/** Who asks for the work, and where its cost is added up. */
export interface WorkFor {
  readonly client: string;
  readonly meter: Meter;
}

type Go = () => void;

/** Made once for the whole process, for it is the process that is shared out. */
export class Turns {
  readonly #mostOpen: number;
  readonly #now: () => number;
  /** Those that wait for their first step. */
  readonly #newcomers: Go[] = [];
  /** Those that wait for a further one, going round. */
  readonly #others: Go[] = [];
  #open = 0;
  readonly #openByClient = new Map<string, number>();
  /** When the first step of this turn of the loop began; null while none has. */
  #begun: number | null = null;
  #inARow = 0;
  #isTurnAsked = false;

  /** `now`: milliseconds of any clock; it decides who goes when, and nothing else. */
  constructor(mostOpen = MOST_OPEN, now = () => performance.now()) {
    this.#mostOpen = mostOpen;
    this.#now = now;
  }

  /**
   * Takes the steps to their end; the first of them at once where this turn is still to be had. Refuses with UNAVAILABLE,
   * and with RATE_LIMITED a client that has many at work already.
   */
  async run<T>(steps: Generator<void, T>, { client, meter }: WorkFor): Promise<T> {
    if (!this.#isShort() || this.#open + this.#newcomers.length > 0) await this.#turnAmong(this.#newcomers);
    let step = this.#first(steps, meter);
    if (step.done === true) return step.value;
    this.#enter(client);
    try {
      while (step.done !== true) {
        await this.#turnAmong(this.#others);
        step = meter.measure(() => steps.next());
      }
      return step.value;
    } finally {
      this.#leave(client);
    }
  }

  #enter(client: string): void {
    const own = this.#openByClient.get(client) ?? 0;
    if (this.#open >= this.#mostOpen) throw new Refusal('UNAVAILABLE');
    if (this.#open >= this.#mostOpen / 2 && own >= MOST_OF_A_CLIENT)
      throw new Refusal('RATE_LIMITED', { retry_after_seconds: 1 });
    this.#open += 1;
    this.#openByClient.set(client, own + 1);
  }

  #leave(client: string): void {
    const left = (this.#openByClient.get(client) ?? 0) - 1;
    this.#open -= 1;
    if (left > 0) this.#openByClient.set(client, left);
    else this.#openByClient.delete(client);
  }

  /** The first step, and then another newcomer's where this turn is still short. */
  #first<T>(steps: Generator<void, T>, meter: Meter): IteratorResult<void, T> {
    this.#beginTurn();
    try {
      return meter.measure(() => steps.next());
    } finally {
      if (this.#isShort()) this.#newcomers.shift()?.();
    }
  }

  #beginTurn(): void {
    if (this.#begun !== null) return;
    this.#begun = this.#now();
    setImmediate(() => (this.#begun = null));
  }

  #isShort(): boolean {
    return this.#begun === null || this.#now() - this.#begun < SHORT_TURN;
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

/**
 * Each turn of the event loop runs one step, plus first steps while the turn is short, so other work on the
 * loop waits little under any load.
 */
import { Refusal } from '../../kernel/refusal.ts';
import type { Meter } from './meter.ts';

/** Jobs that may run beyond their first step at once; further jobs that need more steps are refused. */
const MAX_OPEN = 64;
/** Limit per client once half of those places are taken. */
const MAX_PER_CLIENT = 6;
/** Most jobs have a single step, so first steps go first, up to this many in a row. */
const FIRST_STEPS_IN_A_ROW = 8;

/** Milliseconds within which a turn may start further first steps; a new turn of the loop would cost more. */
const SHORT_TURN_MS = 4;

export interface JobContext {
  readonly client: string;
  readonly meter: Meter;
}

type Resume = () => void;

/** One per process, because it shares out the event loop. */
export class Scheduler {
  readonly #mostOpen: number;
  readonly #now: () => number;
  readonly #newJobs: Resume[] = [];
  /** Round robin. */
  readonly #openJobs: Resume[] = [];
  #open = 0;
  readonly #openByClient = new Map<string, number>();
  /** Null before the first step of this turn. */
  #turnStartedAt: number | null = null;
  #inARow = 0;
  #isTurnScheduled = false;

  /** `now`: milliseconds of any clock; it affects the order only. */
  constructor(mostOpen = MAX_OPEN, now = () => performance.now()) {
    this.#mostOpen = mostOpen;
    this.#now = now;
  }

  /**
   * Runs all steps; the first one at once if this turn is short. Throws UNAVAILABLE when full, and
   * RATE_LIMITED when this client already has too many jobs.
   */
  async run<T>(steps: Generator<void, T>, { client, meter }: JobContext): Promise<T> {
    if (!this.#isShort() || this.#open + this.#newJobs.length > 0) await this.#waitIn(this.#newJobs);
    let step = this.#firstStep(steps, meter);
    if (step.done === true) return step.value;
    this.#enter(client);
    try {
      while (step.done !== true) {
        await this.#waitIn(this.#openJobs);
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
    if (this.#open >= this.#mostOpen / 2 && own >= MAX_PER_CLIENT)
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

  /** Runs a first step, and then another job's while this turn is short. */
  #firstStep<T>(steps: Generator<void, T>, meter: Meter): IteratorResult<void, T> {
    this.#beginTurn();
    try {
      return meter.measure(() => steps.next());
    } finally {
      if (this.#isShort()) this.#newJobs.shift()?.();
    }
  }

  #beginTurn(): void {
    if (this.#turnStartedAt !== null) return;
    this.#turnStartedAt = this.#now();
    setImmediate(() => (this.#turnStartedAt = null));
  }

  #isShort(): boolean {
    return this.#turnStartedAt === null || this.#now() - this.#turnStartedAt < SHORT_TURN_MS;
  }

  #waitIn(waiting: Resume[]): Promise<void> {
    return new Promise((go) => {
      waiting.push(go);
      this.#scheduleTurn();
    });
  }

  #scheduleTurn(): void {
    if (this.#isTurnScheduled) return;
    this.#isTurnScheduled = true;
    setImmediate(() => {
      this.#isTurnScheduled = false;
      this.#next()?.();
      if (this.#newJobs.length + this.#openJobs.length > 0) this.#scheduleTurn();
    });
  }

  #next(): Resume | undefined {
    const isOthersTurn = this.#inARow >= FIRST_STEPS_IN_A_ROW && this.#openJobs.length > 0;
    const newcomer = isOthersTurn ? undefined : this.#newJobs.shift();
    this.#inARow = newcomer === undefined ? 0 : this.#inARow + 1;
    return newcomer ?? this.#openJobs.shift();
  }
}

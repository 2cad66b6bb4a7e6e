/**
 * Order of sign-ins under load: known devices before unknown ones, and within each a fair order over
 * addresses and accounts, so that a flood delays itself.
 */
import { Refusal } from '../../kernel/refusal.ts';

export interface WaitingSignIn {
  readonly account: string;
  readonly source: string;
  readonly isKnown: boolean;
}

interface QueueEntry {
  /** The higher of its account's and its source's round. */
  readonly round: number;
  readonly go: () => void;
  readonly refuse: () => void;
}

/**
 * Start-time fair queueing over two keys: each account and each source gets one place per round, and an entry
 * is served in the later of its two rounds.
 */
class FairQueue {
  readonly #waiting: QueueEntry[] = [];
  /** The last round given to each account and source. */
  readonly #lastRounds = new Map<string, number>();
  #round = 0;

  get size(): number {
    return this.#waiting.length;
  }

  roundOf({ account, source }: WaitingSignIn): number {
    return Math.max(this.#next(`account ${account}`), this.#next(`source ${source}`));
  }

  add(signIn: WaitingSignIn, go: () => void, refuse: () => void): void {
    const round = this.roundOf(signIn);
    for (const key of [`account ${signIn.account}`, `source ${signIn.source}`])
      this.#lastRounds.set(key, this.#next(key));
    this.#waiting.push({ round, go, refuse });
  }

  take(): QueueEntry | undefined {
    const next = this.#without((one, other) => one.round < other.round);
    if (next !== undefined) this.#round = Math.max(this.#round, next.round);
    this.#forget();
    return next;
  }

  get lastRound(): number {
    return Math.max(0, ...this.#waiting.map(({ round }) => round));
  }

  drop(): QueueEntry | undefined {
    return this.#without((one, other) => one.round >= other.round);
  }

  #next(key: string): number {
    return Math.max(this.#round, this.#lastRounds.get(key) ?? 0) + 1;
  }

  #without(isBetter: (one: QueueEntry, other: QueueEntry) => boolean): QueueEntry | undefined {
    let best = 0;
    for (const [at, one] of this.#waiting.entries()) {
      const other = this.#waiting[best];
      if (other !== undefined && one !== other && isBetter(one, other)) best = at;
    }
    return this.#waiting.splice(best, 1)[0];
  }

  /** Drops keys whose last round has passed. */
  #forget(): void {
    for (const [key, round] of this.#lastRounds)
      if (round <= this.#round || this.#waiting.length === 0) this.#lastRounds.delete(key);
  }
}

interface QueueOptions {
  readonly atOnce: number;
  readonly maxWaiting: number;
}

export class SignInQueue {
  readonly #queues = { known: new FairQueue(), unknown: new FairQueue() };
  readonly #options: QueueOptions;
  #underWay = 0;

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  /**
   * Runs a sign-in when its turn comes. If too many wait, the last to be served is refused with UNAVAILABLE,
   * whether new or waiting.
   */
  async enter<T>(signIn: WaitingSignIn, run: () => Promise<T>): Promise<T> {
    await this.#turn(signIn);
    try {
      return await run();
    } finally {
      this.#leave();
    }
  }

  #turn(signIn: WaitingSignIn): Promise<void> | void {
    if (this.#underWay < this.#options.atOnce) {
      this.#underWay += 1;
      return;
    }
    const queue = this.#queues[signIn.isKnown ? 'known' : 'unknown'];
    this.#makeRoomFor(signIn, queue);
    return new Promise((go, refuse) => queue.add(signIn, go, () => refuse(new Refusal('UNAVAILABLE'))));
  }

  #makeRoomFor(signIn: WaitingSignIn, queue: FairQueue): void {
    const { known, unknown } = this.#queues;
    if (known.size + unknown.size < this.#options.maxWaiting) return;
    const last = unknown.size > 0 ? unknown : known;
    if (queue === unknown && last === known) throw new Refusal('UNAVAILABLE');
    if (queue === last && last.lastRound <= queue.roundOf(signIn)) throw new Refusal('UNAVAILABLE');
    last.drop()?.refuse();
  }

  #leave(): void {
    const next = this.#queues.known.take() ?? this.#queues.unknown.take();
    if (next === undefined) this.#underWay -= 1;
    else next.go();
  }
}

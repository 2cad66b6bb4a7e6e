/**
 * Who is judged next where more want to sign in than can be judged at once. Known devices come before strangers, and among
 * either every address and every account has its turn, so that a flood from one address or at one account delays itself.
 */
import { Refusal } from '../../kernel/refusal.ts';

/** Who tries to sign in: which account, from which address or device, and whether that is known. */
export interface Comer {
  readonly account: string;
  readonly source: string;
  readonly isKnown: boolean;
}

interface Waiting {
  /** In which round it is served: the higher of its account's and its source's. */
  readonly round: number;
  readonly comer: Comer;
  readonly go: () => void;
  readonly giveWay: () => void;
}

/**
 * Start-time fair queueing over two keys at once: each account and each source is given one place a round, and whoever
 * waits is served in the later of its two rounds.
 */
class FairLane {
  readonly #waiting: Waiting[] = [];
  /** The last round that an account or source was given. */
  readonly #given = new Map<string, number>();
  #round = 0;

  get size(): number {
    return this.#waiting.length;
  }

  roundOf({ account, source }: Comer): number {
    return Math.max(this.#next(`account ${account}`), this.#next(`source ${source}`));
  }

  add(comer: Comer, go: () => void, giveWay: () => void): void {
    const round = this.roundOf(comer);
    for (const key of [`account ${comer.account}`, `source ${comer.source}`])
      this.#given.set(key, this.#next(key));
    this.#waiting.push({ round, comer, go, giveWay });
  }

  /** Takes who is to be served next; undefined: nobody waits. */
  take(): Waiting | undefined {
    const next = this.#without((one, other) => one.round < other.round);
    if (next !== undefined) this.#round = Math.max(this.#round, next.round);
    this.#forget();
    return next;
  }

  /** The round of whoever would be served last. */
  get lastRound(): number {
    return Math.max(0, ...this.#waiting.map(({ round }) => round));
  }

  /** Takes whoever would be served last. */
  drop(): Waiting | undefined {
    return this.#without((one, other) => one.round >= other.round);
  }

  #next(key: string): number {
    return Math.max(this.#round, this.#given.get(key) ?? 0) + 1;
  }

  #without(isBetter: (one: Waiting, other: Waiting) => boolean): Waiting | undefined {
    let best = 0;
    for (const [at, one] of this.#waiting.entries()) {
      const other = this.#waiting[best];
      if (other !== undefined && one !== other && isBetter(one, other)) best = at;
    }
    return this.#waiting.splice(best, 1)[0];
  }

  /** Accounts and sources whose last round is over begin with the present one. */
  #forget(): void {
    for (const [key, round] of this.#given)
      if (round <= this.#round || this.#waiting.length === 0) this.#given.delete(key);
  }
}

interface QueueOptions {
  /** Sign-ins under way at once. */
  readonly atOnce: number;
  /** Those that wait, at most. */
  readonly mostWaiting: number;
}

export class SignInQueue {
  readonly #lanes = { known: new FairLane(), strangers: new FairLane() };
  readonly #options: QueueOptions;
  #underWay = 0;

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  /**
   * Runs a sign-in when it is its turn. Where too many wait, whoever would be served last is refused with UNAVAILABLE, be it
   * this one or one that waits.
   */
  async enter<T>(comer: Comer, signIn: () => Promise<T>): Promise<T> {
    await this.#turn(comer);
    try {
      return await signIn();
    } finally {
      this.#leave();
    }
  }

  #turn(comer: Comer): Promise<void> | void {
    if (this.#underWay < this.#options.atOnce) {
      this.#underWay += 1;
      return;
    }
    const lane = this.#lanes[comer.isKnown ? 'known' : 'strangers'];
    this.#makeRoomFor(comer, lane);
    return new Promise((go, refuse) => lane.add(comer, go, () => refuse(new Refusal('UNAVAILABLE'))));
  }

  #makeRoomFor(comer: Comer, lane: FairLane): void {
    const { known, strangers } = this.#lanes;
    if (known.size + strangers.size < this.#options.mostWaiting) return;
    const last = strangers.size > 0 ? strangers : known;
    if (lane === strangers && last === known) throw new Refusal('UNAVAILABLE');
    if (lane === last && last.lastRound <= lane.roundOf(comer)) throw new Refusal('UNAVAILABLE');
    last.drop()?.giveWay();
  }

  /** The place goes to the next in line, or becomes free. */
  #leave(): void {
    const next = this.#lanes.known.take() ?? this.#lanes.strangers.take();
    if (next === undefined) this.#underWay -= 1;
    else next.go();
  }
}

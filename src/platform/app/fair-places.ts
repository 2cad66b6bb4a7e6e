/** A few places, shared out among clients: those of one client wait for one another. */
import { Refusal } from '../../kernel/refusal.ts';
import type { Stop, Timers } from '../../ports.ts';
import { RoundRobin } from './round-robin.ts';

export interface PlacesSize {
  /** Work under way at once. */
  readonly running: number;
  /** Under way or waiting; further work is refused. */
  readonly most: number;
  /** Limit per client once half of these are taken. */
  readonly mostPerClient: number;
  /** Work that has waited for so long is refused. */
  readonly waitMs: number;
}

interface Waiting {
  readonly go: () => void;
  readonly stopTimer: Stop;
}

export class FairPlaces {
  readonly #size: PlacesSize;
  readonly #timers: Pick<Timers, 'after'>;
  readonly #waiting = new RoundRobin<Waiting>();
  /** Under way or waiting. */
  readonly #byClient = new Map<string, number>();
  #taken = 0;
  #running = 0;

  constructor(size: PlacesSize, timers: Pick<Timers, 'after'>) {
    this.#size = size;
    this.#timers = timers;
  }

  /** Under way or waiting. */
  get taken(): number {
    return this.#taken;
  }

  /**
   * Runs the work when a place is free, round-robin over clients. Throws UNAVAILABLE when all are taken or none becomes
   * free in time, and RATE_LIMITED when this client already has too many; never where the work is a `must`.
   */
  async run<T>(client: string, work: () => Promise<T>, isMust = false): Promise<T> {
    if (!isMust) this.#refuseWhenFull(client);
    this.#take(client);
    try {
      await this.#turn(client, isMust);
      try {
        return await work();
      } finally {
        this.#next();
      }
    } finally {
      this.#release(client);
    }
  }

  #refuseWhenFull(client: string): void {
    const { most, mostPerClient } = this.#size;
    const own = this.#byClient.get(client) ?? 0;
    if (this.#taken >= most) throw new Refusal('UNAVAILABLE');
    if (this.#taken >= most / 2 && own >= mostPerClient)
      throw new Refusal('RATE_LIMITED', { retry_after_seconds: 1 });
  }

  #take(client: string): void {
    this.#taken += 1;
    this.#byClient.set(client, (this.#byClient.get(client) ?? 0) + 1);
  }

  #release(client: string): void {
    const left = (this.#byClient.get(client) ?? 0) - 1;
    this.#taken -= 1;
    if (left > 0) this.#byClient.set(client, left);
    else this.#byClient.delete(client);
  }

  #turn(client: string, isMust: boolean): Promise<void> | void {
    if (this.#running < this.#size.running) {
      this.#running += 1;
      return;
    }
    return new Promise((go, refuse) => {
      const refuseLate = (): void => {
        this.#waiting.remove(client, waiting);
        refuse(new Refusal('UNAVAILABLE'));
      };
      const stopTimer = isMust ? () => undefined : this.#timers.after(this.#size.waitMs, refuseLate);
      const waiting = { go, stopTimer };
      this.#waiting.add(client, waiting);
    });
  }

  /** The next one takes over the place. */
  #next(): void {
    const next = this.#waiting.take();
    if (next === undefined) this.#running -= 1;
    else {
      next.stopTimer();
      next.go();
    }
  }
}

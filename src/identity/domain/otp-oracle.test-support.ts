/**
 * Slow reference implementation of the one-time code rules: keeps the full history and searches all of it.
 */
import type { Instant } from '../../kernel/time.ts';

const S = 1000;
const MIN = 60 * S;
const DAY = 24 * 60 * MIN;

interface Sending {
  readonly id: string;
  readonly begun: Instant;
  outcome: { readonly sent: boolean; readonly at: Instant; readonly wasTheLast: boolean } | null;
  wrongTries: number;
  used: boolean;
}

export class CodeHistory {
  readonly #sendings: Sending[] = [];
  readonly #failures: Instant[] = [];

  begin(id: string, now: Instant): void {
    this.#sendings.push({ id, begun: now, outcome: null, wrongTries: 0, used: false });
  }

  finish(id: string, sent: boolean, now: Instant): void {
    const last = this.#sendings.at(-1);
    for (const sending of this.#sendings) {
      if (sending.id === id) sending.outcome = { sent, at: now, wasTheLast: sending === last };
    }
  }

  /** What bars a request at `moment`, as known at `now`. */
  #barredAt(moment: Instant, now: Instant): boolean {
    const sentAt = this.#sendings.flatMap(({ outcome }) => (outcome?.sent === true ? [outcome.at] : []));
    const pending = this.#sendings
      .slice(-1)
      .filter(({ outcome, begun }) => outcome === null && now < begun + 30 * S)
      .map(({ begun }) => begun);
    const soonAfter = [...sentAt, ...pending].some((at) => moment < at + MIN);
    const inADay = (moments: readonly Instant[]) => moments.filter((at) => moment < at + DAY).length;
    return soonAfter || inADay(sentAt) >= 10 || inADay(this.#failures) >= 10;
  }

  /** Seconds until the first whole second without a bar; 0: now. */
  requestWait(now: Instant): number {
    if (!this.#barredAt(now, now)) return 0;
    const moments = [
      ...this.#failures,
      ...this.#sendings.flatMap(({ begun, outcome }) => [begun, outcome?.at ?? begun]),
    ];
    const ends = moments.flatMap((at) => [at + MIN, at + DAY]).map((end) => Math.ceil((end - now) / S));
    return Math.min(...ends.filter((wait) => wait > 0 && !this.#barredAt(now + wait * S, now)));
  }

  #live(now: Instant): Sending | undefined {
    const newest = this.#sendings
      .filter(({ outcome }) => outcome?.sent === true && outcome.wasTheLast)
      .sort((a, b) => (a.outcome?.at ?? 0) - (b.outcome?.at ?? 0))
      .at(-1);
    if (newest === undefined || newest.used || newest.wrongTries >= 5) return undefined;
    return now < (newest.outcome?.at ?? 0) + 5 * MIN ? newest : undefined;
  }

  /** The outcome of entering the code of sending `id`. */
  enter(id: string, now: Instant): 'right' | 'wrong' | 'none' | 'locked' {
    if (this.#failures.filter((at) => now < at + DAY).length >= 10) return 'locked';
    const live = this.#live(now);
    if (live === undefined) return 'none';
    if (live.id === id) {
      live.used = true;
      return 'right';
    }
    live.wrongTries += 1;
    this.#failures.push(now);
    return 'wrong';
  }
}

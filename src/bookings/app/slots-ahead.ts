/** After a change of a date that guests look at, its starts are decided again before the next of them asks. */
import { LRUCache } from 'lru-cache';
import { dayScope, type ChangeScope } from '../../kernel/change.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Stop, Timers } from '../../ports.ts';
import type { App } from '../../platform/app/app.ts';
import { decideAhead, type SlotsQuestion } from './slots.ts';

/** Dates whose changes are followed, and for how long after somebody looked at them. */
const MOST_DATES = 200;
const FOLLOWED_MS = 10 * 60_000;
/** A date that is booked again and again waits until it is quiet for so long. */
const QUIET_MS = 300;

export class SlotsAhead {
  readonly #app: App;
  readonly #timers: Timers;
  readonly #asked = new LRUCache<ChangeScope, Map<number, SlotsQuestion>>({
    max: MOST_DATES,
    ttl: FOLLOWED_MS,
  });
  readonly #changed = new Set<ChangeScope>();
  #stopWaiting: Stop | null = null;

  /** `app` uses the background connections, so guests do not wait for these reads. */
  constructor(app: App, timers: Timers) {
    this.#app = app;
    this.#timers = timers;
    app.changePublisher.subscribe({
      changed: ({ scopes }) => this.#hear(scopes),
      missed: () => this.#hear([...this.#asked.keys()]),
    });
  }

  /** Somebody asked. */
  note(question: SlotsQuestion): void {
    const scope = dayScope(question.branchId, question.date);
    const sizes = this.#asked.get(scope) ?? new Map<number, SlotsQuestion>();
    this.#asked.set(scope, sizes.set(question.partySize, question));
  }

  #hear(scopes: readonly ChangeScope[]): void {
    const followed = scopes.filter((scope) => this.#asked.has(scope));
    if (followed.length === 0) return;
    for (const scope of followed) this.#changed.add(scope);
    this.#stopWaiting?.();
    this.#stopWaiting = this.#timers.after(QUIET_MS, () =>
      this.#app.backgroundTasks.runOnce('booking slots ahead', () => this.#decide()),
    );
  }

  async #decide(): Promise<void> {
    for (const scope of this.#changed) {
      this.#changed.delete(scope);
      for (const question of this.#asked.get(scope)?.values() ?? [])
        await decideAhead(this.#app, question).catch((fault: unknown) => {
          // The date or the size is no longer offered.
          if (!(fault instanceof Refusal)) throw fault;
        });
    }
  }
}

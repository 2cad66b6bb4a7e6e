/**
 * Messages of orders that this process has spent ahead (Decisions 8). The budgets that orders share are every shop's: an
 * order that finds none ahead spends several at once, and those that follow in the same minute wait for no row. What is
 * left when the minute is over goes back. Where nothing is left, nobody asks again in that minute.
 */
import { isSameMinute, type BudgetLine } from '../domain/budget.ts';
import type { Instant } from '../../kernel/time.ts';
import type { Timers } from '../../ports.ts';
import type { App } from '../../platform/app/app.ts';
import { AskedTogether } from '../../platform/app/coalescing.ts';
import { giveBackSpent, spendForOrder } from './message-budget.ts';

const MINUTE_MS = 60_000;
/** Ahead at once, and no more than this part of the smallest budget: the rest is for others. */
const MOST_AHEAD = 20;
const PART_AHEAD = 1 / 50;

/** Messages that may be promised in the minute of `at`, in which they are counted. */
interface Lease {
  readonly lines: readonly BudgetLine[];
  readonly at: Instant;
  left: number;
  /** Promised in this minute. */
  used: number;
}

type Leasing = Pick<App, 'db' | 'clock' | 'security' | 'aside'>;

const keyOf = (lines: readonly BudgetLine[]): string => lines.map(({ key }) => key).join(' ');

export class MessageLeases {
  readonly #app: Leasing;
  readonly #timers: Pick<Timers, 'after'>;
  readonly #leases = new Map<string, Lease>();
  readonly #asked = new AskedTogether<null, number>();
  /** When the database said last that nothing is left of some budgets, by their key, and of their last fifth. */
  readonly #spentAt = new Map<string, Instant>();
  #isWatched = false;

  constructor(app: Leasing, timers: Pick<Timers, 'after'>) {
    this.#app = app;
    this.#timers = timers;
  }

  /**
   * Spends one of these budgets; of their last fifth, which is not leased, for a phone that is proven. Gives what gives it
   * back; null: nothing is left. Throws DatabaseUnavailable.
   */
  async take(lines: readonly BudgetLine[], isProven: boolean): Promise<(() => void) | null> {
    const leased = await this.#takeLeased(lines);
    if (leased !== null) return () => this.#giveBack(lines, leased);
    const last = isProven ? await this.#takeLast(lines) : null;
    return last === null ? null : () => this.#giveBackAside(lines, last, 1);
  }

  /** Asks the database for some of a budget, unless it had none of them before in this minute. */
  async #unlessSpent(key: string, ask: () => Promise<number>): Promise<number> {
    const at = this.#app.clock.now();
    const spentAt = this.#spentAt.get(key);
    if (spentAt !== undefined && isSameMinute(spentAt, at)) return 0;
    const count = await ask();
    if (count > 0) return count;
    for (const [other, since] of this.#spentAt) if (!isSameMinute(since, at)) this.#spentAt.delete(other);
    this.#spentAt.set(key, at);
    return 0;
  }

  async #takeLeased(lines: readonly BudgetLine[]): Promise<Instant | null> {
    for (;;) {
      const lease = this.#ofNow(lines);
      if (lease !== null && lease.left > 0) {
        lease.left -= 1;
        lease.used += 1;
        return lease.at;
      }
      const key = keyOf(lines);
      const lend = () => this.#asked.ask(key, null, ({ length }) => this.#lease(lines, length));
      if ((await this.#unlessSpent(key, lend)) === 0) return null;
    }
  }

  async #takeLast(lines: readonly BudgetLine[]): Promise<Instant | null> {
    const at = this.#app.clock.now();
    const spend = () => spendForOrder(this.#app, lines, at, { isWhole: true, most: 1 }, null);
    return (await this.#unlessSpent(`${keyOf(lines)} last fifth`, spend)) === 0 ? null : at;
  }

  /** What was taken and not used is there for others: at once, or soon where its minute is over. */
  #giveBack(lines: readonly BudgetLine[], at: Instant): void {
    const lease = this.#ofNow(lines);
    if (lease === null || !isSameMinute(lease.at, at)) this.#giveBackAside(lines, at, 1);
    else {
      lease.left += 1;
      lease.used -= 1;
    }
  }

  /** Gives back what is ahead: this process takes no more orders. It is over once `aside` has settled. */
  end(): void {
    this.#return([...this.#leases.values()]);
    this.#leases.clear();
  }

  #ofNow(lines: readonly BudgetLine[]): Lease | null {
    const lease = this.#leases.get(keyOf(lines));
    return lease !== undefined && isSameMinute(lease.at, this.#app.clock.now()) ? lease : null;
  }

  /** Spends `wanted`, and as many ahead as were used in this minute so far. */
  async #lease(lines: readonly BudgetLine[], wanted: number): Promise<number> {
    const at = this.#app.clock.now();
    const most = Math.min(MOST_AHEAD, ...lines.map(({ limit }) => Math.floor(limit * PART_AHEAD)));
    const ahead = Math.min(this.#ofNow(lines)?.used ?? 0, most);
    const terms = { isWhole: false, most: wanted + ahead };
    const count = await spendForOrder(this.#app, lines, at, terms, null);
    if (count > 0) this.#keep({ lines, at, left: count, used: 0 });
    return count;
  }

  #keep(more: Lease): void {
    this.#endOver();
    this.#watch();
    const key = keyOf(more.lines);
    const lease = this.#leases.get(key);
    if (lease === undefined) this.#leases.set(key, more);
    else if (isSameMinute(lease.at, more.at)) lease.left += more.left;
    else this.#return([more]);
  }

  /** A lease is given back a minute after it was had, also where no order follows. */
  #watch(): void {
    if (this.#isWatched) return;
    this.#isWatched = true;
    this.#timers.after(MINUTE_MS, () => {
      this.#isWatched = false;
      this.#endOver();
      if (this.#leases.size > 0) this.#watch();
    });
  }

  /** Ends the leases whose minute is over. */
  #endOver(): void {
    const now = this.#app.clock.now();
    const over = [...this.#leases].filter(([, { at }]) => !isSameMinute(at, now));
    for (const [key] of over) this.#leases.delete(key);
    this.#return(over.map(([, lease]) => lease));
  }

  #return(leases: readonly Lease[]): void {
    for (const { lines, at, left } of leases) if (left > 0) this.#giveBackAside(lines, at, left);
  }

  #giveBackAside(lines: readonly BudgetLine[], at: Instant, count: number): void {
    this.#app.aside.run(async () => {
      await giveBackSpent(this.#app, lines, at, count);
      this.#spentAt.clear();
    });
  }
}

/**
 * Message budget leased ahead by this process (Decisions 8). All shops share the budget rows, so an order
 * without a lease spends several messages at once, and later orders of the minute need no row lock. The rest
 * is refunded after the minute. An exhausted budget is not asked for again within the minute.
 */
import { isSameMinute, type BudgetLine } from '../domain/budget.ts';
import type { Instant } from '../../kernel/time.ts';
import type { Timers } from '../../ports.ts';
import type { App } from '../../platform/app/app.ts';
import { RequestCoalescer } from '../../platform/app/coalescing.ts';
import { refundSpent, spendForOrder } from './message-budget.ts';

const MINUTE_MS = 60_000;
/** Leased ahead at most, also as a part of the smallest budget: the rest stays for other processes. */
const MAX_AHEAD = 20;
const PART_AHEAD = 1 / 50;

interface Lease {
  readonly lines: readonly BudgetLine[];
  readonly at: Instant;
  left: number;
  used: number;
}

type Leasing = Pick<App, 'db' | 'clock' | 'security' | 'backgroundTasks'>;

const keyOf = (lines: readonly BudgetLine[]): string => lines.map(({ key }) => key).join(' ');

export class BudgetLeases {
  readonly #app: Leasing;
  readonly #timers: Pick<Timers, 'after'>;
  readonly #leases = new Map<string, Lease>();
  readonly #coalescing = new RequestCoalescer<null, number>();
  /** When the database last reported each budget key (or its reserved fifth) as exhausted. */
  readonly #spentAt = new Map<string, Instant>();
  #isScheduled = false;

  constructor(app: Leasing, timers: Pick<Timers, 'after'>) {
    this.#app = app;
    this.#timers = timers;
  }

  /**
   * Spends one message on these budgets; for a proven phone also from the reserved fifth, which is never
   * leased. Returns a function that refunds it, or null if none is left. Throws DatabaseUnavailable.
   */
  async take(lines: readonly BudgetLine[], isProven: boolean): Promise<(() => void) | null> {
    const leased = await this.#takeLeased(lines);
    if (leased !== null) return () => this.#refund(lines, leased);
    const last = isProven ? await this.#takeLast(lines) : null;
    return last === null ? null : () => this.#refundInBackground(lines, last, 1);
  }

  /** Spends unless this key was exhausted earlier in the same minute. */
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
      const lease = this.#current(lines);
      if (lease !== null && lease.left > 0) {
        lease.left -= 1;
        lease.used += 1;
        return lease.at;
      }
      const key = keyOf(lines);
      const leaseMore = () => this.#coalescing.request(key, null, ({ length }) => this.#lease(lines, length));
      if ((await this.#unlessSpent(key, leaseMore)) === 0) return null;
    }
  }

  async #takeLast(lines: readonly BudgetLine[]): Promise<Instant | null> {
    const at = this.#app.clock.now();
    const spend = () => spendForOrder(this.#app, lines, at, { isWhole: true, maxCount: 1 }, null);
    return (await this.#unlessSpent(`${keyOf(lines)} last fifth`, spend)) === 0 ? null : at;
  }

  /** Refunds to the lease while its minute lasts, later to the database. */
  #refund(lines: readonly BudgetLine[], at: Instant): void {
    const lease = this.#current(lines);
    if (lease === null || !isSameMinute(lease.at, at)) this.#refundInBackground(lines, at, 1);
    else {
      lease.left += 1;
      lease.used -= 1;
    }
  }

  /** Refunds all leases at shutdown; complete once the background tasks have settled. */
  end(): void {
    this.#refundAll([...this.#leases.values()]);
    this.#leases.clear();
  }

  #current(lines: readonly BudgetLine[]): Lease | null {
    const lease = this.#leases.get(keyOf(lines));
    return lease !== undefined && isSameMinute(lease.at, this.#app.clock.now()) ? lease : null;
  }

  /** Spends `wanted` plus as many ahead as this minute has used so far. */
  async #lease(lines: readonly BudgetLine[], wanted: number): Promise<number> {
    const at = this.#app.clock.now();
    const maxAhead = Math.min(MAX_AHEAD, ...lines.map(({ limit }) => Math.floor(limit * PART_AHEAD)));
    const ahead = Math.min(this.#current(lines)?.used ?? 0, maxAhead);
    const options = { isWhole: false, maxCount: wanted + ahead };
    const count = await spendForOrder(this.#app, lines, at, options, null);
    if (count > 0) this.#add({ lines, at, left: count, used: 0 });
    return count;
  }

  #add(more: Lease): void {
    this.#refundExpired();
    this.#scheduleRefund();
    const key = keyOf(more.lines);
    const lease = this.#leases.get(key);
    if (lease === undefined) this.#leases.set(key, more);
    else if (isSameMinute(lease.at, more.at)) lease.left += more.left;
    else this.#refundAll([more]);
  }

  /** Refunds a lease after its minute even if no order follows. */
  #scheduleRefund(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#timers.after(MINUTE_MS, () => {
      this.#isScheduled = false;
      this.#refundExpired();
      if (this.#leases.size > 0) this.#scheduleRefund();
    });
  }

  #refundExpired(): void {
    const now = this.#app.clock.now();
    const over = [...this.#leases].filter(([, { at }]) => !isSameMinute(at, now));
    for (const [key] of over) this.#leases.delete(key);
    this.#refundAll(over.map(([, lease]) => lease));
  }

  #refundAll(leases: readonly Lease[]): void {
    for (const { lines, at, left } of leases) if (left > 0) this.#refundInBackground(lines, at, left);
  }

  #refundInBackground(lines: readonly BudgetLine[], at: Instant, count: number): void {
    this.#app.backgroundTasks.run(async () => {
      await refundSpent(this.#app, lines, at, count);
      this.#spentAt.clear();
    });
  }
}

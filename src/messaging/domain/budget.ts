/**
 * Budgets of codes and messages (Decisions 8): limits in any rolling hour in total, per country prefix, per
 * shop and per client address. The caller locks the rows, calls `spend`, and writes the result.
 */
import type { Phone } from '../../kernel/phone.ts';
import type { Instant } from '../../kernel/time.ts';

const MINUTE = 60_000;
/** A minute counts until its last instant is an hour old, so that no rolling hour exceeds the limit. */
const COUNTED_MINUTES = 61;

/** Per hour. */
export interface BudgetLimits {
  readonly total: number;
  readonly shop: number;
  readonly address: number;
  /** By country prefix, such as `+20`; phones under no prefix get no messages. */
  readonly prefixes: ReadonlyMap<string, number>;
}

/** For one small machine with some tens of shops (docs/operations.md, Budgets). */
export const STANDARD_BUDGETS: BudgetLimits = {
  total: 3_000,
  shop: 500,
  address: 20,
  prefixes: new Map([['+20', 3_000]]),
};

/** Null: unlimited. */
export const scaledBudgets = (limits: BudgetLimits, scale: number): BudgetLimits | null => {
  if (scale === 0) return null;
  const scaled = (limit: number): number => (limit === 0 ? 0 : Math.max(1, Math.round(limit * scale)));
  return {
    total: scaled(limits.total),
    shop: scaled(limits.shop),
    address: scaled(limits.address),
    prefixes: new Map([...limits.prefixes].map(([prefix, limit]) => [prefix, scaled(limit)])),
  };
};

/** The longest prefix with a budget; null: its country gets no messages. */
export const prefixOf = (phone: Phone, { prefixes }: Pick<BudgetLimits, 'prefixes'>): string | null =>
  [...prefixes.keys()]
    .filter((prefix) => `+${phone}`.startsWith(prefix))
    .reduce<string | null>((best, next) => (best === null || next.length > best.length ? next : best), null);

/** The spending of a budget; minutes since 1970. */
export interface Spending {
  /** The minute of the last count; earlier counts are of the minutes before. */
  readonly minute: number;
  readonly counts: readonly number[];
  /** When each alert was last raised. */
  readonly lowMinute: number | null;
  readonly spentMinute: number | null;
}

export const NOTHING_SPENT: Spending = { minute: 0, counts: [], lowMinute: null, spentMinute: null };

export interface BudgetLine {
  readonly key: string;
  readonly limit: number;
  /** Whether its last fifth is reserved for proven phones. */
  readonly isShared: boolean;
}

export interface Budget extends BudgetLine {
  readonly spending: Spending;
}

const minuteOf = (moment: Instant): number => Math.floor(moment / MINUTE);

/** The minutes that still count and are not 0, oldest first. */
const counted = ({ minute, counts }: Spending, now: Instant): { minute: number; count: number }[] =>
  counts
    .map((count, index) => ({ minute: minute - (counts.length - 1 - index), count }))
    .filter((each) => each.count > 0 && each.minute > minuteOf(now) - COUNTED_MINUTES);

export const spentOf = (spending: Spending, now: Instant): number =>
  counted(spending, now).reduce((sum, { count }) => sum + count, 0);

/** Milliseconds until one more may be spent; an hour if the limit is 0. */
const waitFor = (spending: Spending, limit: number, now: Instant): number => {
  let left = spentOf(spending, now);
  if (left < limit) return 0;
  for (const { minute, count } of counted(spending, now)) {
    left -= count;
    if (left < limit) return Math.max(1, (minute + COUNTED_MINUTES) * MINUTE - now);
  }
  return 60 * MINUTE;
};

/** Adds `by` (may be negative) to the minute of `moment` and drops expired minutes. */
const withCount = (spending: Spending, by: number, moment: Instant, now: Instant): Spending => {
  const of = minuteOf(moment);
  // If this clock is behind another process, count in the latest minute seen.
  const minute = Math.max(minuteOf(now), spending.counts.length === 0 ? 0 : spending.minute);
  const known = new Map(counted(spending, now).map((each) => [each.minute, each.count]));
  const at = by > 0 ? minute : of;
  if (by > 0 || known.has(at)) known.set(at, Math.max(0, (known.get(at) ?? 0) + by));
  const first = Math.min(minute, ...known.keys());
  const counts = Array.from({ length: minute - first + 1 }, (_, index) => known.get(first + index) ?? 0);
  return { ...spending, minute, counts };
};

/** An unproven phone may spend four fifths of a shared budget. */
const limitFor = ({ limit, isShared }: Budget, isWhole: boolean): number =>
  isWhole || !isShared ? limit : Math.ceil((limit * 4) / 5);

/** Shared budgets alert at half, well before any refusal; address budgets late, since there are many. */
const isLow = ({ limit, isShared }: Budget, spent: number): boolean =>
  spent >= (isShared ? limit / 2 : (limit * 4) / 5);

export interface BudgetAlert {
  readonly kind: 'message_budget_low' | 'message_budget_spent';
  readonly key: string;
  readonly spent: number;
  readonly limit: number;
}

export interface Spent {
  /** Spent on every budget; 0: on none. */
  readonly count: number;
  /** Until one can be spent; 0 if any was. */
  readonly waitMs: number;
  /** Keys of the exhausted budgets. */
  readonly refusedBy: readonly string[];
  /** To be written. */
  readonly budgets: readonly Budget[];
  readonly alerts: readonly BudgetAlert[];
}

const isAlertDue = (saidAt: number | null, now: Instant): boolean =>
  saidAt === null || minuteOf(now) - saidAt >= 60;

const refused = (budgets: readonly Budget[], waits: readonly number[], now: Instant): Spent => {
  const alerts: BudgetAlert[] = [];
  const after = budgets.map((budget, index) => {
    const { key, limit, spending } = budget;
    const spent = spentOf(spending, now);
    // Refused only by the reserved fifth: not exhausted, and the alert at half was raised.
    const isReserved = waits[index] === 0 || spent < limit;
    if (isReserved || !isAlertDue(spending.spentMinute, now)) return budget;
    alerts.push({ kind: 'message_budget_spent', key, spent, limit });
    return { ...budget, spending: { ...spending, spentMinute: minuteOf(now) } };
  });
  const refusedBy = budgets.filter((_, index) => waits[index] !== 0).map(({ key }) => key);
  return { count: 0, waitMs: Math.max(...waits), refusedBy, budgets: after, alerts };
};

/**
 * Spends the same count on each budget: the least that is left, at most `maxCount`; 0 if any is exhausted.
 * `isWhole` includes the reserved fifth.
 */
export const spend = (budgets: readonly Budget[], isWhole: boolean, now: Instant, maxCount = 1): Spent => {
  const waits = budgets.map((budget) => waitFor(budget.spending, limitFor(budget, isWhole), now));
  if (waits.some((wait) => wait > 0)) return refused(budgets, waits, now);
  const left = budgets.map((budget) => limitFor(budget, isWhole) - spentOf(budget.spending, now));
  const count = Math.min(maxCount, ...left);
  const alerts: BudgetAlert[] = [];
  const after = budgets.map((budget) => {
    const { key, limit } = budget;
    const spending = withCount(budget.spending, count, now, now);
    const spent = spentOf(spending, now);
    if (!isLow(budget, spent) || !isAlertDue(spending.lowMinute, now)) return { ...budget, spending };
    alerts.push({ kind: 'message_budget_low', key, spent, limit });
    return { ...budget, spending: { ...spending, lowMinute: minuteOf(now) } };
  });
  return { count, waitMs: 0, refusedBy: [], budgets: after, alerts };
};

export const refund = (
  budgets: readonly Budget[],
  spentAt: Instant,
  now: Instant,
  count = 1,
): readonly Budget[] =>
  budgets.map((budget) => ({ ...budget, spending: withCount(budget.spending, -count, spentAt, now) }));

export const isSameMinute = (a: Instant, b: Instant): boolean => minuteOf(a) === minuteOf(b);

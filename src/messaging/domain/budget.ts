/**
 * Budgets of codes and messages (Decisions 8): how many may go out in any rolling hour, in all, to a country prefix, for a
 * shop, and for a client address. Who spends locks the rows of all budgets concerned,
 * asks `spend`, and writes what it gives.
 */
import type { Phone } from '../../kernel/phone.ts';
import type { Instant } from '../../kernel/time.ts';

const MINUTE = 60_000;
/** A minute counts until the last moment of it is an hour old: so no rolling hour has more than the limit. */
const COUNTED_MINUTES = 61;

/** How many an hour. */
export interface BudgetLimits {
  readonly total: number;
  readonly shop: number;
  readonly address: number;
  /** By country prefix, such as `+20`; to a phone under none of them nothing is sent. */
  readonly prefixes: ReadonlyMap<string, number>;
}

/** One small machine with some tens of shops (docs/operations.md, Budgets, says how these were chosen). */
export const STANDARD_BUDGETS: BudgetLimits = {
  total: 3_000,
  shop: 500,
  address: 20,
  prefixes: new Map([['+20', 3_000]]),
};

/** Limits at the scale of the request limits; null at 0, where nothing is limited. */
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

/** The longest prefix with a budget that the phone begins with; null: nothing is sent there. */
export const prefixOf = (phone: Phone, { prefixes }: Pick<BudgetLimits, 'prefixes'>): string | null =>
  [...prefixes.keys()]
    .filter((prefix) => `+${phone}`.startsWith(prefix))
    .reduce<string | null>((best, next) => (best === null || next.length > best.length ? next : best), null);

/** What a budget has spent; minutes since 1970. */
export interface Spending {
  /** Of the last count; each count before it is of the minute before. */
  readonly minute: number;
  readonly counts: readonly number[];
  /** When it was last said that little is left, and that nothing is. */
  readonly lowMinute: number | null;
  readonly spentMinute: number | null;
}

export const NOTHING_SPENT: Spending = { minute: 0, counts: [], lowMinute: null, spentMinute: null };

/** What a budget is called and how much it has. */
export interface BudgetLine {
  readonly key: string;
  readonly limit: number;
  /** Whether its last fifth is kept from orders that prove no phone. */
  readonly isShared: boolean;
}

export interface Budget extends BudgetLine {
  readonly spending: Spending;
}

const minuteOf = (moment: Instant): number => Math.floor(moment / MINUTE);

/** Each minute that has a count and still counts, the oldest first. */
const counted = ({ minute, counts }: Spending, now: Instant): { minute: number; count: number }[] =>
  counts
    .map((count, index) => ({ minute: minute - (counts.length - 1 - index), count }))
    .filter((each) => each.count > 0 && each.minute > minuteOf(now) - COUNTED_MINUTES);

export const spentOf = (spending: Spending, now: Instant): number =>
  counted(spending, now).reduce((sum, { count }) => sum + count, 0);

/** Milliseconds until one more may be spent, the oldest counts having gone; an hour where nothing ever may. */
const waitFor = (spending: Spending, limit: number, now: Instant): number => {
  let left = spentOf(spending, now);
  if (left < limit) return 0;
  for (const { minute, count } of counted(spending, now)) {
    left -= count;
    if (left < limit) return Math.max(1, (minute + COUNTED_MINUTES) * MINUTE - now);
  }
  return 60 * MINUTE;
};

/** With `by` more in the minute of `moment`, or less; what counts no more is left out. */
const withCount = (spending: Spending, by: number, moment: Instant, now: Instant): Spending => {
  const of = minuteOf(moment);
  // A clock that is behind another process counts in the minute that the other has reached.
  const minute = Math.max(minuteOf(now), spending.counts.length === 0 ? 0 : spending.minute);
  const known = new Map(counted(spending, now).map((each) => [each.minute, each.count]));
  const at = by > 0 ? minute : of;
  if (by > 0 || known.has(at)) known.set(at, Math.max(0, (known.get(at) ?? 0) + by));
  const first = Math.min(minute, ...known.keys());
  const counts = Array.from({ length: minute - first + 1 }, (_, index) => known.get(first + index) ?? 0);
  return { ...spending, minute, counts };
};

/** Orders that prove no phone get four fifths of a budget. */
const limitFor = ({ limit, isShared }: Budget, isWhole: boolean): number =>
  isWhole || !isShared ? limit : Math.ceil((limit * 4) / 5);

/** The operator is told at half of what all share, well before anybody is turned away; late of an address: there are many. */
const isLow = ({ limit, isShared }: Budget, spent: number): boolean =>
  spent >= (isShared ? limit / 2 : (limit * 4) / 5);

export interface BudgetAlert {
  readonly kind: 'message_budget_low' | 'message_budget_spent';
  readonly key: string;
  readonly spent: number;
  readonly limit: number;
}

export interface Spent {
  /** How many were spent on every budget; 0: on none of them. */
  readonly count: number;
  /** The wait until one can be spent; 0 where any was. */
  readonly waitMs: number;
  /** The keys of those that had none left. */
  readonly refusedBy: readonly string[];
  /** The budgets as they are to be written. */
  readonly budgets: readonly Budget[];
  readonly alerts: readonly BudgetAlert[];
}

/** Once an hour and budget. */
const isNews = (saidAt: number | null, now: Instant): boolean =>
  saidAt === null || minuteOf(now) - saidAt >= 60;

const refused = (budgets: readonly Budget[], waits: readonly number[], now: Instant): Spent => {
  const alerts: BudgetAlert[] = [];
  const after = budgets.map((budget, index) => {
    const { key, limit, spending } = budget;
    const spent = spentOf(spending, now);
    // What is kept for others is not spent: the operator heard at half.
    const isKept = waits[index] === 0 || spent < limit;
    if (isKept || !isNews(spending.spentMinute, now)) return budget;
    alerts.push({ kind: 'message_budget_spent', key, spent, limit });
    return { ...budget, spending: { ...spending, spentMinute: minuteOf(now) } };
  });
  const refusedBy = budgets.filter((_, index) => waits[index] !== 0).map(({ key }) => key);
  return { count: 0, waitMs: Math.max(...waits), refusedBy, budgets: after, alerts };
};

/**
 * Spends the same on each budget: what is left of the least, at most `most`; nothing where one of them has nothing left.
 * `isWhole`: their last fifth is had, too.
 */
export const spend = (budgets: readonly Budget[], isWhole: boolean, now: Instant, most = 1): Spent => {
  const waits = budgets.map((budget) => waitFor(budget.spending, limitFor(budget, isWhole), now));
  if (waits.some((wait) => wait > 0)) return refused(budgets, waits, now);
  const left = budgets.map((budget) => limitFor(budget, isWhole) - spentOf(budget.spending, now));
  const count = Math.min(most, ...left);
  const alerts: BudgetAlert[] = [];
  const after = budgets.map((budget) => {
    const { key, limit } = budget;
    const spending = withCount(budget.spending, count, now, now);
    const spent = spentOf(spending, now);
    if (!isLow(budget, spent) || !isNews(spending.lowMinute, now)) return { ...budget, spending };
    alerts.push({ kind: 'message_budget_low', key, spent, limit });
    return { ...budget, spending: { ...spending, lowMinute: minuteOf(now) } };
  });
  return { count, waitMs: 0, refusedBy: [], budgets: after, alerts };
};

/** What was spent at a moment and then not sent is there again. */
export const giveBack = (
  budgets: readonly Budget[],
  spentAt: Instant,
  now: Instant,
  count = 1,
): readonly Budget[] =>
  budgets.map((budget) => ({ ...budget, spending: withCount(budget.spending, -count, spentAt, now) }));

/** Whether two moments are counted together. */
export const isSameMinute = (one: Instant, other: Instant): boolean => minuteOf(one) === minuteOf(other);

import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import {
  refund,
  prefixOf,
  spend,
  spentOf,
  type BudgetAlert,
  type BudgetLimits,
  type BudgetLine,
} from '../domain/budget.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { countryPrefix, type Phone } from '../../kernel/phone.ts';
import type { SecurityFacts } from '../../platform/domain/security-event.ts';
import type { Instant } from '../../kernel/time.ts';
import { lockBudgets, saveBudgets, spendings } from '../store/budget.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { App } from '../../platform/app/app.ts';

type Tx = Kysely<Database>;

const ADDRESS = 'address:';
const SHOP = 'shop:';

export interface BudgetedMessage {
  readonly phone: Phone;
  /** Null for a code, which belongs to no shop. */
  readonly orgId: Uuid | null;
  /** The client address that requested it; null if no client did. */
  readonly client: string | null;
}

/** The shared budgets of a message; null: its country gets no messages. */
export const sharedLines = (
  limits: BudgetLimits,
  { phone, orgId }: Omit<BudgetedMessage, 'client'>,
): readonly BudgetLine[] | null => {
  const prefix = prefixOf(phone, limits);
  if (prefix === null) return null;
  return [
    { key: 'total', limit: limits.total, isShared: true },
    { key: prefix, limit: limits.prefixes.get(prefix) ?? 0, isShared: true },
    ...(orgId === null ? [] : [{ key: `${SHOP}${orgId}`, limit: limits.shop, isShared: true }]),
  ];
};

export const addressLine = ({ address }: BudgetLimits, client: string): BudgetLine => {
  const digest = createHash('sha256').update(client).digest('hex');
  return { key: `${ADDRESS}${digest}`, limit: address, isShared: false };
};

/** Every budget that a message spends; null: its country gets no messages. */
export const budgetLines = (limits: BudgetLimits, sending: BudgetedMessage): readonly BudgetLine[] | null => {
  const shared = sharedLines(limits, sending);
  if (shared === null || sending.client === null) return shared;
  return [...shared, addressLine(limits, sending.client)];
};

const factsOf = (key: string, client: string | null): SecurityFacts => {
  if (key.startsWith(ADDRESS)) return { budget: 'address', client };
  return key.startsWith(SHOP) ? { budget: 'shop', org_id: key.slice(SHOP.length) } : { budget: key };
};

/** Records budget alerts; call it after the commit. */
export const recordAlerts = (
  { security }: Pick<App, 'security'>,
  alerts: readonly BudgetAlert[],
  client: string | null,
): void => {
  for (const { kind, key, spent, limit } of alerts)
    security.record(kind, { ...factsOf(key, client), spent, limit });
};

/** Country prefixes whose phones are accepted but get no messages. */
export const prefixesUnsent = ({
  messageBudgets: limits,
  phoneCountries,
}: Pick<App, 'messageBudgets' | 'phoneCountries'>): readonly string[] => {
  if (limits === null) return [];
  const prefixes = phoneCountries.flatMap((country) => countryPrefix(country) ?? []);
  return [...new Set(prefixes)].filter((prefix) => prefixOf(prefix.slice(1), limits) === null);
};

export interface SpendResult {
  readonly count: number;
  /** Until one can be spent; 0 if any was. */
  readonly waitMs: number;
  /** Whether the client address's budget alone was exhausted. */
  readonly isClientLimited: boolean;
  readonly alerts: readonly BudgetAlert[];
}

interface SpendOptions {
  /** Includes the reserved fifth. */
  readonly isWhole: boolean;
  readonly isDurable: boolean;
  readonly maxCount: number;
}

/**
 * For a code or a promised message: all of each budget, so that a refusal does not reveal whether a phone is
 * known (Decisions 10).
 */
const WHOLE_BUDGET: SpendOptions = { isWhole: true, isDurable: true, maxCount: 1 };

/** Spends the same count on each budget, as far as all of them have it left. */
export const spendIn = async (
  tx: Tx,
  lines: readonly BudgetLine[],
  now: Instant,
  { isWhole, isDurable, maxCount }: SpendOptions = WHOLE_BUDGET,
): Promise<SpendResult> => {
  const budgets = await lockBudgets(tx, lines, { isDurable });
  const { count, waitMs, refusedBy, budgets: after, alerts } = spend(budgets, isWhole, now, maxCount);
  if (count > 0 || alerts.length > 0) await saveBudgets(tx, after);
  return { count, waitMs, isClientLimited: refusedBy.every((key) => key.startsWith(ADDRESS)), alerts };
};

/** Refunds what was spent at `spentAt` and not sent. */
export const refundIn = async (
  tx: Tx,
  lines: readonly BudgetLine[],
  spentAt: Instant,
  now: Instant,
  count = 1,
): Promise<void> => {
  const budgets = await lockBudgets(tx, lines, { isDurable: true });
  await saveBudgets(tx, refund(budgets, spentAt, now, count));
};

/**
 * Spends for an order or booking in a separate transaction and returns the count. It needs no durable commit: the
 * later commit of the order flushes it too.
 */
export const spendForOrder = async (
  app: Pick<App, 'db' | 'security'>,
  lines: readonly BudgetLine[],
  at: Instant,
  options: Pick<SpendOptions, 'isWhole' | 'maxCount'>,
  client: string | null,
): Promise<number> => {
  const { count, alerts } = await app.db.tx((tx) => spendIn(tx, lines, at, { ...options, isDurable: false }));
  recordAlerts(app, alerts, client);
  return count;
};

export const refundSpent = (
  { db, clock }: Pick<App, 'db' | 'clock'>,
  lines: readonly BudgetLine[],
  spentAt: Instant,
  count = 1,
): Promise<void> => db.tx((tx) => refundIn(tx, lines, spentAt, clock.now(), count));

/** Returns the refund; null where the client address has no budget left. */
export const spendForAddress = async (
  app: Pick<App, 'db' | 'clock' | 'security' | 'backgroundTasks'>,
  line: BudgetLine,
  client: string,
): Promise<(() => void) | null> => {
  const at = app.clock.now();
  const count = await spendForOrder(app, [line], at, { isWhole: false, maxCount: 1 }, client);
  return count === 0 ? null : () => app.backgroundTasks.run(() => refundSpent(app, [line], at));
};

// ── Metrics ─────────────────────────────────────────────────────────────────────────────────────

export type Figures = Readonly<Record<string, number>>;

/** The hourly limits: total, per prefix, and per shop. */
export const budgetLimits = ({ messageBudgets: limits }: Pick<App, 'messageBudgets'>): Figures =>
  limits === null ? {} : { total: limits.total, ...Object.fromEntries(limits.prefixes), shop: limits.shop };

/** Spent in the last hour; `shop` is the shop that spent most. */
export const budgetsSpent = async ({
  db,
  clock,
  messageBudgets,
}: Pick<App, 'db' | 'clock' | 'messageBudgets'>): Promise<Figures> => {
  if (messageBudgets === null) return {};
  const now = clock.now();
  const rows = await spendings(db.kysely);
  const spent = new Map(rows.map((row) => [row.key, spentOf(row, now)]));
  const ofShops = [...spent].filter(([key]) => key.startsWith(SHOP)).map(([, count]) => count);
  const shared = Object.keys(budgetLimits({ messageBudgets })).map(
    (key) => [key, spent.get(key) ?? 0] as const,
  );
  return { ...Object.fromEntries<number>(shared), shop: Math.max(0, ...ofShops) };
};

declare module '../../platform/app/app.ts' {
  interface App {
    /** Codes and messages an hour, at the scale of the limits; null: unlimited. */
    readonly messageBudgets: BudgetLimits | null;
  }
}

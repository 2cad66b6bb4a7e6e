/** Spends the budgets of codes and messages (Decisions 8). */
import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import {
  giveBack,
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

/** What is sent, as far as budgets go. */
export interface Sending {
  readonly phone: Phone;
  /** Null: a code, which is no shop's. */
  readonly orgId: Uuid | null;
  /** The client address that asked for it; null where nobody from outside did. */
  readonly client: string | null;
}

/** The budgets of a sending that others share; null: nothing is sent to phones of that country. */
export const sharedLines = (
  limits: BudgetLimits,
  { phone, orgId }: Omit<Sending, 'client'>,
): readonly BudgetLine[] | null => {
  const prefix = prefixOf(phone, limits);
  if (prefix === null) return null;
  return [
    { key: 'total', limit: limits.total, isShared: true },
    { key: prefix, limit: limits.prefixes.get(prefix) ?? 0, isShared: true },
    ...(orgId === null ? [] : [{ key: `${SHOP}${orgId}`, limit: limits.shop, isShared: true }]),
  ];
};

/** The budget of a client address. */
export const addressLine = ({ address }: BudgetLimits, client: string): BudgetLine => {
  const digest = createHash('sha256').update(client).digest('hex');
  return { key: `${ADDRESS}${digest}`, limit: address, isShared: false };
};

/** Every budget that a sending spends; null: nothing is sent to phones of that country. */
export const budgetLines = (limits: BudgetLimits, sending: Sending): readonly BudgetLine[] | null => {
  const shared = sharedLines(limits, sending);
  if (shared === null || sending.client === null) return shared;
  return [...shared, addressLine(limits, sending.client)];
};

const factsOf = (key: string, client: string | null): SecurityFacts => {
  if (key.startsWith(ADDRESS)) return { budget: 'address', client };
  return key.startsWith(SHOP) ? { budget: 'shop', org_id: key.slice(SHOP.length) } : { budget: key };
};

/** Records what is to be known of budgets, once that they were spent is committed. */
export const recordAlerts = (
  { security }: Pick<App, 'security'>,
  alerts: readonly BudgetAlert[],
  client: string | null,
): void => {
  for (const { kind, key, spent, limit } of alerts)
    security.record(kind, { ...factsOf(key, client), spent, limit });
};

/** The prefixes of countries whose phones are taken, to which nothing is sent. */
export const prefixesUnsent = ({
  messageBudgets: limits,
  phoneCountries,
}: Pick<App, 'messageBudgets' | 'phoneCountries'>): readonly string[] => {
  if (limits === null) return [];
  const prefixes = phoneCountries.flatMap((country) => countryPrefix(country) ?? []);
  return [...new Set(prefixes)].filter((prefix) => prefixOf(prefix.slice(1), limits) === null);
};

export interface SpentIn {
  /** How many were spent. */
  readonly count: number;
  /** The wait until one can be spent; 0 where any was. */
  readonly waitMs: number;
  /** Whether nothing but the client address has spent too much. */
  readonly isOwnFault: boolean;
  readonly alerts: readonly BudgetAlert[];
}

interface Terms {
  /** The last fifth may be spent, too. */
  readonly isWhole: boolean;
  /** The commit waits for the disk. */
  readonly isDurable: boolean;
  /** How many are wanted. */
  readonly most: number;
}

/** A code, or a message that was promised: all of each budget, by which nobody learns whether a phone is known (Decisions 10). */
const PROMISED: Terms = { isWhole: true, isDurable: true, most: 1 };

/** Spends the same on each of these budgets, as far as all of them have it. */
export const spendIn = async (
  tx: Tx,
  lines: readonly BudgetLine[],
  now: Instant,
  { isWhole, isDurable, most }: Terms = PROMISED,
): Promise<SpentIn> => {
  const budgets = await lockBudgets(tx, lines, { isDurable });
  const { count, waitMs, refusedBy, budgets: after, alerts } = spend(budgets, isWhole, now, most);
  if (count > 0 || alerts.length > 0) await saveBudgets(tx, after);
  return { count, waitMs, isOwnFault: refusedBy.every((key) => key.startsWith(ADDRESS)), alerts };
};

/** What was spent at a moment and not sent is there again. */
export const giveBackIn = async (
  tx: Tx,
  lines: readonly BudgetLine[],
  spentAt: Instant,
  now: Instant,
  count = 1,
): Promise<void> => {
  const budgets = await lockBudgets(tx, lines, { isDurable: true });
  await saveBudgets(tx, giveBack(budgets, spentAt, now, count));
};

/**
 * Spends for an order, in a transaction of its own; gives how many. No later on the disk than the order, whose commit
 * writes what was committed before it.
 */
export const spendForOrder = async (
  app: Pick<App, 'db' | 'security'>,
  lines: readonly BudgetLine[],
  at: Instant,
  terms: Pick<Terms, 'isWhole' | 'most'>,
  client: string | null,
): Promise<number> => {
  const { count, alerts } = await app.db.tx((tx) => spendIn(tx, lines, at, { ...terms, isDurable: false }));
  recordAlerts(app, alerts, client);
  return count;
};

/** Gives back what was spent at a moment, in a transaction of its own. */
export const giveBackSpent = (
  { db, clock }: Pick<App, 'db' | 'clock'>,
  lines: readonly BudgetLine[],
  spentAt: Instant,
  count = 1,
): Promise<void> => db.tx((tx) => giveBackIn(tx, lines, spentAt, clock.now(), count));

// ── Figures ─────────────────────────────────────────────────────────────────────────────────────

export type Figures = Readonly<Record<string, number>>;

/** What an hour may have: in all, of each prefix, and of a shop. */
export const budgetLimits = ({ messageBudgets: limits }: Pick<App, 'messageBudgets'>): Figures =>
  limits === null ? {} : { total: limits.total, ...Object.fromEntries(limits.prefixes), shop: limits.shop };

/** What was spent of that in the last hour; of shops, by the one that spent most. */
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

/** Spends the budgets of codes and messages (Decisions 8): an order's message with the order, any other when it is sent. */
import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import {
  giveBack,
  prefixOf,
  spend,
  spentOf,
  type Budget,
  type BudgetAlert,
  type BudgetLimits,
  type BudgetLine,
} from '../domain/budget.ts';
import { isKnown, mayBeTold, toldAfter, type GuestPhone } from '../domain/guest-phone.ts';
import type { Uuid } from '../domain/ids.ts';
import { countryPrefix, type Phone } from '../domain/phone.ts';
import type { SecurityFacts } from '../domain/security-event.ts';
import type { Instant } from '../domain/time.ts';
import { lockBudgets, saveBudgets, spendings } from '../store/budget.ts';
import type { Database } from '../store/schema.ts';
import type { App } from './app.ts';

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

/** The budgets that a sending spends; null: nothing is sent to phones of that country. */
export const budgetLines = (limits: BudgetLimits, sending: Sending): readonly BudgetLine[] | null => {
  const { phone, orgId, client } = sending;
  const prefix = prefixOf(phone, limits);
  if (prefix === null) return null;
  const digest = client === null ? null : createHash('sha256').update(client).digest('hex');
  return [
    { key: 'total', limit: limits.total, isShared: true },
    { key: prefix, limit: limits.prefixes.get(prefix) ?? 0, isShared: true },
    ...(orgId === null ? [] : [{ key: `${SHOP}${orgId}`, limit: limits.shop, isShared: true }]),
    ...(digest === null ? [] : [{ key: `${ADDRESS}${digest}`, limit: limits.address, isShared: false }]),
  ];
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

// ── An order ────────────────────────────────────────────────────────────────────────────────────

export interface Telling {
  /** Whether the guest is told of the order and of its steps. */
  readonly isTold: boolean;
  readonly toldAt: readonly Instant[];
  /** As they are to be written. */
  readonly budgets: readonly Budget[];
  readonly alerts: readonly BudgetAlert[];
}

/** The budgets that telling of an order spends; null: nothing is sent to that country, or at all. */
export const linesOfOrder = (
  { messenger, messageBudgets }: Pick<App, 'messenger' | 'messageBudgets'>,
  sending: Sending,
): readonly BudgetLine[] | null => {
  if (!messenger.isReady) return null;
  return messageBudgets === null ? [] : budgetLines(messageBudgets, sending);
};

/** Whoever is told of no order is called by the staff. */
export const untold = (phone: GuestPhone): Telling => ({
  ...{ isTold: false, toldAt: phone.toldAt, budgets: [], alerts: [] },
});

/** Decides whether the guest of a new order is told, whose phone and budgets are locked; of no budgets there is no limit. */
export const tellingOf = (phone: GuestPhone, budgets: readonly Budget[], now: Instant): Telling => {
  if (budgets.length === 0) return { ...untold(phone), isTold: true };
  if (!mayBeTold(phone, now)) return untold(phone);
  const isOwnerKnown = isKnown(phone);
  // Guests who come back are none of an address's concern.
  const concerned = budgets.filter(({ key }) => !isOwnerKnown || !key.startsWith(ADDRESS));
  const { waitMs, budgets: after, alerts } = spend(concerned, isOwnerKnown, now);
  const isTold = waitMs === 0;
  return { isTold, budgets: after, alerts, toldAt: isTold ? toldAfter(phone, now) : phone.toldAt };
};

// ── A code, or a message that waited ────────────────────────────────────────────────────────────

export interface SpentIn {
  /** 0: it was spent. */
  readonly waitMs: number;
  /** Whether nothing but the client address has spent too much. */
  readonly isOwnFault: boolean;
  readonly alerts: readonly BudgetAlert[];
}

/**
 * Spends one on each budget of a sending, or on none of them: all of each, since it was promised, or is a code, by which
 * nobody may learn whether a phone is known (Decisions 10).
 */
export const spendIn = async (tx: Tx, lines: readonly BudgetLine[], now: Instant): Promise<SpentIn> => {
  const budgets = await lockBudgets(tx, lines, now);
  const { waitMs, refusedBy, budgets: after, alerts } = spend(budgets, true, now);
  await saveBudgets(tx, after);
  return { waitMs, isOwnFault: refusedBy.every((key) => key.startsWith(ADDRESS)), alerts };
};

/** What was spent at a moment on a sending that failed is there again. */
export const giveBackIn = async (
  tx: Tx,
  lines: readonly BudgetLine[],
  spentAt: Instant,
  now: Instant,
): Promise<void> => {
  const budgets = await lockBudgets(tx, lines, now);
  await saveBudgets(tx, giveBack(budgets, spentAt, now));
};

// ── Figures ─────────────────────────────────────────────────────────────────────────────────────

export type Figures = Readonly<Record<string, number>>;

/** What was spent in the last hour, and the limits: of all, of each prefix, and of the shop that spent most. */
export const budgetFigures = async ({
  db,
  clock,
  messageBudgets: limits,
}: Pick<App, 'db' | 'clock' | 'messageBudgets'>): Promise<{
  readonly spent: Figures;
  readonly limit: Figures;
}> => {
  if (limits === null) return { spent: {}, limit: {} };
  const now = clock.now();
  const rows = await spendings(db.kysely);
  const spent = new Map(rows.map((row) => [row.key, spentOf(row, now)]));
  const ofShops = [...spent].filter(([key]) => key.startsWith(SHOP)).map(([, count]) => count);
  const limit = { total: limits.total, ...Object.fromEntries(limits.prefixes), shop: limits.shop };
  const shared = Object.keys(limit).map((key) => [key, spent.get(key) ?? 0] as const);
  return { spent: { ...Object.fromEntries(shared), shop: Math.max(0, ...ofShops) }, limit };
};

/** Spends the budgets of codes and messages (Decisions 8): an order's message before the order, any other when it is sent. */
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

// ── A code, or a message that waited ────────────────────────────────────────────────────────────

export interface SpentIn {
  /** 0: it was spent. */
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
}

/** A code, or a message that was promised: all of each budget, by which nobody learns whether a phone is known (Decisions 10). */
const PROMISED: Terms = { isWhole: true, isDurable: true };

/** Spends one on each budget of a sending, or on none of them. */
export const spendIn = async (
  tx: Tx,
  lines: readonly BudgetLine[],
  now: Instant,
  { isWhole, isDurable }: Terms = PROMISED,
): Promise<SpentIn> => {
  const budgets = await lockBudgets(tx, lines, { isDurable });
  const { waitMs, refusedBy, budgets: after, alerts } = spend(budgets, isWhole, now);
  if (waitMs === 0 || alerts.length > 0) await saveBudgets(tx, after);
  return { waitMs, isOwnFault: refusedBy.every((key) => key.startsWith(ADDRESS)), alerts };
};

/** What was spent at a moment on a sending that failed is there again. */
export const giveBackIn = async (
  tx: Tx,
  lines: readonly BudgetLine[],
  spentAt: Instant,
  now: Instant,
): Promise<void> => {
  const budgets = await lockBudgets(tx, lines, { isDurable: true });
  await saveBudgets(tx, giveBack(budgets, spentAt, now));
};

// ── An order ────────────────────────────────────────────────────────────────────────────────────

type Ordering = Pick<App, 'db' | 'clock' | 'security' | 'messenger' | 'messageBudgets'>;

export interface OrderSending {
  readonly phone: Phone;
  readonly orgId: Uuid;
  readonly client: string;
  /** This request proves the phone: it spends nothing of the client address, and the last fifth is there for it. */
  readonly isProven: boolean;
}

/** What telling the guest of an order has spent, before the order is written. */
export interface Reservation {
  /** Null: the guest is not told. */
  readonly lines: readonly BudgetLine[] | null;
  readonly at: Instant;
}

/**
 * Spends the budgets of telling of an order, in a transaction of its own: their rows are every shop's, and the order's
 * transaction waits for rows of its own shop. That is no later on the disk than the order, whose commit writes what was
 * committed before. `phone` as it was looked at: where nothing may be told, nothing is locked.
 */
export const reserveTelling = async (
  app: Ordering,
  { phone, orgId, client, isProven }: OrderSending,
  guestPhone: GuestPhone,
): Promise<Reservation> => {
  const { messenger, messageBudgets } = app;
  const at = app.clock.now();
  if (!messenger.isReady) return { lines: null, at };
  if (messageBudgets === null) return { lines: [], at };
  const lines = budgetLines(messageBudgets, { phone, orgId, client: isProven ? null : client });
  if (lines === null || !mayBeTold(guestPhone, at)) return { lines: null, at };
  const terms = { isWhole: isProven, isDurable: false };
  const { waitMs, alerts } = await app.db.tx((tx) => spendIn(tx, lines, at, terms));
  recordAlerts(app, alerts, client);
  return { lines: waitMs === 0 ? lines : null, at };
};

/** What was reserved for an order that is not told of is soon there again; nobody waits for it. */
export const giveBackAside = (app: Ordering & Pick<App, 'aside'>, { lines, at }: Reservation): void => {
  if (lines === null || lines.length === 0) return;
  app.aside.run(() => app.db.tx((tx) => giveBackIn(tx, lines, at, app.clock.now())));
};

export interface Telling {
  /** Whether the guest is told of the order and of its steps. */
  readonly isTold: boolean;
  /** What the phone is told of from now on; null: as before. */
  readonly toldAt: readonly Instant[] | null;
}

/** Decides whether the guest of a new order is told, whose phone is locked; of no budgets there is no limit. */
export const tellingOf = (
  { lines }: Pick<Reservation, 'lines'>,
  phone: GuestPhone,
  now: Instant,
): Telling => {
  if (lines === null || lines.length === 0) return { isTold: lines !== null, toldAt: null };
  if (!mayBeTold(phone, now)) return { isTold: false, toldAt: null };
  return { isTold: true, toldAt: isKnown(phone, now) ? null : toldAfter(phone, now) };
};

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

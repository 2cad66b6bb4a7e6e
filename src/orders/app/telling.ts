/**
 * Whether the guest of an order is told of it (Decisions 8). What telling them costs is reserved before the order is
 * written: the rows of budgets are every shop's, and the order's transaction waits for rows of its own shop.
 */
import type { BudgetLine } from '../../messaging/domain/budget.ts';
import { isKnown, mayBeTold, toldAfter, type GuestPhone } from '../../messaging/domain/guest-phone.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { Phone } from '../../kernel/phone.ts';
import type { Instant } from '../../kernel/time.ts';
import type { App } from '../../platform/app/app.ts';
import {
  addressLine,
  giveBackSpent,
  sharedLines,
  spendForOrder,
} from '../../messaging/app/message-budget.ts';
import type { MessageLeases } from '../../messaging/app/message-leases.ts';

type Ordering = Pick<App, 'db' | 'clock' | 'security' | 'aside' | 'messenger' | 'sending' | 'messageBudgets'>;

export interface OrderSending {
  readonly phone: Phone;
  readonly orgId: Uuid;
  readonly client: string;
  /** This request proves the phone: it spends nothing of the client address, and the last fifth is there for it. */
  readonly isProven: boolean;
}

/** What telling the guest of an order has spent, before the order is written. */
export type Reservation =
  { readonly kind: 'none' | 'unlimited' } | { readonly kind: 'spent'; readonly giveBack: () => void };

const NONE: Reservation = { kind: 'none' };

/** Spends one of the client address's budget, which is no other order's; null where nothing is left. */
const spendOfAddress = async (
  app: Ordering,
  line: BudgetLine,
  client: string,
): Promise<(() => void) | null> => {
  const at = app.clock.now();
  const count = await spendForOrder(app, [line], at, { isWhole: false, most: 1 }, client);
  return count === 0 ? null : () => app.aside.run(() => giveBackSpent(app, [line], at));
};

/** Spends the budgets of telling of an order. `guestPhone` as it was looked at: where nothing may be told, nothing is. */
export const reserveTelling = async (
  app: Ordering,
  leases: MessageLeases,
  sending: OrderSending,
  guestPhone: GuestPhone,
): Promise<Reservation> => {
  const { messenger, sending: sendingOfAll, messageBudgets } = app;
  if (!messenger.isReady || sendingOfAll.wasSilent()) return NONE;
  if (messageBudgets === null) return { kind: 'unlimited' };
  const lines = sharedLines(messageBudgets, sending);
  if (lines === null || !mayBeTold(guestPhone, app.clock.now())) return NONE;
  const { isProven, client } = sending;
  const own = addressLine(messageBudgets, client);
  const ofAddress = isProven ? () => undefined : await spendOfAddress(app, own, client);
  if (ofAddress === null) return NONE;
  const ofAll = await leases.take(lines, isProven).catch((fault: unknown) => {
    ofAddress();
    throw fault;
  });
  if (ofAll !== null)
    return {
      kind: 'spent',
      giveBack: () => {
        ofAddress();
        ofAll();
      },
    };
  ofAddress();
  return NONE;
};

export interface Telling {
  /** Whether the guest is told of the order and of its steps. */
  readonly isTold: boolean;
  /** What the phone is told of from now on; null: as before. */
  readonly toldAt: readonly Instant[] | null;
}

/** Decides whether the guest of a new order is told, whose phone is locked. */
export const tellingOf = ({ kind }: Reservation, phone: GuestPhone, now: Instant): Telling => {
  if (kind !== 'spent') return { isTold: kind === 'unlimited', toldAt: null };
  if (!mayBeTold(phone, now)) return { isTold: false, toldAt: null };
  return { isTold: true, toldAt: isKnown(phone, now) ? null : toldAfter(phone, now) };
};

/**
 * Message budgets of a new order (Decisions 8), reserved before its transaction: budget rows are shared by
 * all shops, and must not be locked while an order waits for rows of its own shop.
 */
import { isKnown, mayNotify, notifiedAfter, type GuestPhone } from '../../messaging/domain/guest-phone.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { Phone } from '../../kernel/phone.ts';
import type { Instant } from '../../kernel/time.ts';
import type { App } from '../../platform/app/app.ts';
import { addressLine, sharedLines, spendForAddress } from '../../messaging/app/message-budget.ts';
import type { BudgetLeases } from '../../messaging/app/budget-leases.ts';

type Ordering = Pick<
  App,
  'db' | 'clock' | 'security' | 'backgroundTasks' | 'messenger' | 'sending' | 'messageBudgets'
>;

export interface OrderMessages {
  readonly phone: Phone;
  readonly orgId: Uuid;
  readonly client: string;
  /**
   * This request proves the phone: the client address is not charged, and the budget's last fifth is
   * available.
   */
  readonly isProven: boolean;
}

export type Reservation =
  { readonly kind: 'none' | 'unlimited' } | { readonly kind: 'spent'; readonly refund: () => void };

const NONE: Reservation = { kind: 'none' };

/**
 * `guestPhone` was read without a lock; `decideNotification` checks the locked row. Null: its node is silent, so that where
 * messages have budgets nobody knows whether it may get any, and it gets none (Decisions 8).
 */
export const reserveMessages = async (
  app: Ordering,
  leases: BudgetLeases,
  sending: OrderMessages,
  guestPhone: GuestPhone | null,
): Promise<Reservation> => {
  const { messenger, sending: recentSending, messageBudgets } = app;
  if (!messenger.isReady || recentSending.wasSilent()) return NONE;
  if (messageBudgets === null) return { kind: 'unlimited' };
  const lines = sharedLines(messageBudgets, sending);
  if (lines === null || guestPhone === null || !mayNotify(guestPhone, app.clock.now())) return NONE;
  const { isProven, client } = sending;
  const own = addressLine(messageBudgets, client);
  const refundAddress = isProven ? () => undefined : await spendForAddress(app, own, client);
  if (refundAddress === null) return NONE;
  const refundShared = await leases.take(lines, isProven).catch((fault: unknown) => {
    refundAddress();
    throw fault;
  });
  if (refundShared !== null)
    return {
      kind: 'spent',
      refund: () => {
        refundAddress();
        refundShared();
      },
    };
  refundAddress();
  return NONE;
};

export interface NotificationDecision {
  readonly isNotified: boolean;
  /** The phone's new `notifiedAt`; null: unchanged. */
  readonly notifiedAt: readonly Instant[] | null;
}

/** `phone` is locked; null: none is. */
export const decideNotification = (
  { kind }: Reservation,
  phone: GuestPhone | null,
  now: Instant,
): NotificationDecision => {
  if (kind !== 'spent') return { isNotified: kind === 'unlimited', notifiedAt: null };
  if (phone === null || !mayNotify(phone, now)) return { isNotified: false, notifiedAt: null };
  return { isNotified: true, notifiedAt: isKnown(phone, now) ? null : notifiedAfter(phone, now) };
};

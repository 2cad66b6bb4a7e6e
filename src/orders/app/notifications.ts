/** The message to the guest and the webhook events of an order change, and who gets the message. */
import type { Uuid } from '../../kernel/ids.ts';
import { messageFor, type GuestFacts, type StatusChange } from '../domain/message.ts';
import { nameIn, type Named } from '../../kernel/names.ts';
import { messageRow, obsolete, webhookRow, type OutboxRow } from '../../messaging/domain/outbox.ts';
import type { RecipientOf } from '../../messaging/app/guest-message.ts';
import { phoneOfOrder } from '../store/delivery-order.ts';
import type { App } from '../../platform/app/app.ts';

export interface OrderNotification extends Omit<GuestFacts, 'shopName' | 'reference'>, StatusChange {
  readonly orgId: Uuid;
  readonly orderId: Uuid;
  readonly reference: string | null;
  readonly shop: Named;
  /** False: the guest gets no messages about this order, or was erased. */
  readonly isNotified: boolean;
  /** The message is already charged to the budgets; otherwise sending charges it. */
  readonly isBudgeted: boolean;
  /** Webhook targets. */
  readonly webhooks: readonly Uuid[];
}

/** Outbox rows. The guest gets no message unless the status changes. */
export const orderNotifications = (
  { random }: Pick<App, 'random'>,
  notification: OrderNotification,
): readonly OutboxRow[] => {
  const { orgId, orderId, from, to, language, shop, reference, isNotified, isBudgeted, webhooks } =
    notification;
  const facts = { ...notification, shopName: nameIn(language, shop), reference: reference ?? '' };
  const message = isNotified && from !== to ? messageFor(notification, facts) : null;
  const event = { type: from === null ? 'order.created' : 'order.updated' } as const;
  return [
    ...(message === null
      ? []
      : [
          messageRow({ orgId, id: random.uuid(), subject: 'order', subjectId: orderId }, message, isBudgeted),
        ]),
    ...webhooks.map((target) => webhookRow(orgId, random.uuid(), orderId, target, event)),
  ];
};

/** The phone of the order, unless the person was erased. */
export const orderRecipient =
  ({ db, baseUrl }: Pick<App, 'db' | 'baseUrl'>): RecipientOf =>
  async ({ orgId, subjectId }) => {
    const phone = await phoneOfOrder(db.kysely, orgId, subjectId);
    if (phone === null) return obsolete('the order has no phone any more');
    // Whether messages about an order may be sent was decided when it was placed.
    return { phone, link: `${baseUrl}/track/${subjectId}`, isWhole: true };
  };

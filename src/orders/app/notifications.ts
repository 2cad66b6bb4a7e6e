/** The message to the guest and the webhook events of an order change. */
import type { Uuid } from '../../kernel/ids.ts';
import { messageFor, type GuestFacts, type StatusChange } from '../domain/message.ts';
import type { Language, Translations } from '../../kernel/names.ts';
import { messageRow, webhookRow, type OutboxRow } from '../../messaging/domain/outbox.ts';
import type { App } from '../../platform/app/app.ts';

export interface OrderNotification extends Omit<GuestFacts, 'shopName' | 'reference'>, StatusChange {
  readonly orgId: Uuid;
  readonly orderId: Uuid;
  readonly reference: string | null;
  readonly shop: { readonly name: string; readonly nameTranslations: Translations };
  /** False: the guest gets no messages about this order, or was erased. */
  readonly isNotified: boolean;
  /** The message is already charged to the budgets; otherwise sending charges it. */
  readonly isBudgeted: boolean;
  /** Webhook targets. */
  readonly webhooks: readonly Uuid[];
}

const shopNameIn = (language: Language, { name, nameTranslations }: OrderNotification['shop']): string =>
  nameTranslations[language] ?? name;

/** Outbox rows. The guest gets no message unless the status changes. */
export const orderNotifications = (
  { random }: Pick<App, 'random'>,
  notification: OrderNotification,
): readonly OutboxRow[] => {
  const { orgId, orderId, from, to, language, shop, reference, isNotified, isBudgeted, webhooks } =
    notification;
  const facts = { ...notification, shopName: shopNameIn(language, shop), reference: reference ?? '' };
  const message = isNotified && from !== to ? messageFor(notification, facts) : null;
  const event = { type: from === null ? 'order.created' : 'order.updated' } as const;
  return [
    ...(message === null ? [] : [messageRow(orgId, random.uuid(), orderId, message, isBudgeted)]),
    ...webhooks.map((target) => webhookRow(orgId, random.uuid(), orderId, target, event)),
  ];
};

/** What is told outside of a change of an order: to its guest, where the step matters to them, and to the shop's own systems. */
import type { Uuid } from '../../kernel/ids.ts';
import { messageFor, type GuestFacts, type StatusChange } from '../domain/message.ts';
import type { Language, Translations } from '../../kernel/names.ts';
import { messageRow, webhookRow, type OutboxRow } from '../../messaging/domain/outbox.ts';
import type { App } from '../../platform/app/app.ts';

export interface OrderNews extends Omit<GuestFacts, 'shopName' | 'reference'>, StatusChange {
  readonly orgId: Uuid;
  readonly orderId: Uuid;
  readonly reference: string | null;
  readonly shop: { readonly name: string; readonly nameTranslations: Translations };
  /** False where the guest is told nothing of the order, or was erased. */
  readonly isTold: boolean;
  /** Whether the message was counted in the budgets with the change; otherwise it is when it is sent. */
  readonly isBudgeted: boolean;
  /** Where events of the shop are told. */
  readonly webhooks: readonly Uuid[];
}

const shopNameIn = (language: Language, { name, nameTranslations }: OrderNews['shop']): string =>
  nameTranslations[language] ?? name;

/** As rows of the outbox; who stays where they are tells their guest nothing. */
export const orderNews = ({ random }: Pick<App, 'random'>, news: OrderNews): readonly OutboxRow[] => {
  const { orgId, orderId, from, to, language, shop, reference, isTold, isBudgeted, webhooks } = news;
  const facts = { ...news, shopName: shopNameIn(language, shop), reference: reference ?? '' };
  const message = isTold && from !== to ? messageFor(news, facts) : null;
  const event = { type: from === null ? 'order.created' : 'order.updated' } as const;
  return [
    ...(message === null ? [] : [messageRow(orgId, random.uuid(), orderId, message, isBudgeted)]),
    ...webhooks.map((target) => webhookRow(orgId, random.uuid(), orderId, target, event)),
  ];
};

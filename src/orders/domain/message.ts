/** The message to the guest for each status change. */
import { messageOf, type Message, type OrderTemplate } from '../../messaging/domain/template.ts';
import type { Language } from '../../kernel/names.ts';
import { countedText, type CountedForms } from '../../kernel/counted.ts';
import { cancelReasonText, type CancelReason, type OrderStatus } from './order.ts';
import type { OnlineChannel } from '../../shops/domain/shop.ts';

type TemplateByChannel = Readonly<Record<OnlineChannel, OrderTemplate | null>>;

const everyChannel = (template: OrderTemplate | null): TemplateByChannel => ({
  pickup: template,
  outside: template,
  in_mall: template,
  umbrella: template,
});

/**
 * Guests are notified when an order is received, confirmed, ready for them, cancelled or rejected.
 * No message for `preparing`, which follows `confirmed`, and none for `delivered`, when the guest has the order.
 */
const TEMPLATE_OF: Readonly<Record<OrderStatus, TemplateByChannel>> = {
  received: everyChannel('order_received'),
  confirmed: everyChannel('order_confirmed'),
  preparing: everyChannel(null),
  ready: { ...everyChannel(null), pickup: 'order_ready' },
  out_for_delivery: { ...everyChannel('order_on_the_way'), pickup: null },
  delivered: everyChannel(null),
  cancelled: everyChannel('order_cancelled'),
  rejected: everyChannel('order_rejected'),
};

const STEPS: readonly OrderStatus[] = [
  'received',
  'confirmed',
  'preparing',
  'ready',
  'out_for_delivery',
  'delivered',
];

export interface StatusChange {
  /** Null: a new order. */
  readonly from: OrderStatus | null;
  readonly to: OrderStatus;
  readonly channel: OnlineChannel;
}

export interface GuestFacts {
  readonly language: Language;
  /** In `language`. */
  readonly shopName: string;
  readonly reference: string;
  readonly prepMinutes: number;
  readonly cancelReason: CancelReason | null;
}

const templateFor = ({ from, to, channel }: StatusChange): OrderTemplate | null => {
  if (to === 'cancelled' || to === 'rejected') return TEMPLATE_OF[to][channel];
  if (to === 'delivered') return null;
  // Moving back passes no step, so undoing a mis-tap sends no message. Skipped steps count: from `received` to
  // `preparing` sends the confirmation.
  const passed = STEPS.slice(from === null ? 0 : STEPS.indexOf(from) + 1, STEPS.indexOf(to) + 1);
  return passed.map((step) => TEMPLATE_OF[step][channel]).findLast((template) => template !== null) ?? null;
};

const MINUTES: CountedForms = {
  ar: {
    ...{ one: () => 'دقيقة واحدة', two: () => 'دقيقتان', few: (count) => `${count} دقائق` },
    other: (count) => `${count} دقيقة`,
  },
  en: { one: (count) => `${count} minute`, other: (count) => `${count} minutes` },
};

/** Null: no message. */
export const messageFor = (change: StatusChange, facts: GuestFacts): Message | null => {
  const template = templateFor(change);
  if (template === null) return null;
  const { language } = facts;
  return messageOf(template, language, {
    shop: facts.shopName,
    reference: facts.reference,
    minutes: countedText(MINUTES, facts.prepMinutes, language),
    reason: cancelReasonText(facts.cancelReason ?? 'other', language).text,
  });
};

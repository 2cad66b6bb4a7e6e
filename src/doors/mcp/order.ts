/** track_order (Decisions 14). */
import { combineAnswers, type Answer } from '../../platform/app/answer.ts';
import type { App } from '../../platform/app/app.ts';
import { trackOrder } from '../../orders/app/tracking.ts';
import type { ReplyOf } from '../../platform/contract/endpoint.ts';
import type * as contract from '../../orders/contract/tracking.ts';
import type { OrderStatusResult } from '../../orders/contract/tools.ts';
import type { ArgsOf, ToolOf } from '../../service/contract/tools.ts';
import type { Translations } from '../../kernel/names.ts';
import { ORDER_STATUSES, type OrderStatus } from '../../orders/domain/order.ts';
import type { OnlineChannel } from '../../shops/domain/shop.ts';
import { isoLocal } from '../../kernel/time.ts';
import { shopAndBranchOf, shopAndBranchText } from './shop-and-branch.ts';
import { explained } from './refuse.ts';
import { count, egp, longTime, withTranslations, plainText, plainTexts, pounds, shown } from './text.ts';
import { withinLimit, type ToolAnswer } from './shorten.ts';

type Tracking = ReplyOf<typeof contract.trackOrder>;
type Line = OrderStatusResult['items'][number];
type Step = OrderStatusResult['timeline'][number];

// ── Text ────────────────────────────────────────────────────────────────────────────────────────

const everywhere = (words: string): Record<OnlineChannel, string> => ({
  pickup: words,
  outside: words,
  in_mall: words,
  umbrella: words,
});

/** Follows the order's name (Decisions 4): `is being prepared`. */
const STATE_WORDS: Readonly<Record<OrderStatus, Readonly<Record<OnlineChannel, string>>>> = {
  received: everywhere('was received and waits for the branch to confirm it'),
  confirmed: everywhere('is confirmed and waits to be prepared'),
  preparing: everywhere('is being prepared'),
  ready: {
    pickup: 'is ready: it waits at the counter to be picked up',
    outside: 'is ready and waits to be sent out',
    in_mall: 'is ready and waits to be brought through the mall',
    umbrella: 'is ready and waits to be brought to the umbrella',
  },
  out_for_delivery: everywhere('is on its way'),
  delivered: { ...everywhere('was delivered'), pickup: 'was picked up' },
  cancelled: everywhere('was cancelled'),
  rejected: everywhere('was not accepted by the branch'),
};

const IS_OVER: Readonly<Record<OrderStatus, boolean>> = {
  received: false,
  confirmed: false,
  preparing: false,
  ready: false,
  out_for_delivery: false,
  delivered: true,
  cancelled: true,
  rejected: true,
};

const CHANNEL_WORDS: Readonly<Record<OnlineChannel, string>> = {
  pickup: 'Pickup at the branch',
  outside: 'Delivery',
  in_mall: 'Delivery in the mall',
  umbrella: 'Service at the umbrella',
};

const headline = (order: OrderStatusResult): string => {
  const name = order.delivery_ref === undefined ? 'The order' : `The order ${order.delivery_ref}`;
  const step = order.timeline.find(({ status }) => status === order.status);
  const moment =
    step === undefined ? '' : ` (${IS_OVER[order.status] ? 'at' : 'since'} ${longTime(step.local)})`;
  const reason = withTranslations(order.cancel_reason ?? '', order.cancel_reason_translations);
  return `${name} at ${shopAndBranchText(order)} ${STATE_WORDS[order.status][order.channel]}${moment}.${reason === '' ? '' : ` Reason: ${reason}`}`;
};

const stepLine = ({ status, at, local }: Step): string =>
  `- ${status.replaceAll('_', ' ')}: ${longTime(local)} (${at})`;

const itemLine = ({
  name,
  name_translations,
  size,
  size_translations,
  quantity,
  total_egp,
}: Line): string => {
  const sized = size === undefined ? '' : `, ${withTranslations(size, size_translations)}`;
  return `- ${quantity} × ${withTranslations(name, name_translations)}${sized}: ${egp(total_egp)}`;
};

const amount = (what: string, sum: number): string => (sum === 0 ? `no ${what}` : `${what} ${egp(sum)}`);

const sums = (order: OrderStatusResult): string => {
  const tax = order.tax_egp === 0 ? '' : order.tax_inclusive ? ', inside the total' : ', added on top';
  return [
    `Subtotal ${egp(order.subtotal_egp)}`,
    amount('discount', order.discount_egp),
    amount('delivery fee', order.delivery_fee_egp),
    `${amount('tax', order.tax_egp)}${tax}`,
    `total ${egp(order.total_egp)}.`,
  ].join('; ');
};

const textFor = (order: OrderStatusResult): string =>
  [
    headline(order),
    ...(order.left_out === undefined ? [] : [order.left_out]),
    IS_OVER[order.status]
      ? `${CHANNEL_WORDS[order.channel]}.`
      : `${CHANNEL_WORDS[order.channel]}; preparation is estimated at ${count(order.estimated_prep_minutes, 'minute', 'minutes')}.`,
    `Timeline, on the branch's clock (${order.timezone}), with UTC in brackets:`,
    ...order.timeline.map(stepLine),
    'Items:',
    ...order.items.map(itemLine),
    sums(order),
    ...(order.payment_method_hint === undefined ? [] : [`Payment: ${order.payment_method_hint}.`]),
    `The person can follow the order at ${order.track_url}`,
    `shop: ${order.shop}, branch_id: ${order.branch_id}, order_id: ${order.order_id}`,
  ].join('\n');

// ── Object ──────────────────────────────────────────────────────────────────────────────────────

const timelineOf = (tracking: Tracking): Step[] => {
  const times: Readonly<Record<OrderStatus, string | null | undefined>> = {
    received: tracking.created_at,
    confirmed: tracking.confirmed_at,
    preparing: tracking.preparing_at,
    ready: tracking.ready_at,
    out_for_delivery: tracking.out_for_delivery_at,
    delivered: tracking.delivered_at,
    cancelled: tracking.cancelled_at,
    rejected: tracking.rejected_at,
  };
  const steps = ORDER_STATUSES.flatMap((status): Step[] => {
    const at = times[status] ?? null;
    return at === null ? [] : [{ status, at, local: isoLocal(tracking.timezone, Date.parse(at)) }];
  });
  return steps.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
};

/** `{ [key]: text }`, or `{}` without text. */
const textField = (key: keyof OrderStatusResult | keyof Line, text: string | null | undefined) => {
  const plain = plainText(text ?? '');
  return plain === '' ? {} : { [key]: plain };
};

const translationsField = (
  key: keyof OrderStatusResult | keyof Line,
  translations: Translations | undefined,
) => {
  const plain = plainTexts(translations);
  return plain === null ? {} : { [key]: plain };
};

const itemsOf = ({ items = [] }: Tracking): Line[] =>
  items.map(({ name, name_translations, size_label, size_translations, quantity, line_total }) => ({
    name: plainText(name),
    ...translationsField('name_translations', name_translations),
    ...textField('size', size_label),
    ...translationsField('size_translations', size_translations),
    quantity,
    total_egp: pounds(line_total),
  }));

/** Field by field, so that no personal data can be included by accident. */
const orderOf = ({ baseUrl }: App, tracking: Tracking): OrderStatusResult => ({
  order_id: tracking.id,
  ...textField('delivery_ref', tracking.delivery_ref),
  status: tracking.status,
  channel: tracking.channel,
  shop: tracking.org_slug,
  branch_id: tracking.branch_id,
  ...shopAndBranchOf(
    { name: tracking.org_name, translations: tracking.org_name_translations },
    { name: tracking.branch_name, translations: tracking.branch_name_translations },
  ),
  timezone: tracking.timezone,
  estimated_prep_minutes: tracking.estimated_prep_minutes,
  timeline: timelineOf(tracking),
  items: itemsOf(tracking),
  subtotal_egp: pounds(tracking.subtotal),
  delivery_fee_egp: pounds(tracking.delivery_fee),
  discount_egp: pounds(tracking.discount_amount),
  tax_egp: pounds(tracking.tax_amount),
  tax_inclusive: tracking.tax_inclusive,
  total_egp: pounds(tracking.total),
  currency: 'EGP',
  ...textField('payment_method_hint', tracking.payment_method_hint),
  ...textField('cancel_reason', tracking.cancel_reason),
  ...translationsField('cancel_reason_translations', tracking.cancel_reason_translations),
  track_url: `${baseUrl}/track/${tracking.id}`,
});

const render = (order: OrderStatusResult, kept: number): ToolAnswer<OrderStatusResult> => {
  const all = order.items.length;
  const structured: OrderStatusResult =
    kept === all
      ? order
      : {
          ...order,
          items: order.items.slice(0, kept),
          truncated: true,
          left_out: `Left out, to stay short: the last ${all - kept} of ${all} items. All of them are on the tracking page: ${order.track_url}`,
        };
  return { structured, text: textFor(structured) };
};

// ── The tool ────────────────────────────────────────────────────────────────────────────────────

const unknownOrder = ({ baseUrl }: App, id: string): string =>
  `There is no order with the id ${shown(id)}. The id is the last part of the order's tracking link, as in ${baseUrl}/track/ORDER_ID: ask the person for that link.`;

export const orderStatus =
  (app: App) =>
  async ({ order_id: id }: ArgsOf<ToolOf<'track_order'>>): Promise<Answer<ToolAnswer<OrderStatusResult>>> => {
    const answer = await explained(trackOrder(app)({ path: { id } }), {
      NOT_FOUND: () => unknownOrder(app, id),
    });
    const order = orderOf(app, answer.body);
    return combineAnswers(
      withinLimit(order.items.length, (kept) => render(order, kept)),
      answer,
    );
  };

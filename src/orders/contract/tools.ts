import Type, { type Static } from 'typebox';
import { required } from '../../platform/contract/endpoint.ts';
import { uuidScalar } from '../../platform/contract/scalars.ts';
import {
  currency,
  flag,
  listOf,
  optionalField,
  names,
  pounds,
  shortened,
  text,
  tool,
  whole,
  word,
} from '../../platform/contract/tool.ts';
import { branchNames, branchUuid, shopNames, shopSlug, zone } from '../../shops/contract/tools.ts';
import type { OnlineChannel } from '../../shops/domain/shop.ts';
import { ORDER_STATUSES, type OrderStatus } from '../domain/order.ts';

const orderStatus = Type.Object({
  order_id: text('As it was asked for'),
  delivery_ref: optionalField(text('What branch and guest call the order')),
  status: word<OrderStatus>(
    `Where the order is now: ${ORDER_STATUSES.map((status) => `\`${status}\``).join(', ')}`,
  ),
  channel: word<OnlineChannel>('`pickup`, `outside` (delivery), `in_mall` or `umbrella`'),
  shop: shopSlug,
  ...shopNames,
  branch_id: branchUuid,
  ...branchNames,
  timezone: zone,
  estimated_prep_minutes: whole('Minutes that preparing is estimated to take'),
  timeline: listOf(
    Type.Object({
      status: word<OrderStatus>('A status that was reached'),
      at: text('When, in UTC'),
      local: text("The same on the branch's clock, with its offset"),
    }),
    'What has happened so far, in order',
  ),
  items: listOf(
    Type.Object({
      name: text('As it was ordered'),
      name_translations: optionalField(names),
      size: optionalField(text('Where the item has sizes')),
      size_translations: optionalField(names),
      quantity: whole('How many'),
      total_egp: pounds('For all of them, with add-ons and after deals'),
    }),
    'What was ordered',
  ),
  subtotal_egp: pounds('All items'),
  delivery_fee_egp: pounds('0 where there is none'),
  discount_egp: pounds('What is taken off'),
  tax_egp: pounds('0 where there is none'),
  tax_inclusive: flag('Whether the total contains the tax already; otherwise it was added'),
  total_egp: pounds('What the person pays'),
  currency,
  payment_method_hint: optionalField(text('How the person said they would pay')),
  cancel_reason: optionalField(text('Of an order that was cancelled or rejected, where one was given')),
  cancel_reason_translations: optionalField(names),
  track_url: text('Where a person follows the order'),
  ...shortened,
});

export type OrderStatusResult = Static<typeof orderStatus>;

export const tools = {
  track_order: tool({
    name: 'track_order',
    title: "An online order's status",
    description: 'Status, timeline, items and total, without who ordered or where to.',
    args: {
      order_id: required(uuidScalar, "The last part of the order's tracking link"),
    },
    result: orderStatus,
  }),
};

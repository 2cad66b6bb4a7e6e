/** What devices hold of online orders (Decisions 13): those that have not ended. */
import type { Static } from 'typebox';
import { maskPhone } from '../../kernel/phone.ts';
import { withoutFields } from '../../kernel/without-fields.ts';
import type { FeedSource } from '../../platform/app/feed.ts';
import type { FeedOrder } from '../contract/feed.ts';
import { LIVE_STATUSES } from '../domain/order.ts';
import { stateOf, type StoredOrder } from '../store/delivery-order.ts';
import { liveOrdersAfter, ordersAtByIds } from '../store/feed.ts';
import { staffOrderReply } from './order-reply.ts';

const rowOf = (order: StoredOrder): Static<typeof FeedOrder> => ({
  ...withoutFields(staffOrderReply(order), 'customer_id', 'address_id', 'customer_phone'),
  customer_phone: order.customer_phone === null ? '' : maskPhone(order.customer_phone),
});

const isLive = (order: StoredOrder): boolean => {
  const { status } = stateOf(order);
  return LIVE_STATUSES.some((live) => live === status);
};

export const orderFeed: FeedSource = {
  logTypes: ['delivery'],
  page: async (tx, { orgId, branchId }, page) =>
    (await liveOrdersAfter(tx, orgId, branchId, page)).map((order) => ({ id: order.id, data: rowOf(order) })),
  changes: async (tx, { orgId, branchId }, ids) =>
    (await ordersAtByIds(tx, orgId, branchId, ids)).map((order) => ({
      id: order.id,
      data: isLive(order) ? rowOf(order) : null,
    })),
};

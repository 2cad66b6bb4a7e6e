/** GET /public/loyalty/card/{member_token}/orders (Decisions 11, Card). */
import type { PathOf, ReplyOf } from '../../platform/contract/endpoint.ts';
import type * as contract from '../contract/order-again.ts';
import { isoInstant } from '../../kernel/time.ts';
import { memberOfToken } from '../../loyalty/app/member.ts';
import type { App } from '../../platform/app/app.ts';
import { ordersOfCard, type OrderOfCard } from '../store/order-again.ts';
import { pastLineReply } from './past-line-reply.ts';

type Reply = ReplyOf<typeof contract.pastOrders>;

/** Decisions 2. */
const MAX_ORDERS = 50;

const orderReply = (order: OrderOfCard): Reply['orders'][number] => ({
  id: order.id,
  placed_at: isoInstant(order.placedAt),
  branch_name: order.branchName,
  total: order.total,
  items: order.cart.lines.map(({ name, quantity }) => `${quantity} × ${name}`),
  status: order.status,
  delivery_ref: order.deliveryRef,
  branch_id: order.branchId,
  branch_name_translations: order.branchNameTranslations,
  channel: order.channel,
  lines: order.cart.lines.map(pastLineReply),
});

/** Until the phone is proven, anyone may have typed it for the card, and its owner may order without it. */
export const pastOrders =
  (app: App) =>
  async ({ path }: { path: PathOf<typeof contract.pastOrders> }): Promise<Reply> => {
    const { orgId, customerId, cardId, phoneProvenAt } = await memberOfToken(app, path.member_token);
    const placedWith = phoneProvenAt === null ? cardId : null;
    const orders = await ordersOfCard(app.db.kysely, { orgId, customerId, placedWith, limit: MAX_ORDERS });
    return { orders: orders.map(orderReply) };
  };

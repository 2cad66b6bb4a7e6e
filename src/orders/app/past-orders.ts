/** GET /public/loyalty/card/{member_token}/orders (Decisions 11, Card). */
import type { PathOf, ReplyOf } from '../../platform/contract/endpoint.ts';
import type * as contract from '../contract/order-again.ts';
import { isoInstant } from '../../kernel/time.ts';
import { memberOfToken } from '../../loyalty/app/member.ts';
import type { App } from '../../platform/app/app.ts';
import type { FrozenLine, FrozenPart } from '../../pricing/domain/frozen-cart.ts';
import { ordersOfCard, type OrderOfCard } from '../store/order-again.ts';

type Reply = ReplyOf<typeof contract.pastOrders>;
type Line = Reply['orders'][number]['lines'][number];

/** Decisions 2. */
const MAX_ORDERS = 50;

const makingReply = ({ size_label, optionals, addons }: FrozenLine | FrozenPart) => ({
  size_label,
  optional_field_ids: optionals.map(({ optional_field_id }) => optional_field_id),
  addons: addons.map(({ addon_item_id, quantity }) => ({ addon_item_id, quantity })),
});

/** The parts are stored for the whole line, and picked for one combo (Shapes, ComboPickInput). */
const lineReply = (line: FrozenLine): Line => ({
  name: line.name,
  name_translations: line.name_translations,
  menu_item_id: line.menu_item_id,
  quantity: line.quantity,
  ...makingReply(line),
  combo: line.combo && {
    picks: line.combo.parts.map((part) => ({
      slot_id: part.slot_id,
      menu_item_id: part.menu_item_id,
      quantity: part.quantity / line.quantity,
      ...makingReply(part),
    })),
  },
});

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
  lines: order.cart.lines.map(lineReply),
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

/** The token of a card whose phone an order proves for the first time (Decisions 11, Join). */
import type { ReplyOf } from '../../platform/contract/endpoint.ts';
import type * as contract from '../contract/checkout.ts';
import type { Phone } from '../../kernel/phone.ts';
import { tokenForPhone } from '../../loyalty/app/shared.ts';
import type { App } from '../../platform/app/app.ts';
import type { StoredOrder } from '../store/delivery-order.ts';
import { guestOrderReply } from './order-reply.ts';
import type { OrderDecision } from './order-row.ts';

type Reply = ReplyOf<typeof contract.placeOrder>;

/** The phone of the card, where the order is its first proof, which ends the token that was sent; else null. */
export const firstProofOf = ({
  facts: { card },
  identity: { customer },
}: Pick<OrderDecision, 'facts' | 'identity'>): Phone | null =>
  card !== null && customer.kind === 'known' && customer.provesAs !== null ? card.phone : null;

/** The order, for whoever placed it. `phone`: proven, and the token of its card may have ended; null: none. */
export const placedReply = async (app: App, order: StoredOrder, phone: Phone | null): Promise<Reply> => {
  const reply = guestOrderReply(order);
  if (phone === null || order.card_id === null) return reply;
  const token = await tokenForPhone(app, { orgId: order.org_id, cardId: order.card_id, phone });
  return token === null ? reply : { ...reply, member_token: token };
};

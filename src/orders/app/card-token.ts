/** The token of a card whose phone an order proves for the first time (Decisions 11, Join). */
import type { ReplyOf } from '../../platform/contract/endpoint.ts';
import type * as contract from '../contract/checkout.ts';
import type { Phone } from '../../kernel/phone.ts';
import { tokenForOwner } from '../../loyalty/app/shared.ts';
import type { App } from '../../platform/app/app.ts';
import { DatabaseUnavailable } from '../../platform/store/unavailable.ts';
import type { StoredOrder } from '../store/delivery-order.ts';
import { guestOrderReply } from './order-reply.ts';
import type { OrderDecision } from './order-row.ts';

type Reply = ReplyOf<typeof contract.placeOrder>;

/** The phone of the customer, where the order is its first proof, which ends the token of their card; else null. */
export const firstProofOf = ({
  facts,
  identity,
}: Pick<OrderDecision, 'facts' | 'identity'>): Phone | null => {
  const { customer } = identity;
  if (customer.kind === 'new' || customer.provesAs === null) return null;
  return (facts.card ?? facts.known)?.phone ?? null;
};

/** The order is placed, whatever becomes of the token: a join with the proof gives it too. */
const withoutToken = (fault: unknown): null => {
  if (fault instanceof DatabaseUnavailable) return null;
  throw fault;
};

/** The order, for whoever placed it. `proven`: the token of its customer's card may have ended; null: it has not. */
export const placedReply = async (app: App, order: StoredOrder, proven: Phone | null): Promise<Reply> => {
  const reply = guestOrderReply(order);
  const { org_id: orgId, customer_id: customerId } = order;
  if (proven === null || customerId === null) return reply;
  const token = await tokenForOwner(app, { orgId, customerId, phone: proven }).catch(withoutToken);
  return token === null ? reply : { ...reply, member_token: token };
};

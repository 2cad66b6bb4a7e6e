/** The answer to a guest who has placed an order. */
import type { ReplyOf } from '../../platform/contract/endpoint.ts';
import type * as contract from '../contract/checkout.ts';
import type { Phone } from '../../kernel/phone.ts';
import { tokenForOwner } from '../../loyalty/app/shared.ts';
import type { App } from '../../platform/app/app.ts';
import type { StoredOrder } from '../store/delivery-order.ts';
import { guestOrderReply } from './order-reply.ts';
import type { OrderDecision } from './order-row.ts';

type Reply = ReplyOf<typeof contract.placeOrder>;

/**
 * The phone of the customer, where the order is its first proof, which ends the token of their card (Decisions 11, Join);
 * else null. `isKnown`: the customer was known, or has joined while the order was decided.
 */
export const firstProofOf = (
  { facts, identity }: Pick<OrderDecision, 'facts' | 'identity'>,
  isKnown: boolean,
): Phone | null => {
  const { customer } = identity;
  if (customer.kind === 'new') return customer.isProven && isKnown ? customer.phone : null;
  return customer.provesAs === null ? null : ((facts.card ?? facts.known)?.phone ?? null);
};

/**
 * `proven`: a phone that the guest has proven; where it is the customer's, the answer has the token of their card. Null: no
 * token is looked up. A fault of that look-up is logged and does not fail the order, which is committed: a join with the
 * proof gives the token too.
 */
export const placedReply = async (app: App, order: StoredOrder, proven: Phone | null): Promise<Reply> => {
  const reply = guestOrderReply(order);
  const { org_id: orgId, customer_id: customerId } = order;
  if (proven === null || customerId === null) return reply;
  const lookup = tokenForOwner(app, { orgId, customerId, phone: proven });
  app.backgroundTasks.run(() => lookup);
  const token = await lookup.catch(() => null);
  return token === null ? reply : { ...reply, member_token: token };
};

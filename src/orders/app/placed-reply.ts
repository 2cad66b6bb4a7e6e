/** The answer to a guest who has placed an order. */
import type { ReplyOf } from '../../platform/contract/endpoint.ts';
import type * as contract from '../contract/checkout.ts';
import type { Phone } from '../../kernel/phone.ts';
import { tokenAfterFirstProof } from '../../loyalty/app/shared.ts';
import type { App } from '../../platform/app/app.ts';
import { shopFacts, type StoredOrder } from '../store/delivery-order.ts';
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

interface PlacedFor {
  /** A phone that the guest has proven; null: no token is looked up. */
  readonly proven: Phone | null;
  /** The token that the guest has sent. */
  readonly sent: string | null | undefined;
}

/**
 * Where this order was the first proof of the guest's phone, the answer has the new token of their card. A fault of its
 * look-up is logged and does not fail the order, which is committed: a join with the proof gives the token too.
 */
export const placedReply = async (
  app: App,
  order: StoredOrder,
  { proven, sent }: PlacedFor,
): Promise<Reply> => {
  const { org_id: orgId, customer_id: customerId, created_at: at } = order;
  // Only a repeated request meets an order that was cancelled.
  const shop = order.cancel_reason === null ? null : await shopFacts(app.db.kysely, orgId);
  const reply = guestOrderReply(order, shop?.mainLanguage ?? 'ar');
  if (proven === null || customerId === null) return reply;
  const lookup = tokenAfterFirstProof(app, { orgId, customerId, phone: proven, at });
  app.backgroundTasks.run(() => lookup);
  const token = await lookup.catch(() => null);
  return token === null || token === sent ? reply : { ...reply, member_token: token };
};

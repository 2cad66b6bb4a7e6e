/** What the end of an order does to a card (Decisions 11). */
import type { Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import {
  cardOfSale,
  earnFor,
  earningCard,
  giveBackRewards,
  noteVisit,
  reverseEarning,
  type CardOfSale,
} from '../../loyalty/app/shared.ts';
import type { App } from '../../platform/app/app.ts';
import type { ChangeLog } from '../../platform/app/commit.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { FrozenCart } from '../../pricing/domain/frozen-cart.ts';
import type { OrderState } from '../domain/transitions.ts';
import { soldUnits } from '../../pricing/domain/sold-units.ts';
import type { StoredOrder } from '../store/delivery-order.ts';

type Tx = Kysely<Database>;

/** The card of the order, else that of its customer where the phone was proven; null: none. */
export const cardOfDelivered = async (tx: Tx, order: StoredOrder): Promise<CardOfSale | null> => {
  const { org_id: orgId, card_id: cardId, customer_id: customerId } = order;
  if (cardId === null && (customerId === null || !order.otp_verified)) return null;
  return cardOfSale(tx, orgId, { cardId, customerId });
};

interface DeliveredOrder {
  readonly order: StoredOrder;
  readonly card: Pick<CardOfSale, 'cardId' | 'programme'>;
  /** Who gave the order its card afterwards. */
  readonly staffId?: Uuid | null;
}

/** A sale is a visit, also where it earns nothing. */
const earnForOrder = async (
  tx: Tx,
  app: App,
  log: ChangeLog,
  { order, card, staffId = null }: DeliveredOrder,
  now: Instant,
): Promise<void> => {
  const { org_id: orgId, id: saleId, delivered_at: soldAt } = order;
  // Written by `frozenCart` only.
  const sold = soldUnits({ ...order, cart: order.cart as FrozenCart });
  const earning = earningCard(card);
  if (earning !== null) await earnFor(tx, app, log, { orgId, saleId, sold, card: earning, staffId }, now);
  await noteVisit(tx, orgId, card.cardId, soldAt ?? now);
};

const ENDED_UNSOLD: readonly string[] = ['cancelled', 'rejected'] satisfies readonly OrderState['status'][];

interface ChangedOrder {
  readonly before: Pick<OrderState, 'status'>;
  readonly row: StoredOrder;
  /** Of an order that is delivered now. */
  readonly card: CardOfSale | null;
}

/**
 * A delivery earns and is a visit, once; an order that ends without one gives its rewards back, once, and loses what it
 * earned by a delivery that was undone.
 */
export const changeCard = async (
  tx: Tx,
  app: App,
  log: ChangeLog,
  { before, row, card }: ChangedOrder,
  now: Instant,
): Promise<void> => {
  if (card !== null) await earnForOrder(tx, app, log, { order: row, card }, now);
  const isUnsold = row.status !== before.status && ENDED_UNSOLD.includes(row.status);
  if (!isUnsold) return;
  const sale = { orgId: row.org_id, saleId: row.id };
  if (row.card_id !== null) await reverseEarning(tx, app, log, { ...sale, rest: null }, now);
  if (row.reward_cost > 0) await giveBackRewards(tx, app, log, sale, now);
};

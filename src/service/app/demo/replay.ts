/** Writes the history of a demo member with the use cases of the service, each at its time (Decisions 11). */
import type { Kysely } from 'kysely';
import { saveAddress } from '../../../customers/app/shared.ts';
import type { Uuid } from '../../../kernel/ids.ts';
import type { Instant, ZoneId } from '../../../kernel/time.ts';
import { greetMember } from '../../../loyalty/app/greetings.ts';
import { cardInCart } from '../../../loyalty/app/shared.ts';
import { adjustBalance } from '../../../loyalty/app/staff/adjust-member.ts';
import type { Mode } from '../../../loyalty/domain/programme.ts';
import { cardOfDelivered, changeCard } from '../../../orders/app/order-earning.ts';
import { payForRewards } from '../../../orders/app/order-rewards.ts';
import { savedAddress } from '../../../orders/app/order-row.ts';
import { orderById } from '../../../orders/app/shared.ts';
import { combineCustomers } from '../../../people/app/merge-customers.ts';
import type { App } from '../../../platform/app/app.ts';
import type { ChangeLog } from '../../../platform/app/commit.ts';
import type { Database } from '../../../platform/store/schema.ts';
import { claimsOf } from '../../../pricing/app/cart-input.ts';
import { labelAddress } from '../../store/demo-members.ts';
import type { PastOrder, Step } from './history.ts';
import { idsOf, type MemberScenario } from './member.ts';
import {
  idOfKey,
  orderChange,
  orderIdOf,
  placeOf,
  prepareOrder,
  priceOrder,
  saveOrders,
  type CardOfScenario,
  type OrderScenario,
  type SaleOfOrder,
} from './orders.ts';

type Tx = Kysely<Database>;

/** A past order, with what prices it. */
export interface OrderToPlace extends SaleOfOrder {
  readonly scenario: OrderScenario;
}

/** A member whose card was issued in this transaction. */
export interface NewMember {
  readonly orgId: Uuid;
  readonly zone: ZoneId;
  readonly mode: Mode;
  readonly member: MemberScenario;
  readonly tokenHash: Buffer;
  /** Without those that cannot be sold. */
  readonly orders: ReadonlyMap<PastOrder, OrderToPlace>;
}

/** The card as it is now, with the rewards of the order. Null: it leads nowhere. */
const cardFor = async (
  tx: Tx,
  { orgId, member, tokenHash }: NewMember,
  { redeems = [] }: PastOrder,
  now: Instant,
): Promise<CardOfScenario | null> => {
  const found = await cardInCart(tx, tokenHash, null, now);
  if (found === null) return null;
  const { balances, programme } = found;
  const rewards = redeems.map(({ reward, line, units }) => ({
    ...{ reward_id: idOfKey(orgId, 'reward', reward), line_index: line, units },
  }));
  return {
    facts: { card: { cardId: idsOf(member).cardId, balances }, programme },
    redemption: { claims: claimsOf(rewards), programme, balances },
  };
};

/** The saved address of an order; null: it has none. */
const addressFor = async (
  tx: Tx,
  app: App,
  { orgId, member }: NewMember,
  { place }: PastOrder,
  { scenario, sale, delivery }: OrderToPlace,
): Promise<Uuid | null> => {
  const { channel } = scenario;
  const label = place === undefined ? undefined : member.addresses?.[place]?.label;
  if (place === undefined || channel === 'pickup') return null;
  const saved = { channel, branchId: sale.branch.id, zoneId: delivery.zoneId, place: placeOf(scenario) };
  const { customerId } = idsOf(member);
  const address = savedAddress(app, saved);
  const id = await saveAddress(tx, { orgId, customerId, address }, app.clock.now());
  if (label !== undefined) await labelAddress(tx, orgId, id, label);
  return id;
};

/** An order that cannot be sold leaves no trace. */
const placeOrder = async (
  tx: Tx,
  app: App,
  log: ChangeLog,
  member: NewMember,
  past: PastOrder,
): Promise<void> => {
  const { orgId, member: scenario } = member;
  const now = app.clock.now();
  const order = member.orders.get(past);
  const card = await cardFor(tx, member, past, now);
  if (order === undefined || card === null) return;
  const { sale } = order;
  const priced = priceOrder(order.scenario, order, card);
  if (priced === null) return;
  const prepared = prepareOrder(order.scenario, sale.branch, priced.sold, now);
  const { cardId, customerId } = idsOf(scenario);
  const ofMember = {
    ...{ language: scenario.language, customer_id: customerId, card_id: cardId },
    ...{ customer_phone: scenario.phone, otp_verified: true },
    address_id: await addressFor(tx, app, member, past, order),
  };
  await saveOrders(tx, log, orgId, [{ ...prepared, row: { ...prepared.row, ...ofMember } }]);
  await payForRewards(tx, app, log, { sale, facts: card.facts, quote: priced.quote }, prepared.id);
  log.add(orgId, orderChange(prepared.id));
};

const endOrder = async (
  tx: Tx,
  app: App,
  log: ChangeLog,
  { orgId, orders }: NewMember,
  past: PastOrder,
): Promise<void> => {
  const placed = orders.get(past);
  const row = placed === undefined ? null : await orderById(tx, orgId, orderIdOf(placed.scenario));
  if (row === null) return;
  const card = row.status === 'delivered' ? await cardOfDelivered(tx, row) : null;
  await changeCard(tx, app, log, { before: { status: 'received' }, row, card }, app.clock.now());
};

export const replay = async (
  tx: Tx,
  app: App,
  log: ChangeLog,
  member: NewMember,
  step: Step,
): Promise<void> => {
  const { orgId, zone, mode } = member;
  const { cardId, customerId } = idsOf(member.member);
  const then: App = { ...app, clock: { now: () => step.at } };
  switch (step.kind) {
    case 'placed':
      await placeOrder(tx, then, log, member, step.order);
      break;
    case 'ended':
      await endOrder(tx, then, log, member, step.order);
      break;
    case 'adjusted': {
      const by = { staffId: idOfKey(orgId, 'staff', step.by), deviceId: null };
      const { amount, note } = step;
      if (!(await adjustBalance(tx, then, { orgId, cardId, mode, amount, note, ...by }, log, step.at)))
        throw new Error(`A demo balance cannot change by ${amount}.`);
      break;
    }
    case 'greeted':
      await greetMember(tx, then, { orgId, zone, customerId }, log, step.at);
      break;
    case 'combined': {
      const { customerId: otherId } = idsOf({ shop: member.member.shop, key: step.with });
      const kept = await combineCustomers(tx, then, log, { namedId: customerId, otherId, by: { orgId } });
      if (kept === null) throw new Error('Two demo customers cannot be combined.');
      break;
    }
  }
};

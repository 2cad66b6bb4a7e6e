/** The use cases of the board (Decisions 4, 12). Every change of an order goes through `applyChange`. */
import type { Kysely } from 'kysely';
import type { BodyOf, PathOf, QueryOf, ReplyOf } from '../../platform/contract/endpoint.ts';
import type * as contract from '../contract/staff-orders.ts';
import { MAX_LISTED } from '../../platform/contract/lists.ts';
import { orderScope, type Change } from '../../kernel/change.ts';
import type { Uuid } from '../../kernel/ids.ts';
import {
  autoReject,
  cancelOrder as cancelled,
  finalizeOrder as finalized,
  markPrinted as printed,
  moveOrder as moved,
  reopenOrder as reopened,
  setPrepTime as prepTimeSet,
  type OrderChange,
  type OrderState,
} from '../domain/transitions.ts';
import { invalidInput, Refusal } from '../../kernel/refusal.ts';
import { mayAtBranch } from '../../staff/domain/staff.ts';
import type { Instant } from '../../kernel/time.ts';
import { recordAudit } from '../../platform/app/audit.ts';
import {
  isOrderAt,
  lockOrder,
  orderById,
  ordersOf,
  phoneOfOrder,
  saveOrder,
  shopFacts,
  stateOf,
  type ShopFacts,
  type StoredOrder,
} from '../store/delivery-order.ts';
import { restock, stockChanges } from '../../menu/app/shared.ts';
import { markOwnerKnown, addToOutbox, activeTargets, phoneAnswers } from '../../messaging/app/shared.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { App } from '../../platform/app/app.ts';
import { orderNotifications } from './notifications.ts';
import { staffOrderReply } from './order-reply.ts';
import { ownBranch } from '../../staff/app/own-branch.ts';
import type { Actor } from '../../staff/app/access.ts';
import { cardOfDelivered, changeCard } from './order-earning.ts';
import { followInKitchen, isReadyInKitchen } from './order-kitchen.ts';
import { deliveredSale } from './order-sale.ts';
import { bookSale, isTillOpen, tillForSale, undoSale } from '../../sales/app/shared.ts';
import { earningCard } from '../../loyalty/app/shared.ts';
import { commitAndPublish, type ChangeLog } from '../../platform/app/commit.ts';

type Tx = Kysely<Database>;
type Reply = ReplyOf<typeof contract.getOrder>;

// ── Reads ───────────────────────────────────────────────────────────────────────────────────────

const NO_ORDER_HERE = {
  problem: 'is no order of this branch',
  arabic: 'ليس طلبًا من طلبات هذا الفرع',
} as const;

/** GET /staff/orders. */
export const listOrders =
  (app: App) =>
  async ({
    query,
    actor,
  }: {
    query: QueryOf<typeof contract.listOrders>;
    actor: Actor;
  }): Promise<Reply[]> => {
    const { branch_id: branchId, status = null, limit = MAX_LISTED, after = null } = query;
    await ownBranch(app, actor, branchId);
    const { kysely } = app.db;
    if (after !== null && !(await isOrderAt(kysely, actor.orgId, branchId, after)))
      throw invalidInput({ path: 'after', ...NO_ORDER_HERE });
    const rows = await ordersOf(kysely, actor.orgId, { branchId, status, limit, after });
    return rows.map(staffOrderReply);
  };

const ownOrder = (actor: Actor, order: StoredOrder | null): StoredOrder => {
  if (order === null || !mayAtBranch(actor, order.branch_id)) throw new Refusal('NOT_FOUND');
  return order;
};

/** GET /staff/orders/{id}. */
export const getOrder =
  (app: App) =>
  async ({ path, actor }: { path: PathOf<typeof contract.getOrder>; actor: Actor }): Promise<Reply> =>
    staffOrderReply(ownOrder(actor, await orderById(app.db.kysely, actor.orgId, path.id)));

// ── Changes ─────────────────────────────────────────────────────────────────────────────────────

/** Null: the service itself. */
type ChangedBy = Pick<Actor, 'orgId' | 'staffId' | 'deviceId'> | null;

interface OrderDecision {
  readonly action: string;
  /** Of an undone delivery: the guest has the order all the same. */
  readonly isHandedOver?: boolean;
  /** Delivery shows that the phone reaches its owner. It waits for no node of the phone. */
  readonly marksOwner?: boolean;
  /** Throws the refusals of the change. */
  readonly decide: (before: OrderState, shop: ShopFacts, now: Instant) => OrderChange;
}

/** Queues the message to the guest and the webhook events. */
const notify = async (
  tx: Tx,
  app: App,
  shop: ShopFacts,
  { before, row }: { readonly before: OrderState; readonly row: StoredOrder },
  now: Instant,
): Promise<void> => {
  const { status, channel, cancelReason } = stateOf(row);
  const rows = orderNotifications(app, {
    ...{ orgId: row.org_id, orderId: row.id, reference: row.delivery_ref, shop },
    ...{ from: before.status, to: status, channel, cancelReason },
    ...{ isNotified: row.notified && row.customer_phone !== null, isBudgeted: false },
    language: row.language === 'en' ? 'en' : 'ar',
    prepMinutes: row.base_prep_minutes + row.extra_prep_minutes,
    webhooks: await activeTargets(tx, row.org_id),
  });
  await addToOutbox(tx, rows, now);
};

/** Restocks the counted units of a cancelled order and returns the changes of the items that are available again. */
const restockCancelled = async (tx: Tx, row: StoredOrder, before: OrderState): Promise<readonly Change[]> => {
  if (row.cancel_restocked !== true || before.cancelRestocked !== null) return [];
  return stockChanges(row.branch_id, await restock(tx, row.org_id, row.branch_id, row.stock_taken));
};

interface SavedChange {
  readonly order: StoredOrder;
  readonly after: OrderState;
  readonly shop: ShopFacts;
  readonly by: ChangedBy;
  readonly action: string;
  /** Of an undone delivery: the guest has the order all the same. */
  readonly isHandedOver?: boolean;
  readonly marksOwner?: boolean;
}

/** An order that was handed over before stays in its till while that is open: a corrected payment method is no other till's money. */
const tillOfSale = async (tx: Tx, order: StoredOrder, by: ChangedBy): Promise<Uuid | null> => {
  const { org_id: orgId, branch_id: branchId, till_id: formerTill } = order;
  if (formerTill !== null && (await isTillOpen(tx, orgId, formerTill))) return formerTill;
  return by === null ? null : tillForSale(tx, { ...by, branchId });
};

/** A delivered order becomes a sale with the order's id, in the open till of the person who delivered it. */
const saleOf = async (tx: Tx, order: StoredOrder, after: OrderState, by: ChangedBy) => {
  if (after.status !== 'delivered' || order.status === 'delivered') return null;
  const tillId = await tillOfSale(tx, order, by);
  const card = await cardOfDelivered(tx, order);
  return { orderId: order.id, tillId, cardId: earningCard(card)?.cardId ?? order.card_id, card };
};

/** Takes the sale of a delivery back that is undone. Null: the order was not delivered. */
const undoneSaleOf = async (
  tx: Tx,
  log: ChangeLog,
  { order, after, isHandedOver }: Required<Pick<SavedChange, 'order' | 'after' | 'isHandedOver'>>,
  now: Instant,
) => {
  if (order.status !== 'delivered' || after.status === 'delivered') return null;
  // An erased order names no guest to whom a new delivery or a cancellation could give points.
  if (order.erased_at !== null)
    throw new Refusal('ORDER_ENDED', { status: order.status, revision: order.revision });
  const { reference } = await undoSale(tx, log, { orgId: order.org_id, id: order.id }, now);
  return {
    orderSale: { orderId: null, tillId: isHandedOver ? order.till_id : null, cardId: order.card_id },
    auditDetail: {
      ...{ sale_ref: reference, payment_method: order.payment_method, till: order.till_id },
      handed_over: isHandedOver,
    },
  };
};

/** Saves a change of a locked order, with its stock, audit entry and notifications. */
const saveChange = async (
  tx: Tx,
  app: App,
  { order, after, shop, by, action, isHandedOver = true, marksOwner = false }: SavedChange,
  log: ChangeLog,
): Promise<StoredOrder> => {
  const now = app.clock.now();
  const before = stateOf(order);
  const sale = await saleOf(tx, order, after, by);
  const undone = await undoneSaleOf(tx, log, { order, after, isHandedOver }, now);
  const row = await saveOrder(tx, order.org_id, order.id, after, sale ?? undone?.orderSale ?? null);
  // Till, card, phone, stock, kitchen, counters (ARCHITECTURE.md, Changes).
  await changeCard(tx, app, log, { before, row, card: sale?.card ?? null }, now);
  if (marksOwner && row.customer_phone !== null) await markOwnerKnown(tx, row.customer_phone, now);
  const changes = await restockCancelled(tx, row, before);
  await followInKitchen(app, tx, log, { before, row, by: by?.staffId ?? null, isHandedOver }, now);
  if (sale !== null && row.payment_method !== null) {
    const { tillId } = sale;
    const delivery = { at: now, tillId, staffId: by?.staffId ?? null, paymentMethod: row.payment_method };
    await bookSale(tx, log, deliveredSale(row, delivery));
  }
  await recordAudit(app, tx, {
    ...{ orgId: row.org_id, at: now, action, subject: 'order', subjectId: row.id },
    ...{ staffId: by?.staffId ?? null, deviceId: by?.deviceId ?? null, branchId: row.branch_id },
    detail: { ...detailOf(before, after), ...undone?.auditDetail, ...(sale && { till: sale.tillId }) },
  });
  await notify(tx, app, shop, { before, row }, now);
  if (after.status !== before.status) {
    const counted = before.status === 'delivered' ? 'reopened' : after.status;
    log.afterCommit(() => app.orderCounts.reached(after.channel, counted));
  }
  log.add(row.org_id, { scope: orderScope(row.id), type: 'delivery', id: row.id, op: 'upsert' }, ...changes);
  return row;
};

const detailOf = (before: OrderState, after: OrderState): Readonly<Record<string, unknown>> => ({
  from: before.status,
  to: after.status,
  revision: after.revision,
  ...(before.extraPrepMinutes === after.extraPrepMinutes
    ? {}
    : { extra_prep_minutes: after.extraPrepMinutes }),
  ...(after.paymentMethod === null ? {} : { payment_method: after.paymentMethod }),
  ...(after.cancelReason === null
    ? {}
    : { reason: after.cancelReason, note: after.cancelNote, restocked: after.cancelRestocked }),
});

/** Lock, decide, save, notify. */
const applyChange = (
  app: App,
  actor: Actor,
  id: Uuid,
  { decide, ...decision }: OrderDecision,
): Promise<Reply> =>
  commitAndPublish(app, async (tx, log) => {
    const order = ownOrder(actor, await lockOrder(tx, actor.orgId, id));
    const shop = await shopFacts(tx, actor.orgId);
    if (shop === null) throw new Refusal('NOT_FOUND');
    const outcome = decide(stateOf(order), shop, app.clock.now());
    if (outcome.outcome === 'same') return staffOrderReply(order);
    return staffOrderReply(
      await saveChange(tx, app, { ...decision, order, after: outcome.after, shop, by: actor }, log),
    );
  });

interface ChangeRequest<
  Id extends 'moveOrder' | 'cancelOrder' | 'finalizeOrder' | 'reopenOrder' | 'setPrepTime',
> {
  readonly path: PathOf<(typeof contract)[Id]>;
  readonly body: BodyOf<(typeof contract)[Id]>;
  readonly actor: Actor;
}

/** POST /staff/orders/{id}/move. */
export const moveOrder =
  (app: App) =>
  ({ path, body, actor }: ChangeRequest<'moveOrder'>): Promise<Reply> =>
    applyChange(app, actor, path.id, {
      action: 'order.moved',
      decide: (before, _, now) => moved(before, { to: body.to }, body, now),
    });

/** POST /staff/orders/{id}/cancel. */
export const cancelOrder =
  (app: App) =>
  ({ path, body, actor }: ChangeRequest<'cancelOrder'>): Promise<Reply> =>
    applyChange(app, actor, path.id, {
      action: 'order.cancelled',
      decide: (before, _, now) => {
        const { reason, note = null, restock: isRestocked = true } = body;
        return cancelled(before, { reason, note, restock: isRestocked }, body, now);
      },
    });

const ownerAnswers = ({ db: { kysely } }: App, orgId: Uuid, id: Uuid): Promise<boolean> =>
  phoneAnswers(kysely, () => phoneOfOrder(kysely, orgId, id));

/** POST /staff/orders/{id}/finalize. */
export const finalizeOrder =
  (app: App) =>
  async ({ path, body, actor }: ChangeRequest<'finalizeOrder'>): Promise<Reply> =>
    applyChange(app, actor, path.id, {
      action: 'order.delivered',
      marksOwner: await ownerAnswers(app, actor.orgId, path.id),
      decide: (before, shop, now) =>
        finalized(before, { paymentMethod: body.payment_method }, shop.paymentMethods, body, now),
    });

/** POST /staff/orders/{id}/reopen. */
export const reopenOrder =
  (app: App) =>
  ({ path, body, actor }: ChangeRequest<'reopenOrder'>): Promise<Reply> =>
    applyChange(app, actor, path.id, {
      action: 'order.reopened',
      isHandedOver: body.handed_over ?? true,
      decide: (before, _, now) => reopened(before, body, now),
    });

/** POST /staff/orders/{id}/prep-time. */
export const setPrepTime =
  (app: App) =>
  ({ path, body, actor }: ChangeRequest<'setPrepTime'>): Promise<Reply> =>
    applyChange(app, actor, path.id, {
      action: 'order.prep_time_set',
      decide: (before, _, now) =>
        prepTimeSet(before, { extraPrepMinutes: body.extra_prep_minutes }, body, now),
    });

/** POST /staff/orders/{id}/printed. */
export const markPrinted =
  (app: App) =>
  ({ path, actor }: { path: PathOf<typeof contract.markPrinted>; actor: Actor }): Promise<Reply> =>
    applyChange(app, actor, path.id, {
      action: 'order.printed',
      decide: (before, _, now) => printed(before, now),
    });

/** A kitchen ticket of the order is bumped next. */
export const lockForKitchen = async (tx: Tx, orgId: Uuid, orderId: Uuid): Promise<void> => {
  await lockOrder(tx, orgId, orderId);
};

/** The kitchen has made an order, whose row is locked: it moves to `ready` (Decisions 12, Kitchen). */
export const orderMade =
  (app: App) =>
  async (tx: Tx, log: ChangeLog, orderId: Uuid, by: Actor): Promise<void> => {
    const order = await lockOrder(tx, by.orgId, orderId);
    const shop = await shopFacts(tx, by.orgId);
    if (order === null || shop === null || !(await isReadyInKitchen(tx, order))) return;
    const { revision } = order;
    const outcome = moved(stateOf(order), { to: 'ready' }, { revision }, app.clock.now());
    if (outcome.outcome === 'same') return;
    await saveChange(tx, app, { order, after: outcome.after, shop, by, action: 'order.moved' }, log);
  };

/** Rejects an order that was not confirmed within the branch's minutes; false where it changed first. */
export const rejectUnconfirmed = (app: App, orgId: Uuid, id: Uuid, minutes: number): Promise<boolean> =>
  commitAndPublish(app, async (tx, log) => {
    const order = await lockOrder(tx, orgId, id);
    const shop = await shopFacts(tx, orgId);
    if (order === null || shop === null) return false;
    const outcome = autoReject(stateOf(order), minutes, app.clock.now());
    if (outcome.outcome === 'same') return false;
    await saveChange(
      tx,
      app,
      { order, after: outcome.after, shop, by: null, action: 'order.not_confirmed' },
      log,
    );
    return true;
  });

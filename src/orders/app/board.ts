/** What staff do with the orders of their branch (Decisions 4, 12): look, move, cancel, deliver; one door for every change. */
import type { Kysely } from 'kysely';
import type { BodyOf, PathOf, QueryOf, ReplyOf } from '../../platform/contract/endpoint.ts';
import type * as contract from '../contract/staff-orders.ts';
import { MOST_LISTED } from '../../platform/contract/lists.ts';
import { branchScope, orderScope, type Change } from '../../kernel/change.ts';
import type { Uuid } from '../../kernel/ids.ts';
import {
  autoReject,
  cancelOrder as cancelled,
  finalizeOrder as finalized,
  markPrinted as printed,
  moveOrder as moved,
  setPrepTime as prepTimeSet,
  type OrderChange,
  type OrderState,
} from '../domain/change.ts';
import { invalidInput, Refusal } from '../../kernel/refusal.ts';
import { mayAtBranch } from '../../staff/domain/staff.ts';
import type { Instant } from '../../kernel/time.ts';
import { addAudit } from '../../platform/store/audit.ts';
import {
  isOrderAt,
  lockOrder,
  openTillOf,
  orderById,
  ordersOf,
  restock,
  saveOrder,
  shopFacts,
  stateOf,
  type ShopFacts,
  type StoredOrder,
} from '../store/delivery-order.ts';
import { meetOwner } from '../../messaging/store/guest-phone.ts';
import { addToOutbox } from '../../messaging/store/outbox.ts';
import type { Database } from '../../platform/store/schema.ts';
import { activeTargets } from '../../messaging/store/webhook.ts';
import type { App } from '../../platform/app/app.ts';
import { orderNews } from './news.ts';
import { staffOrderReply } from './reply.ts';
import { ownBranch } from '../../staff/app/own-branch.ts';
import type { Actor } from '../../staff/app/access.ts';
import { writing, type Note } from '../../platform/app/write.ts';

type Tx = Kysely<Database>;
type Reply = ReplyOf<typeof contract.getOrder>;

// ── Looking ─────────────────────────────────────────────────────────────────────────────────────

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
    const { branch_id: branchId, status = null, limit = MOST_LISTED, after = null } = query;
    await ownBranch(app, actor, branchId);
    const { kysely } = app.db;
    if (after !== null && !(await isOrderAt(kysely, actor.orgId, branchId, after)))
      throw invalidInput({ path: 'after', ...NO_ORDER_HERE });
    const rows = await ordersOf(kysely, actor.orgId, { branchId, status, limit, after });
    return rows.map(staffOrderReply);
  };

const own = (actor: Actor, order: StoredOrder | null): StoredOrder => {
  if (order === null || !mayAtBranch(actor, order.branch_id)) throw new Refusal('NOT_FOUND');
  return order;
};

/** GET /staff/orders/{id}. */
export const getOrder =
  (app: App) =>
  async ({ path, actor }: { path: PathOf<typeof contract.getOrder>; actor: Actor }): Promise<Reply> =>
    staffOrderReply(own(actor, await orderById(app.db.kysely, actor.orgId, path.id)));

// ── Changing ────────────────────────────────────────────────────────────────────────────────────

/** Who changes an order; nobody: the service itself. */
type By = Pick<Actor, 'orgId' | 'staffId' | 'deviceId'> | null;

interface OrderDecision {
  readonly action: string;
  /** What becomes of the order; throws the refusals of the change. */
  readonly decide: (before: OrderState, shop: ShopFacts, now: Instant) => OrderChange;
}

/** Who hears of a change: the guest, where the step matters to them, and the shop's own systems. */
const tell = async (
  tx: Tx,
  app: App,
  shop: ShopFacts,
  { before, row }: { readonly before: OrderState; readonly row: StoredOrder },
  now: Instant,
): Promise<void> => {
  const { status, channel, cancelReason } = stateOf(row);
  const rows = orderNews(app, {
    ...{ orgId: row.org_id, orderId: row.id, reference: row.delivery_ref, shop },
    ...{ from: before.status, to: status, channel, cancelReason },
    ...{ isTold: row.notified && row.customer_phone !== null, isBudgeted: false },
    language: row.language === 'en' ? 'en' : 'ar',
    prepMinutes: row.base_prep_minutes + row.extra_prep_minutes,
    webhooks: await activeTargets(tx, row.org_id),
  });
  await addToOutbox(tx, rows, now);
};

/** Counted units of an order that is off go back, and the things that were gone are there again. */
const putBack = async (tx: Tx, row: StoredOrder, before: OrderState): Promise<readonly Change[]> => {
  if (row.cancel_restocked !== true || before.cancelRestocked !== null) return [];
  const back = await restock(tx, row.org_id, row.branch_id, row.stock_taken);
  return back.map((id): Change => ({
    scope: branchScope(row.branch_id),
    type: 'availability',
    id,
    op: 'upsert',
  }));
};

/** What a delivered order becomes: a sale, in the open till of whoever delivered it. */
const saleOf = async (tx: Tx, app: App, order: StoredOrder, after: OrderState, by: By) => {
  if (after.status !== 'delivered' || order.status === 'delivered') return null;
  const tillId = by === null ? null : await openTillOf(tx, by.orgId, order.branch_id, by.staffId);
  return { orderId: app.random.uuid(), tillId };
};

/** Writes what a change made of a locked order, and everything that follows from it. */
const follow = async (
  tx: Tx,
  app: App,
  {
    order,
    after,
    shop,
    by,
    action,
  }: {
    readonly order: StoredOrder;
    readonly after: OrderState;
    readonly shop: ShopFacts;
    readonly by: By;
    readonly action: string;
  },
  note: Note,
): Promise<StoredOrder> => {
  const now = app.clock.now();
  const before = stateOf(order);
  const row = await saveOrder(tx, order.org_id, order.id, after, await saleOf(tx, app, order, after, by));
  const changes = await putBack(tx, row, before);
  // Whoever was handed an order is no stranger to it.
  if (action === 'order.delivered' && row.customer_phone !== null)
    await meetOwner(tx, row.customer_phone, now);
  await addAudit(tx, {
    ...{ orgId: row.org_id, id: app.random.uuid(), at: now, action, subject: 'order', subjectId: row.id },
    ...{ staffId: by?.staffId ?? null, deviceId: by?.deviceId ?? null, branchId: row.branch_id },
    detail: detailOf(before, after),
  });
  await tell(tx, app, shop, { before, row }, now);
  note({ scope: orderScope(row.id), type: 'delivery', id: row.id, op: 'upsert' }, ...changes);
  return row;
};

/** The facts of a change for the audit log: what was, and what is. */
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

/** The one way an order changes: locked, decided, written, told. */
const change = (app: App, actor: Actor, id: Uuid, { action, decide }: OrderDecision): Promise<Reply> =>
  writing(app, actor.orgId, async (tx, note) => {
    const order = own(actor, await lockOrder(tx, actor.orgId, id));
    const shop = await shopFacts(tx, actor.orgId);
    if (shop === null) throw new Refusal('NOT_FOUND');
    const outcome = decide(stateOf(order), shop, app.clock.now());
    if (outcome.outcome === 'same') return staffOrderReply(order);
    return staffOrderReply(
      await follow(tx, app, { order, after: outcome.after, shop, by: actor, action }, note),
    );
  });

interface Ordered<Id extends 'moveOrder' | 'cancelOrder' | 'finalizeOrder' | 'setPrepTime'> {
  readonly path: PathOf<(typeof contract)[Id]>;
  readonly body: BodyOf<(typeof contract)[Id]>;
  readonly actor: Actor;
}

/** POST /staff/orders/{id}/move. */
export const moveOrder =
  (app: App) =>
  ({ path, body, actor }: Ordered<'moveOrder'>): Promise<Reply> =>
    change(app, actor, path.id, {
      action: 'order.moved',
      decide: (before, _, now) => moved(before, { to: body.to }, body, now),
    });

/** POST /staff/orders/{id}/cancel. */
export const cancelOrder =
  (app: App) =>
  ({ path, body, actor }: Ordered<'cancelOrder'>): Promise<Reply> =>
    change(app, actor, path.id, {
      action: 'order.cancelled',
      decide: (before, _, now) => {
        const { reason, note = null, restock: goesBack = true } = body;
        return cancelled(before, { reason, note, restock: goesBack }, body, now);
      },
    });

/** POST /staff/orders/{id}/finalize. */
export const finalizeOrder =
  (app: App) =>
  ({ path, body, actor }: Ordered<'finalizeOrder'>): Promise<Reply> =>
    change(app, actor, path.id, {
      action: 'order.delivered',
      decide: (before, shop, now) =>
        finalized(before, { paymentMethod: body.payment_method }, shop.paymentMethods, body, now),
    });

/** POST /staff/orders/{id}/prep-time. */
export const setPrepTime =
  (app: App) =>
  ({ path, body, actor }: Ordered<'setPrepTime'>): Promise<Reply> =>
    change(app, actor, path.id, {
      action: 'order.prep_time_set',
      decide: (before, _, now) =>
        prepTimeSet(before, { extraPrepMinutes: body.extra_prep_minutes }, body, now),
    });

/** POST /staff/orders/{id}/printed. */
export const markPrinted =
  (app: App) =>
  ({ path, actor }: { path: PathOf<typeof contract.markPrinted>; actor: Actor }): Promise<Reply> =>
    change(app, actor, path.id, {
      action: 'order.printed',
      decide: (before, _, now) => printed(before, now),
    });

/**
 * Rejects an order that nobody confirmed within the branch's minutes; says whether it did. Whoever is faster has
 * decided, in whichever process.
 */
export const rejectUnconfirmed = (app: App, orgId: Uuid, id: Uuid, minutes: number): Promise<boolean> =>
  writing(app, orgId, async (tx, note) => {
    const order = await lockOrder(tx, orgId, id);
    const shop = await shopFacts(tx, orgId);
    if (order === null || shop === null) return false;
    const outcome = autoReject(stateOf(order), minutes, app.clock.now());
    if (outcome.outcome === 'same') return false;
    await follow(
      tx,
      app,
      { order, after: outcome.after, shop, by: null, action: 'order.not_confirmed' },
      note,
    );
    return true;
  });

/** Statements on stored online orders. */
import { sql, type Kysely, type Selectable } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import type { Phone } from '../../kernel/phone.ts';
import type { OrderState } from '../domain/transitions.ts';
import { LIVE_STATUSES, type CancelReason, type OrderStatus } from '../domain/order.ts';
import type { OnlineChannel } from '../../shops/domain/shop.ts';
import { at } from '../../platform/store/db.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { DeliveryOrderTable } from './schema/order.ts';

type Db = Kysely<Database>;

export type StoredOrder = Selectable<DeliveryOrderTable>;

/** At any branch of the shop. */
export const orderById = async (db: Db, orgId: Uuid, id: Uuid): Promise<StoredOrder | null> =>
  (await db
    .selectFrom('delivery_order')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .executeTakeFirst()) ?? null;

/** Null once the person was erased, or if there is no such order. */
export const phoneOfOrder = async (db: Db, orgId: Uuid, id: Uuid): Promise<Phone | null> => {
  const row = await db
    .selectFrom('delivery_order')
    .select('customer_phone')
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.customer_phone ?? null;
};

export const isOrderAt = async (db: Db, orgId: Uuid, branchId: Uuid, id: Uuid): Promise<boolean> => {
  const row = await db
    .selectFrom('delivery_order')
    .select('id')
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .where('branch_id', '=', branchId)
    .executeTakeFirst();
  return row !== undefined;
};

export const ordersById = async (
  db: Db,
  orgId: Uuid,
  ids: readonly Uuid[],
): Promise<ReadonlyMap<Uuid, StoredOrder>> => {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('delivery_order')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('id', 'in', [...new Set(ids)])
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
};

/** Locks the row until the transaction ends. */
export const lockOrder = async (tx: Db, orgId: Uuid, id: Uuid): Promise<StoredOrder | null> =>
  (await tx
    .selectFrom('delivery_order')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()) ?? null;

/** The casts rely on check constraints of the table. */
export const stateOf = (row: StoredOrder): OrderState => ({
  channel: row.channel as OnlineChannel,
  status: row.status as OrderStatus,
  revision: row.revision,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  stepTimes: {
    confirmed: row.confirmed_at,
    preparing: row.preparing_at,
    ready: row.ready_at,
    out_for_delivery: row.out_for_delivery_at,
    delivered: row.delivered_at,
    cancelled: row.cancelled_at,
    rejected: row.rejected_at,
  },
  extraPrepMinutes: row.extra_prep_minutes,
  paymentMethod: row.payment_method,
  cancelReason: row.cancel_reason as CancelReason | null,
  cancelNote: row.cancel_note,
  cancelRestocked: row.cancel_restocked,
  receiptPrintedAt: row.receipt_printed_at,
});

export interface OrderSale {
  /** Null: its delivery was undone. */
  readonly orderId: Uuid | null;
  /** The till of the sale, also after its delivery was undone. Null: it was in none. */
  readonly tillId: Uuid | null;
  /** The card that earns; null: none. */
  readonly cardId: Uuid | null;
}

/** `sale`: null leaves sale, till and card as they are. */
export const saveOrder = async (
  tx: Db,
  orgId: Uuid,
  id: Uuid,
  after: OrderState,
  sale: OrderSale | null,
): Promise<StoredOrder> => {
  const time = (instant: number | null) => (instant === null ? null : at(instant));
  const { stepTimes } = after;
  return tx
    .updateTable('delivery_order')
    .set({
      status: after.status,
      revision: after.revision,
      updated_at: at(after.updatedAt),
      confirmed_at: time(stepTimes.confirmed),
      preparing_at: time(stepTimes.preparing),
      ready_at: time(stepTimes.ready),
      out_for_delivery_at: time(stepTimes.out_for_delivery),
      delivered_at: time(stepTimes.delivered),
      cancelled_at: time(stepTimes.cancelled),
      rejected_at: time(stepTimes.rejected),
      extra_prep_minutes: after.extraPrepMinutes,
      payment_method: after.paymentMethod,
      cancel_reason: after.cancelReason,
      cancel_note: after.cancelNote,
      cancel_restocked: after.cancelRestocked,
      receipt_printed_at: time(after.receiptPrintedAt),
      ...(sale === null ? {} : { order_id: sale.orderId, till_id: sale.tillId, card_id: sale.cardId }),
    })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
};

export const giveCardToOrder = async (
  tx: Db,
  { org_id: orgId, id, revision }: StoredOrder,
  cardId: Uuid,
  now: Instant,
): Promise<void> => {
  await tx
    .updateTable('delivery_order')
    .set({ card_id: cardId, revision: revision + 1, updated_at: at(now) })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .execute();
};

export interface OrderListing {
  readonly branchId: Uuid;
  /** Null: open orders. */
  readonly status: OrderStatus | null;
  readonly limit: number;
  /** Last order of the previous page. */
  readonly after: Uuid | null;
}

/** Open orders, oldest first; or those of one status, newest first. */
export const ordersOf = async (db: Db, orgId: Uuid, listing: OrderListing): Promise<StoredOrder[]> => {
  const { branchId, status, limit, after } = listing;
  const [statuses, direction] =
    status === null ? [[...LIVE_STATUSES], 'asc' as const] : [[status], 'desc' as const];
  const listed = db
    .selectFrom('delivery_order')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('branch_id', '=', branchId)
    .where('status', 'in', statuses)
    .orderBy('created_at', direction)
    .orderBy('id', direction)
    .limit(limit);
  if (after === null) return listed.execute();
  const follows = status === null ? sql`>` : sql`<`;
  const last = sql`(select o.created_at, o.id from delivery_order o where o.org_id = ${orgId} and o.id = ${after})`;
  return listed.where(sql<boolean>`(created_at, id) ${follows} ${last}`).execute();
};

export interface ShopFacts {
  readonly name: string;
  readonly nameTranslations: Readonly<Record<string, string>>;
  readonly mainLanguage: string;
  readonly paymentMethods: readonly string[];
}

export const shopFacts = async (db: Db, orgId: Uuid): Promise<ShopFacts | null> => {
  const row = await db
    .selectFrom('shop')
    .select(['name', 'name_translations', 'main_language', 'payment_methods'])
    .where('org_id', '=', orgId)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    name: row.name,
    nameTranslations: row.name_translations,
    mainLanguage: row.main_language,
    paymentMethods: row.payment_methods,
  };
};

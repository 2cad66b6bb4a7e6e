/** Order limits per phone: its recent orders, and lifts by staff. */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import { BRAKE_WINDOW_MS, type BrakeLimits } from '../domain/brake.ts';
import type { Phone } from '../../kernel/phone.ts';
import type { Instant } from '../../kernel/time.ts';
import type { Database } from '../../platform/store/schema.ts';
import { at } from '../../platform/store/types.ts';
import { isOpenOrder } from './open-orders.ts';

type Db = Kysely<Database>;

/** Open orders of a phone, at most `most`, from the partial index of open orders. */
const openOrdersOf = (orgId: Uuid, phone: Phone | null, most: RawBuilder<number>): RawBuilder<unknown> => sql`
  select id from delivery_order
  where org_id = ${orgId} and customer_phone = ${phone}
    and ${isOpenOrder}
  limit ${most}`;

/** Times of the phone's last `most` orders within a day. */
const ordersOfDay = (
  orgId: Uuid,
  phone: Phone | null,
  most: RawBuilder<number>,
  now: Instant,
): RawBuilder<unknown> => sql`
  select created_at from delivery_order
  where org_id = ${orgId} and customer_phone = ${phone} and created_at > ${at(now - BRAKE_WINDOW_MS)}
  order by created_at desc
  limit ${most}`;

export interface BrakeRow {
  /** Limits of the shop. */
  readonly openLimit: number | null;
  readonly dayLimit: number | null;
  /** Counted up to the limit. */
  readonly openOrders: number;
  readonly placedAt: readonly Instant[];
  readonly isBrakeLifted: boolean;
}

/** `scale` multiplies the limits that bound the counts. */
export const brakeColumns = (
  orgId: Uuid,
  phone: Phone | null,
  scale: number,
  now: Instant,
): RawBuilder<BrakeRow> => {
  const limitOf = (column: 'brake_open_orders' | 'brake_orders_per_day'): RawBuilder<number> =>
    sql`(select coalesce(ceil(${sql.ref(column)} * ${scale}::float8), 0)::int from shop where org_id = ${orgId})`;
  return sql`
  (select brake_open_orders from shop where org_id = ${orgId}) as "openLimit",
  (select brake_orders_per_day from shop where org_id = ${orgId}) as "dayLimit",
  (select count(*)::int from (${openOrdersOf(orgId, phone, limitOf('brake_open_orders'))}) open) as "openOrders",
  array(${ordersOfDay(orgId, phone, limitOf('brake_orders_per_day'), now)}) as "placedAt",
  exists (select from order_brake_lift where org_id = ${orgId} and phone = ${phone} and until > ${at(now)})
    as "isBrakeLifted"`;
};

/** Part of the statement that inserts the order. */
export const hasRoomColumn = (
  orgId: Uuid,
  phone: Phone | null,
  { openOrders, ordersPerDay }: BrakeLimits,
  now: Instant,
): RawBuilder<boolean> => {
  const open =
    openOrders === null
      ? sql`true`
      : sql`(select count(*) from (${openOrdersOf(orgId, phone, sql`${openOrders}`)}) open) < ${openOrders}`;
  const day =
    ordersPerDay === null
      ? sql`true`
      : sql`(select count(*) from (${ordersOfDay(orgId, phone, sql`${ordersPerDay}`, now)}) day) < ${ordersPerDay}`;
  return sql`(${open} and ${day})`;
};

/** Null: not lifted. Locks the row. */
export const liftOf = async (tx: Db, orgId: Uuid, phone: Phone): Promise<Instant | null> => {
  const row = await tx
    .selectFrom('order_brake_lift')
    .select('until')
    .where('org_id', '=', orgId)
    .where('phone', '=', phone)
    .forUpdate()
    .executeTakeFirst();
  return row?.until ?? null;
};

export const saveLift = async (tx: Db, orgId: Uuid, phone: Phone, until: Instant): Promise<void> => {
  await sql`
    insert into order_brake_lift (org_id, phone, until) values (${orgId}, ${phone}, ${at(until)})
    on conflict (org_id, phone) do update set until = excluded.until
  `.execute(tx);
};

export const endLift = async (tx: Db, orgId: Uuid, phone: Phone): Promise<void> => {
  await tx.deleteFrom('order_brake_lift').where('org_id', '=', orgId).where('phone', '=', phone).execute();
};

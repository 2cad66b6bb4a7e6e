import { sql, type Kysely } from 'kysely';
import type { Uuid } from '../domain/ids.ts';
import type { OrderStatus, StoredCart, TimedStep } from '../domain/order.ts';
import type { OnlineChannel } from '../domain/shop.ts';
import type { Instant, LocalDate } from '../domain/time.ts';
import type { Database } from './schema.ts';
import { at } from './types.ts';

/** Whether no shop is there at all. */
export const isEmpty = async (db: Kysely<Database>): Promise<boolean> =>
  (await db.selectFrom('shop').select('org_id').limit(1).executeTakeFirst()) === undefined;

/** Marks shops as the demo's own, so that a later start may lay out their activity again. */
export const markDemo = async (db: Kysely<Database>, orgIds: readonly Uuid[]): Promise<void> => {
  await db.updateTable('shop').set({ is_demo: true }).where('org_id', 'in', orgIds).execute();
};

export interface DemoShop {
  readonly orgId: Uuid;
  readonly slug: string;
  readonly isActive: boolean;
}

export const demoShops = async (db: Kysely<Database>): Promise<DemoShop[]> => {
  const rows = await db
    .selectFrom('shop')
    .select(['org_id', 'slug', 'is_active'])
    .where('is_demo', '=', true)
    .orderBy('slug')
    .execute();
  return rows.map((row) => ({ orgId: row.org_id, slug: row.slug, isActive: row.is_active }));
};

/** A table a visitor may look at, with the place it stands in. */
export interface DemoTable {
  readonly id: Uuid;
  readonly slug: string;
  readonly branch: string;
  readonly label: string;
}

export const demoTables = async (db: Kysely<Database>): Promise<DemoTable[]> => {
  const { rows } = await sql<DemoTable>`
    select distinct on (s.slug, b.code) t.id, s.slug, b.name as branch, t.label
    from dining_table t
    join branch b on b.org_id = t.org_id and b.id = t.branch_id and b.is_active and b.archived_at is null
    join shop s on s.org_id = t.org_id and s.is_active and s.is_demo
    where t.archived_at is null
    order by s.slug, b.code, t.label
  `.execute(db);
  return rows;
};

export interface DemoOrder {
  readonly id: Uuid;
  readonly branchId: Uuid;
  readonly channel: OnlineChannel;
  readonly status: OrderStatus;
  readonly deliveryRef: string;
  readonly customerName: string;
  readonly address: Readonly<
    Partial<Record<'address_line' | 'floor' | 'unit_number' | 'place_name' | 'landmark', string>>
  >;
  readonly paymentMethodHint: string;
  readonly paymentMethod: string | null;
  readonly cancelReason: string | null;
  readonly basePrepMinutes: number;
  readonly extraPrepMinutes: number;
  readonly cart: StoredCart;
  readonly subtotal: number;
  readonly deliveryFee: number;
  readonly taxRate: string;
  readonly taxInclusive: boolean;
  readonly taxAmount: number;
  readonly total: number;
  readonly createdAt: Instant;
  readonly stepTimes: Readonly<Partial<Record<TimedStep, Instant>>>;
}

const stepColumns = (order: DemoOrder) => {
  const time = (step: TimedStep) => {
    const instant = order.stepTimes[step];
    return instant === undefined ? null : at(instant);
  };
  return {
    confirmed_at: time('confirmed'),
    preparing_at: time('preparing'),
    ready_at: time('ready'),
    out_for_delivery_at: time('out_for_delivery'),
    delivered_at: time('delivered'),
    cancelled_at: time('cancelled'),
    rejected_at: time('rejected'),
  };
};

/** Writes an order of the demo, over the one of an earlier start. */
export const saveDemoOrder = async (tx: Kysely<Database>, orgId: Uuid, order: DemoOrder): Promise<void> => {
  const changing = {
    status: order.status,
    delivery_ref: order.deliveryRef,
    cart: JSON.stringify(order.cart),
    subtotal: order.subtotal,
    delivery_fee: order.deliveryFee,
    tax_rate_applied: order.taxRate,
    tax_inclusive: order.taxInclusive,
    tax_amount: order.taxAmount,
    total: order.total,
    payment_method: order.paymentMethod,
    cancel_reason: order.cancelReason,
    created_at: at(order.createdAt),
    updated_at: at(order.createdAt),
    ...stepColumns(order),
  };
  await tx
    .insertInto('locator')
    .values({ id: order.id, org_id: orgId, kind: 'order' })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  await tx
    .insertInto('delivery_order')
    .values({
      org_id: orgId,
      id: order.id,
      branch_id: order.branchId,
      channel: order.channel,
      customer_name: order.customerName,
      ...order.address,
      payment_method_hint: order.paymentMethodHint,
      base_prep_minutes: order.basePrepMinutes,
      extra_prep_minutes: order.extraPrepMinutes,
      ...changing,
    })
    .onConflict((conflict) => conflict.columns(['org_id', 'id']).doUpdateSet(changing))
    .execute();
};

export interface DemoBooking {
  readonly id: Uuid;
  readonly branchId: Uuid;
  readonly serviceDate: LocalDate;
  readonly startsAt: Instant;
  readonly endsAt: Instant;
  readonly partySize: number;
  readonly status: string;
  readonly guestName: string;
  readonly notes: string | null;
  readonly tableIds: readonly Uuid[];
}

/** Adds a booking of the demo unless it is there already or its tables are taken. Says whether it was added. */
export const addDemoBooking = async (
  tx: Kysely<Database>,
  orgId: Uuid,
  booking: DemoBooking,
  now: Instant,
): Promise<boolean> => {
  const { rows } = await sql`
    with free as (
      select where not exists (
        select from booking_table
        where org_id = ${orgId} and table_id = any(${[...booking.tableIds]}::uuid[])
          and during && tstzrange(${at(booking.startsAt)}, ${at(booking.endsAt)}))
    ), added as (
      insert into booking (org_id, id, branch_id, service_date, status, party_size, starts_at, ends_at, guest_name, notes, created_at)
      select ${orgId}, ${booking.id}, ${booking.branchId}, ${booking.serviceDate}, ${booking.status}, ${booking.partySize},
             ${at(booking.startsAt)}, ${at(booking.endsAt)}, ${booking.guestName}, ${booking.notes}, ${at(now)}
      from free
      on conflict (org_id, id) do nothing
      returning id
    )
    insert into booking_table (org_id, booking_id, table_id, branch_id, during)
    select ${orgId}, added.id, t, ${booking.branchId}, tstzrange(${at(booking.startsAt)}, ${at(booking.endsAt)})
    from added, unnest(${[...booking.tableIds]}::uuid[]) as t
    returning booking_id
  `.execute(tx);
  return rows.length > 0;
};

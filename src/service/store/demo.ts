import { sql, type Insertable, type Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant, LocalDate } from '../../kernel/time.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { DeliveryOrderTable } from '../../orders/store/schema/order.ts';
import { at } from '../../platform/store/types.ts';

/** Each shop has a code, and each node all codes. */
export const isEmpty = async (db: Kysely<Database>): Promise<boolean> =>
  (await db.selectFrom('shop_code').select('org_id').limit(1).executeTakeFirst()) === undefined;

export const markDemo = async (db: Kysely<Database>, orgIds: readonly Uuid[]): Promise<void> => {
  await db.updateTable('shop').set({ is_demo: true }).where('org_id', 'in', orgIds).execute();
};

/** The same secrets for all. */
export const setDemoSecrets = async (
  tx: Kysely<Database>,
  passwordHash: string,
  pinHash: string,
): Promise<void> => {
  await sql`
    update staff set pin_hash = ${pinHash}, password_hash = case when email is not null then ${passwordHash} end
    from shop where shop.org_id = staff.org_id and shop.is_demo
  `.execute(tx);
};

export interface DemoOwner {
  readonly slug: string;
  readonly email: string;
}

/** Of active demo shops. */
export const ownersOf = async (db: Kysely<Database>): Promise<DemoOwner[]> => {
  const { rows } = await sql<DemoOwner>`
    select s.slug, p.email
    from staff p
    join shop s on s.org_id = p.org_id and s.is_active and s.is_demo
    where p.role = 'owner' and p.is_active and p.archived_at is null and p.password_hash is not null
    order by s.slug, p.email
  `.execute(db);
  return rows;
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

// ── Orders ──────────────────────────────────────────────────────────────────────────────────────

type SoldColumn =
  | 'cart'
  | 'stock_taken'
  | 'subtotal'
  | 'discount_id'
  | 'discount_type'
  | 'discount_rate'
  | 'discount_value'
  | 'discount_amount'
  | 'service_charge_amount'
  | 'delivery_fee'
  | 'delivery_zone_id'
  | 'road_distance_meters'
  | 'distance_source'
  | 'tax_rate_applied'
  | 'tax_inclusive'
  | 'tax_amount'
  | 'total'
  | 'reward_cost';
type Column = Insertable<DeliveryOrderTable>;
export type SoldColumns = Pick<Column, SoldColumn>;

export interface DemoOrder {
  readonly orgId: Uuid;
  readonly id: Uuid;
  readonly row: Omit<Column, SoldColumn | 'org_id' | 'id' | 'delivery_ref' | 'revision'>;
  /** Null: keep the sale of an earlier start. */
  readonly sold: SoldColumns | null;
  /** Since the order was placed. */
  readonly changes: number;
}

/** Current references by order id; missing orders are left out. */
export const referencesOf = async (
  tx: Kysely<Database>,
  orgId: Uuid,
  ids: readonly Uuid[],
): Promise<ReadonlyMap<Uuid, string | null>> => {
  const rows = await tx
    .selectFrom('delivery_order')
    .select(['id', 'delivery_ref'])
    .where('org_id', '=', orgId)
    .where('id', '=', sql<Uuid>`any(${[...ids]}::uuid[])`)
    .execute();
  return new Map(rows.map((row) => [row.id, row.delivery_ref]));
};

export const freeReferences = async (
  tx: Kysely<Database>,
  orgId: Uuid,
  ids: readonly Uuid[],
): Promise<void> => {
  await tx
    .updateTable('delivery_order')
    .set({ delivery_ref: null })
    .where('org_id', '=', orgId)
    .where('id', '=', sql<Uuid>`any(${[...ids]}::uuid[])`)
    .execute();
};

/** 0 before the first. */
export const lastOrderNumber = async (
  tx: Kysely<Database>,
  orgId: Uuid,
  branchCode: string,
  date: LocalDate,
): Promise<number> => {
  const row = await tx
    .selectFrom('order_number')
    .select('last')
    .where('org_id', '=', orgId)
    .where('branch_code', '=', branchCode)
    .where('date', '=', date)
    .executeTakeFirst();
  return row?.last ?? 0;
};

export const drawOrderNumber = async (
  tx: Kysely<Database>,
  orgId: Uuid,
  branchCode: string,
  date: LocalDate,
): Promise<number> => {
  const { rows } = await sql<{ last: number }>`
    insert into order_number (org_id, branch_code, date, last) values (${orgId}, ${branchCode}, ${date}, 1)
    on conflict (org_id, branch_code, date) do update set last = order_number.last + 1
    returning last
  `.execute(tx);
  return rows[0]?.last ?? 0;
};

/** Inserts or overwrites a demo order. With `sold` null the order must exist. */
export const saveDemoOrder = async (
  tx: Kysely<Database>,
  { orgId, id, row, sold, changes }: DemoOrder,
  reference: string,
): Promise<void> => {
  const columns = { ...row, delivery_ref: reference };
  const update = { ...columns, ...sold, revision: sql<number>`delivery_order.revision + 1` };
  if (sold === null) {
    await tx
      .updateTable('delivery_order')
      .set(update)
      .where('org_id', '=', orgId)
      .where('id', '=', id)
      .execute();
    return;
  }
  await tx
    .insertInto('locator')
    .values({ id, org_id: orgId, kind: 'order' })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  await tx
    .insertInto('delivery_order')
    .values({ org_id: orgId, id, ...columns, ...sold, revision: 1 + changes })
    .onConflict((conflict) => conflict.columns(['org_id', 'id']).doUpdateSet(update))
    .execute();
};

export const existingOrders = async (
  db: Kysely<Database>,
  orgIds: readonly Uuid[],
  ids: readonly Uuid[],
): Promise<ReadonlySet<Uuid>> => {
  const rows = await db
    .selectFrom('delivery_order')
    .select('id')
    .where('org_id', '=', sql<Uuid>`any(${[...orgIds]}::uuid[])`)
    .where('id', '=', sql<Uuid>`any(${[...ids]}::uuid[])`)
    .execute();
  return new Set(rows.map(({ id }) => id));
};

// ── Bookings ────────────────────────────────────────────────────────────────────────────────────

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

/** Returns false when the booking exists or its tables are taken. */
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

/** Returns the sales that stay: something of them was refunded. */
export const dropDemoSales = async (
  tx: Kysely<Database>,
  orgId: Uuid,
  orderIds: readonly Uuid[],
): Promise<ReadonlySet<Uuid>> => {
  const { rows } = await sql<{ id: Uuid }>`
    with refunded as (
      select sale_id as id from sale_refund where org_id = ${orgId} and sale_id = any(${[...orderIds]}::uuid[])
    ), unpaid as (
      delete from sale_payment
      where org_id = ${orgId} and sale_id = any(${[...orderIds]}::uuid[])
        and sale_id not in (select id from refunded)
    ), dropped as (
      delete from sale
      where org_id = ${orgId} and id = any(${[...orderIds]}::uuid[]) and id not in (select id from refunded)
    )
    select distinct id from refunded
  `.execute(tx);
  return new Set(rows.map(({ id }) => id));
};

/** What the kitchen has of the orders. */
export const dropDemoFirings = async (
  tx: Kysely<Database>,
  orgId: Uuid,
  orderIds: readonly Uuid[],
): Promise<void> => {
  await sql`
    with fired as (
      delete from kitchen_firing
      where org_id = ${orgId} and source = 'order' and source_id = any(${[...orderIds]}::uuid[])
      returning id
    ), tickets as (
      delete from kitchen_ticket where org_id = ${orgId} and firing_id in (select id from fired) returning id
    )
    delete from kitchen_line where org_id = ${orgId} and ticket_id in (select id from tickets)
  `.execute(tx);
};

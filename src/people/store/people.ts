/**
 * Personal data of a phone at a shop: the customer with card and addresses, orders that have the phone or
 * belong to the customer, and messages about those orders.
 */
import { sql, type Kysely, type Selectable } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Phone } from '../../kernel/phone.ts';
import type { SavedChannel } from '../../orders/domain/saved-address.ts';
import type { Instant } from '../../kernel/time.ts';
import { at } from '../../platform/store/db.ts';
import type { StoredOrder } from '../../orders/store/delivery-order.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { CustomerAddressTable } from '../../orders/store/schema/customer.ts';

type Db = Kysely<Database>;

// ── Reads ───────────────────────────────────────────────────────────────────────────────────────

export const cardsOf = (
  db: Db,
  orgId: Uuid,
  customerId: Uuid,
): Promise<{ readonly id: Uuid; readonly created_at: Instant }[]> =>
  db
    .selectFrom('loyalty_card')
    .select(['id', 'created_at'])
    .where('org_id', '=', orgId)
    .where('customer_id', '=', customerId)
    .execute();

export type StoredAddress = Selectable<CustomerAddressTable> & { readonly channel: SavedChannel };

/** Newest first. */
export const addressesOf = async (db: Db, orgId: Uuid, customerId: Uuid): Promise<StoredAddress[]> => {
  const { rows } = await sql<StoredAddress>`
    select * from customer_address
    where org_id = ${orgId} and customer_id = ${customerId}
    order by last_used_at desc, id desc
  `.execute(db);
  return rows;
};

/** Null: no customer. */
export interface PersonKey {
  readonly phone: Phone;
  readonly customerId: Uuid | null;
}

const isOf = (orgId: Uuid, { phone, customerId }: PersonKey) =>
  sql`org_id = ${orgId} and (customer_phone = ${phone} or customer_id = ${customerId})`;

/** Oldest first. */
export const ordersOfPerson = async (db: Db, orgId: Uuid, key: PersonKey): Promise<StoredOrder[]> => {
  const { rows } = await sql<StoredOrder>`
    select * from delivery_order where ${isOf(orgId, key)} order by created_at, id
  `.execute(db);
  return rows;
};

export interface StoredMessage {
  readonly order_id: Uuid | null;
  readonly booking_id: Uuid | null;
  readonly template: string;
  readonly language: string;
  readonly status: string;
  readonly created_at: Instant;
}

/** Retained messages, in order of creation. */
export const messagesAbout = async (
  db: Db,
  orgId: Uuid,
  /** Of orders and bookings. */
  subjectIds: readonly Uuid[],
): Promise<StoredMessage[]> => {
  const { rows } = await sql<StoredMessage>`
    select case subject when 'order' then subject_id end as order_id,
           case subject when 'booking' then subject_id end as booking_id,
           payload ->> 'template' as template, payload ->> 'language' as language, status, created_at
    from outbox
    where org_id = ${orgId} and kind = 'message' and subject_id = any(${[...subjectIds]}::uuid[])
    order by position
  `.execute(db);
  return rows;
};

// ── Erasure ─────────────────────────────────────────────────────────────────────────────────────

/** Locks the row. */
export const lockCustomer = async (tx: Db, orgId: Uuid, phone: Phone): Promise<Uuid | null> => {
  const row = await tx
    .selectFrom('customer')
    .select('id')
    .where('org_id', '=', orgId)
    .where('phone', '=', phone)
    .forUpdate()
    .executeTakeFirst();
  return row?.id ?? null;
};

export interface OrderToErase {
  readonly id: Uuid;
  readonly hasEnded: boolean;
}

/** Locks the orders that are not erased yet, so none ends meanwhile. */
export const lockOrdersOf = async (tx: Db, orgId: Uuid, key: PersonKey): Promise<OrderToErase[]> => {
  const { rows } = await sql<OrderToErase>`
    select id, status in ('delivered', 'cancelled', 'rejected') as "hasEnded"
    from delivery_order
    where ${isOf(orgId, key)} and erased_at is null
    order by id
    for update
  `.execute(tx);
  return rows;
};

/** The cart without the guest's notes on lines and combo parts. */
const CART_WITHOUT_NOTES = sql`
  jsonb_set(cart, '{lines}', (
    select coalesce(jsonb_agg(case
        when jsonb_typeof(line #> '{combo,parts}') = 'array' then jsonb_set(line, '{combo,parts}', (
          select coalesce(jsonb_agg(part || '{"notes": null}' order by place), '[]')
          from jsonb_array_elements(line #> '{combo,parts}') with ordinality as parts (part, place)))
        else line
      end || '{"notes": null}' order by place), '[]')
    from jsonb_array_elements(cart -> 'lines') with ordinality as lines (line, place)))`;

/** Keeps items, amounts, times and branch. */
export const eraseOrders = async (
  tx: Db,
  orgId: Uuid,
  orderIds: readonly Uuid[],
  now: Instant,
): Promise<void> => {
  await sql`
    update delivery_order
    set customer_name = '', customer_phone = null,
        address_id = null, address_line = null, floor = null, unit_number = null, landmark = null, place_name = null,
        delivery_notes = null, customer_lat = null, customer_lng = null, road_distance_meters = null, distance_source = null,
        cancel_note = null, cart = ${CART_WITHOUT_NOTES},
        erased_at = ${at(now)}, updated_at = ${at(now)}
    where org_id = ${orgId} and id = any(${[...orderIds]}::uuid[])
  `.execute(tx);
};

/** Returns the number of addresses. */
export const eraseAddresses = async (tx: Db, orgId: Uuid, customerId: Uuid): Promise<number> => {
  const { numDeletedRows } = await tx
    .deleteFrom('customer_address')
    .where('org_id', '=', orgId)
    .where('customer_id', '=', customerId)
    .executeTakeFirst();
  await tx
    .updateTable('delivery_order')
    .set({ address_id: null })
    .where('org_id', '=', orgId)
    .where('customer_id', '=', customerId)
    .where('address_id', 'is not', null)
    .execute();
  return Number(numDeletedRows);
};

/** The row stays for sales statistics. */
export const eraseCustomer = async (tx: Db, orgId: Uuid, customerId: Uuid, now: Instant): Promise<void> => {
  await tx
    .updateTable('customer')
    .set({ phone: null, name: '', phone_proven_at: null, erased_at: at(now), updated_at: at(now) })
    .where('org_id', '=', orgId)
    .where('id', '=', customerId)
    .execute();
};

/** Invalidates the card's token: no token has the new hash. */
export const endCard = async (tx: Db, orgId: Uuid, customerId: Uuid, tokenHash: Buffer): Promise<void> => {
  await sql`
    update loyalty_card set generation = generation + 1, token_hash = ${tokenHash}
    where org_id = ${orgId} and customer_id = ${customerId}
  `.execute(tx);
};

/**
 * Personal data of a phone at a shop: the customer with card and addresses, orders that have the phone or
 * belong to the customer, and messages about those orders.
 */
import { sql, type Kysely, type Selectable } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Phone } from '../../kernel/phone.ts';
import type { Instant } from '../../kernel/time.ts';
import { at } from '../../platform/store/db.ts';
import type { StoredOrder } from '../../orders/store/delivery-order.ts';
import type { Database } from '../../platform/store/schema.ts';

type Db = Kysely<Database>;

// ── Reads ───────────────────────────────────────────────────────────────────────────────────────

export type StoredCard = Pick<
  Selectable<Database['loyalty_card']>,
  'id' | 'created_at' | 'points' | 'visits' | 'merged_into'
>;

/** The customer, and those who were combined with them. */
const allOf = (orgId: Uuid, customerId: Uuid) =>
  sql`(select id from customer where org_id = ${orgId} and (id = ${customerId} or merged_into = ${customerId}))`;

/** Every card of the customer, and of those who were combined with them; oldest first. */
export const cardsOf = async (db: Db, orgId: Uuid, customerId: Uuid): Promise<StoredCard[]> => {
  const { rows } = await sql<StoredCard>`
    select id, created_at, points, visits, merged_into from loyalty_card
    where org_id = ${orgId} and customer_id in ${allOf(orgId, customerId)}
    order by created_at, id
  `.execute(db);
  return rows;
};

export type StoredEntry = Selectable<Database['loyalty_entry']>;

/** The entries of those cards, oldest first. */
export const entriesOf = async (db: Db, orgId: Uuid, customerId: Uuid): Promise<StoredEntry[]> => {
  const { rows } = await sql<StoredEntry>`
    select e.* from loyalty_entry e
    join loyalty_card l on l.org_id = ${orgId} and l.id = e.card_id
    where e.org_id = ${orgId} and l.customer_id in ${allOf(orgId, customerId)}
    order by e.position, e.id
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

/** Locks the row, which orders and sales that hold its card may still refer to: `lockReferences`. */
export const lockCustomer = async (tx: Db, orgId: Uuid, phone: Phone): Promise<Uuid | null> => {
  const row = await tx
    .selectFrom('customer')
    .select('id')
    .where('org_id', '=', orgId)
    .where('phone', '=', phone)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row?.id ?? null;
};

/** Locks the cards of the customer, and of those who were combined with them. */
export const lockCardsOf = async (tx: Db, orgId: Uuid, customerId: Uuid): Promise<Uuid[]> => {
  const { rows } = await sql<{ id: Uuid }>`
    select id from loyalty_card
    where org_id = ${orgId} and customer_id in ${allOf(orgId, customerId)}
    order by id
    for update
  `.execute(tx);
  return rows.map(({ id }) => id);
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

/** The rows stay for sales statistics, also those of customers who were combined with this one. */
export const eraseCustomer = async (tx: Db, orgId: Uuid, customerId: Uuid, now: Instant): Promise<void> => {
  await sql`
    update customer
    set phone = null, name = '', phone_proven_at = null, birth_month = null, birth_day = null,
        erased_at = ${at(now)}, updated_at = ${at(now)}
    where org_id = ${orgId} and (id = ${customerId} or merged_into = ${customerId})
  `.execute(tx);
};

/**
 * Ends the cards of the customer and of those who were combined with them: no token and no code has the hashes, which are
 * random, and no phone is registered. The generation stays: by it the objects in wallets are found and ended. The amounts of their ledgers stay, without notes and greetings.
 */
export const endCards = async (
  tx: Db,
  orgId: Uuid,
  cards: readonly { readonly id: Uuid; readonly tokenHash: Buffer }[],
  customerId: Uuid,
  now: Instant,
): Promise<void> => {
  const hashes = cards.map(({ id, tokenHash }) => ({ id, hash: tokenHash.toString('hex') }));
  await sql`
    with ended as (
      update loyalty_card l
      set token_hash = decode(fresh.hash, 'hex'), code_hash = null,
          revision = revision + 1, changed_at = ${at(now)}
      from jsonb_to_recordset(${JSON.stringify(hashes)}::jsonb) as fresh (id uuid, hash text)
      where l.org_id = ${orgId} and l.id = fresh.id
      returning l.id
    ), unregistered as (
      delete from wallet_registration r using ended where r.org_id = ${orgId} and r.card_id = ended.id
    ), forgotten as (
      delete from loyalty_greeting where org_id = ${orgId} and customer_id = ${customerId}
    ), unnoted as (
      update loyalty_entry e set note = null from ended
      where e.org_id = ${orgId} and e.card_id = ended.id and e.note is not null
    )
    select id from ended
  `.execute(tx);
};

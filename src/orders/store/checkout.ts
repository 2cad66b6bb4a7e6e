/** Statements of placing an order: one reads the facts, one claims, one inserts. */
import { sql, type Insertable, type Kysely, type RawBuilder } from 'kysely';
import { addressUpsert, type AddressToSave } from '../../customers/store/address.ts';
import type { CustomerOfOrder, Profile } from '../domain/customer.ts';
import { feedScope, type Change } from '../../kernel/change.ts';
import type { Distance } from '../../delivery/domain/delivery.ts';
import type { GuestPhone } from '../../messaging/domain/guest-phone.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { Language } from '../../kernel/names.ts';
import type { BrakeLimits, PhoneOrders } from '../domain/brake.ts';
import type { OutboxRow } from '../../messaging/domain/outbox.ts';
import type { Phone } from '../../kernel/phone.ts';
import type { Instant, LocalDate } from '../../kernel/time.ts';
import { at } from '../../platform/store/db.ts';
import { cachedDistanceColumn, type DeliveryRoute } from '../../delivery/store/delivery.ts';
import {
  saleStateColumns,
  saleStateOf,
  type SaleState,
  type SaleStateRow,
} from '../../pricing/store/quote.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { DeliveryOrderTable } from './schema/order.ts';
import type { StoredOrder } from './delivery-order.ts';
import type { Balances, Programme } from '../../loyalty/domain/programme.ts';
import { cardOfTokenAt } from '../../loyalty/store/card.ts';
import { programmeColumn, programmeOf, type ProgrammeRow } from '../../loyalty/store/programme.ts';
import { liveDeviceTokens } from '../../identity/store/otp.ts';
import {
  notifiedAtUpdate,
  phoneLockQuery,
  phoneQuery,
  type NotifiedPhone,
} from '../../messaging/store/guest-phone.ts';
import { brakeColumns, hasRoomColumn, type BrakeRow } from './brake.ts';
import { outboxInsert } from '../../messaging/store/outbox.ts';
import { isKeyTaken, KeyTaken, type EarlierSubject } from '../../platform/store/idempotency.ts';
import { changeCounter, loggedCte } from '../../platform/store/change-log.ts';
import { ConcurrentChange } from '../../platform/store/concurrent-change.ts';
import { apartIfHeard, inSteps } from '../../platform/store/nodes/apart.ts';
import { isOfSilentNode } from '../../platform/store/unavailable.ts';
import { shopOfId } from '../../shops/store/shop.ts';

type Db = Kysely<Database>;

// ── Reads ───────────────────────────────────────────────────────────────────────────────────────

export interface CheckoutLookup {
  readonly branchId: Uuid;
  /** Ids in the cart that may have counted stock. */
  readonly ids: readonly Uuid[];
  readonly key: string | null;
  /** Hashes. */
  readonly deviceTokens: readonly Buffer[];
  /** Hash. */
  readonly memberToken: Buffer | null;
  /** Null: the typed text is not a phone. */
  readonly phone: Phone | null;
  /** Null: distance does not matter. */
  readonly route: DeliveryRoute | null;
  /** Scale of the shop's order limits; 0: unlimited. */
  readonly limitScale: number;
  readonly now: Instant;
}

export interface CardOfOrder extends Profile {
  readonly cardId: Uuid;
  readonly balances: Balances;
}

export interface CheckoutFacts extends SaleState {
  /** Made under the same key. */
  readonly before: EarlierSubject | null;
  /** Proven phone by hex token hash; null: the node of a token is silent. */
  readonly proofs: ReadonlyMap<string, Phone> | null;
  /** The member token's card. */
  readonly card: CardOfOrder | null;
  /** Null without a member token, or where the shop never had one. */
  readonly programme: Programme | null;
  /** Customer with the typed phone. */
  readonly known: Profile | null;
  readonly shop: {
    readonly name: string;
    readonly nameTranslations: Readonly<Record<string, string>>;
    readonly mainLanguage: string;
  };
  /** Cached distance. */
  readonly distance: Distance | null;
  /** Active webhook targets. */
  readonly webhooks: readonly Uuid[];
  /** Unlimited where staff lifted the brake for the typed phone. */
  readonly brake: BrakeLimits;
  /** Orders of the typed phone at the shop. */
  readonly orders: PhoneOrders;
  /** The typed phone across all shops; null: its node is silent. */
  readonly guestPhone: GuestPhone | null;
}

interface GuestPhoneRow {
  readonly knownAt: Instant | null;
  readonly notifiedAt: Instant[] | null;
}

interface FactsRow extends SaleStateRow, BrakeRow, GuestPhoneRow {
  readonly before: EarlierSubject | null;
  readonly proofs: Readonly<Record<string, Phone>>;
  readonly card: CardOfOrder | null;
  readonly programme: ProgrammeRow | null;
  readonly known: Profile | null;
  readonly shop: CheckoutFacts['shop'];
  readonly distance: Distance | null;
  readonly webhooks: Uuid[];
}

const profileFields = sql`
  'id', c.id, 'name', c.name, 'phone', c.phone, 'isProven', c.phone_proven_at is not null`;
const profile = sql`json_build_object(${profileFields})`;
const card = sql`
  json_build_object(${profileFields}, 'cardId', l.id,
                    'balances', json_build_object('points', l.points, 'visits', l.visits))`;

/** One statement; every part is an index lookup. */
export const loadCheckoutFacts = async (
  db: Db,
  orgId: Uuid,
  question: CheckoutLookup,
): Promise<CheckoutFacts> => {
  const { branchId, ids, key, deviceTokens, memberToken, phone, route, limitScale, now } = question;
  const [tokens, typed] = await Promise.all([
    apartIfHeard(db, liveDeviceTokens(deviceTokens, now)),
    apartIfHeard(db, phoneQuery(phone)),
  ]);
  const { rows } = await sql<FactsRow>`
    select ${saleStateColumns(orgId, branchId, ids)},
           (select json_build_object('id', subject_id, 'bodyHash', encode(body_hash, 'hex'))
            from idempotency_key
            where org_id = ${orgId} and operation = ${PLACE_ORDER} and key = ${key}) as before,
           coalesce((select json_object_agg(hash, phone) from (${tokens.query}) live),
                    '{}') as proofs,
           (select ${card} from ${cardOfTokenAt(orgId, memberToken, now)}) as card,
           ${memberToken === null ? sql`null` : programmeColumn(orgId)} as programme,
           (select ${profile} from customer c where c.org_id = ${orgId} and c.phone = ${phone}) as known,
           (select json_build_object('name', name, 'nameTranslations', name_translations, 'mainLanguage', main_language)
            from shop where org_id = ${orgId}) as shop,
           ${route === null ? sql`null` : cachedDistanceColumn(route, now)} as distance,
           typed."knownAt", typed."notifiedAt",
           array(select id from webhook_target where org_id = ${orgId} and is_active order by id) as webhooks,
           ${brakeColumns(orgId, phone, limitScale, now)}
    from (select) as one left join (${typed.query}) typed on true
  `.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('A select of one row has one.');
  return {
    ...row,
    ...saleStateOf(row),
    programme: row.programme === null ? null : programmeOf(row.programme),
    proofs: tokens.isHeard ? new Map(Object.entries(row.proofs)) : null,
    brake: row.isBrakeLifted ? NO_BRAKE : { openOrders: row.openLimit, ordersPerDay: row.dayLimit },
    orders: { open: row.openOrders, placedAt: row.placedAt },
    guestPhone: typed.isHeard ? { knownAt: row.knownAt, notifiedAt: row.notifiedAt ?? [] } : null,
  };
};

const NO_BRAKE: BrakeLimits = { openOrders: null, ordersPerDay: null };

/** Keys are scoped by operation and shop (Decisions 8). */
const PLACE_ORDER = 'order';

/** Also finds orders of a branch that was archived since; null if the shop is switched off. */
export const orderUnderKey = async (
  db: Db,
  branchId: Uuid,
  key: string,
): Promise<(EarlierSubject & { readonly orgId: Uuid }) | null> => {
  const led = await shopOfId(db, branchId, 'branch');
  const { rows } = await sql<EarlierSubject & { orgId: Uuid }>`
    select k.org_id as "orgId", k.subject_id as id, encode(k.body_hash, 'hex') as "bodyHash"
    from (${led}) l
    join shop s on s.org_id = l.org_id and s.is_active
    join idempotency_key k on k.org_id = l.org_id and k.operation = ${PLACE_ORDER} and k.key = ${key}
  `.execute(db);
  return rows[0] ?? null;
};

// ── Writes ──────────────────────────────────────────────────────────────────────────────────────

export interface OrderClaimInput {
  readonly orgId: Uuid;
  readonly branchId: Uuid;
  readonly branchCode: string;
  readonly orderId: Uuid;
  /** Business date. */
  readonly date: LocalDate;
  readonly now: Instant;
  readonly key: { readonly key: string; readonly bodyHash: Buffer } | null;
  /** Counted units of the order. */
  readonly stock: readonly { readonly id: Uuid; readonly units: number }[];
  /** Locked, so its orders are serialized; null: no limits per phone, or its node is silent. */
  readonly phone: Phone | null;
}

export interface OrderClaim {
  /** Number of the order on its date. */
  readonly number: number;
  /** Ids whose last units were taken; null: not enough stock, so roll back. */
  readonly emptied: readonly Uuid[] | null;
  /** Locked until the transaction ends; null: none. */
  readonly phone: GuestPhone | null;
}

interface ClaimedRow extends GuestPhoneRow {
  readonly number: number;
  readonly taken: number;
  readonly emptied: Uuid[];
}

/**
 * A node that is silent since the facts were read: they are read again, and the order goes on without its row. Not where the
 * statement was slow: it has waited for the row, or the machine has vanished since, and the guest sends the order again.
 */
const lockedPhone = async (tx: Db, phone: Phone | null, now: Instant): Promise<RawBuilder<unknown>> => {
  try {
    return await inSteps(tx, { phone: phoneLockQuery(phone, now) });
  } catch (fault) {
    throw isOfSilentNode(fault) ? new ConcurrentChange() : fault;
  }
};

/**
 * Claims the key, order number and stock. The phone is locked first, so a transaction that waits for the
 * phone does not hold the branch's counter; stock and key come last. Throws `KeyTaken`.
 */
export const claimForOrder = async (tx: Db, claims: OrderClaimInput): Promise<OrderClaim> => {
  const { orgId, branchId, branchCode, orderId, date, now, key, stock } = claims;
  const phone = await lockedPhone(tx, claims.phone, now);
  try {
    const { rows } = await sql<ClaimedRow>`
      with ${phone},
      keyed as (
        insert into idempotency_key (org_id, operation, key, body_hash, subject_id, created_at)
        select ${orgId}, ${PLACE_ORDER}, ${key?.key ?? null}, ${key?.bodyHash ?? null}, ${orderId}, ${at(now)}
        where ${key !== null}
      ), taken as (
        update availability a
        set stock = a.stock - wanted.units
        from jsonb_to_recordset(${JSON.stringify(stock)}::jsonb) as wanted(id uuid, units int)
        where a.org_id = ${orgId} and a.subject_id = wanted.id and a.branch_id = ${branchId} and a.channel is null
          and a.stock >= wanted.units
        returning a.subject_id as id, a.stock as left
      ), numbered as (
        insert into order_number (org_id, branch_code, date, last)
        select ${orgId}::uuid, ${branchCode}, ${date}::date, 1 from (select count(*) from phone) as waited
        on conflict (org_id, branch_code, date) do update set last = order_number.last + 1
        returning last
      )
      select (select last from numbered) as number, (select "knownAt" from phone), (select "notifiedAt" from phone),
             (select count(*)::int from taken) as taken,
             array(select id from taken where "left" = 0 order by id) as emptied
    `.execute(tx);
    const [row] = rows;
    if (row === undefined) throw new Error('A select of one row has one.');
    return {
      number: row.number,
      emptied: row.taken === stock.length ? row.emptied : null,
      phone: claims.phone === null ? null : { knownAt: row.knownAt, notifiedAt: row.notifiedAt ?? [] },
    };
  } catch (fault) {
    throw isKeyTaken(fault) ? new KeyTaken() : fault;
  }
};

/** The insert statement finds the customer and the address itself. */
export type OrderRow = Omit<Insertable<DeliveryOrderTable>, 'customer_id' | 'address_id'>;

export interface NewOrder {
  readonly orgId: Uuid;
  readonly row: OrderRow;
  readonly customer: CustomerOfOrder;
  /** Used if the customer is new. */
  readonly newCustomerId: Uuid;
  readonly language: Language;
  readonly address: AddressToSave | null;
  /** Outbox rows. */
  readonly notifications: readonly OutboxRow[];
  readonly changes: readonly Change[];
  /** Its orders are counted; null: no limits per phone. */
  readonly phone: Phone | null;
  /** Of the locked phone; null: unchanged. */
  readonly notified: NotifiedPhone | null;
  readonly brake: BrakeLimits;
  readonly now: Instant;
}

/**
 * Finds or inserts the customer. Concurrent first orders of a phone share one row. The first proof is decided
 * on the current row, an unchanged profile is not written, and an erased customer is not found. A customer who was
 * combined with another meanwhile is that one.
 */
const customerOf = ({ orgId, customer, newCustomerId, language, now }: NewOrder) => {
  if (customer.kind === 'known' && customer.rename === null && customer.provesAs === null)
    return sql`
      select coalesce(merged_into, id) as id from customer
      where org_id = ${orgId} and id = ${customer.id} and erased_at is null
      for key share`;
  if (customer.kind === 'known') {
    const provenAt = customer.provesAs === null ? null : at(now);
    return sql`
      update customer
      set name = case when merged_into is not null then name
                 else coalesce(${customer.rename}, case when phone_proven_at is null then ${customer.provesAs} end, name) end,
          phone_proven_at = case when merged_into is null then coalesce(phone_proven_at, ${provenAt}) end,
          updated_at = ${at(now)}
      where org_id = ${orgId} and id = ${customer.id} and erased_at is null
      returning coalesce(merged_into, id) as id`;
  }
  const provenAt = customer.isProven ? at(now) : null;
  return sql`
    insert into customer as known (org_id, id, phone, name, language, phone_proven_at, created_at, updated_at)
    values (${orgId}, ${newCustomerId}, ${customer.phone}, ${customer.name}, ${language}, ${provenAt}, ${at(now)}, ${at(now)})
    on conflict (org_id, phone) do update
    set name = case when known.phone_proven_at is null and ${customer.isProven} then excluded.name else known.name end,
        updated_at = case when known.phone_proven_at is null and ${customer.isProven} then excluded.updated_at else known.updated_at end,
        phone_proven_at = coalesce(known.phone_proven_at, excluded.phone_proven_at)
    returning id`;
};

const changeOfPerson = {
  scope: feedScope,
  type: 'customer',
  id: sql<Uuid | null>`(select id from person)`,
  op: 'upsert',
} as const;

const addressOf = ({ orgId, address, now }: NewOrder) => {
  if (address === null) return sql`select null::uuid as id where false`;
  return addressUpsert(orgId, address, sql`person`, now);
};

const ID_TYPES = { id: 'uuid' };

/**
 * Inserts the order with its customer, address, notifications and changes; must be the last
 * statement. The shop's change counter is taken last, so a transaction that waits for a customer or address
 * does not hold it. Roll back if `hasRoom` is false: the phone is at its limit.
 */
export const insertOrder = async (
  tx: Db,
  order: NewOrder,
): Promise<{ readonly stored: StoredOrder; readonly version: number; readonly hasRoom: boolean }> => {
  const { orgId, phone, brake, now } = order;
  const columns = Object.keys(order.row);
  const steps = await inSteps(tx, {
    person: { query: customerOf(order), types: ID_TYPES },
    address: { query: addressOf(order), types: ID_TYPES, isEmpty: order.address === null },
    notified_phone: notifiedAtUpdate(order.notified, now),
    counter: changeCounter(orgId, order.changes, changeOfPerson),
  });
  const { rows } = await sql<StoredOrder & { version: number; hasRoom: boolean }>`
    with ${steps},
    notifications as (${outboxInsert(orgId, order.notifications, now)}),
    ${loggedCte(orgId, order.changes, now, changeOfPerson)},
    placed as (
      insert into delivery_order (${sql.join(columns.map((column) => sql.ref(column)))}, customer_id, address_id)
      select ${sql.join(Object.values(order.row))}, person.id, address.id
      from (select) as one left join person on true left join address on true
      returning *
    )
    select *, (select seq from counter) as version, ${hasRoomColumn(orgId, phone, brake, now)} as "hasRoom"
    from placed
  `.execute(tx);
  const [row] = rows;
  if (row === undefined) throw new Error('An insert that was not refused has a row.');
  const { version, hasRoom, ...stored } = row;
  return { stored, version, hasRoom };
};

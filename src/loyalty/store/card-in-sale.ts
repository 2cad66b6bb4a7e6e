/** The card of a cart, an order or a sale, with the programme of its shop. */
import { sql, type Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Phone } from '../../kernel/phone.ts';
import type { Instant } from '../../kernel/time.ts';
import { at } from '../../platform/store/db.ts';
import { apartIfHeard } from '../../platform/store/nodes/apart.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { Balances, Mode, Programme } from '../domain/programme.ts';
import { cardOfToken, shopOfCard } from './card.ts';
import { programmeColumn, programmeOf, type ProgrammeRow } from './programme.ts';

type Db = Kysely<Database>;

export interface CardInCart {
  readonly orgId: Uuid;
  readonly balances: Balances;
  /** Null: the shop never had a programme. */
  readonly programme: Programme | null;
  /** A live device token proves the card's phone. Null: its node is silent, so that nobody knows. */
  readonly isProven: boolean | null;
}

interface CardInCartRow {
  readonly orgId: Uuid;
  readonly balances: Balances;
  readonly programme: ProgrammeRow | null;
  readonly isProven: boolean;
}

const programmeIn = (row: ProgrammeRow | null): Programme | null => (row === null ? null : programmeOf(row));

/** Hashes; null: no token leads to a card of an active shop. */
export const cardInCart = async (
  db: Db,
  memberToken: Buffer,
  deviceToken: Buffer | null,
  now: Instant,
): Promise<CardInCart | null> => {
  const query = sql<{ phone: Phone }>`
    select phone from device_token where token_hash = ${deviceToken} and expires_at > ${at(now)}`;
  const proof = await apartIfHeard(db, { query, types: { phone: 'text' }, isEmpty: deviceToken === null });
  const shop = await shopOfCard(db, 'token_hash', memberToken);
  const { rows } = await sql<CardInCartRow>`
    select l.org_id as "orgId", json_build_object('points', l.points, 'visits', l.visits) as balances,
           ${programmeColumn(shop('l'))} as programme,
           exists (select from (${proof.query}) proof where proof.phone = c.phone) as "isProven"
    from ${cardOfToken(shop, memberToken, now)}
    join shop s on s.org_id = ${shop('l')} and s.is_active
  `.execute(db);
  const [row] = rows;
  if (row === undefined) return null;
  return { ...row, programme: programmeIn(row.programme), isProven: proof.isHeard ? row.isProven : null };
};

export interface SaleOwner {
  /** The card that the sale was made with, whichever it was combined with since. */
  readonly cardId: Uuid | null;
  /** Whose phone was proven; ignored with a card. */
  readonly customerId: Uuid | null;
}

export interface CardOfSale {
  readonly cardId: Uuid;
  readonly balances: Balances;
  /** Null: the shop never had a programme. */
  readonly programme: Programme | null;
}

/** Null: there is no card, or its customer was erased. */
export const cardOfSale = async (
  db: Db,
  orgId: Uuid,
  { cardId, customerId }: SaleOwner,
): Promise<CardOfSale | null> => {
  const named = cardId === null ? sql`own.customer_id = ${customerId}` : sql`own.id = ${cardId}`;
  const { rows } = await sql<{ cardId: Uuid; balances: Balances; programme: ProgrammeRow | null }>`
    select l.id as "cardId", json_build_object('points', l.points, 'visits', l.visits) as balances,
           ${programmeColumn(orgId)} as programme
    from loyalty_card own
    join loyalty_card l on l.org_id = ${orgId} and l.id = coalesce(own.merged_into, own.id)
    join customer c on c.org_id = ${orgId} and c.id = l.customer_id and c.phone is not null
    where own.org_id = ${orgId} and ${named}
  `.execute(db);
  const [row] = rows;
  return row === undefined ? null : { ...row, programme: programmeIn(row.programme) };
};

/** Null for an item without a category; absent where it is unknown. */
export const categoriesOf = async (
  db: Db,
  orgId: Uuid,
  itemIds: readonly Uuid[],
): Promise<ReadonlyMap<Uuid, Uuid | null>> => {
  const rows = await db
    .selectFrom('menu_item')
    .select(['id', 'category_id'])
    .where('org_id', '=', orgId)
    .where('id', 'in', [...new Set(itemIds)])
    .execute();
  return new Map(rows.map(({ id, category_id }) => [id, category_id]));
};

export interface Redeemed {
  readonly cardId: Uuid;
  readonly mode: Mode;
  /** Negative. */
  readonly amount: number;
}

export interface Earned {
  readonly cardId: Uuid;
  readonly mode: Mode;
  readonly amount: number;
  /** Taken back by refunds before, with what could not be taken. */
  readonly reversed: number;
}

/** What a sale earned, on the card that has its balance now. */
export const earnedInSale = async (db: Db, orgId: Uuid, saleId: Uuid): Promise<Earned | null> => {
  const { rows } = await sql<Earned>`
    select coalesce(l.merged_into, l.id) as "cardId", e.mode, e.amount,
           coalesce((select sum(r.shortfall - r.amount) from loyalty_entry r
                     where r.org_id = ${orgId} and r.sale_id = e.sale_id and r.reverses = 'earn'), 0)::int as reversed
    from loyalty_entry e
    join loyalty_card l on l.org_id = ${orgId} and l.id = e.card_id
    where e.org_id = ${orgId} and e.sale_id = ${saleId} and e.kind = 'earn'
  `.execute(db);
  return rows[0] ?? null;
};

/** The redemption of a sale, on the card that has its balance now. */
export const redeemedInSale = async (db: Db, orgId: Uuid, saleId: Uuid): Promise<Redeemed | null> => {
  const { rows } = await sql<Redeemed>`
    select coalesce(l.merged_into, l.id) as "cardId", e.mode, e.amount
    from loyalty_entry e
    join loyalty_card l on l.org_id = ${orgId} and l.id = e.card_id
    where e.org_id = ${orgId} and e.sale_id = ${saleId} and e.kind = 'redeem'
  `.execute(db);
  return rows[0] ?? null;
};

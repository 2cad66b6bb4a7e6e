/** Loyalty cards with their owners. */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Phone } from '../../kernel/phone.ts';
import type { Instant } from '../../kernel/time.ts';
import { at } from '../../platform/store/db.ts';
import { shopApart, type ShopIn } from '../../platform/store/nodes/everywhere.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { Balances } from '../domain/programme.ts';

type Db = Kysely<Database>;

/** A customer with a card. */
export interface Member extends Balances {
  readonly orgId: Uuid;
  readonly cardId: Uuid;
  readonly customerId: Uuid;
  readonly generation: number;
  readonly tokenHash: Buffer;
  readonly codeHash: Buffer | null;
  /** The token was handed out before the phone was proven. */
  readonly isUnproven: boolean;
  /** And the phone has been proven since. */
  readonly hasEndedToken: boolean;
  readonly name: string;
  /** Null once erased. */
  readonly phone: Phone | null;
  readonly language: string;
  readonly phoneProvenAt: Instant | null;
  readonly marketingOptOut: boolean;
  readonly birthMonth: number | null;
}

/** The token of a combined card leads to the other card for 90 days (Decisions 11). */
const MERGED_TOKEN_MS = 90 * 24 * 60 * 60 * 1000;

export const withOwner = (orgId: Uuid): RawBuilder<unknown> =>
  sql`loyalty_card l join customer c on c.org_id = ${orgId} and c.id = l.customer_id`;

/**
 * Whether a card's token and code were handed out before the phone of its owner `c` was proven, which it is now: they
 * have ended (Decisions 11, Join).
 */
export const hasEndedToken = (card: 't' | 'l'): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${card}.is_unproven`)} and c.phone_proven_at is not null)`;

export const memberColumns = sql`
  l.org_id as "orgId", l.id as "cardId", l.customer_id as "customerId", l.generation, l.token_hash as "tokenHash",
  l.code_hash as "codeHash", l.is_unproven as "isUnproven", ${hasEndedToken('l')} as "hasEndedToken", l.points, l.visits,
  c.name, c.phone, c.language, c.phone_proven_at as "phoneProvenAt", c.marketing_opt_out as "marketingOptOut",
  c.birth_month as "birthMonth"`;

/**
 * The join of the card `l` and its owner `c` to which the token or code of a card leads; of a combined card for 90 days
 * (Decisions 11). `shop`: its id, or `t.org_id` where the token alone is known.
 */
const cardNamedBy = (
  column: 'token_hash' | 'code_hash',
  hash: Buffer | null,
  shop: RawBuilder<unknown>,
  now: Instant,
): RawBuilder<unknown> => sql`
  loyalty_card t
  join loyalty_card l on l.org_id = ${shop} and l.id = coalesce(t.merged_into, t.id)
    and t.org_id = ${shop} and ${sql.ref(`t.${column}`)} = ${hash} and (t.merged_at is null or t.merged_at > ${at(now - MERGED_TOKEN_MS)})
  join customer c on c.org_id = ${shop} and c.id = l.customer_id and c.phone is not null and not ${hasEndedToken('t')}`;

/** Of any shop. Throws DatabaseUnavailable where it may be one of a silent node. */
export const shopOfCard = (db: Db, column: 'id' | 'token_hash', value: Uuid | Buffer): Promise<ShopIn> =>
  shopApart(
    db,
    (ofShops) => sql`
      select org_id as "orgId" from loyalty_card where ${sql.ref(column)} = ${value} and ${ofShops('org_id')}`,
  );

export const cardOfToken = (shop: ShopIn, tokenHash: Buffer, now: Instant): RawBuilder<unknown> =>
  cardNamedBy('token_hash', tokenHash, shop('t'), now);

export const cardOfTokenAt = (orgId: Uuid, tokenHash: Buffer | null, now: Instant): RawBuilder<unknown> =>
  cardNamedBy('token_hash', tokenHash, sql`${orgId}`, now);

export const firstMember = async (db: Db, query: RawBuilder<Member>): Promise<Member | null> =>
  (await query.execute(db)).rows[0] ?? null;

/** Of any active shop. */
export const memberByToken = async (db: Db, tokenHash: Buffer, now: Instant): Promise<Member | null> => {
  const shop = await shopOfCard(db, 'token_hash', tokenHash);
  return await firstMember(
    db,
    sql`select ${memberColumns} from ${cardOfToken(shop, tokenHash, now)}
        join shop s on s.org_id = ${shop('l')} and s.is_active`,
  );
};

export const memberByCode = (db: Db, orgId: Uuid, codeHash: Buffer, now: Instant): Promise<Member | null> =>
  firstMember(
    db,
    sql`select ${memberColumns} from ${cardNamedBy('code_hash', codeHash, sql`${orgId}`, now)}`,
  );

export const memberOfCustomer = (db: Db, orgId: Uuid, customerId: Uuid): Promise<Member | null> =>
  firstMember(
    db,
    sql`select ${memberColumns} from ${withOwner(orgId)}
        where l.org_id = ${orgId} and l.customer_id = ${customerId} and l.merged_into is null`,
  );

export interface LockedCustomer {
  readonly id: Uuid;
  readonly language: string;
  readonly isProven: boolean;
}

/** Inserts the customer if needed; locks the row. */
export const customerWith = async (
  tx: Db,
  { orgId, id, phone, name, language, now }: NewCustomer,
): Promise<LockedCustomer> => {
  const { rows } = await sql<LockedCustomer>`
    insert into customer (org_id, id, phone, name, language, created_at, updated_at)
    values (${orgId}, ${id}, ${phone}, ${name}, ${language}, ${at(now)}, ${at(now)})
    on conflict (org_id, phone) do update set updated_at = excluded.updated_at
    returning id, language, phone_proven_at is not null as "isProven"
  `.execute(tx);
  return rows[0] ?? { id, language, isProven: false };
};

/** Null: no customer has the phone, or the one who had it has ended meanwhile. */
export const lockedCustomerWith = async (
  tx: Db,
  orgId: Uuid,
  phone: Phone,
): Promise<LockedCustomer | null> => {
  const { rows } = await sql<LockedCustomer>`
    select id, language, phone_proven_at is not null as "isProven" from customer
    where org_id = ${orgId} and phone = ${phone}
    for no key update
  `.execute(tx);
  return rows[0] ?? null;
};

export interface NewCustomer {
  readonly orgId: Uuid;
  /** Used if the phone has no customer. */
  readonly id: Uuid;
  readonly phone: Phone;
  readonly name: string;
  /** Of a new customer. */
  readonly language: string;
  readonly now: Instant;
}

export interface NewCard {
  readonly orgId: Uuid;
  readonly id: Uuid;
  readonly customerId: Uuid;
  readonly tokenHash: Buffer;
  readonly codeHash: Buffer;
  readonly isUnproven: boolean;
  readonly now: Instant;
}

/** Of the first generation, with nothing on it. False: the customer has a card. */
export const addCard = async (tx: Db, card: NewCard): Promise<boolean> => {
  const { orgId, id, customerId, tokenHash, codeHash, isUnproven, now } = card;
  const { numAffectedRows } = await sql`
    insert into loyalty_card (org_id, id, customer_id, token_hash, code_hash, is_unproven, created_at, changed_at, absent_since)
    values (${orgId}, ${id}, ${customerId}, ${tokenHash}, ${codeHash}, ${isUnproven}, ${at(now)}, ${at(now)}, ${at(now)})
    on conflict (org_id, customer_id) do nothing
  `.execute(tx);
  return numAffectedRows === 1n;
};

/** Raises the revision: what a pass shows of the card has changed. */
export const touchCard = async (tx: Db, orgId: Uuid, cardId: Uuid, now: Instant): Promise<void> => {
  await sql`
    update loyalty_card set revision = revision + 1, changed_at = ${at(now)}
    where org_id = ${orgId} and id = ${cardId}
  `.execute(tx);
};

/** Phones that hold passes, and what the vendor of wallet two has. */
import { sql, type Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import { at } from '../../platform/store/db.ts';
import { rowsOfEveryShop } from '../../platform/store/nodes/everywhere.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { Balances } from '../domain/programme.ts';
import { hasEndedToken, shopOfCard } from './card.ts';

type Db = Kysely<Database>;

export interface CardKey {
  readonly orgId: Uuid;
  readonly cardId: Uuid;
}

// ── Cards ───────────────────────────────────────────────────────────────────────────────────────

/** A card as a pass needs it. */
export interface CardForPass extends CardKey, Balances {
  readonly generation: number;
  readonly tokenHash: Buffer;
  readonly codeHash: Buffer | null;
  readonly changedAt: Instant;
  readonly name: string;
  /** Combined with another card, its owner erased, or its token ended. */
  readonly isVoid: boolean;
}

export const cardForPass = async (db: Db, { orgId, cardId }: CardKey): Promise<CardForPass | null> => {
  const { rows } = await sql<CardForPass>`
    select l.org_id as "orgId", l.id as "cardId", l.points, l.visits, l.generation, l.token_hash as "tokenHash",
           l.code_hash as "codeHash", l.changed_at as "changedAt", c.name,
           l.merged_into is not null or c.phone is null or ${hasEndedToken('l')} as "isVoid"
    from loyalty_card l join customer c on c.org_id = ${orgId} and c.id = l.customer_id
    where l.org_id = ${orgId} and l.id = ${cardId}
  `.execute(db);
  return rows[0] ?? null;
};

export interface CardOfPass extends CardKey {
  readonly generation: number;
  /** Combined with another card, or its owner erased. */
  readonly isClosed: boolean;
}

/** Of an active shop, with a token that has not ended. */
export const cardById = async (db: Db, cardId: Uuid): Promise<CardOfPass | null> => {
  const shop = await shopOfCard(db, 'id', cardId);
  const { rows } = await sql<CardOfPass>`
    select l.org_id as "orgId", l.id as "cardId", l.generation,
           l.merged_into is not null or c.phone is null as "isClosed"
    from loyalty_card l join shop s on s.org_id = ${shop('l')} and s.is_active
    join customer c on c.org_id = ${shop('l')} and c.id = l.customer_id
    where l.org_id = ${shop('l')} and l.id = ${cardId} and not ${hasEndedToken('l')}
  `.execute(db);
  return rows[0] ?? null;
};

/** Waits for a change of the card that is under way, and makes a later one wait. */
export const lockCardForRead = async (tx: Db, { orgId, cardId }: CardKey): Promise<void> => {
  await sql`
    select from loyalty_card where org_id = ${orgId} and id = ${cardId} for share
  `.execute(tx);
};

// ── Phones ──────────────────────────────────────────────────────────────────────────────────────

export interface Registration extends CardKey {
  /** Of the token that authorized the phone. */
  readonly generation: number;
  /** Used if the phone is new. */
  readonly id: Uuid;
  readonly device: string;
  readonly pushToken: string;
  readonly now: Instant;
}

interface SavedRegistration {
  readonly id: Uuid;
  /** The generation of the pass that the phone had registered; null: the phone is new to the card. */
  readonly before: number | null;
}

/** A known phone gets the push token and the generation. */
export const saveRegistration = async (tx: Db, registration: Registration): Promise<SavedRegistration> => {
  const { orgId, cardId, id, device, pushToken, generation, now } = registration;
  const { rows } = await sql<SavedRegistration>`
    with before as (
      select generation from wallet_registration
      where org_id = ${orgId} and card_id = ${cardId} and device = ${device}
    ), saved as (
      insert into wallet_registration (org_id, id, card_id, device, push_token, generation, created_at)
      values (${orgId}, ${id}, ${cardId}, ${device}, ${pushToken}, ${generation}, ${at(now)})
      on conflict (org_id, card_id, device)
      do update set push_token = excluded.push_token, generation = excluded.generation
      returning id
    )
    select id, (select generation from before) as before from saved
  `.execute(tx);
  return rows[0] ?? { id, before: null };
};

/** Keeps the newest registrations of a card. */
export const forgetOldest = async (tx: Db, { orgId, cardId }: CardKey, kept: number): Promise<void> => {
  await sql`
    delete from wallet_registration
    where org_id = ${orgId} and id in (
      select id from wallet_registration
      where org_id = ${orgId} and card_id = ${cardId}
      order by created_at desc, id
      offset ${kept})
  `.execute(tx);
};

/** Unless the phone has registered the pass of a later token. */
export const deleteRegistration = async (
  db: Db,
  { orgId, cardId, device, generation }: Pick<Registration, 'orgId' | 'cardId' | 'device' | 'generation'>,
): Promise<void> => {
  await db
    .deleteFrom('wallet_registration')
    .where('org_id', '=', orgId)
    .where('card_id', '=', cardId)
    .where('device', '=', device)
    .where('generation', '<=', generation)
    .execute();
};

/** Unless the phone has registered another push token meanwhile. */
export const deleteGoneRegistration = async (
  db: Db,
  orgId: Uuid,
  id: Uuid,
  pushToken: string,
): Promise<void> => {
  await db
    .deleteFrom('wallet_registration')
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .where('push_token', '=', pushToken)
    .execute();
};

/** Of phones that hold the pass of the card's token. */
export const registrationIdsOf = async (tx: Db, { orgId, cardId }: CardKey): Promise<Uuid[]> => {
  const { rows } = await sql<{ id: Uuid }>`
    select r.id from wallet_registration r
    join loyalty_card l on l.org_id = ${orgId} and l.id = r.card_id
    join customer c on c.org_id = ${orgId} and c.id = l.customer_id
    where r.org_id = ${orgId} and r.card_id = ${cardId} and r.generation = l.generation
      and not ${hasEndedToken('l')}
    order by r.id
  `.execute(tx);
  return rows.map(({ id }) => id);
};

/** Of phones that hold the pass of the token before. */
export const formerRegistrationIdsOf = async (tx: Db, { orgId, cardId }: CardKey): Promise<Uuid[]> => {
  const { rows } = await sql<{ id: Uuid }>`
    select r.id from wallet_registration r join loyalty_card l on l.org_id = ${orgId} and l.id = r.card_id
    where r.org_id = ${orgId} and r.card_id = ${cardId} and r.generation = l.generation - 1
    order by r.id
  `.execute(tx);
  return rows.map(({ id }) => id);
};

export const pushTokenOf = async (db: Db, orgId: Uuid, id: Uuid): Promise<string | null> => {
  const row = await db
    .selectFrom('wallet_registration')
    .select('push_token')
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.push_token ?? null;
};

export interface RegisteredCard {
  readonly id: Uuid;
  /** Of a pass whose token has ended: negative, and always the same. */
  readonly revision: number;
}

/** The cards of a phone, of all shops, newest first. Throws DatabaseUnavailable while a node is silent. */
export const cardsOnDevice = async (
  db: Db,
  device: string,
  limit: number,
): Promise<readonly RegisteredCard[]> =>
  await rowsOfEveryShop(
    db,
    (ofShops) => sql<RegisteredCard>`
    select c.id, case when r.generation = c.generation then c.revision else -r.generation::bigint end as revision
    from wallet_registration r join loyalty_card c on c.org_id = r.org_id and c.id = r.card_id
    where r.device = ${device} and ${ofShops('r.org_id')} and ${ofShops('c.org_id')}
    order by r.created_at desc, c.id
    limit ${limit}
  `,
  );

// ── Wallet two ──────────────────────────────────────────────────────────────────────────────────

export const classDigestOf = async (db: Db, orgId: Uuid): Promise<Buffer | null> => {
  const row = await db
    .selectFrom('wallet_class')
    .select('digest')
    .where('org_id', '=', orgId)
    .executeTakeFirst();
  return row?.digest ?? null;
};

export const saveClassDigest = async (db: Db, orgId: Uuid, digest: Buffer, now: Instant): Promise<void> => {
  const columns = { digest, saved_at: at(now) };
  await db
    .insertInto('wallet_class')
    .values({ org_id: orgId, ...columns })
    .onConflict((conflict) => conflict.column('org_id').doUpdateSet(columns))
    .execute();
};

export const hasObject = async (db: Db, { orgId, cardId }: CardKey): Promise<boolean> => {
  const row = await db
    .selectFrom('wallet_object')
    .select('card_id')
    .where('org_id', '=', orgId)
    .where('card_id', '=', cardId)
    .executeTakeFirst();
  return row !== undefined;
};

/** Unless the card has got another token meanwhile, and with it another object. */
export const saveObject = async (
  db: Db,
  { orgId, cardId, generation }: Omit<CardOfPass, 'isClosed'>,
  now: Instant,
): Promise<void> => {
  await sql`
    insert into wallet_object (org_id, card_id, saved_at)
    select ${orgId}::uuid, id, ${at(now)} from loyalty_card
    where org_id = ${orgId} and id = ${cardId} and generation = ${generation}
    for share
    on conflict (org_id, card_id) do update set saved_at = excluded.saved_at
  `.execute(db);
};

export const forgetObject = async (db: Db, { orgId, cardId }: CardKey): Promise<void> => {
  await db.deleteFrom('wallet_object').where('org_id', '=', orgId).where('card_id', '=', cardId).execute();
};

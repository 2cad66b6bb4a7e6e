/** Members as they are found, join and get new tokens. */
import { sql, type Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Language } from '../../kernel/names.ts';
import type { Phone } from '../../kernel/phone.ts';
import type { Instant } from '../../kernel/time.ts';
import { at } from '../../platform/store/db.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { Birthday } from '../domain/birthday.ts';
import { firstMember, memberColumns, withOwner, type Member } from './card.ts';

type Db = Kysely<Database>;

/** Null also once the card was combined with another. */
export const memberById = (db: Db, orgId: Uuid, cardId: Uuid): Promise<Member | null> =>
  firstMember(
    db,
    sql`select ${memberColumns} from ${withOwner(orgId)}
        where l.org_id = ${orgId} and l.id = ${cardId} and l.merged_into is null and c.phone is not null`,
  );

/** The id of a card that was combined leads to the other card. */
export const standingMember = (db: Db, orgId: Uuid, cardId: Uuid): Promise<Member | null> =>
  firstMember(
    db,
    sql`select ${memberColumns} from ${withOwner(orgId)}
        where l.org_id = ${orgId} and c.phone is not null
          and l.id = (select coalesce(merged_into, id) from loyalty_card where org_id = ${orgId} and id = ${cardId})`,
  );

/** What is read of the customer afterwards is as it stays until the transaction ends. */
export const lockOwner = async (
  tx: Db,
  { orgId, customerId }: Pick<Member, 'orgId' | 'customerId'>,
): Promise<void> => {
  await sql`
    select from customer where org_id = ${orgId} and id = ${customerId} for no key update
  `.execute(tx);
};

/** As `memberById`, with the owner's row locked, then the card's. */
export const lockedMember = (tx: Db, orgId: Uuid, cardId: Uuid): Promise<Member | null> =>
  firstMember(
    tx,
    sql`with owner as (
          select * from customer
          where org_id = ${orgId}
            and id = (select customer_id from loyalty_card where org_id = ${orgId} and id = ${cardId})
          for no key update
        )
        select ${memberColumns} from loyalty_card l join owner c on c.org_id = ${orgId} and c.id = l.customer_id
        where l.org_id = ${orgId} and l.id = ${cardId} and l.merged_into is null and c.phone is not null
        for no key update of l`,
  );

export const memberByPhone = (db: Db, orgId: Uuid, phone: Phone): Promise<Member | null> =>
  firstMember(
    db,
    sql`select ${memberColumns} from ${withOwner(orgId)}
        where l.org_id = ${orgId} and c.phone = ${phone} and l.merged_into is null`,
  );

/** Whether a message with the card's link was added to the outbox. */
export const wasLinkSent = async (
  db: Db,
  { orgId, cardId }: Pick<Member, 'orgId' | 'cardId'>,
): Promise<boolean> => {
  const { rows } = await sql`
    select from outbox
    where org_id = ${orgId} and subject_id = ${cardId} and payload ->> 'template' = 'card_link'
    limit 1
  `.execute(db);
  return rows.length > 0;
};

export interface Joining {
  readonly orgId: Uuid;
  /** Used if the phone has no customer. */
  readonly id: Uuid;
  readonly phone: Phone;
  readonly name: string;
  readonly language: Language;
  /** Null: none given, or the shop does not ask. */
  readonly birthday: Birthday | null;
}

/** Null: the phone has a customer. Waits for a transaction that inserts one. */
export const insertCustomer = async (
  tx: Db,
  { orgId, id, phone, name, language, birthday }: Joining,
  now: Instant,
): Promise<Uuid | null> => {
  const { rows } = await sql<{ id: Uuid }>`
    insert into customer (org_id, id, phone, name, language, birth_month, birth_day, created_at, updated_at)
    values (${orgId}, ${id}, ${phone}, ${name}, ${language}, ${birthday?.month ?? null}, ${birthday?.day ?? null}, ${at(now)}, ${at(now)})
    on conflict (org_id, phone) do nothing
    returning id
  `.execute(tx);
  return rows[0]?.id ?? null;
};

/**
 * The customer of a phone that a device has proven; inserted if needed, and locked. The first proof takes the typed
 * name (Decisions 8). A birthday is never overwritten; `isLanguageChosen`: the guest named the language.
 */
export const provenCustomer = async (
  tx: Db,
  {
    orgId,
    id,
    phone,
    name,
    language,
    birthday,
    isLanguageChosen,
  }: Joining & { readonly isLanguageChosen: boolean },
  now: Instant,
): Promise<Uuid> => {
  const { rows } = await sql<{ id: Uuid }>`
    insert into customer as known (org_id, id, phone, name, language, birth_month, birth_day, phone_proven_at, created_at, updated_at)
    values (${orgId}, ${id}, ${phone}, ${name}, ${language}, ${birthday?.month ?? null}, ${birthday?.day ?? null}, ${at(now)}, ${at(now)}, ${at(now)})
    on conflict (org_id, phone) do update
    set name = case when known.phone_proven_at is null then excluded.name else known.name end,
        language = case when ${isLanguageChosen} then excluded.language else known.language end,
        birth_month = coalesce(known.birth_month, excluded.birth_month),
        birth_day = coalesce(known.birth_day, excluded.birth_day),
        phone_proven_at = coalesce(known.phone_proven_at, excluded.phone_proven_at),
        updated_at = excluded.updated_at
    returning id
  `.execute(tx);
  return rows[0]?.id ?? id;
};

interface NewGeneration {
  readonly orgId: Uuid;
  readonly cardId: Uuid;
  readonly generation: number;
  readonly tokenHash: Buffer;
  readonly codeHash: Buffer;
}

/** Ends the token and the code before. False: another transaction gave the card this generation. */
export const renewCard = async (
  tx: Db,
  { orgId, cardId, generation, tokenHash, codeHash }: NewGeneration,
  now: Instant,
): Promise<boolean> => {
  const { numAffectedRows } = await sql`
    update loyalty_card
    set generation = ${generation}, token_hash = ${tokenHash}, code_hash = ${codeHash}, is_unproven = false,
        revision = revision + 1, changed_at = ${at(now)}
    where org_id = ${orgId} and id = ${cardId} and generation = ${generation - 1} and merged_into is null
  `.execute(tx);
  return numAffectedRows === 1n;
};

/** Null leaves a value. */
export interface Preferences {
  readonly language: Language | null;
  readonly marketingOptOut: boolean | null;
}

export const savePreferences = async (
  tx: Db,
  { orgId, customerId }: Pick<Member, 'orgId' | 'customerId'>,
  { language, marketingOptOut }: Preferences,
  now: Instant,
): Promise<void> => {
  await sql`
    update customer
    set language = coalesce(${language}, language), marketing_opt_out = coalesce(${marketingOptOut}::boolean, marketing_opt_out),
        updated_at = ${at(now)}
    where org_id = ${orgId} and id = ${customerId}
  `.execute(tx);
};

/** Birthdays and absences of members: whom a shop greets today, and what it has greeted. */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Language } from '../../kernel/names.ts';
import type { Instant, ZoneId } from '../../kernel/time.ts';
import { at } from '../../platform/store/db.ts';
import { OF_ANY, rowsHeard, type OfShops } from '../../platform/store/nodes/everywhere.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { DueQuery } from '../../platform/store/sweep.ts';
import {
  birthdayOccasion,
  type GreetedMember,
  type GreetingDay,
  type GreetingKind,
  type GreetingRules,
} from '../domain/greeting.ts';
import { cardCombinedWith } from './ledger.ts';

type Db = Kysely<Database>;

/** The zone of the first branch by name, as `byName` sorts. */
const firstZone = (orgId: Uuid | RawBuilder<unknown>, ofShops: OfShops = OF_ANY): RawBuilder<unknown> => sql`
  select b.time_zone from branch b
  where b.org_id = ${orgId} and b.is_active and b.archived_at is null and ${ofShops('b.org_id')}
  order by normalize(b.name, nfc) collate "C", b.id
  limit 1`;

/** Null: the shop has no branch. */
export const zoneOfShop = async (db: Db, orgId: Uuid): Promise<ZoneId | null> => {
  const { rows } = await sql<{ zone: ZoneId | null }>`
    select (${firstZone(orgId)}) as zone from shop s where s.org_id = ${orgId} and s.is_active
  `.execute(db);
  return rows[0]?.zone ?? null;
};

export interface GreetingShop extends GreetingRules {
  readonly id: Uuid;
  readonly zone: ZoneId;
}

export const greetingShops = async (db: Db, { without, limit }: DueQuery): Promise<readonly GreetingShop[]> =>
  await rowsHeard(
    db,
    (ofShops) => sql<GreetingShop>`
    select p.org_id as id, first.time_zone as zone, p.birthday_enabled as "areBirthdaysGreeted",
           case when p.win_back_enabled then p.win_back_after_days end as "awayDays"
    from loyalty_program p
    join shop s on s.org_id = p.org_id and s.is_active
    cross join lateral (${firstZone(sql.ref('s.org_id'), ofShops)}) first
    where p.enabled and (p.birthday_enabled or p.win_back_enabled) and p.org_id <> all(${[...without]}::uuid[])
      and ${ofShops('p.org_id')} and ${ofShops('s.org_id')}
    order by p.org_id
    limit ${limit}
  `,
  );

const isBornOn = ({ birthdays }: GreetingDay): RawBuilder<boolean> =>
  birthdays.length === 0
    ? sql`false`
    : sql`(${sql.join(
        birthdays.map(({ month, day }) => sql`(c.birth_month = ${month} and c.birth_day = ${day})`),
        sql` or `,
      )})`;

/** Null: nothing is before it. */
const awayBefore = (day: GreetingDay): RawBuilder<unknown> =>
  day.awayBefore === null ? sql`null::timestamptz` : at(day.awayBefore);

const isReachable = sql<boolean>`(c.phone is not null and c.phone_proven_at is not null and not c.marketing_opt_out)`;

export const dueMembersQuery = (
  orgId: Uuid,
  day: GreetingDay,
  { without, limit }: DueQuery,
): RawBuilder<{ id: Uuid }> => sql`
  select id from (
    select c.id from customer c
    join loyalty_card l on l.org_id = ${orgId} and l.customer_id = c.id and l.merged_into is null
    where c.org_id = ${orgId} and ${isBornOn(day)} and ${isReachable} and c.merged_into is null
      and not exists (
        select from loyalty_greeting g
        where g.org_id = ${orgId} and g.customer_id = c.id and g.kind = 'birthday'
          and g.occasion = ${birthdayOccasion(day.date)})
    union all
    select c.id from loyalty_card l
    join customer c on c.org_id = ${orgId} and c.id = l.customer_id
    where l.org_id = ${orgId} and l.merged_into is null and l.absent_since < ${awayBefore(day)}
      and ${isBornOn(day)} is not true
  ) due
  where id <> all(${[...without]}::uuid[])
  limit ${limit}
`;

/** Customers with a birthday that was not greeted, or an absence that was neither greeted nor passed over. */
export const dueMembers = async (
  db: Db,
  orgId: Uuid,
  day: GreetingDay,
  look: DueQuery,
): Promise<{ id: Uuid }[]> => {
  const { rows } = await dueMembersQuery(orgId, day, look).execute(db);
  return rows;
};

export interface MemberToGreet extends GreetedMember {
  readonly cardId: Uuid;
  readonly customerId: Uuid;
  readonly name: string;
  readonly language: Language;
}

const memberWhere = (orgId: Uuid, which: RawBuilder<unknown>, owner = sql`customer`) => sql<MemberToGreet>`
  select l.id as "cardId", c.id as "customerId", c.name, c.language,
         ${isReachable} as "isReachable", l.absent_since as "absentSince",
         case when c.birth_month is not null
              then json_build_object('month', c.birth_month, 'day', c.birth_day) end as birthday
  from loyalty_card l
  join ${owner} c on c.org_id = ${orgId} and c.id = l.customer_id and c.merged_into is null
  where l.org_id = ${orgId} and ${which} and l.merged_into is null`;

/** Null: the card was combined with another. */
export const memberOfCard = async (db: Db, orgId: Uuid, cardId: Uuid): Promise<MemberToGreet | null> =>
  (await memberWhere(orgId, sql`l.id = ${cardId}`).execute(db)).rows[0] ?? null;

/** Locks the customer, then the card: an opt-out, a sale and a combination come before or after. */
export const lockMember = async (tx: Db, orgId: Uuid, customerId: Uuid): Promise<MemberToGreet | null> => {
  const { rows } = await sql<MemberToGreet>`
    with owner as (
      select * from customer where org_id = ${orgId} and id = ${customerId} for no key update
    )
    ${memberWhere(orgId, sql`l.customer_id = ${customerId}`, sql`owner`)} for no key update of l
  `.execute(tx);
  return rows[0] ?? null;
};

export interface GreetingRecord {
  readonly orgId: Uuid;
  readonly customerId: Uuid;
  readonly kind: GreetingKind;
  readonly occasion: string;
}

/** False: the occasion was greeted before. */
export const recordGreeting = async (
  tx: Db,
  { orgId, customerId, kind, occasion }: GreetingRecord,
  now: Instant,
): Promise<boolean> => {
  const { numAffectedRows } = await sql`
    insert into loyalty_greeting (org_id, customer_id, kind, occasion, at)
    values (${orgId}, ${customerId}, ${kind}, ${occasion}, ${at(now)})
    on conflict do nothing
  `.execute(tx);
  return numAffectedRows === 1n;
};

/** Greeted or passed over: nothing is due until the member has been here again. */
export const endAbsence = async (tx: Db, orgId: Uuid, cardId: Uuid): Promise<void> => {
  await sql`
    update loyalty_card set absent_since = null where org_id = ${orgId} and id = ${cardId}
  `.execute(tx);
};

/** A sale to the card, or to the one with which it was combined meanwhile: an absence begins anew. */
export const noteVisit = async (tx: Db, orgId: Uuid, cardId: Uuid, soldAt: Instant): Promise<void> => {
  const { numAffectedRows } = await sql`
    update loyalty_card set absent_since = greatest(absent_since, ${at(soldAt)})
    where org_id = ${orgId} and id = ${cardId} and merged_into is null
  `.execute(tx);
  const survivorId = numAffectedRows === 0n ? await cardCombinedWith(tx, orgId, cardId) : null;
  if (survivorId !== null) await noteVisit(tx, orgId, survivorId, soldAt);
};

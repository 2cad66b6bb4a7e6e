/** The tickets of a person who asks for an export or an erasure (Decisions 12). */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Phone } from '../../kernel/phone.ts';
import type { Database } from '../../platform/store/schema.ts';
import { selectTickets, type StoredTicket } from './ticket.ts';

type Db = Kysely<Database>;

export interface TicketGuest {
  readonly cardIds: readonly Uuid[];
  readonly phone: Phone;
}

/**
 * `own`: tickets of these cards, whose sales were made with them, or that this phone was given for; those that were
 * split off them; and those into which they were merged, which may be other guests'.
 */
const withOwn = (orgId: Uuid, { cardIds, phone }: TicketGuest): RawBuilder<unknown> => sql`
  with recursive own as (
    (select id, merged_into from ticket where org_id = ${orgId} and card_id = any(${[...cardIds]}::uuid[])
     union
     select id, merged_into from ticket where org_id = ${orgId} and customer_phone = ${phone}
     union
     select t.id, t.merged_into from sale s join ticket t on t.org_id = s.org_id and t.id = s.id
     where s.org_id = ${orgId} and s.card_id = any(${[...cardIds]}::uuid[]))
    union
    select linked.id, linked.merged_into from own cross join lateral (
      select id, merged_into from ticket where org_id = ${orgId} and split_of = own.id
      union all
      select id, merged_into from ticket where org_id = ${orgId} and id = own.merged_into
    ) linked
  )`;

/** The oldest first; those of other guests, who have a card or a phone, are left out. */
export const ticketsOfGuest = async (
  db: Db,
  orgId: Uuid,
  guest: TicketGuest,
): Promise<readonly StoredTicket[]> => {
  const cardIds = [...guest.cardIds];
  const { rows } = await sql<StoredTicket>`
    ${withOwn(orgId, guest)}
    ${selectTickets(sql`t.org_id = ${orgId} and t.id in (select id from own)
      and coalesce(t.card_id = any(${cardIds}::uuid[]), true)
      and coalesce(t.customer_phone = ${guest.phone}, true)
      and not exists (select from sale of where of.org_id = t.org_id and of.id = t.id and of.card_id <> all(${cardIds}::uuid[]))`)}
    order by t.opened_at, t.id
  `.execute(db);
  return rows;
};

/** Those that have ended and still have the words of their guests. */
export const endedTicketsOf = async (db: Db, orgId: Uuid, guest: TicketGuest): Promise<readonly Uuid[]> => {
  const { rows } = await sql<{ id: Uuid }>`
    ${withOwn(orgId, guest)}
    select id from ticket
    where org_id = ${orgId} and id in (select id from own) and forgotten_at is null and status <> 'open'
    order by id
  `.execute(db);
  return rows.map(({ id }) => id);
};

export const countOpenTicketsOf = async (db: Db, orgId: Uuid, guest: TicketGuest): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    ${withOwn(orgId, guest)}
    select count(*)::int as count from ticket
    where org_id = ${orgId} and id in (select id from own) and status = 'open'
  `.execute(db);
  return rows[0]?.count ?? 0;
};

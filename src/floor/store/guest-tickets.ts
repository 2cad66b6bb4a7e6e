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

/** Of a ticket `t`: it has the card or the phone of somebody else, or its sale has. */
const isOthers = (orgId: Uuid, { cardIds, phone }: TicketGuest): RawBuilder<unknown> => sql`
  (t.card_id is not null and t.card_id <> all(${[...cardIds]}::uuid[]) or coalesce(t.customer_phone <> ${phone}, false)
   or exists (select from sale s where s.org_id = ${orgId} and s.id = coalesce(t.sale_id, t.id)
                and s.card_id is not null and s.card_id <> all(${[...cardIds]}::uuid[])))`;

/**
 * `own`: tickets of these cards, whose sales were made with them, or that this phone was given for; those that were
 * split off them, merged into them, or into which they were merged. `goesOn`: of which of the latter.
 */
const withOwn = (
  orgId: Uuid,
  { cardIds, phone }: TicketGuest,
  goesOn = sql`true`,
): RawBuilder<unknown> => sql`
  with recursive own as (
    (select id, merged_into from ticket where org_id = ${orgId} and card_id = any(${[...cardIds]}::uuid[])
     union
     select id, merged_into from ticket where org_id = ${orgId} and customer_phone = ${phone}
     union
     select t.id, t.merged_into from sale s join ticket t on t.org_id = ${orgId} and t.id = s.id
     where s.org_id = ${orgId} and s.card_id = any(${[...cardIds]}::uuid[])
     union
     select t.id, t.merged_into from sale s join ticket t on t.org_id = ${orgId} and t.sale_id = s.id
     where s.org_id = ${orgId} and s.card_id = any(${[...cardIds]}::uuid[]))
    union
    select t.id, t.merged_into from own cross join lateral (
      select * from ticket where org_id = ${orgId} and split_of = own.id
      union all
      select * from ticket where org_id = ${orgId} and merged_into = own.id
      union all
      select * from ticket where org_id = ${orgId} and id = own.merged_into
    ) t
    where ${goesOn}
  )`;

/** The oldest first. Those that are, or are also, of other guests are left out, and what hangs on these alone. */
export const ticketsOfGuest = async (
  db: Db,
  orgId: Uuid,
  guest: TicketGuest,
): Promise<readonly StoredTicket[]> => {
  const { rows } = await sql<StoredTicket>`
    ${withOwn(orgId, guest, sql`not ${isOthers(orgId, guest)}`)}
    ${selectTickets(orgId, sql`t.id in (select id from own) and not ${isOthers(orgId, guest)}`)}
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

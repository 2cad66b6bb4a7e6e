/** What guests wrote on tickets is forgotten a day after their end. */
import { sql, type Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Phone } from '../../kernel/phone.ts';
import type { Instant } from '../../kernel/time.ts';
import { at } from '../../platform/store/db.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { DueQuery } from '../../platform/store/sweep.ts';
import type { FrozenLine } from '../../pricing/domain/frozen-cart.ts';

type Db = Kysely<Database>;

export interface EndedTicket {
  readonly orgId: Uuid;
  readonly id: Uuid;
}

/** Tickets that ended before `now` and still have the words of their guests. */
export const endedTickets = async (db: Db, { now, without, limit }: DueQuery): Promise<EndedTicket[]> => {
  const { rows } = await sql<EndedTicket>`
    select org_id as "orgId", id from ticket
    where forgotten_at is null and status <> 'open' and coalesce(settled_at, voided_at) <= ${at(now)}
      and id <> all(${[...without]}::uuid[])
    order by coalesce(settled_at, voided_at)
    limit ${limit}
  `.execute(db);
  return rows;
};

/**
 * Those of these cards, or that this phone was given for, with those that were split off them or that they were merged
 * into, which still have the words of their guests.
 */
export const endedTicketsOf = async (
  db: Db,
  orgId: Uuid,
  { cardIds, phone }: { readonly cardIds: readonly Uuid[]; readonly phone: Phone },
): Promise<readonly Uuid[]> => {
  const { rows } = await sql<{ id: Uuid }>`
    with recursive own as (
      select id, merged_into from ticket
      where org_id = ${orgId} and (card_id = any(${[...cardIds]}::uuid[]) or customer_phone = ${phone})
      union
      select t.id, t.merged_into from own
      join ticket t on t.org_id = ${orgId} and (t.split_of = own.id or t.id = own.merged_into)
    )
    select id from ticket
    where org_id = ${orgId} and id in (select id from own) and forgotten_at is null and status <> 'open'
    order by id
  `.execute(db);
  return rows.map(({ id }) => id);
};

/** Open ones of these cards, or that this phone was given for. */
export const countOpenTicketsOf = async (
  db: Db,
  orgId: Uuid,
  { cardIds, phone }: { readonly cardIds: readonly Uuid[]; readonly phone: Phone },
): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ticket
    where org_id = ${orgId} and (card_id = any(${[...cardIds]}::uuid[]) or customer_phone = ${phone}) and status = 'open'
  `.execute(db);
  return rows[0]?.count ?? 0;
};

interface PlainItem {
  readonly id: Uuid;
  readonly line: FrozenLine;
  readonly input: unknown;
}

export const forgetTicket = async (
  tx: Db,
  orgId: Uuid,
  id: Uuid,
  items: readonly PlainItem[],
  now: Instant,
): Promise<void> => {
  await sql`
    update ticket_item i set line = plain.line, input = plain.input
    from jsonb_to_recordset(${JSON.stringify(items)}::jsonb) as plain(id uuid, line jsonb, input jsonb)
    where i.org_id = ${orgId} and i.id = plain.id
  `.execute(tx);
  await tx
    .updateTable('ticket_round')
    .set({ notes: null })
    .where('org_id', '=', orgId)
    .where('ticket_id', '=', id)
    .execute();
  await tx
    .updateTable('ticket')
    .set({ customer_name: null, customer_phone: null, notes: null, forgotten_at: at(now) })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .execute();
};

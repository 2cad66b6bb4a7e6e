import { sql, type Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import { isOpen } from '../../platform/store/closed-shop.ts';
import { rowsHeard } from '../../platform/store/nodes/everywhere.ts';
import type { Database } from '../../platform/store/schema.ts';

/**
 * Of all shops whose nodes answer, but for what closed ones have to send, at most `most` each, by the partial indexes of
 * waiting and of parked rows.
 */
export const countOutbox = async (
  db: Kysely<Database>,
  most: number,
): Promise<{ readonly waiting: number; readonly parked: number }> => {
  const rows = await rowsHeard(
    db,
    (ofShops) => sql<{ waiting: number; parked: number }>`
    select
      (select count(*)::integer
       from (select 1 from outbox o
             where status = 'waiting' and ${isOpen(sql`o.org_id`, ofShops)} and ${ofShops('o.org_id')}
             limit ${most}) as row_of) as waiting,
      (select count(*)::integer
       from (select 1 from outbox where status = 'parked' and ${ofShops('org_id')} limit ${most}) as row_of) as parked
  `,
  );
  const sum = (state: 'waiting' | 'parked'): number => rows.reduce((all, row) => all + row[state], 0);
  return { waiting: sum('waiting'), parked: sum('parked') };
};

export interface Backlog {
  readonly targetId: Uuid;
  readonly waiting: number;
  readonly parked: number;
}

/** The events of a shop that have not arrived, by address. Each status has an index of its own. */
export const backlogs = async (db: Kysely<Database>, orgId: Uuid): Promise<Backlog[]> => {
  const { rows } = await sql<Backlog>`
    select target_id as "targetId", sum(waiting)::int as waiting, sum(parked)::int as parked
    from (
      select target_id, 1 as waiting, 0 as parked from outbox
      where org_id = ${orgId} and target_id is not null and status = 'waiting'
      union all
      select target_id, 0, 1 from outbox
      where org_id = ${orgId} and target_id is not null and status = 'parked'
    ) row
    group by target_id
  `.execute(db);
  return rows;
};

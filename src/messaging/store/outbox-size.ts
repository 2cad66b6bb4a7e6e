import { sql, type Kysely } from 'kysely';
import { isOpen } from '../../platform/store/closed-shop.ts';
import { rowsOfAllShops } from '../../platform/store/nodes/everywhere.ts';
import type { Database } from '../../platform/store/schema.ts';

/** Of all shops whose nodes answer, but for what closed ones have to send, at most `most` each, by the partial indexes of waiting and of parked rows. */
export const countOutbox = async (
  db: Kysely<Database>,
  most: number,
): Promise<{ readonly waiting: number; readonly parked: number }> => {
  const rows = await rowsOfAllShops(
    db,
    (ofShops) => sql<{ waiting: number; parked: number }>`
    select
      (select count(*)::integer
       from (select from outbox o
             where status = 'waiting' and ${isOpen(sql`o.org_id`, ofShops)} and ${ofShops('o.org_id')}
             limit ${most}) as row_of) as waiting,
      (select count(*)::integer
       from (select from outbox where status = 'parked' and ${ofShops('org_id')} limit ${most}) as row_of) as parked
  `,
  );
  const sum = (state: 'waiting' | 'parked'): number => rows.reduce((all, row) => all + row[state], 0);
  return { waiting: sum('waiting'), parked: sum('parked') };
};

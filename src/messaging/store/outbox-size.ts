import { sql, type Kysely } from 'kysely';
import { isOpen } from '../../platform/store/closed-shop.ts';
import type { Database } from '../../platform/store/schema.ts';

/** Of all shops, but for what closed ones have to send, at most `most` each, by the partial indexes of waiting and of parked rows. */
export const countOutbox = async (
  db: Kysely<Database>,
  most: number,
): Promise<{ readonly waiting: number; readonly parked: number }> => {
  const { rows } = await sql<{ waiting: number; parked: number }>`
    select
      (select count(*)::integer
       from (select from outbox o where status = 'waiting' and ${isOpen(sql`o.org_id`)} limit ${most}) as row_of) as waiting,
      (select count(*)::integer
       from (select from outbox where status = 'parked' limit ${most}) as row_of) as parked
  `.execute(db);
  return rows[0] ?? { waiting: 0, parked: 0 };
};

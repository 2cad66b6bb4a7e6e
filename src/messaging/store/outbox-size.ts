import { sql, type Kysely } from 'kysely';
import type { Database } from '../../platform/store/schema.ts';

/** What a closed shop has to send goes where it moves. */
const isOfOpenShop = sql`not exists (
  select from change_counter closed where closed.org_id = o.org_id and closed.closed_seq is not null)`;

/** Of all shops, at most `most` each, by the partial indexes of waiting and of parked rows. */
export const countOutbox = async (
  db: Kysely<Database>,
  most: number,
): Promise<{ readonly waiting: number; readonly parked: number }> => {
  const { rows } = await sql<{ waiting: number; parked: number }>`
    select
      (select count(*)::integer
       from (select from outbox o where status = 'waiting' and ${isOfOpenShop} limit ${most}) as row_of) as waiting,
      (select count(*)::integer
       from (select from outbox where status = 'parked' limit ${most}) as row_of) as parked
  `.execute(db);
  return rows[0] ?? { waiting: 0, parked: 0 };
};

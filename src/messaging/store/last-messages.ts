/** Whether messages of a shop that was closed are still being sent. */
import { sql, type Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import type { Database } from '../../platform/store/schema.ts';
import { at } from '../../platform/store/types.ts';

/** Transactions that are writing to the outbox, perhaps by what they read some time ago. */
export const outboxWriters = async (db: Kysely<Database>): Promise<readonly string[]> => {
  const { rows } = await sql<{ id: string }>`
    select distinct virtualtransaction as id
    from pg_catalog.pg_locks
    where relation = 'outbox'::regclass and mode = 'RowExclusiveLock'
      and database = (select oid from pg_catalog.pg_database where datname = current_database())
  `.execute(db);
  return rows.map(({ id }) => id);
};

/** Whether rows of the shop are being sent. */
export const hasLeasedRows = async (db: Kysely<Database>, orgId: Uuid, now: Instant): Promise<boolean> => {
  const { rows } = await sql<{ is: boolean }>`
    select exists (
      select from outbox
      where org_id = ${orgId} and status = 'waiting' and leased_until > ${at(now)}) as is
  `.execute(db);
  return rows[0]?.is === true;
};

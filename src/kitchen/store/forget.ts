/** Names and notes of guests in the kitchen. */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import { at } from '../../platform/store/db.ts';
import type { Database } from '../../platform/store/schema.ts';

type Db = Kysely<Database>;

const forget = async (db: Db, which: RawBuilder<unknown>, now: Instant): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    with forgotten as (
      update kitchen_firing set name = null, notes = null, forgotten_at = ${at(now)}
      where (org_id, id) in (select f.org_id, f.id from kitchen_firing f where ${which})
      returning org_id, id
    ), plain as (
      update kitchen_line l set notes = null
      from kitchen_ticket k join forgotten f on f.org_id = k.org_id and f.id = k.firing_id
      where l.org_id = k.org_id and l.ticket_id = k.id and l.notes is not null
    )
    select count(*)::int as count from forgotten
  `.execute(db);
  return rows[0]?.count ?? 0;
};

/** Of at most `limit` firings before `before`. Returns their number. */
export const forgetOldFirings = (
  db: Db,
  { before, limit, now }: { readonly before: Instant; readonly limit: number; readonly now: Instant },
): Promise<number> =>
  forget(
    db,
    sql`f.forgotten_at is null and f.fired_at < ${at(before)} order by f.fired_at limit ${limit} for update skip locked`,
    now,
  );

/** Of orders, sales and tickets of a person who is erased; what is not made yet stays on the boards. */
export const forgetFirings = async (
  tx: Db,
  orgId: Uuid,
  sourceIds: readonly Uuid[],
  now: Instant,
): Promise<void> => {
  await forget(tx, sql`f.org_id = ${orgId} and f.source_id = any(${[...sourceIds]}::uuid[]) for update`, now);
};

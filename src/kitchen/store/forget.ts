/** Names and notes of guests in the kitchen. */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import { at } from '../../platform/store/db.ts';
import { rowsHeard } from '../../platform/store/nodes/everywhere.ts';
import type { Database } from '../../platform/store/schema.ts';

type Db = Kysely<Database>;

interface ForgottenTicket {
  readonly id: Uuid;
  readonly branchId: Uuid;
}

/** Returns the number of firings, and their tickets that are not done. */
const forget = async (
  db: Db,
  orgId: Uuid,
  which: RawBuilder<unknown>,
  now: Instant,
): Promise<{ readonly count: number; readonly onBoard: readonly ForgottenTicket[] }> => {
  const { rows } = await sql<{ count: number; onBoard: readonly ForgottenTicket[] }>`
    with forgotten as (
      update kitchen_firing set name = null, notes = null, forgotten_at = ${at(now)}
      where org_id = ${orgId} and id in (select f.id from kitchen_firing f where f.org_id = ${orgId} and ${which})
      returning id, branch_id
    ), plain as (
      update kitchen_line l set notes = null
      from kitchen_ticket k join forgotten f on f.id = k.firing_id
      where l.org_id = ${orgId} and k.org_id = ${orgId} and l.ticket_id = k.id and l.notes is not null
    )
    select (select count(*)::int from forgotten) as count,
           (select coalesce(json_agg(json_build_object('id', k.id, 'branchId', f.branch_id) order by k.id), '[]')
            from kitchen_ticket k join forgotten f on f.id = k.firing_id
            where k.org_id = ${orgId} and k.done_at is null) as "onBoard"
  `.execute(db);
  return rows[0] ?? { count: 0, onBoard: [] };
};

/** Of at most `limit` firings before `before`. Returns their number. */
export const forgetOldFirings = async (
  db: Db,
  { before, limit, now }: { readonly before: Instant; readonly limit: number; readonly now: Instant },
): Promise<number> => {
  const rows = await rowsHeard(
    db,
    (ofShops) => sql<{ orgId: Uuid; ids: readonly Uuid[] }>`
    select org_id as "orgId", array_agg(id) as ids
    from (select org_id, id from kitchen_firing
          where forgotten_at is null and fired_at < ${at(before)} and ${ofShops('org_id')}
          order by fired_at limit ${limit}) old
    group by org_id
  `,
  );
  let count = 0;
  for (const { orgId, ids } of rows) {
    const old = sql`f.id = any(${[...ids]}::uuid[]) and f.forgotten_at is null for update skip locked`;
    count += (await forget(db, orgId, old, now)).count;
  }
  return count;
};

/** Of orders, sales and tickets of a person who is erased. Returns the tickets that stay on the boards. */
export const forgetFiringsOf = async (
  tx: Db,
  orgId: Uuid,
  sourceIds: readonly Uuid[],
  now: Instant,
): Promise<readonly ForgottenTicket[]> => {
  const theirs = sql`f.source_id = any(${[...sourceIds]}::uuid[]) for update`;
  return (await forget(tx, orgId, theirs, now)).onBoard;
};

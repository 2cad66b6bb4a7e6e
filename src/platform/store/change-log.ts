import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Change, ChangeScope, ScopedChanges } from '../../kernel/change.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import type { Database } from './schema.ts';

/** The number of a shop's last change, 0 without one. Read it first, in the snapshot of the data. */
export const versionOf = async (db: Kysely<Database>, orgId: Uuid): Promise<number> => {
  const row = await db
    .selectFrom('change_counter')
    .select('seq')
    .where('org_id', '=', orgId)
    .executeTakeFirst();
  return row?.seq ?? 0;
};

/**
 * Appends changes to the shop's log as the CTEs `counter` and `logged`; `counter.seq` is the new number. Must
 * be the last statement of its transaction: the counter stays locked until commit, so numbers become visible
 * in order.
 */
export const changeLogCtes = (
  orgId: Uuid,
  changes: readonly Change[],
  at: Instant,
): RawBuilder<unknown> => sql`
  counter as (
    insert into change_counter (org_id, seq) values (${orgId}, ${changes.length})
    on conflict (org_id) do update set seq = change_counter.seq + excluded.seq
    returning seq
  ), logged as (
    insert into change (org_id, seq, scope, type, id, op, at)
    select ${orgId}, counter.seq - ${changes.length}::bigint + row.ordinality, row.scope, row.type, row.id, row.op,
           ${new Date(at)}
    from counter,
         rows from (jsonb_to_recordset(${JSON.stringify(changes)}::jsonb)
           as (scope text, type text, id uuid, op text)) with ordinality as row(scope, type, id, op, ordinality)
  )`;

/** Last statement of its transaction. Returns the new number. */
export const recordChanges = async (
  tx: Kysely<Database>,
  orgId: Uuid,
  changes: readonly Change[],
  at: Instant,
): Promise<number> => {
  if (changes.length === 0) return versionOf(tx, orgId);
  const { rows } = await sql<{ seq: number }>`
    with ${changeLogCtes(orgId, changes, at)}
    select seq from counter
  `.execute(tx);
  const [row] = rows;
  if (row === undefined) throw new Error('A counter that was raised has a number.');
  return row.seq;
};

/** `lastVersions`: the last known number of each shop. Two statements for any number of shops. */
export const changesSince = async (
  db: Kysely<Database>,
  lastVersions: ReadonlyMap<Uuid, number>,
): Promise<ScopedChanges[]> => {
  const heads = await sql<{ org_id: Uuid; seq: number }>`
    select org_id, seq from change_counter where org_id = any(${[...lastVersions.keys()]}::uuid[])
  `.execute(db);
  const changed = heads.rows.filter((head) => head.seq > (lastVersions.get(head.org_id) ?? 0));
  if (changed.length === 0) return [];
  const after = changed.map((head) => ({ org_id: head.org_id, seq: lastVersions.get(head.org_id) ?? 0 }));
  const rows = await sql<{ org_id: Uuid; version: number; scopes: ChangeScope[] }>`
    select c.org_id, max(c.seq) as version, array_agg(distinct c.scope) as scopes
    from jsonb_to_recordset(${JSON.stringify(after)}::jsonb) as s(org_id uuid, seq bigint)
    join change c on c.org_id = s.org_id and c.seq > s.seq
    group by c.org_id
  `.execute(db);
  return rows.rows.map((row) => ({ orgId: row.org_id, version: row.version, scopes: row.scopes }));
};

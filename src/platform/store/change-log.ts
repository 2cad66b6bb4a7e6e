import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Change } from '../../kernel/change.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import { inSteps, type Query } from './nodes/apart.ts';
import { rowsHeard } from './nodes/everywhere.ts';
import type { Database } from './schema.ts';
import { at } from './types.ts';

/** The number of a shop's last change, 0 without one. Read it first, in the snapshot of the data. */
export const versionOf = async (db: Kysely<Database>, orgId: Uuid): Promise<number> => {
  const row = await db
    .selectFrom('change_counter')
    .select('seq')
    .where('org_id', '=', orgId)
    .executeTakeFirst();
  return row?.seq ?? 0;
};

/** The numbers between which a shop's log is whole. */
export interface LogBounds {
  /** Of the last change; 0 without one. */
  readonly head: number;
  /** Up to here changes may be gone. */
  readonly trimmed: number;
}

export const logBounds = async (db: Kysely<Database>, orgId: Uuid): Promise<LogBounds> => {
  const row = await db
    .selectFrom('change_counter')
    .select(['seq as head', 'trimmed'])
    .where('org_id', '=', orgId)
    .executeTakeFirst();
  return row ?? { head: 0, trimmed: 0 };
};

/** A change of a row that the statement around it makes; its id is null where it makes none. */
export interface ChangeOfMade extends Omit<Change, 'id'> {
  readonly id: RawBuilder<Uuid | null>;
}

/** 1 or 0. */
const countOf = ({ id }: ChangeOfMade): RawBuilder<number> => sql`(${id} is not null)::int`;

/** After the other rows. */
const rowOfMade = (
  orgId: Uuid,
  { scope, type, id, op }: ChangeOfMade,
  at: Instant,
): RawBuilder<unknown> => sql`
    union all
    select ${orgId}::uuid, counter.seq, ${scope}, ${type}, ${id}, ${op}, ${new Date(at)}::timestamptz
    from counter where ${id} is not null`;

/**
 * Raises the shop's change counter; the part `counter` of the last statement of a transaction, before `loggedCte`. The
 * counter stays locked until commit, so numbers become visible in order.
 */
export const changeCounter = (
  orgId: Uuid,
  changes: readonly Change[],
  made: ChangeOfMade | null = null,
): Query<{ seq: number }> => ({
  query: sql`
    insert into change_counter (org_id, seq)
    select ${orgId}::uuid, ${changes.length}::bigint + ${made === null ? sql`0` : countOf(made)}
    on conflict (org_id) do update set seq = change_counter.seq + excluded.seq
    returning seq`,
  types: { seq: 'bigint' },
});

/** Appends changes to the shop's log as the CTE `logged`. */
export const loggedCte = (
  orgId: Uuid,
  changes: readonly Change[],
  at: Instant,
  made: ChangeOfMade | null = null,
): RawBuilder<unknown> => sql`
  logged as (
    insert into change (org_id, seq, scope, type, id, op, at)
    select ${orgId}::uuid, counter.seq - ${changes.length}::bigint - ${made === null ? sql`0` : countOf(made)}
             + row.ordinality,
           row.scope, row.type, row.id, row.op, ${new Date(at)}::timestamptz
    from counter,
         rows from (jsonb_to_recordset(${JSON.stringify(changes)}::jsonb)
           as (scope text, type text, id uuid, op text)) with ordinality as row(scope, type, id, op, ordinality)
    ${made === null ? sql`` : rowOfMade(orgId, made, at)}
  )`;

/** Last statement of its transaction. Returns the new number. */
export const recordChanges = async (
  tx: Kysely<Database>,
  orgId: Uuid,
  changes: readonly Change[],
  at: Instant,
): Promise<number> => {
  if (changes.length === 0) return versionOf(tx, orgId);
  const counter = await inSteps(tx, { counter: changeCounter(orgId, changes) });
  const { rows } = await sql<{ seq: number }>`
    with ${counter}, ${loggedCte(orgId, changes, at)}
    select seq from counter
  `.execute(tx);
  const [row] = rows;
  if (row === undefined) throw new Error('A counter that was raised has a number.');
  return row.seq;
};

/** Left out where the numbers begin anew, so that none is given out twice. */
export const SKIPPED_NUMBERS = 1_000_000;

const FURTHER = `greatest(seq + ${SKIPPED_NUMBERS}, $1::bigint)`;

/**
 * Statement of a restore; the parameter is its time in milliseconds. Numbers that were given out after the backup was made
 * are never given out again, also where a backup is restored twice: readers of before begin anew. `canBeClosed`: the table
 * knows closed shops, which stay closed.
 */
export const beginNewHistory = (canBeClosed: boolean): string => `
  update change_counter
  set seq = ${FURTHER}, trimmed = ${FURTHER}${canBeClosed ? `, closed_seq = case when closed_seq is not null then ${FURTHER} end` : ''}`;

/**
 * Of a new shop: where one with its id was removed, numbers go on after the last one that readers have heard of. The counter
 * of a living shop is not behind its log, and is not locked.
 */
export const beginLog = async (tx: Kysely<Database>, orgId: Uuid): Promise<void> => {
  await sql`
    insert into change_counter (org_id, seq, trimmed)
    select ${orgId}::uuid, last.seq, last.seq
    from (select max(seq) as seq from change where org_id = ${orgId}) last
    where last.seq > coalesce((select seq from change_counter where org_id = ${orgId}), 0)
    on conflict (org_id) do update set seq = excluded.seq, trimmed = excluded.seq
  `.execute(tx);
};

/** Statement of a removal, where the log of the shop is empty: its id, the last number, and scope, type, id and time. */
export const INSERT_LAST_CHANGE = `
  insert into change (org_id, seq, scope, type, id, op, at)
  values ($1, $2::bigint + 1, $3, $4, $5, 'delete', $6)`;

// ── Trimming ────────────────────────────────────────────────────────────────────────────────────

/** Of a shop whose log has changes that nobody reads any more: the last one of some of them. */
export interface OldChanges {
  readonly orgId: Uuid;
  readonly seq: number;
}

/** Over about `limit` changes before `before`. */
export const oldChanges = async (
  db: Kysely<Database>,
  before: Instant,
  limit: number,
): Promise<readonly OldChanges[]> => {
  return await rowsHeard(
    db,
    (ofShops) => sql<OldChanges>`
    select org_id as "orgId", max(seq) as seq
    from (select org_id, seq from change where at < ${at(before)} and ${ofShops('org_id')} limit ${limit}) batch
    group by org_id
  `,
  );
};

/** Deletes the changes of a shop up to a number: what is kept has no gap. */
export const trimChanges = async (db: Kysely<Database>, { orgId, seq }: OldChanges): Promise<void> => {
  await sql`
    with raised as (
      update change_counter set trimmed = greatest(trimmed, ${seq}) where org_id = ${orgId}
    )
    delete from change where org_id = ${orgId} and seq <= ${seq}
  `.execute(db);
};

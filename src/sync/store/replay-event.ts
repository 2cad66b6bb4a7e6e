/** Events of devices, each once, and what became of them. */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import { at } from '../../platform/store/db.ts';
import type { DueQuery } from '../../platform/store/sweep.ts';
import type { ReviewReason } from '../../platform/domain/review.ts';
import { rowsHeard } from '../../platform/store/nodes/everywhere.ts';
import type { Database } from '../../platform/store/schema.ts';
import { withoutWords } from '../domain/kept-data.ts';

type Db = Kysely<Database>;

export type StoredOutcome = 'applied' | 'waiting' | 'review';

/** Locks the branch: its events are applied one after the other. `isOn`: neither it nor its shop is switched off. */
export const lockBranchForEvents = async (
  tx: Db,
  orgId: Uuid,
  branchId: Uuid,
): Promise<{ readonly isOn: boolean } | null> => {
  const { rows } = await sql<{ isOn: boolean }>`
    select b.is_active and b.archived_at is null and s.is_active as "isOn"
    from branch b join shop s on s.org_id = ${orgId}
    where b.org_id = ${orgId} and b.id = ${branchId}
    for no key update of b
  `.execute(tx);
  return rows[0] ?? null;
};

/** What became of an event. */
export interface EventOutcome {
  readonly outcome: StoredOutcome;
  readonly waitsFor: Uuid | null;
  readonly reasons: readonly ReviewReason[];
  readonly resultId: Uuid | null;
  /** Null: nobody needs it any more. */
  readonly data: Readonly<Record<string, unknown>> | null;
}

/** An event that came before. */
export interface SeenEvent extends Pick<EventOutcome, 'outcome' | 'waitsFor' | 'reasons'> {
  readonly id: Uuid;
  readonly contentHash: Buffer;
}

export const seenEvents = async (
  db: Db,
  orgId: Uuid,
  ids: readonly Uuid[],
): Promise<readonly SeenEvent[]> => {
  const { rows } = await sql<SeenEvent>`
    select id, content_hash as "contentHash", outcome, waits_for as "waitsFor", reasons
    from replay_event where org_id = ${orgId} and id = any(${[...ids]}::uuid[])
  `.execute(db);
  return rows;
};

export interface NewEvent extends EventOutcome {
  readonly orgId: Uuid;
  readonly id: Uuid;
  readonly branchId: Uuid;
  readonly deviceId: Uuid;
  readonly staffId: Uuid;
  readonly kind: string;
  readonly subjectId: Uuid;
  readonly at: Instant;
  readonly receivedAt: Instant;
  readonly contentHash: Buffer;
  /** Of the content without its moment. Null: it came before there were any. */
  readonly toldHash: Buffer | null;
}

/** The statement that makes due what waited for one of these: a row for each. */
const released = (orgId: Uuid, ids: readonly Uuid[]) => sql`
  update replay_event set waits_for = null
  where org_id = ${orgId} and waits_for = any(${[...ids]}::uuid[])
  returning 1`;

interface Inserted {
  /** False: another transaction has recorded it. */
  readonly isNew: boolean;
  /** Events that waited for what it brought. */
  readonly released: number;
}

/** `brings`: what other events may wait for. */
export const insertEvent = async (tx: Db, event: NewEvent, brings: readonly Uuid[]): Promise<Inserted> => {
  const { orgId, waitsFor, data, reasons } = event;
  const { rows } = await sql<Inserted>`
    with made as (
      insert into replay_event (org_id, id, branch_id, device_id, staff_id, kind, subject_id, result_id, at, received_at,
                                content_hash, told_hash, data, outcome, waits_for, reasons)
      values (${orgId}, ${event.id}, ${event.branchId}, ${event.deviceId}, ${event.staffId}, ${event.kind},
              ${event.subjectId}, ${event.resultId}, ${at(event.at)}, ${at(event.receivedAt)}, ${event.contentHash},
              ${event.toldHash}, ${data && JSON.stringify(data)}::jsonb, ${event.outcome}, ${waitsFor}, ${JSON.stringify(reasons)}::jsonb)
      on conflict (org_id, id) do nothing
      returning 1),
    due as (${released(orgId, brings)})
    select exists (select from made) as "isNew", (select count(*) from due)::int as released
  `.execute(tx);
  return rows[0] ?? { isNew: false, released: 0 };
};

/** The review stays closed, where it is, or is open again. */
const closedWhere = (staysClosed: RawBuilder<unknown>) => sql`
  closed_at = case when ${staysClosed} then closed_at end,
  closed_by = case when ${staysClosed} then closed_by end,
  close_note = case when ${staysClosed} then close_note end`;

/** An event that waited is recorded, or goes on waiting. A review that was closed is open again. */
export const updateEvent = async (
  tx: Db,
  { orgId, id, ...event }: EventOutcome & { readonly orgId: Uuid; readonly id: Uuid },
  brings: readonly Uuid[],
): Promise<void> => {
  const { outcome, waitsFor, reasons, resultId, data } = event;
  await sql`
    update replay_event
    set outcome = ${outcome}, waits_for = ${waitsFor}, reasons = ${JSON.stringify(reasons)}::jsonb,
        result_id = ${resultId}, data = ${data && JSON.stringify(data)}::jsonb,
        ${closedWhere(sql`${outcome} <> 'review'`)}
    where org_id = ${orgId} and id = ${id}
  `.execute(tx);
  await released(orgId, brings).execute(tx);
};

export interface DueEvent extends Omit<NewEvent, 'outcome' | 'waitsFor' | 'data' | 'resultId'> {
  readonly data: Readonly<Record<string, unknown>>;
  /** Its till has not come. */
  readonly isOverdue: boolean;
  /** A person has closed its review. */
  readonly isClosed: boolean;
}

/** What came before and waits for its till alone is recorded without it, unless a person has closed it. */
export interface Overdue {
  readonly before: Instant;
  readonly kinds: readonly string[];
}

interface DueAt {
  readonly orgId: Uuid;
  readonly branchId: Uuid;
  readonly overdue: Overdue;
}

const isOverdue = ({ before, kinds }: Overdue) => sql`
  received_at < ${at(before)} and waits_for = (data ->> 'till_id')::uuid
  and kind = any(${[...kinds]}::text[]) and closed_at is null`;

const isDue = (overdue: Overdue) => sql`
  outcome = 'waiting' and (waits_for is null or ${isOverdue(overdue)})`;

const dueAt = ({ orgId, branchId, overdue }: DueAt) => sql`
  org_id = ${orgId} and branch_id = ${branchId} and ${isDue(overdue)}`;

/** The first event of the branch whose parent is there, or whose till has not come for long. The branch is locked. */
export const firstDueEvent = async (tx: Db, due: DueAt): Promise<DueEvent | null> => {
  const { rows } = await sql<DueEvent>`
    select org_id as "orgId", id, branch_id as "branchId", device_id as "deviceId", staff_id as "staffId", kind,
           subject_id as "subjectId", at, received_at as "receivedAt", content_hash as "contentHash", told_hash as "toldHash", data, reasons,
           waits_for is not null as "isOverdue", closed_at is not null as "isClosed"
    from replay_event
    where ${dueAt(due)}
    order by at, id
    limit 1
    for update
  `.execute(tx);
  return rows[0] ?? null;
};

/**
 * The reasons of an event that was worked out anew, of the kinds that are. With new ones a person looks at it again. One that
 * was told again under other ids is looked at once, where what was sent is kept.
 */
export const reviseEvent = async (
  tx: Db,
  orgId: Uuid,
  kinds: readonly string[],
  {
    subjectId,
    codes,
    reasons,
  }: {
    readonly subjectId: Uuid;
    readonly codes: readonly string[];
    readonly reasons: readonly ReviewReason[];
  },
): Promise<void> => {
  await sql`
    with revised as (
      select e.id, coalesce((select jsonb_agg(one) from jsonb_array_elements(e.reasons) as one
                             where one ->> 'code' <> all(${[...codes]}::text[])), '[]')
                   || ${JSON.stringify(reasons)}::jsonb as reasons
      from replay_event e
      where e.org_id = ${orgId} and e.subject_id = ${subjectId} and e.kind = any(${[...kinds]}::text[]) and e.outcome <> 'waiting'
        and not e.reasons @> '[{"code": "id_taken"}]'
      order by e.data is null, e.received_at, e.id
      limit 1)
    update replay_event e
    set reasons = revised.reasons, outcome = case when revised.reasons = '[]' then 'applied' else 'review' end,
        ${closedWhere(sql`revised.reasons <@ e.reasons`)}
    from revised where e.org_id = ${orgId} and e.id = revised.id
  `.execute(tx);
};

export const hasDueEvents = async (db: Db, due: DueAt): Promise<boolean> => {
  const { rows } = await sql`select from replay_event where ${dueAt(due)} limit 1`.execute(db);
  return rows.length > 0;
};

export interface BranchWithEvents {
  readonly orgId: Uuid;
  /** Of the branch. */
  readonly id: Uuid;
}

/** Of all shops. */
export const branchesWithDueEvents = async (
  db: Db,
  overdue: Overdue,
  { without, limit }: DueQuery,
): Promise<readonly BranchWithEvents[]> => {
  return await rowsHeard(
    db,
    (ofShops) => sql<BranchWithEvents>`
    select distinct org_id as "orgId", branch_id as id
    from replay_event
    where ${isDue(overdue)} and branch_id <> all(${[...without]}::uuid[]) and ${ofShops('org_id')}
    limit ${limit}
  `,
  );
};

/** What became of the subject of an event where that has another id. */
export const subjectBecame = async (db: Db, orgId: Uuid, subjectId: Uuid): Promise<Uuid | null> => {
  const { rows } = await sql<{ id: Uuid }>`
    select result_id as id from replay_event
    where org_id = ${orgId} and subject_id = ${subjectId} and result_id is not null
    limit 1
  `.execute(db);
  return rows[0]?.id ?? null;
};

/** Another event said the same of the same subject, whenever it happened, and waits no more. */
export const wasTold = async (
  db: Db,
  orgId: Uuid,
  { id, subjectId, toldHash }: Pick<DueEvent, 'id' | 'subjectId' | 'toldHash'>,
): Promise<boolean> => {
  const { rows } = await sql`
    select from replay_event
    where org_id = ${orgId} and subject_id = ${subjectId} and id <> ${id} and outcome <> 'waiting'
      and coalesce(told_hash = ${toldHash}::bytea, true)
    limit 1
  `.execute(db);
  return rows.length > 0;
};

/** As in the index `replay_event_with_words`. */
const WITH_NOTES = sql.lit('$.items[*] ? (@.notes != null || @.combo.picks[*].notes != null)');

/** Guests' names and notes of events that came before, and wait or could not be recorded. */
const withWords = (before: Instant): RawBuilder<unknown> => sql`
  outcome in ('waiting', 'review') and received_at < ${at(before)}
  and (data ? 'customer_name' or jsonb_path_exists(data, ${WITH_NOTES}))`;

/** Of the first `limit` events with words. */
export const shopsWithWords = async (db: Db, before: Instant, limit: number): Promise<readonly Uuid[]> => {
  const rows = await rowsHeard(
    db,
    (ofShops) => sql<{ id: Uuid }>`
    select distinct org_id as id from (
      select org_id from replay_event where ${withWords(before)} and ${ofShops('org_id')} limit ${limit}
    ) as due
  `,
  );
  return rows.map(({ id }) => id);
};

interface EventWithWords {
  readonly id: Uuid;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Of at most `most` events of the shop, without locked ones. The number of events. */
export const forgetWordsOfEvents = async (
  tx: Db,
  orgId: Uuid,
  before: Instant,
  most: number,
): Promise<number> => {
  const { rows } = await sql<EventWithWords>`
    select id, data from replay_event
    where org_id = ${orgId} and ${withWords(before)}
    limit ${most}
    for update skip locked
  `.execute(tx);
  const kept = rows.map((event) => ({ ...event, data: withoutWords(event.data) }));
  await sql`
    update replay_event e
    set data = kept.data
    from jsonb_to_recordset(${JSON.stringify(kept)}::jsonb) as kept (id uuid, data jsonb)
    where e.org_id = ${orgId} and e.id = kept.id
  `.execute(tx);
  return rows.length;
};

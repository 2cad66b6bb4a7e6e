/** Events that a person should look at. */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import { at } from '../../platform/store/db.ts';
import type { ReviewReason } from '../../platform/domain/review.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { StoredOutcome } from './replay-event.ts';

type Db = Kysely<Database>;

export interface StoredReview {
  readonly id: Uuid;
  readonly branchId: Uuid;
  /** `applied`: closed, and resolved by what came later. */
  readonly outcome: StoredOutcome;
  readonly kind: string;
  readonly at: Instant;
  readonly receivedAt: Instant;
  readonly staffId: Uuid;
  readonly staffName: string;
  readonly deviceId: Uuid;
  readonly deviceLabel: string;
  readonly subjectId: Uuid;
  readonly resultId: Uuid | null;
  readonly reasons: readonly ReviewReason[];
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly closedAt: Instant | null;
  readonly closedBy: Uuid | null;
  readonly note: string | null;
}

const selectReviews = (
  orgId: Uuid,
  which: RawBuilder<unknown>,
): RawBuilder<StoredReview> => sql<StoredReview>`
  select e.id, e.branch_id as "branchId", e.outcome, e.kind, e.at, e.received_at as "receivedAt",
         e.staff_id as "staffId", s.name as "staffName", e.device_id as "deviceId", d.label as "deviceLabel",
         e.subject_id as "subjectId", e.result_id as "resultId", e.reasons, e.data, e.closed_at as "closedAt",
         e.closed_by as "closedBy", e.close_note as note
  from replay_event e
  join staff s on s.org_id = ${orgId} and s.id = e.staff_id
  join staff_device d on d.org_id = ${orgId} and d.id = e.device_id
  where e.org_id = ${orgId} and ${which}`;

export interface ReviewListing {
  readonly branchId: Uuid;
  readonly isClosed: boolean;
  readonly limit: number;
  /** Last review of the page before. */
  readonly after: Uuid | null;
}

/** The last received first. */
export const reviewsOf = async (
  db: Db,
  orgId: Uuid,
  { branchId, isClosed, limit, after }: ReviewListing,
): Promise<readonly StoredReview[]> => {
  const follows =
    after === null
      ? sql``
      : sql`and (e.received_at, e.id) < (select received_at, id from replay_event where org_id = ${orgId} and id = ${after})`;
  const isIn = isClosed
    ? sql`e.closed_at is not null`
    : sql`e.outcome in ('waiting', 'review') and e.closed_at is null`;
  const { rows } = await sql<StoredReview>`
    ${selectReviews(orgId, sql`e.branch_id = ${branchId} and ${isIn} ${follows}`)}
    order by e.received_at desc, e.id desc
    limit ${limit}
  `.execute(db);
  return rows;
};

/** Null: it is no review, and never was. */
export const reviewById = async (db: Db, orgId: Uuid, id: Uuid): Promise<StoredReview | null> => {
  const { rows } = await selectReviews(
    orgId,
    sql`e.id = ${id} and (e.outcome in ('waiting', 'review') or e.closed_at is not null)`,
  ).execute(db);
  return rows[0] ?? null;
};

/** False: it was closed before. What was sent is kept of one that still waits. */
export const closeOpenReview = async (
  tx: Db,
  orgId: Uuid,
  id: Uuid,
  { by, note, now }: { readonly by: Uuid; readonly note: string; readonly now: Instant },
): Promise<boolean> => {
  const { numAffectedRows } = await sql`
    update replay_event
    set closed_at = ${at(now)}, closed_by = ${by}, close_note = ${note},
        data = case when outcome = 'waiting' then data end
    where org_id = ${orgId} and id = ${id} and closed_at is null and outcome in ('waiting', 'review')
  `.execute(tx);
  return numAffectedRows === 1n;
};

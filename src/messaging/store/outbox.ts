/** The outbox table: rows to send, and the process that has leased each. */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { groupBy } from '../../kernel/group-by.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { OUTBOX_KINDS, type AfterTry, type OutboxKind, type OutboxRow } from '../domain/outbox.ts';
import type { Instant } from '../../kernel/time.ts';
import type { Database } from '../../platform/store/schema.ts';
import { OF_ANY, rowsHeard, type OfShops } from '../../platform/store/nodes/everywhere.ts';
import { areAllHeard } from '../../platform/store/nodes/spread.ts';
import { isOpen } from '../../platform/store/closed-shop.ts';
import { isSendingAllowed, isSendingAllowedTo } from '../../platform/store/sending.ts';
import { at } from '../../platform/store/types.ts';
import { isOfSilentNode } from '../../platform/store/unavailable.ts';

type Db = Kysely<Database>;

/**
 * SQL fragment that adds rows of one shop in their order. Run it after the statement that locks the rows' subject, in its
 * transaction, so that positions within an ordering key follow the commits. `now` is when it happened.
 *
 * A position is above the shop's change counter and above all rows of the ordering key: most rows report changes, which
 * raise the counter, and rows of an older build have other numbers. The counter is read, not raised: held until the
 * commit, it would be locked before what other transactions lock first.
 */
export const outboxInsert = (
  orgId: Uuid,
  rows: readonly OutboxRow[],
  now: Instant,
): RawBuilder<unknown> => sql`
  insert into outbox (org_id, id, position, kind, lane, subject, subject_id, target_id, payload, is_budgeted,
                      created_at, waiting_since, next_at)
  select ${orgId}::uuid, row.id,
         greatest((select seq from change_counter where org_id = ${orgId}),
                  (select max(position) from outbox before
                   where before.org_id = ${orgId} and before.subject_id = row."subjectId"
                     and before.lane = row."orderingKey"), 0)
         + row_number() over (partition by row."orderingKey" order by row.ordinality),
         row.kind, row."orderingKey", row.subject, row."subjectId", row."targetId", row.payload,
         coalesce(row."isBudgeted", false), ${at(now)}, ${at(now)}, ${at(now)}
  from rows from (jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
         as (id uuid, kind text, "orderingKey" text, subject text, "subjectId" uuid, "targetId" uuid,
             payload jsonb, "isBudgeted" boolean))
       with ordinality as row(id, kind, "orderingKey", subject, "subjectId", "targetId", payload, "isBudgeted", ordinality)
`;

/** Of one shop. */
export const addToOutbox = async (tx: Db, rows: readonly OutboxRow[], now: Instant): Promise<void> => {
  const [first] = rows;
  if (first !== undefined) await outboxInsert(first.orgId, rows, now).execute(tx);
};

/**
 * Adds rows that make the waiting ones of their ordering keys obsolete, for receivers to whom only the newest state
 * matters. A row in flight is left, because it may have read an older state.
 */
export const replaceInOutbox = async (tx: Db, rows: readonly OutboxRow[], now: Instant): Promise<void> => {
  const [first] = rows;
  if (first === undefined) return;
  await sql`
    with obsolete as (
      update outbox
      set status = 'dropped', done_at = ${at(now)}, lease_id = null, leased_until = null
      where org_id = ${first.orgId} and lane = any(${rows.map((row) => row.orderingKey)}::text[])
        and status = 'waiting' and (leased_until is null or leased_until <= ${at(now)})
    )
    ${outboxInsert(first.orgId, rows, now)}
  `.execute(tx);
};

// ── Sending ─────────────────────────────────────────────────────────────────────────────────────

export type ClaimedRow = OutboxRow & {
  readonly leaseId: Uuid;
  /** Tries before this one. */
  readonly tried: number;
  /** When the reported change happened. */
  readonly createdAt: Instant;
};

export interface Claim {
  readonly kind: OutboxKind;
  readonly now: Instant;
  readonly leaseId: Uuid;
  /** The rows belong to this claim until then; unsettled ones may then be sent again by others. */
  readonly leaseUntil: Instant;
  readonly limit: number;
  /** The most rows per destination (`destinationNameOf`), those in flight included. */
  readonly perDestination: number;
  readonly inFlight: ReadonlyMap<string, number>;
  /** Excluded destinations. */
  readonly without: readonly string[];
}

/** The destination of a row: the webhook address, or the message provider. */
export const destinationNameOf = (row: Pick<OutboxRow, 'kind' | 'targetId'>): string =>
  row.targetId ?? row.kind;

/** Heads considered per claim; a destination with a long queue yields to others from its second row on. */
const LOOKED_AT = 100;

interface DueHead {
  readonly orgId: Uuid;
  readonly id: Uuid;
  /** Among those of its destination. */
  readonly rank: number;
  readonly nextAt: Instant;
  /** Heads that were due, up to `LOOKED_AT`; of its node where nodes were asked one by one. */
  readonly found: number;
}

/** Conditions of a look over all shops. */
interface Look {
  readonly ofShops: OfShops;
  readonly isAllowed: RawBuilder<unknown>;
}

/** Of open shops: what a closed one has to send goes where it moves. */
const isDue = (
  now: Instant,
  orgId: RawBuilder<Uuid>,
  { ofShops, isAllowed }: Look = { ofShops: OF_ANY, isAllowed: isSendingAllowed },
): RawBuilder<unknown> => sql`
  ${isAllowed} and ${isOpen(orgId, ofShops)} and o.status = 'waiting' and o.next_at <= ${at(now)}
  and (o.leased_until is null or o.leased_until <= ${at(now)})`;

export const dueKindsQuery = (now: Instant, look: Look): RawBuilder<{ kind: OutboxKind }> => {
  const first = (kind: OutboxKind): RawBuilder<unknown> => sql`
    (select o.kind from outbox o where ${isDue(now, sql`o.org_id`, look)} and o.kind = ${kind} and ${look.ofShops('o.org_id')}
     order by o.next_at, o.position limit 1)`;
  return sql`${sql.join(OUTBOX_KINDS.map(first), sql` union all `)}`;
};

/** Of which rows are due, be they heads or not. */
export const dueKinds = async (db: Db, now: Instant): Promise<ReadonlySet<OutboxKind>> => {
  const isAllowed = await isSendingAllowedTo(db, 'o.org_id');
  const rows = await rowsHeard(db, (ofShops) => dueKindsQuery(now, { ofShops, isAllowed }));
  return new Set(rows.map(({ kind }) => kind));
};

/** The rows of all shops to claim, without locks. */
export const dueHeadsQuery = (claim: Claim, look: Look): RawBuilder<DueHead> => sql`
  with head as materialized (
    select o.org_id, o.id, o.next_at, o.position, coalesce(o.target_id::text, o.kind) as destination
    from outbox o
    where ${isDue(claim.now, sql`o.org_id`, look)} and o.kind = ${claim.kind} and ${look.ofShops('o.org_id')}
      and coalesce(o.target_id::text, o.kind) <> all(${[...claim.without]}::text[])
      and not exists (
        select from outbox earlier
        where earlier.org_id = o.org_id and earlier.lane = o.lane and earlier.position < o.position
          and earlier.status = 'waiting' and ${look.ofShops('earlier.org_id')})
    order by o.next_at, o.position
    limit ${LOOKED_AT}
  ), ranked as (
    select head.*, row_number() over (partition by destination order by next_at, position)
             + coalesce((${JSON.stringify(Object.fromEntries(claim.inFlight))}::jsonb ->> destination)::int, 0) as rank
    from head
  )
  select org_id as "orgId", id, rank::int, next_at as "nextAt", (select count(*)::int from head) as found
  from ranked
  where rank <= ${claim.perDestination}
  order by rank, next_at, position
  limit ${claim.limit}
`;

/** Claims those of the rows that are still due; rows that others are claiming are skipped. */
export const claimQuery = (orgId: Uuid, ids: readonly Uuid[], claim: Claim): RawBuilder<ClaimedRow> => sql`
  with chosen as materialized (
    select o.id from outbox o
    where o.org_id = ${orgId} and o.id = any(${[...ids]}::uuid[]) and ${isDue(claim.now, sql`${orgId}::uuid`)}
    for update of o skip locked
  )
  update outbox o
  set lease_id = ${claim.leaseId}, leased_until = ${at(claim.leaseUntil)}
  from chosen
  where o.org_id = ${orgId} and o.id = chosen.id
  returning o.id, o.org_id as "orgId", o.kind, o.lane as "orderingKey", o.subject, o.subject_id as "subjectId",
            o.target_id as "targetId", o.payload,
            o.is_budgeted as "isBudgeted", o.lease_id as "leaseId", o.attempts as tried, o.created_at as "createdAt"
`;

export interface Claimed {
  readonly rows: readonly ClaimedRow[];
  /**
   * More was due than was claimed, for want of room or because others were claiming it. False if nothing was
   * claimed: those others take the rest. While a node is silent, more may be due wherever something was.
   */
  readonly isMoreDue: boolean;
}

interface RowOfShop {
  readonly orgId: Uuid;
  readonly id: Uuid;
}

const byShop = <T extends RowOfShop>(rows: readonly T[]): ReadonlyMap<Uuid, readonly T[]> =>
  groupBy(rows, ({ orgId }) => orgId);

const idsOf = (rows: readonly RowOfShop[]): Uuid[] => rows.map(({ id }) => id);

/** Of all shops together no more than are claimed, also where nodes were asked one by one. */
const dueHeads = async (db: Db, claim: Claim): Promise<readonly DueHead[]> => {
  const isAllowed = await isSendingAllowedTo(db, 'o.org_id');
  const rows = await rowsHeard(db, (ofShops) => dueHeadsQuery(claim, { ofShops, isAllowed }));
  return rows.toSorted((a, b) => a.rank - b.rank || a.nextAt - b.nextAt).slice(0, claim.limit);
};

/**
 * Claims rows to send, shop by shop: of each ordering key only the first waiting row, if due and unleased. Rows that
 * others are claiming are skipped, and so are those whose node is silent. What was claimed before a fault is sent; the next
 * claim meets the fault again.
 */
export const claimHeads = async (db: Db, claim: Claim): Promise<Claimed> => {
  const heads = await dueHeads(db, claim);
  const rows: ClaimedRow[] = [];
  for (const [orgId, own] of byShop(heads))
    try {
      rows.push(...(await claimQuery(orgId, idsOf(own), claim).execute(db)).rows);
    } catch (fault) {
      if (isOfSilentNode(fault)) continue;
      if (rows.length === 0) throw fault;
      break;
    }
  const isMoreDue = (heads[0]?.found ?? 0) > rows.length || !(await areAllHeard(db));
  return { rows, isMoreDue: rows.length > 0 && isMoreDue };
};

export const releaseClaim = async (db: Db, leaseId: Uuid, rows: readonly ClaimedRow[]): Promise<void> => {
  for (const [orgId, own] of byShop(rows))
    await sql`
      update outbox set lease_id = null, leased_until = null
      where org_id = ${orgId} and id = any(${idsOf(own)}::uuid[]) and status = 'waiting' and lease_id = ${leaseId}
    `.execute(db);
};

const isLeased = (row: ClaimedRow): RawBuilder<unknown> =>
  sql`org_id = ${row.orgId} and id = ${row.id} and lease_id = ${row.leaseId} and status = 'waiting'`;

type SettledRow = Pick<Settled, 'isNextDue'>;

/** Rows behind it in the ordering key wait as long. */
const postpone = (
  row: ClaimedRow,
  { until, reason, isTry }: Extract<AfterTry, { status: 'waiting' }>,
  now: Instant,
): RawBuilder<SettledRow> => sql`
  with held as (
    update outbox set attempts = attempts + ${isTry === false ? 0 : 1}, next_at = ${at(until)}, last_error = ${reason},
                      tried_at = ${isTry === false ? sql.ref('tried_at') : at(now)}, lease_id = null, leased_until = null
    where ${isLeased(row)}
    returning id, position
  ), behind as (
    update outbox o set next_at = ${at(until)}
    from held
    where o.org_id = ${row.orgId} and o.lane = ${row.orderingKey} and o.status = 'waiting'
      and o.position > held.position and o.next_at < ${at(until)}
  )
  select false as "isNextDue" from held
`;

const isTry = (after: Exclude<AfterTry, { status: 'waiting' }>): boolean =>
  after.status === 'sent' || (after.status === 'parked' && after.isTry !== false);

const finish = (
  row: ClaimedRow,
  after: Exclude<AfterTry, { status: 'waiting' }>,
  now: Instant,
): RawBuilder<SettledRow> => sql`
  update outbox o
  set status = ${after.status}, attempts = attempts + ${isTry(after) ? 1 : 0}, done_at = ${at(now)},
      tried_at = ${isTry(after) ? at(now) : sql.ref('tried_at')}, lease_id = null, leased_until = null,
      provider_id = ${after.status === 'sent' ? after.providerId : null},
      last_error = ${after.status === 'sent' ? null : after.reason}
  where ${isLeased(row)}
  returning exists (
    select from outbox next
    where next.org_id = ${row.orgId} and next.lane = o.lane and next.position > o.position
      and next.status = 'waiting') as "isNextDue"
`;

export interface Settled {
  /** False: the lease had passed to another claim, and the row was not changed. */
  readonly isHeld: boolean;
  /** The next row of its ordering key may be sent now. */
  readonly isNextDue: boolean;
}

export const settle = async (db: Db, row: ClaimedRow, after: AfterTry, now: Instant): Promise<Settled> => {
  const statement = after.status === 'waiting' ? postpone(row, after, now) : finish(row, after, now);
  const { rows } = await statement.execute(db);
  return { isHeld: rows.length > 0, isNextDue: rows[0]?.isNextDue ?? false };
};

/** Stores whether a claimed message was counted in the budgets, so that a retry is not counted again. */
export const markBudgeted = async (tx: Db, row: ClaimedRow, isBudgeted: boolean): Promise<void> => {
  await sql`update outbox set is_budgeted = ${isBudgeted} where ${isLeased(row)}`.execute(tx);
};

/** Drops unsent and parked messages, and clears provider ids and errors, which may contain the phone. */
export const dropMessagesAbout = async (
  tx: Db,
  orgId: Uuid,
  /** Of orders and bookings. */
  subjectIds: readonly Uuid[],
  now: Instant,
): Promise<void> => {
  await sql`
    update outbox
    set status = case when status = 'sent' then status else 'dropped' end, done_at = coalesce(done_at, ${at(now)}),
        leased_until = null, lease_id = null, provider_id = null, last_error = null
    where org_id = ${orgId} and kind = 'message' and subject_id = any(${[...subjectIds]}::uuid[])
  `.execute(tx);
};

// ── Unsent rows ─────────────────────────────────────────────────────────────────────────────────

export interface UnsentRow {
  readonly id: Uuid;
  readonly kind: OutboxKind;
  readonly subject: OutboxRow['subject'];
  readonly subjectId: Uuid;
  readonly targetId: Uuid | null;
  readonly attempts: number;
  readonly createdAt: Instant;
  /** Null: not tried, or last by an older build. */
  readonly triedAt: Instant | null;
  /** Null: it waits, for a try at `nextAt`. */
  readonly parkedAt: Instant | null;
  readonly nextAt: Instant;
  readonly reason: string | null;
}

const unsent = async (
  db: Db,
  orgId: Uuid,
  which: RawBuilder<unknown>,
  limit: number,
): Promise<UnsentRow[]> => {
  const { rows } = await sql<UnsentRow>`
    select id, kind, subject, subject_id as "subjectId", target_id as "targetId", attempts,
           created_at as "createdAt", tried_at as "triedAt", done_at as "parkedAt", next_at as "nextAt",
           last_error as reason
    from outbox
    where org_id = ${orgId} and ${which}
    order by created_at, position, id
    limit ${limit}
  `.execute(db);
  return rows;
};

/** The parked rows of a shop, oldest first. */
export const parked = (db: Db, orgId: Uuid, limit: number): Promise<UnsentRow[]> =>
  unsent(db, orgId, sql`status = 'parked' and done_at is not null`, limit);

/** The rows of a shop that wait although they were due once, oldest first. */
export const postponed = (db: Db, orgId: Uuid, limit: number): Promise<UnsentRow[]> =>
  unsent(db, orgId, sql`status = 'waiting' and last_error is not null`, limit);

export interface ReplayFilter {
  readonly kind?: OutboxKind;
  readonly targetId?: Uuid;
  /** Includes sent rows of changes at this time or later; null: parked rows only. */
  readonly since: Instant | null;
}

/**
 * Resets rows of a shop to untried, under their old ids, except events of removed or inactive addresses.
 * Returns the count.
 */
export const replay = async (db: Db, orgId: Uuid, filter: ReplayFilter, now: Instant): Promise<number> => {
  const which =
    filter.since === null
      ? sql`o.status = 'parked'`
      : sql`o.status in ('parked', 'sent') and o.created_at >= ${at(filter.since)}`;
  const { numAffectedRows } = await sql`
    update outbox o
    set status = 'waiting', attempts = 0, waiting_since = ${at(now)}, next_at = ${at(now)}, done_at = null,
        tried_at = null, is_budgeted = false, delivery = null, last_error = null, lease_id = null, leased_until = null
    where o.org_id = ${orgId} and o.done_at is not null and ${which}
      and (${filter.kind ?? null}::text is null or o.kind = ${filter.kind ?? null})
      and (${filter.targetId ?? null}::uuid is null or o.target_id = ${filter.targetId ?? null})
      and (o.target_id is null
        or exists (select from webhook_target t where t.org_id = ${orgId} and t.id = o.target_id and t.is_active))
  `.execute(db);
  return Number(numAffectedRows ?? 0n);
};

import { sql, type Kysely } from 'kysely';
import { groupBy } from '../../kernel/group-by.ts';
import { compareIds, type Uuid } from '../../kernel/ids.ts';
import { DELIVERIES, type ArrivalReport, type AcceptedRow } from '../domain/message-report.ts';
import type { AfterFailure } from '../domain/outbox.ts';
import { isoInstant, type Instant } from '../../kernel/time.ts';
import { rowsOfEveryShop } from '../../platform/store/nodes/everywhere.ts';
import type { Database } from '../../platform/store/schema.ts';
import { at } from '../../platform/store/types.ts';

type Db = Kysely<Database>;

/** Compares the stored delivery with a reported one. */
const knownLess = (delivery: ReturnType<typeof sql>) => sql`
  coalesce(array_position(${[...DELIVERIES]}::text[], o.delivery), 0)
    < array_position(${[...DELIVERIES]}::text[], ${delivery})
`;

/**
 * Stores arrivals. A weaker report than the stored one, or one without a message, is ignored. A message
 * parked as failed that arrived after all becomes sent. Throws DatabaseUnavailable where one may be on a silent node.
 */
export const recordArrivals = async (db: Db, reports: readonly ArrivalReport[]): Promise<void> => {
  if (reports.length === 0) return;
  await rowsOfEveryShop(
    db,
    (ofShops) => sql`
    update outbox o
    set delivery = report.delivery, status = 'sent', last_error = null
    from jsonb_to_recordset(${JSON.stringify(reports)}::jsonb) as report("providerId" text, delivery text)
    where o.provider_id = report."providerId" and o.status in ('sent', 'parked')
      and ${knownLess(sql`report.delivery`)} and ${ofShops('o.org_id')}
  `,
  );
};

export interface FailedRow extends AcceptedRow {
  readonly orgId: Uuid;
  readonly id: Uuid;
  readonly providerId: string;
}

/**
 * With an accepted message that has one of these ids, in the order in which they are locked. Throws DatabaseUnavailable while
 * a node is silent.
 */
export const shopsOfAccepted = async (db: Db, providerIds: readonly string[]): Promise<readonly Uuid[]> => {
  if (providerIds.length === 0) return [];
  const rows = await rowsOfEveryShop(
    db,
    (ofShops) => sql<{ id: Uuid }>`
    select distinct org_id as id from outbox
    where provider_id = any(${[...providerIds]}::text[]) and status = 'sent' and ${ofShops('org_id')}
  `,
  );
  return rows.map(({ id }) => id).sort(compareIds);
};

/**
 * Locks the accepted messages with these ids that are not known as failed or arrived, shop by shop. A row that another
 * process begins to send at the same time is not seen as overtaking.
 */
export const lockAccepted = async (
  tx: Db,
  orgIds: readonly Uuid[],
  providerIds: readonly string[],
  now: Instant,
): Promise<readonly FailedRow[]> => {
  const locked: FailedRow[] = [];
  for (const orgId of orgIds) locked.push(...(await lockAcceptedOf(tx, orgId, providerIds, now)));
  return locked;
};

const lockAcceptedOf = async (
  tx: Db,
  orgId: Uuid,
  providerIds: readonly string[],
  now: Instant,
): Promise<readonly FailedRow[]> => {
  const { rows } = await sql<FailedRow>`
    select o.org_id as "orgId", o.id, o.provider_id as "providerId", o.attempts as tries,
           o.waiting_since as "waitingSince",
           exists (
             select from outbox later
             where later.org_id = ${orgId} and later.subject_id = o.subject_id and later.lane = o.lane
               and later.position > o.position
               and (later.status = 'sent' or later.status = 'waiting' and later.leased_until > ${at(now)})
           ) as "isOvertaken"
    from outbox o
    where o.org_id = ${orgId} and o.provider_id = any(${[...providerIds]}::text[]) and o.status = 'sent'
      and ${knownLess(sql`'failed'`)}
    order by o.id
    for update of o
  `.execute(tx);
  return rows;
};

export interface SettledFailure {
  readonly row: FailedRow;
  readonly after: AfterFailure;
}

/**
 * Settles locked failed messages. A message that is retried gets a new provider id; rows behind it in its
 * ordering key wait as long.
 */
export const settleFailures = async (
  tx: Db,
  failures: readonly SettledFailure[],
  now: Instant,
): Promise<void> => {
  const shops = groupBy(failures, ({ row }) => row.orgId);
  for (const [orgId, own] of [...shops].sort(([a], [b]) => compareIds(a, b)))
    await settleFailuresOf(tx, orgId, own, now);
};

const settleFailuresOf = async (
  tx: Db,
  orgId: Uuid,
  failures: readonly SettledFailure[],
  now: Instant,
): Promise<void> => {
  const settled = failures.map(({ row: { id }, after }) => ({
    ...{ id, status: after.status, reason: after.reason },
    until: after.status === 'waiting' ? isoInstant(after.until) : null,
  }));
  await sql`
    with failed as (
      update outbox o
      set status = settled.status, last_error = settled.reason, next_at = coalesce(settled.until, o.next_at),
          done_at = case when settled.until is null then ${at(now)} end,
          provider_id = case when settled.until is null then o.provider_id end,
          delivery = case when settled.until is null then 'failed' end
      from jsonb_to_recordset(${JSON.stringify(settled)}::jsonb)
        as settled(id uuid, status text, reason text, until timestamptz)
      where o.org_id = ${orgId} and o.id = settled.id
      returning o.lane, o.position, settled.until
    )
    update outbox behind
    set next_at = failed.until
    from failed
    where behind.org_id = ${orgId} and behind.lane = failed.lane and behind.status = 'waiting'
      and behind.position > failed.position and behind.next_at < failed.until
  `.execute(tx);
};

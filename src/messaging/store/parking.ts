/** Rows of the outbox that are given up: they stay for a person to replay. */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import type { Database } from '../../platform/store/schema.ts';
import { at } from '../../platform/store/types.ts';
import type { OutboxRow } from '../domain/outbox.ts';

type Db = Kysely<Database>;

/** The rows of one destination that have waited since `since` or longer. */
export interface GivenUp extends Pick<OutboxRow, 'kind' | 'targetId'> {
  readonly since: Instant;
  readonly reason: string;
}

const isNotInFlight = (now: Instant): RawBuilder<unknown> =>
  sql`(leased_until is null or leased_until <= ${at(now)})`;

/** Parks the selected rows that have waited since `since` or longer; returns the count. */
const park = async (
  db: Db,
  which: RawBuilder<unknown>,
  { since, reason }: Pick<GivenUp, 'since' | 'reason'>,
  now: Instant,
): Promise<number> => {
  const { numAffectedRows } = await sql`
    update outbox
    set status = 'parked', done_at = ${at(now)}, lease_id = null, leased_until = null,
        last_error = coalesce(last_error || '; ', '') || ${reason}
    where status = 'waiting' and ${which} and waiting_since <= ${at(since)}
  `.execute(db);
  return Number(numAffectedRows ?? 0n);
};

export const parkWaiting = (db: Db, { kind, targetId, ...rule }: GivenUp, now: Instant): Promise<number> =>
  park(
    db,
    sql`kind = ${kind} and target_id is not distinct from ${targetId} and ${isNotInFlight(now)}`,
    rule,
    now,
  );

export const parkStale = (db: Db, rule: Pick<GivenUp, 'since' | 'reason'>, now: Instant): Promise<number> =>
  park(db, isNotInFlight(now), rule, now);

/** Of a closed shop: nothing is in flight, and the leases of a restored one are those of the original. */
export const parkStaleOf = (
  db: Db,
  orgId: Uuid,
  rule: Pick<GivenUp, 'since' | 'reason'>,
  now: Instant,
): Promise<number> => park(db, sql`org_id = ${orgId}`, rule, now);

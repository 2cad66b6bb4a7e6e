/** Rows of the outbox that are given up: they stay for a person to replay. */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import { ofAllShops } from '../../platform/store/nodes/everywhere.ts';
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

/** Parks the selected rows that have waited since `since` or longer. */
const parking = (
  which: RawBuilder<unknown>,
  { since, reason }: Pick<GivenUp, 'since' | 'reason'>,
  now: Instant,
): RawBuilder<unknown> => sql`
  update outbox
  set status = 'parked', done_at = ${at(now)}, lease_id = null, leased_until = null,
      last_error = coalesce(last_error || '; ', '') || ${reason}
  where status = 'waiting' and ${which} and waiting_since <= ${at(since)}
`;

/** Returns the count. */
const park = async (db: Db, statement: RawBuilder<unknown>): Promise<number> =>
  Number((await statement.execute(db)).numAffectedRows ?? 0n);

/** Of the nodes that answer. Returns the count. */
export const parkWaiting = async (
  db: Db,
  { kind, targetId, ...rule }: GivenUp,
  now: Instant,
): Promise<number> => {
  const which = sql`kind = ${kind} and target_id is not distinct from ${targetId} and ${isNotInFlight(now)}`;
  return (await ofAllShops(db, (ofShops) => parking(sql`${which} and ${ofShops('org_id')}`, rule, now)))
    .count;
};

/** Of all shops. */
export const parkStale = (db: Db, rule: Pick<GivenUp, 'since' | 'reason'>, now: Instant): Promise<number> =>
  park(db, parking(isNotInFlight(now), rule, now));

/** Of a closed shop: nothing is in flight, and the leases of a restored one are those of the original. */
export const parkStaleOf = (
  db: Db,
  orgId: Uuid,
  rule: Pick<GivenUp, 'since' | 'reason'>,
  now: Instant,
): Promise<number> => park(db, parking(sql`org_id = ${orgId}`, rule, now));

import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import { rowsHeard, type OfShops } from '../../platform/store/nodes/everywhere.ts';
import type { Database } from '../../platform/store/schema.ts';
import type { DueQuery } from '../../platform/store/sweep.ts';
import { at } from '../../platform/store/types.ts';
import type { StoredBooking } from './booking.ts';

type Db = Kysely<Database>;

export interface DueReminder {
  readonly orgId: Uuid;
  readonly id: Uuid;
  readonly branchId: Uuid;
  readonly remindAt: Instant;
}

export const dueRemindersQuery = (
  { now, without, limit }: DueQuery,
  ofShops: OfShops,
): RawBuilder<DueReminder> => sql`
    select org_id as "orgId", id, branch_id as "branchId", remind_at as "remindAt" from booking
    where status = 'confirmed' and remind_at <= ${at(now)} and id <> all(${[...without]}::uuid[])
      and ${ofShops('org_id')}
    order by remind_at
    limit ${limit}
`;

/** Oldest first. Reads the index on reminders. */
export const dueReminders = async (db: Db, look: DueQuery): Promise<readonly DueReminder[]> =>
  await rowsHeard(db, (ofShops) => dueRemindersQuery(look, ofShops));

/** Locks the booking; null where its reminder was taken, or set to another time, or it is no longer confirmed. */
export const takeReminder = async (
  tx: Db,
  { orgId, id, remindAt }: DueReminder,
): Promise<StoredBooking | null> => {
  const { rows } = await sql<StoredBooking>`
    update booking set remind_at = null
    where org_id = ${orgId} and id = ${id} and status = 'confirmed' and remind_at = ${at(remindAt)}
    returning *
  `.execute(tx);
  return rows[0] ?? null;
};

/** Bookings as devices of a branch hold them. */
import { sql, type Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/time.ts';
import type { Database } from '../../platform/store/schema.ts';
import { at } from '../../platform/store/types.ts';
import type { StoredBooking } from './booking.ts';

type Db = Kysely<Database>;

interface LivePage {
  readonly branchId: Uuid;
  /** Of its end: earlier ones are over, whatever became of them. */
  readonly since: Instant;
  readonly after: Uuid | null;
  readonly limit: number;
}

/** Confirmed and seated ones, by id. */
export const liveBookingsAfter = async (
  db: Db,
  orgId: Uuid,
  { branchId, since, after, limit }: LivePage,
): Promise<readonly StoredBooking[]> => {
  const follows = after === null ? sql`` : sql`and id > ${after}`;
  const { rows } = await sql<StoredBooking>`
    select * from booking
    where org_id = ${orgId} and branch_id = ${branchId} and status in ('confirmed', 'seated') and ends_at > ${at(since)}
      ${follows}
    order by id limit ${limit}
  `.execute(db);
  return rows;
};

/** Of these, those of the branch, ended or not. */
export const bookingsByIds = async (
  db: Db,
  orgId: Uuid,
  branchId: Uuid,
  ids: readonly Uuid[],
): Promise<readonly StoredBooking[]> => {
  const { rows } = await sql<StoredBooking>`
    select * from booking where org_id = ${orgId} and branch_id = ${branchId} and id = any(${[...ids]}::uuid[])
  `.execute(db);
  return rows;
};

import { sql, type Kysely } from 'kysely';
import type { Uuid } from '../../kernel/ids.ts';
import type { LocalDate } from '../../kernel/time.ts';
import { rowsHeard } from '../../platform/store/nodes/everywhere.ts';
import type { Database } from '../../platform/store/schema.ts';
import { deleteBatch, type DueQuery } from '../../platform/store/sweep.ts';
import { at } from '../../platform/store/types.ts';

type Db = Kysely<Database>;

/** A booking that ends by the clock. */
export interface DueBooking {
  readonly orgId: Uuid;
  readonly id: Uuid;
  /** Minutes after its start, or its end, at which it is due. */
  readonly minutes: number;
}

/** What falls due later than this is left to the staff, so that branches without minutes do not slow the search. */
const SEARCHED_DAYS = 7;

/** Confirmed, and not seated within the branch's `auto_no_show_minutes`; oldest first. Reads the index on confirmed ones. */
export const missedBookings = async (
  db: Db,
  { now, without, limit }: DueQuery,
): Promise<readonly DueBooking[]> =>
  await rowsHeard(
    db,
    (ofShops) => sql<DueBooking>`
    select b.org_id as "orgId", b.id, s.auto_no_show_minutes as minutes
    from booking b
    join booking_settings s on s.org_id = b.org_id and s.branch_id = b.branch_id
    where b.status = 'confirmed' and b.starts_at <= ${at(now)}
      and b.starts_at > ${at(now)} - ${SEARCHED_DAYS} * interval '1 day'
      and b.starts_at + s.auto_no_show_minutes * interval '1 minute' <= ${at(now)}
      and b.id <> all(${[...without]}::uuid[]) and ${ofShops('b.org_id')} and ${ofShops('s.org_id')}
    order by b.starts_at
    limit ${limit}
  `,
  );

/** Seated, and an hour past their end (Decisions 4); oldest first. Reads the index on seated ones. */
export const finishedBookings = async (
  db: Db,
  { now, without, limit }: DueQuery,
): Promise<readonly DueBooking[]> =>
  await rowsHeard(
    db,
    (ofShops) => sql<DueBooking>`
    select org_id as "orgId", id, 60 as minutes from booking
    where status = 'seated' and open_tickets = 0 and ends_at <= ${at(now)} - interval '1 hour' and id <> all(${[...without]}::uuid[])
      and ${ofShops('org_id')}
    order by ends_at
    limit ${limit}
  `,
  );

/** Lock rows of service dates before `date`. */
export const deleteDaysBefore = (db: Db, date: LocalDate, limit: number): Promise<number> =>
  deleteBatch(db, 'booking_day', sql`service_date < ${date}::date`, limit);

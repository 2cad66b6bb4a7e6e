/** What the staff see of bookings. */
import type { Kysely } from 'kysely';
import type { Static } from 'typebox';
import { isoInstant, type Instant } from '../../../kernel/time.ts';
import type { App } from '../../../platform/app/app.ts';
import type { Database } from '../../../platform/store/schema.ts';
import type { StaffBooking } from '../../contract/staff-bookings.ts';
import { actionsNow, type BookingSource } from '../../domain/booking.ts';
import { tablesOfBookings, type StoredBooking } from '../../store/booking.ts';

export type StaffBookingReply = Static<typeof StaffBooking>;

const isoOrNull = (instant: Instant | null): string | null => (instant === null ? null : isoInstant(instant));

/** Casts to literal types rely on check constraints of the table. */
const bookingReply = (
  row: StoredBooking,
  tables: StaffBookingReply['tables'],
  now: Instant,
): StaffBookingReply => ({
  ...{ id: row.id, branch_id: row.branch_id, status: row.status, revision: row.revision },
  ...{ service_date: row.service_date, party_size: row.party_size },
  ...{ starts_at: isoInstant(row.starts_at), ends_at: isoInstant(row.ends_at) },
  ...{ guest_name: row.guest_name, guest_phone: row.guest_phone, phone_proven: row.phone_proven },
  language: row.language === 'en' ? 'en' : 'ar',
  source: row.source as BookingSource,
  ...{ notes: row.notes, tables, tables_chosen: row.is_pinned },
  ...{ created_at: isoInstant(row.created_at), seated_at: isoOrNull(row.seated_at) },
  ...{ ended_at: isoOrNull(row.ended_at), cancelled_by: row.cancelled_by as 'guest' | 'staff' | null },
  actions: [...actionsNow({ status: row.status, startsAt: row.starts_at }, now)],
});

/** In the given order; of one shop. */
export const repliesOf = async (
  { clock }: Pick<App, 'clock'>,
  db: Kysely<Database>,
  rows: readonly StoredBooking[],
): Promise<StaffBookingReply[]> => {
  const [first] = rows;
  if (first === undefined) return [];
  const ids = rows.map(({ id }) => id);
  const booked = await tablesOfBookings(db, first.org_id, ids);
  return rows.map((row) =>
    bookingReply(
      row,
      booked.filter(({ booking_id }) => booking_id === row.id).map(({ id, label }) => ({ id, label })),
      clock.now(),
    ),
  );
};

export const replyOf = async (
  app: Pick<App, 'clock'>,
  db: Kysely<Database>,
  row: StoredBooking,
): Promise<StaffBookingReply> => {
  const [reply] = await repliesOf(app, db, [row]);
  if (reply === undefined) throw new Error('One booking has one reply.');
  return reply;
};

/** What devices hold of bookings (Decisions 13): those whose guests are expected or here. */
import type { Kysely } from 'kysely';
import type { Static } from 'typebox';
import { maskPhone } from '../../../kernel/phone.ts';
import { withoutFields } from '../../../kernel/without-fields.ts';
import { addMinutes } from '../../../kernel/time.ts';
import { heldOrGone, type FeedPlace, type FeedRow, type FeedSource } from '../../../platform/app/feed.ts';
import type { Database } from '../../../platform/store/schema.ts';
import type { FeedBooking } from '../../contract/feed.ts';
import type { StoredBooking } from '../../store/booking.ts';
import { bookingsByIds, liveBookingsAfter } from '../../store/feed.ts';
import { repliesOf, type StaffBookingReply } from './booking-reply.ts';

/** After its end; until then somebody may still seat guests who are late. */
export const MINUTES_IN_FEED = 24 * 60;

const rowOf = (booking: StaffBookingReply): Static<typeof FeedBooking> => ({
  ...withoutFields(booking, 'guest_phone', 'tables', 'actions'),
  guest_phone: booking.guest_phone === null ? null : maskPhone(booking.guest_phone),
  table_ids: booking.tables.map(({ id }) => id).sort(),
});

const rowsOf = async (
  tx: Kysely<Database>,
  { now }: FeedPlace,
  bookings: readonly StoredBooking[],
): Promise<FeedRow[]> =>
  (await repliesOf({ clock: { now: () => now } }, tx, bookings)).map((reply) => ({
    id: reply.id,
    data: rowOf(reply),
  }));

const since = ({ now }: FeedPlace): number => addMinutes(now, -MINUTES_IN_FEED);

export const bookingFeed: FeedSource = {
  logTypes: ['booking'],
  page: async (tx, place, page) => {
    const { orgId, branchId } = place;
    return rowsOf(tx, place, await liveBookingsAfter(tx, orgId, { branchId, since: since(place), ...page }));
  },
  changes: async (tx, place, ids) => {
    const bookings = await bookingsByIds(tx, place.orgId, place.branchId, ids);
    const isLive = ({ status, ends_at: end }: StoredBooking): boolean =>
      (status === 'confirmed' || status === 'seated') && end > since(place);
    return heldOrGone(bookings, isLive, (live) => rowsOf(tx, place, live));
  },
};

/** What the holder of a manage token sees (Shapes, PublicBookingView). */
import type { PathOf, ReplyOf } from '../../platform/contract/endpoint.ts';
import type * as contract from '../contract/guest-booking.ts';
import { canModify } from '../domain/booking.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { isoInstant } from '../../kernel/time.ts';
import type { Branch } from '../../shops/domain/shop.ts';
import { branchById } from '../../shops/app/shared.ts';
import type { App } from '../../platform/app/app.ts';
import { bookingByLink, type StoredBooking } from '../store/booking.ts';

export type BookingView = ReplyOf<typeof contract.getBooking>;

export const viewOf = (app: App, booking: StoredBooking, branch: Branch, token: string): BookingView => ({
  id: booking.id,
  manage_token: token,
  status: booking.status,
  branch_id: booking.branch_id,
  branch_name: branch.name,
  timezone: branch.zone,
  party_size: booking.party_size,
  starts_at: isoInstant(booking.starts_at),
  ends_at: isoInstant(booking.ends_at),
  service_date: booking.service_date,
  guest_name: booking.guest_name,
  can_modify: canModify(
    { status: booking.status, startsAt: booking.starts_at },
    branch.booking.leadTimeMinutes,
    app.clock.now(),
  ),
  notes: booking.notes,
});

interface Held {
  readonly booking: StoredBooking;
  readonly branch: Branch;
}

const MANAGE_TOKEN = /^[0-9a-f]{32}$/;

/** Throws NOT_FOUND: a malformed token is an unknown one. */
export const bookingOfToken = async (app: App, token: string): Promise<Held> => {
  if (!MANAGE_TOKEN.test(token)) throw new Refusal('NOT_FOUND');
  const booking = await bookingByLink(app.db.kysely, app.tokens.hashOf(token));
  const branch = booking === null ? null : await branchById(app.db.kysely, booking.branch_id);
  if (booking === null || branch === null) throw new Refusal('NOT_FOUND');
  return { booking, branch };
};

/** GET /public/bookings/{manage_token}. */
export const getBooking =
  (app: App) =>
  async ({ path }: { path: PathOf<typeof contract.getBooking> }): Promise<BookingView> => {
    const { booking, branch } = await bookingOfToken(app, path.manage_token);
    return viewOf(app, booking, branch, path.manage_token);
  };

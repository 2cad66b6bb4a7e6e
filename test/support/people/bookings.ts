/** Guests who book tables over HTTP, on the date after a world's first. */
import type { BodyOf } from '../../../src/platform/contract/endpoint.ts';
import type { EndpointOf } from '../../../src/service/contract/endpoints.ts';
import { bookingMessage } from '../../../src/bookings/domain/message.ts';
import { messageRow } from '../../../src/messaging/domain/outbox.ts';
import { add } from '../background/outbox.ts';
import { newId } from '../database/ids.ts';
import { insertBooking } from '../database/orders-and-bookings.ts';
import { aBranch, aShopFile, aTable, branchId, openShops, shopId } from '../shops/cafe.ts';
import type { BranchEntry } from '../shops/shop-file.ts';
import type { Reply } from '../server/http-client.ts';
import { done, JSON_BODY, post } from '../server/requests.ts';
import type { ReadOf, World } from '../server/world.ts';
import { aGuest, proveOn, type Guest } from './guests.ts';

export type BookingInput = BodyOf<EndpointOf<'bookTable'>>;
export type Booking = ReadOf<'bookTable'>;

/** Two guests on Saturday, 19:00 in Cairo. */
export const aBooking = (overrides: Partial<BookingInput> = {}): BookingInput => ({
  branch_id: branchId(),
  starts_at: '2026-11-21T17:00:00Z',
  party_size: 2,
  guest_name: 'منى السيد',
  phone: '0100 123 4567',
  ...overrides,
});

/** Books with a proven phone of its own. */
export const booked = async (world: World, overrides: Partial<BookingInput> = {}): Promise<Booking> => {
  const guest = aGuest();
  const token = await proveOn(world, guest);
  const body = aBooking({ phone: guest.typed, device_token: token, ...overrides });
  return done('bookTable', await post(world, '/public/bookings', body));
};

export const manageAddress = ({ manage_token }: Pick<Booking, 'manage_token'>): string =>
  `/public/bookings/${manage_token}`;

/** A row of a booking, and of the message that tells its guest of its state. Returns the booking's id. */
export const aBookingWithMessage = async (
  world: World,
  { phone }: Guest,
  status: 'confirmed' | 'cancelled',
) => {
  const times = {
    serviceDate: '2026-11-21',
    startsAt: '2026-11-21T17:00:00Z',
    endsAt: '2026-11-21T18:30:00Z',
  };
  const id = await insertBooking(world, { ...times, status });
  await world.db.kysely.updateTable('booking').set({ guest_phone: phone }).where('id', '=', id).execute();
  const facts = {
    language: 'ar',
    shopName: 'بيت البن',
    branchName: 'الزمالك',
    zone: 'Africa/Cairo',
  } as const;
  const message = bookingMessage(status, { ...facts, startsAt: Date.parse(times.startsAt), partySize: 2 });
  const row = messageRow({ orgId: shopId(), id: newId(), subject: 'booking', subjectId: id }, message);
  await add(world.db, [row], world.now);
  return id;
};

/** Opens a branch with a table for two and one for four, which takes bookings without codes. */
export const openForBookings = async (
  world: World,
  booking: NonNullable<BranchEntry['booking']> = {},
  overrides: Partial<BranchEntry> = {},
): Promise<void> => {
  const tables = [aTable('t1', 2), aTable('t2', 4)];
  const settings = { enabled: true, require_otp: false, ...booking };
  await openShops(world, aShopFile({ branches: [aBranch({ tables, ...overrides, booking: settings })] }));
};

export const bookTable = (
  world: World,
  overrides: Partial<BookingInput> = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> => post(world, '/public/bookings', aBooking(overrides), headers);

export const changeBooking = (
  world: World,
  booking: Pick<Booking, 'manage_token'>,
  body: object,
): Promise<Reply> => world.send('PATCH', manageAddress(booking), JSON_BODY, JSON.stringify(body));

export const cancelBooking = (world: World, booking: Pick<Booking, 'manage_token'>): Promise<Reply> =>
  post(world, `${manageAddress(booking)}/cancel`, {});

/** Guests who book tables over HTTP, on the date after a world's first. */
import type { BodyOf } from '../../../src/platform/contract/endpoint.ts';
import type { EndpointOf } from '../../../src/service/contract/endpoints.ts';
import { branchId } from '../shops/cafe.ts';
import { done, post } from '../server/requests.ts';
import type { ReadOf, World } from '../server/world.ts';
import { aGuest, proveOn } from './guests.ts';

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

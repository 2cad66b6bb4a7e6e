/** Bookings that the staff make over HTTP. */
import type { BodyOf, ReplyOf } from '../../../src/platform/contract/endpoint.ts';
import type { EndpointOf } from '../../../src/service/contract/endpoints.ts';
import { branchId, daily, openShops, SLUG } from '../shops/cafe.ts';
import type { BranchEntry, TableEntry } from '../shops/shop-file.ts';
import type { Reply } from '../server/http-client.ts';
import { done, JSON_BODY, post } from '../server/requests.ts';
import type { World } from '../server/world.ts';
import { aStaffedShop, setCredentials, signInAs } from './staff.ts';

export type StaffBookingInput = BodyOf<EndpointOf<'createStaffBooking'>>;
export type StaffBooking = ReplyOf<EndpointOf<'createStaffBooking'>>;

const HOUR = 60 * 60_000;
let made = 0;

/** For two guests who called; each has a start of its own, from tomorrow on. */
export const aStaffBooking = (
  { now }: World,
  slug = SLUG,
  overrides: Partial<StaffBookingInput> = {},
): StaffBookingInput => {
  made += 1;
  return {
    ...{ branch_id: branchId('zamalek', slug), source: 'phone', party_size: 2, guest_name: 'منى السيد' },
    starts_at: new Date(now + (24 + 3 * made) * HOUR).toISOString(),
    ...overrides,
  };
};

/** Two guests who came without a booking. */
export const walkIn = (world: World, slug = SLUG): StaffBookingInput =>
  aStaffBooking(world, slug, { source: 'walk_in' });

/** Two guests whose booking begins now. */
export const begun = (world: World, slug = SLUG): StaffBookingInput =>
  aStaffBooking(world, slug, { starts_at: new Date(world.now).toISOString() });

/** Two guests who come within the hour. */
export const soon = (world: World, slug = SLUG): StaffBookingInput =>
  aStaffBooking(world, slug, { starts_at: new Date(world.now + HOUR / 2).toISOString() });

/** Made by the owner of the shop. */
export const bookedByStaff = async (
  world: World,
  body: StaffBookingInput = aStaffBooking(world),
  slug = SLUG,
): Promise<StaffBooking> =>
  done(
    'createStaffBooking',
    await post(world, '/staff/bookings', body, await signInAs(world, 'owner', slug)),
  );

/** A step of the owner, decided on the booking as given. */
export const stepBy = async (
  world: World,
  { id, revision }: Pick<StaffBooking, 'id' | 'revision'>,
  what: 'seat' | 'tables' | 'complete' | 'no-show' | 'cancel',
  body: object = {},
): Promise<Reply> =>
  post(world, `/staff/bookings/${id}/${what}`, { ...body, revision }, await signInAs(world, 'owner'));

export const changeBy = async (
  world: World,
  { id, revision }: Pick<StaffBooking, 'id' | 'revision'>,
  body: object,
): Promise<Reply> => {
  const lines = { ...JSON_BODY, ...(await signInAs(world, 'owner')) };
  return world.send('PATCH', `/staff/bookings/${id}`, lines, JSON.stringify({ ...body, revision }));
};

/** The booking after a step that must succeed. */
export const afterStep = async (...step: Parameters<typeof stepBy>): Promise<StaffBooking> =>
  done('seatBooking', await stepBy(...step));

export const dayOf = async (
  world: World,
  date: string,
): Promise<ReplyOf<EndpointOf<'listStaffBookings'>>> => {
  const address = `/staff/bookings?branch_id=${branchId()}&date=${date}`;
  return done('listStaffBookings', await world.get(address, { ...(await signInAs(world, 'owner')) }));
};

export const labelsOf = ({ tables }: StaffBooking): string[] => tables.map(({ label }) => label);

/** The starts of Saturday, 21 November, that guests can book: `19:00` in Cairo. */
export const freeStarts = async (world: World, partySize = 2): Promise<string[]> => {
  const address = `/public/branches/${branchId()}/booking-slots?date=2026-11-21&party_size=${partySize}`;
  const { slots } = await world.read('getBookingSlots', address);
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'Africa/Cairo', timeStyle: 'short' });
  return slots.filter(({ available }) => available).map(({ starts_at }) => clock.format(new Date(starts_at)));
};

/** The staffed café with these tables at `zamalek`, where guests book without codes from 18:00 to 22:00. */
export const openDesk = async (
  world: World,
  tables: readonly TableEntry[],
  booking: NonNullable<BranchEntry['booking']> = {},
): Promise<void> => {
  const shop = aStaffedShop();
  const [zamalek, ...others] = shop.branches;
  if (zamalek === undefined) throw new Error('a staffed shop has branches');
  const settings = { enabled: true, require_otp: false, hours: daily('18:00', '22:00'), ...booking };
  await openShops(world, {
    ...shop,
    branches: [{ ...zamalek, tables: [...tables], booking: settings }, ...others],
  });
  await setCredentials(world);
};

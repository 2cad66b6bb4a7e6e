/** GET /public/bookings/{manage_token}/slots: where a booking can be moved. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  aBooking,
  bookTable,
  changeBooking,
  manageAddress,
  openForBookings,
  type Booking,
} from '../support/people/bookings.ts';
import { aTable, branchId } from '../support/shops/cafe.ts';
import { done, refusalOf } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';

const DATE = '2026-11-21';
const ALL = 'date=2026-11-21&party_size=2';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
beforeEach(async () => {
  world.now = Date.parse('2026-11-20T18:00:00Z');
  await world.db.kysely.deleteFrom('booking').execute();
  await openForBookings(world, {}, { tables: [aTable('t1', 2)] });
});
afterAll(() => world.close());

const freeFor = async (booking: Booking): Promise<readonly string[]> => {
  const address = `${manageAddress(booking)}/slots?${ALL}`;
  const { slots } = await world.read('getBookingChangeSlots', address);
  return slots.filter(({ available }) => available).map(({ starts_at }) => starts_at);
};
const freeForOthers = async (): Promise<readonly string[]> => {
  const address = `/public/branches/${branchId()}/booking-slots?${ALL}`;
  const { slots } = await world.read('getBookingSlots', address);
  return slots.filter(({ available }) => available).map(({ starts_at }) => starts_at);
};

test('its own table counts as free, those of others do not, and each offered change is accepted', async () => {
  const all = await freeForOthers();
  const mine = done('bookTable', await bookTable(world));
  expect(await freeFor(mine)).toEqual(all);
  done('bookTable', await bookTable(world, { starts_at: `${DATE}T11:00:00Z`, phone: '01112345678' }));
  const free = await freeFor(mine);
  expect(free).toContain(new Date(aBooking().starts_at).toISOString());
  expect(free).not.toContain(`${DATE}T11:00:00.000Z`);
  for (const start of all) {
    const { status } = await changeBooking(world, mine, { starts_at: start });
    expect([start, status]).toEqual([start, free.includes(start) ? 200 : 409]);
  }
});

test('a booking that can no longer be changed, or has none of the token, has none', async () => {
  const mine = done('bookTable', await bookTable(world));
  world.now = Date.parse(mine.starts_at) - 30 * 60_000;
  expect((await world.refused(`${manageAddress(mine)}/slots?${ALL}`)).code).toBe('BOOKING_NOT_MODIFIABLE');
  expect((await world.refused(`/public/bookings/nobody/slots?${ALL}`)).status).toBe(404);
});

test('a date beyond the horizon and a party out of bounds are refused together', async () => {
  const mine = done('bookTable', await bookTable(world));
  const refused = await world.refused(`${manageAddress(mine)}/slots?date=2027-06-01&party_size=99`);
  expect(refused.faults?.map(({ code }) => code)).toEqual(['DATE_OUT_OF_RANGE', 'PARTY_SIZE_OUT_OF_RANGE']);
  expect(refusalOf(await changeBooking(world, mine, { party_size: 99 })).code).toBe(
    'PARTY_SIZE_OUT_OF_RANGE',
  );
});

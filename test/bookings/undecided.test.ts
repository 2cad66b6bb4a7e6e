/** A question about seats that takes too much work is answered as not available, and counted. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aBooking } from '../support/people/bookings.ts';
import { aBranch, aShopFile, aTable, branchId, daily, openShops } from '../support/shops/cafe.ts';
import { post, refusalOf } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';

/**
 * 836 seats at twelve tables, for three parties of 278: some joins have 278 or 279 seats, but not three at once (found
 * by trying all).
 */
const SEATS = [55, 57, 98, 74, 60, 72, 80, 82, 56, 82, 62, 58];
const PARTY = 278;
const EVENING = '2026-11-21T20:00:00+02:00';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
  const keys = SEATS.map((_, at) => `t${String(at).padStart(2, '0')}`);
  const branch = aBranch({
    ...{ tables: keys.map((key, at) => aTable(key, SEATS[at] ?? 0)), table_joins: [keys] },
    booking: {
      ...{ enabled: true, require_otp: false, max_party: 500, slot_minutes: 60 },
      hours: daily('20:00', '21:30'),
    },
  });
  await openShops(world, aShopFile({ branches: [branch] }));
});
afterAll(() => world.close());

const book = () => post(world, '/public/bookings', aBooking({ starts_at: EVENING, party_size: PARTY }));

test('an undecided start is not offered, its booking is refused, and both are counted', async () => {
  expect((await book()).status).toBe(201);
  expect((await book()).status).toBe(201);
  const address = `/public/branches/${branchId()}/booking-slots?date=2026-11-21&party_size=${PARTY}`;
  const { slots } = await world.read('getBookingSlots', address);
  expect(slots.map(({ available, reason }) => ({ available, reason }))).toEqual([
    { available: false, reason: 'taken' },
  ]);
  expect(world.app.undecidedSeatings.counts).toEqual({ slots: 1, booking: 0 });
  const third = await book();
  expect([third.status, refusalOf(third).code]).toEqual([409, 'SLOT_TAKEN']);
  expect(world.app.undecidedSeatings.counts).toEqual({ slots: 1, booking: 1 });
});

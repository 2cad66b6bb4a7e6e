/** GET /public/branches/{id}/booking-info and /public/booking-branches: what a booking page shows first. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openForBookings } from '../support/people/bookings.ts';
import { branchId, shopId } from '../support/shops/cafe.ts';
import { makeWorld, type World } from '../support/server/world.ts';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.close());

const infoOf = () => world.read('getBookingInfo', `/public/branches/${branchId()}/booking-info`);

test('every date to the horizon without a start is closed: weekday, exception and blackout date', async () => {
  await openForBookings(world, {
    hours: [{ days: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri'], open: '18:00', close: '23:00' }],
    dated_hours: [
      { from: '2026-11-24', to: '2026-11-25', hours: [] },
      { from: '2026-11-28', hours: [{ open: '18:00', close: '22:00' }] },
      // Shorter than a stay.
      { from: '2026-11-26', hours: [{ open: '18:00', close: '19:00' }] },
    ],
    blackout_dates: ['2026-11-30'],
    horizon_days: 12,
  });
  const { today, closed_dates } = await infoOf();
  expect(today).toBe('2026-11-20');
  // Saturday 21 is closed, Saturday 28 is opened by an exception.
  expect(closed_dates).toEqual(['2026-11-21', '2026-11-24', '2026-11-25', '2026-11-26', '2026-11-30']);
});

test('where a branch is, and how it is called and reached', async () => {
  await openForBookings(world, {}, { address: '١٢ شارع البرازيل', phone: '+20227350000' });
  const info = await infoOf();
  expect(info).toMatchObject({ org_id: shopId(), address: '١٢ شارع البرازيل', phone: '+20227350000' });
  expect(info.directions_url).toMatch(/^https:\/\/www\.google\.com\/maps\//);
  const [branch] = await world.read('listBookingBranches', `/public/booking-branches?org_id=${shopId()}`);
  expect(branch).toMatchObject({ id: branchId(), name_translations: info.branch_name_translations });
});

/** GET /public/branches/{id}/booking-info and /public/booking-branches: what a booking page shows first. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { booked, openForBookings } from '../support/people/bookings.ts';
import { aBranch, aShopFile, aTable, branchId, openShops, shopId } from '../support/shops/cafe.ts';
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

describe('a shop that hides its branches on the links page', () => {
  const PLACE = { address: '١٢ شارع البرازيل', phone: '+20227350000', location: { lat: 30.06, lng: 31.22 } };
  const open = (enabled: boolean): Promise<void> =>
    openShops(
      world,
      aShopFile({
        links: { show_branches: false },
        branches: [aBranch({ ...PLACE, tables: [aTable('t1', 2)], booking: { enabled } })],
      }),
    );

  test('says where a branch is while tables can be booked there', async () => {
    await open(true);
    expect(await infoOf()).toMatchObject({ address: PLACE.address, phone: PLACE.phone });
  });

  test('says it otherwise to the guest of a booking alone', async () => {
    await open(true);
    const booking = await booked(world);
    await open(false);
    expect(await infoOf()).toMatchObject({ address: null, phone: null, directions_url: null });
    const page = await world.get(`/manage/${booking.manage_token}`, { accept: 'text/html' });
    expect(page.text).toContain(PLACE.address);
    expect(page.text).toContain('tel:+20227350000');
  });
});

/** Parties that a branch can never seat: the reason and the largest possible party. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertBooking } from '../support/database/orders-and-bookings.ts';
import { aBranch, aShopFile, aTable, branchId, openShops, tableId } from '../support/shops/cafe.ts';
import type { BranchEntry } from '../support/shops/shop-file.ts';
import { makeWorld, type World } from '../support/server/world.ts';

const TOMORROW = '2026-11-21';

let world: World;
beforeAll(async () => {
  world = await makeWorld({ now: '2026-11-20T18:00:00Z' });
});
afterAll(() => world.close());

const open = (booking: BranchEntry['booking'] = {}): Promise<void> => {
  const tables = [aTable('a', 2), aTable('b', 2), aTable('c', 4)];
  const branch = aBranch({ tables, table_joins: [['a', 'b']], booking: { enabled: true, ...booking } });
  return openShops(world, aShopFile({ branches: [branch] }));
};
const slots = (party: number, date = TOMORROW) =>
  world.read(
    'getBookingSlots',
    `/public/branches/${branchId()}/booking-slots?date=${date}&party_size=${party}`,
  );
const fits = async (party: number): Promise<boolean> => (await slots(party)).party_fits;
const fit = async (party: number) => {
  const { party_fits, unfit_reason, largest_party, max_covers } = await slots(party);
  return { party_fits, unfit_reason, largest_party, max_covers };
};
const UNFIT = { party_fits: false, max_covers: null };

test('a party fits when a table or a join of tables seats it', async () => {
  await open();
  expect([await fits(2), await fits(4), await fits(5)]).toEqual([true, true, false]);
  expect(await fit(4)).toEqual({
    party_fits: true,
    unfit_reason: null,
    largest_party: 4,
    max_covers: null,
  });
  expect(await fit(7)).toEqual({ ...UNFIT, unfit_reason: 'tables', largest_party: 4 });
});

test('a party fits also while every table is booked', async () => {
  await open();
  const [startsAt, endsAt] = ['2026-11-21T10:00:00Z', '2026-11-21T21:00:00Z'];
  await insertBooking(world, {
    serviceDate: TOMORROW,
    startsAt,
    endsAt,
    tables: ['a', 'b', 'c'].map((key) => tableId(key)),
  });
  expect(await fits(4)).toBe(true);
});

test('a party larger than max_covers_per_slot does not fit', async () => {
  await open({ max_covers_per_slot: 3 });
  expect([await fits(3), await fits(4)]).toEqual([true, false]);
  const covers = { ...UNFIT, max_covers: 3, largest_party: 3 };
  expect(await fit(4)).toEqual({ ...covers, unfit_reason: 'covers' });
  expect(await fit(5)).toEqual({ ...covers, unfit_reason: 'tables' });
});

test('largest_party is never below the smallest party of the branch', async () => {
  await open({ max_covers_per_slot: 3, min_party: 4 });
  expect(await fit(4)).toMatchObject({ unfit_reason: 'covers', largest_party: null });
});

test('no party fits a branch without bookable tables: no_tables', async () => {
  const walkIns = aTable('bar', 4, { bookable: false });
  await openShops(
    world,
    aShopFile({ branches: [aBranch({ tables: [walkIns], booking: { enabled: true } })] }),
  );
  expect(await fit(2)).toEqual({ ...UNFIT, unfit_reason: 'no_tables', largest_party: null });
});

test('a party fits on a day without starts as on any other day', async () => {
  await open({ dated_hours: [{ from: TOMORROW, hours: [] }] });
  expect([await fits(4), await fits(12)]).toEqual([true, false]);
  expect((await slots(12)).slots).toEqual([]);
});

test('last_date is the same for every requested date', async () => {
  await open({ horizon_days: 5, dated_hours: [{ from: TOMORROW, hours: [] }] });
  const last = async (date: string): Promise<string> => (await slots(2, date)).last_date;
  expect([await last('2026-11-20'), await last(TOMORROW)]).toEqual(['2026-11-25', '2026-11-25']);
});

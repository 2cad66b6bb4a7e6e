/** `party_fits` of a branch's booking times: whether its tables could ever seat the party. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { book } from '../support/activity.ts';
import {
  aBranch,
  aShopFile,
  aTable,
  branchId,
  openShops,
  tableId,
  type BranchFile,
} from '../support/cafe.ts';
import { makeWorld, type World } from '../support/world.ts';

const TOMORROW = '2026-11-21';

let world: World;
beforeAll(async () => {
  world = await makeWorld({ now: '2026-11-20T18:00:00Z' });
});
afterAll(() => world.close());

const open = (booking: BranchFile['booking'] = {}): Promise<void> => {
  const tables = [aTable('a', 2), aTable('b', 2), aTable('c', 4)];
  const branch = aBranch({ tables, table_joins: [['a', 'b']], booking: { enabled: true, ...booking } });
  return openShops(world, aShopFile({ branches: [branch] }));
};
const fits = async (party: number, date = TOMORROW): Promise<boolean> => {
  const address = `/public/branches/${branchId()}/booking-slots?date=${date}&party_size=${party}`;
  return (await world.read('getBookingSlots', address)).party_fits;
};

test('a party fits as long as a table or a join seats it', async () => {
  await open();
  expect([await fits(2), await fits(4), await fits(5)]).toEqual([true, true, false]);
});

test('it fits all the same when every table is taken', async () => {
  await open();
  const [startsAt, endsAt] = ['2026-11-21T10:00:00Z', '2026-11-21T21:00:00Z'];
  await book(world, {
    serviceDate: TOMORROW,
    startsAt,
    endsAt,
    tables: ['a', 'b', 'c'].map((key) => tableId(key)),
  });
  expect(await fits(4)).toBe(true);
});

test('a party beyond the guests that may start together never fits', async () => {
  await open({ max_covers_per_slot: 3 });
  expect([await fits(3), await fits(4)]).toEqual([true, false]);
});

test('on a day without starts nothing is said against it', async () => {
  await open({ dated_hours: [{ from: TOMORROW, hours: [] }] });
  expect(await fits(12)).toBe(true);
});

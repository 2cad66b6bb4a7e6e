/** Money of a device whose till never comes (Decisions 13): it is in the books all the same. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sweepTogether } from '../support/background/sweeper.ts';
import { newId } from '../support/database/ids.ts';
import { aStaffedWorld, pairedTill, signInAs, type SignedIn } from '../support/people/staff.ts';
import { done, refusalOf } from '../support/server/requests.ts';
import type { World } from '../support/server/world.ts';
import { branchId } from '../support/shops/cafe.ts';
import { eventsOf, outcomesOf, paid, recordedCoffees, replayed } from '../support/sync/device-events.ts';

const HOUR = 60 * 60_000;

let world: World;
let owner: SignedIn;
beforeAll(async () => {
  world = await aStaffedWorld({ limitScale: 100_000 });
});
afterAll(() => world.close());

test('a sale is recorded without its till when that has not come for a day, in review, though no device sends any more; a till that comes later does not change it', async () => {
  const { device } = await pairedTill(world);
  const sent = async (...events: readonly unknown[]) => outcomesOf(await replayed(world, device, events));
  const start = world.now;
  const after = async (hours: number): Promise<void> => {
    world.now = start + hours * HOUR;
    await sweepTogether(world);
    owner = await signInAs(world, 'owner');
  };
  const [till, saleId] = [newId(), newId()];
  const lines = { items: recordedCoffees(1), total: 4_500, payments: paid(4_500) };
  const sale = eventsOf(world, 'manager', start - HOUR)('sale', { ...lines, sale_id: saleId, till_id: till });
  expect(await sent(sale)).toEqual(['waiting']);
  await after(23);
  expect(refusalOf(await world.get(`/staff/sales/${saleId}`, owner)).status).toBe(404);
  await after(25);
  const booked = { total: 4_500, till_id: null };
  expect(done('getSale', await world.get(`/staff/sales/${saleId}`, owner))).toMatchObject(booked);
  const listed = done('listReviews', await world.get(`/staff/reviews?branch_id=${branchId()}`, owner));
  const reasons = [{ code: 'till_missing', vars: { till_id: till } }];
  expect(listed).toMatchObject([{ id: sale.id, outcome: 'review', reasons }]);

  const opened = eventsOf(
    world,
    'manager',
    start - 2 * HOUR,
  )('till_open', { till_id: till, opening_float: 0 });
  expect(await sent(opened, sale)).toEqual(['applied', 'already']);
  expect(done('getSale', await world.get(`/staff/sales/${saleId}`, owner))).toMatchObject(booked);
});

/** Booking times are decided off the request path once a date that somebody looked at has changed. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { manualTimers } from '../support/background/manual-timers.ts';
import { bookTable, cancelBooking, openForBookings, type Booking } from '../support/people/bookings.ts';
import { aTable, branchId, daily } from '../support/shops/cafe.ts';
import { done } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';

const QUIET_MS = 300;
const timers = manualTimers();

let world: World;
beforeAll(async () => {
  world = await makeWorld({ timers: timers.timers });
});
beforeEach(async () => {
  await world.db.kysely.deleteFrom('booking').execute();
  const tables = [aTable('t1', 2), aTable('t2', 2)];
  await openForBookings(world, { hours: daily('18:00', '22:00') }, { tables });
});
afterAll(() => world.close());

const book = async (): Promise<Booking> => done('bookTable', await bookTable(world));

const look = (date = '2026-11-21'): Promise<unknown> =>
  world.read('getBookingSlots', `/public/branches/${branchId()}/booking-slots?date=${date}&party_size=2`);

/** What was decided by this work, on requests and ahead of them. */
const decidedBy = async (work: () => Promise<unknown>): Promise<{ request: number; ahead: number }> => {
  const { decided } = world.app.seatingGrids;
  const before = { ...decided };
  await work();
  timers.fire(QUIET_MS);
  await world.app.backgroundTasks.settled();
  return { request: decided.request - before.request, ahead: decided.ahead - before.ahead };
};

test('after a change the next reader of a date finds its starts decided', async () => {
  const { request, ahead } = await decidedBy(() => look());
  expect([request > 0, ahead]).toEqual([true, 0]);
  let booking: Booking | null = null;
  const changed = await decidedBy(async () => (booking = await book()));
  expect([changed.request, changed.ahead > 0]).toEqual([0, true]);
  expect(await decidedBy(() => look())).toEqual({ request: 0, ahead: 0 });
  // As it was before: known.
  const cancelled = await decidedBy(() => cancelBooking(world, booking ?? { manage_token: '' }));
  expect(cancelled).toEqual({ request: 0, ahead: 0 });
  expect(await decidedBy(() => look())).toEqual({ request: 0, ahead: 0 });
});

test('changes in a row are waited for, and decided once', async () => {
  await look();
  const changed = await decidedBy(async () => {
    await book();
    await book();
  });
  expect([changed.request, changed.ahead > 0, timers.pending().includes(QUIET_MS)]).toEqual([0, true, false]);
  expect(await decidedBy(() => look())).toEqual({ request: 0, ahead: 0 });
});

test('after news was missed the dates that somebody looked at are decided again', async () => {
  await decidedBy(async () => {
    await look();
    await book();
  });
  const missed = await decidedBy(async () => {
    await sql`update booking set ends_at = '2026-11-21T20:00:00Z'`.execute(world.db.kysely);
    world.app.changePublisher.relayMissed();
  });
  expect([missed.request, missed.ahead > 0]).toEqual([0, true]);
});

test('nothing is decided for a date at which nobody looked', async () => {
  const elsewhere = () => bookTable(world, { starts_at: '2026-11-25T17:00:00Z' });
  expect(await decidedBy(elsewhere)).toEqual({ request: 0, ahead: 0 });
});

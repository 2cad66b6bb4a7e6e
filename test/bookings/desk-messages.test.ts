/** What guests are told of what the staff do to their bookings. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sendMessages } from '../support/background/outbox-worker.ts';
import { sweepingProcess } from '../support/background/sweeper.ts';
import { aGuest, type Guest } from '../support/people/guests.ts';
import {
  afterStep,
  aStaffBooking,
  bookedByStaff,
  changeBy,
  openDesk,
  walkIn,
  type StaffBooking,
} from '../support/people/staff-bookings.ts';
import { aTable, SLUG } from '../support/shops/cafe.ts';
import { done } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
  await openDesk(world, [aTable('t1', 2), aTable('t2', 4)]);
});
beforeEach(async () => {
  world.now = Date.parse('2026-11-20T18:00:00Z');
  await world.db.kysely.deleteFrom('booking').execute();
});
afterAll(() => world.close());

/** For Saturday, 19:00. */
const called = (guest: Guest): Promise<StaffBooking> => {
  const about = { starts_at: '2026-11-21T17:00:00Z', phone: guest.typed };
  return bookedByStaff(world, aStaffBooking(world, SLUG, about));
};

const changed = async (booking: StaffBooking, body: object): Promise<StaffBooking> =>
  done('changeStaffBooking', await changeBy(world, booking, body));

const toldTo = async ({ phone }: Guest): Promise<string[]> => {
  await sendMessages(world);
  return world.phones.messages.filter((message) => message.phone === phone).map(({ template }) => template);
};

test('a guest who called is told, reminded, and told of another time and of the end', async () => {
  const guest = aGuest();
  const booking = await called(guest);
  expect(await toldTo(guest)).toEqual(['booking_confirmed']);
  const later = await changed(booking, { starts_at: '2026-11-21T18:00:00Z' });
  expect(await toldTo(guest)).toEqual(['booking_confirmed', 'booking_changed']);
  world.now = Date.parse('2026-11-21T16:00:00Z');
  const process = sweepingProcess(world);
  await process.sweeper.sweep();
  await process.close();
  expect((await toldTo(guest)).slice(2)).toEqual(['booking_reminder']);
  await afterStep(world, later, 'cancel');
  expect((await toldTo(guest)).slice(3)).toEqual(['booking_cancelled']);
});

test('nobody is told of other notes, of tables, or of guests who came', async () => {
  const [guest, walker] = [aGuest(), aGuest()];
  const booking = await changed(await called(guest), { notes: 'جنب الشباك', guest_name: 'هدى' });
  const moved = await afterStep(world, booking, 'tables', { table_ids: [] });
  expect(await toldTo(guest)).toEqual(['booking_confirmed']);
  world.now = Date.parse('2026-11-21T17:00:00Z');
  await afterStep(world, moved, 'seat');
  await bookedByStaff(world, { ...walkIn(world), phone: walker.typed });
  expect([await toldTo(guest), await toldTo(walker)]).toEqual([['booking_confirmed'], []]);
});

test('another phone is told of the booking, and the one before no more', async () => {
  const [before, after] = [aGuest(), aGuest()];
  const booking = await called(before);
  expect(await toldTo(before)).toEqual(['booking_confirmed']);
  const passed = await changed(booking, { phone: after.typed });
  expect(passed.phone_proven).toBe(false);
  await toldTo(after);
  await afterStep(world, passed, 'cancel');
  expect([await toldTo(before), await toldTo(after)]).toEqual([
    ['booking_confirmed'],
    ['booking_confirmed', 'booking_cancelled'],
  ]);
});

test('another phone is not told what waited for the one before', async () => {
  const [before, after] = [aGuest(), aGuest()];
  await changed(await called(before), { phone: after.typed });
  expect([await toldTo(before), await toldTo(after)]).toEqual([[], ['booking_confirmed']]);
});

test.each([
  ['told before their start', '2026-11-21T16:30:00Z', ['booking_cancelled']],
  ['not told once it is past', '2026-11-21T17:00:00Z', []],
])('guests who were seated are %s that their booking is cancelled', async (_, now, messages) => {
  const guest = aGuest();
  const booking = await called(guest);
  expect(await toldTo(guest)).toEqual(['booking_confirmed']);
  world.now = Date.parse(now);
  await afterStep(world, await afterStep(world, booking, 'seat'), 'cancel');
  expect((await toldTo(guest)).slice(1)).toEqual(messages);
});

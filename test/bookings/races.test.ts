/** Bookings that meet what others write at the same moment, with and without the lock of the date. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sweepingProcess } from '../support/background/sweeper.ts';
import { insertBooking } from '../support/database/orders-and-bookings.ts';
import { asOwner } from '../support/database/test-database.ts';
import { bookTable, changeBooking, openForBookings, type Booking } from '../support/people/bookings.ts';
import { branchId, shopId, tableId } from '../support/shops/cafe.ts';
import { done, refusalOf } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';

const MINUTE = 60_000;
const [START, END] = ['2026-11-21T17:00:00Z', '2026-11-21T18:30:00Z'];

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
beforeEach(async () => {
  world.now = Date.parse('2026-11-20T18:00:00Z');
  await world.db.kysely.deleteFrom('booking').execute();
  await openForBookings(world, { auto_no_show_minutes: 30 });
});
afterAll(() => world.close());

const made = async (overrides: Parameters<typeof bookTable>[1] = {}): Promise<Booking> =>
  done('bookTable', await bookTable(world, overrides));

/** Waits until a statement of another connection waits for this transaction. */
const someoneWaits = async (): Promise<void> => {
  for (;;) {
    const { rows } = await sql`
      select from pg_locks where not granted and locktype in ('transactionid', 'tuple')
    `.execute(world.db.kysely);
    if (rows.length > 0) return;
  }
};

/** A claim on the smaller table that is committed once somebody else wants the table. */
const claimWithoutLock = async (booking: string): Promise<void> => {
  await world.db.tx(async (tx) => {
    await sql`
      insert into booking_table (org_id, booking_id, table_id, branch_id, during)
      values (${shopId()}, ${booking}, ${tableId('t1')}, ${branchId()}, tstzrange(${START}, ${END}))
    `.execute(tx);
    await someoneWaits();
  });
};

test('a claim that was made without the lock is met by the database, and the booking finds another table', async () => {
  const other = await insertBooking(world, {
    ...{ serviceDate: '2026-11-21', startsAt: START, endsAt: END, status: 'seated' },
  });
  const [booking] = await Promise.all([bookTable(world), claimWithoutLock(other)]);
  expect(booking.status).toBe(201);
  const { rows } = await sql<{ table_id: string }>`select table_id from booking_table`.execute(
    world.db.kysely,
  );
  expect(rows.map(({ table_id }) => table_id).toSorted()).toEqual([tableId('t1'), tableId('t2')].toSorted());
});

test('guests who moved their booking are a no-show by its new start', async () => {
  await asOwner(world.database, `update booking_settings set lead_time_minutes = 0`);
  const booking = await made();
  world.now = Date.parse(START) - MINUTE;
  await world.hearOfChanges();
  const later = new Date(Date.parse(START) + 30 * MINUTE).toISOString();
  expect(done('changeBooking', await changeBooking(world, booking, { starts_at: later })).starts_at).toBe(
    later,
  );
  world.now = Date.parse(later) + 30 * MINUTE - 1;
  const process = sweepingProcess(world);
  await process.sweeper.sweep();
  await process.close();
  expect(await world.read('getBooking', `/public/bookings/${booking.manage_token}`)).toMatchObject({
    status: 'confirmed',
  });
});

test('a party that changes its size on a date that was closed since keeps its stay, and takes no table of others', async () => {
  const [two, four] = [await made(), await made({ party_size: 4 })];
  const closed = [{ from: '2026-11-21', hours: [] }];
  await openForBookings(world, { auto_no_show_minutes: 30, dated_hours: closed });
  const smaller = done('changeBooking', await changeBooking(world, four, { party_size: 2 }));
  expect(smaller).toMatchObject({ party_size: 2, starts_at: four.starts_at, ends_at: four.ends_at });
  expect(refusalOf(await changeBooking(world, two, { party_size: 5 })).code).toBe('SLOT_TAKEN');
  const { rows } = await sql`select distinct table_id from booking_table`.execute(world.db.kysely);
  expect(rows.length).toBe(2);
});

test('of twelve changes of one booking at once none is lost', async () => {
  const booking = await made();
  const bodies = Array.from({ length: 12 }, (_, n) =>
    n % 2 === 0 ? { notes: `ملاحظة ${n}` } : { party_size: n % 4 === 1 ? 1 : 3 },
  );
  const replies = await Promise.all(bodies.map((body) => changeBooking(world, booking, body)));
  expect(replies.map(({ status }) => status)).toEqual(bodies.map(() => 200));
  const { rows } = await sql<{ revision: number }>`select revision from booking`.execute(world.db.kysely);
  expect(rows[0]?.revision).toBeGreaterThan(6);
});

test('of thirty guests who move to the last table of a start one gets it; the others keep theirs', async () => {
  await openForBookings(world, {}, { tables: [{ key: 't1', label: 'T1', seats: { max: 2 } }] });
  const bookings: Booking[] = [];
  for (let day = 22; day < 28; day += 1)
    for (const hour of ['10', '12', '14', '16', '18'])
      bookings.push(await made({ starts_at: `2026-11-${day}T${hour}:00:00Z` }));
  const replies = await Promise.all(
    bookings.map((booking) => changeBooking(world, booking, { starts_at: START })),
  );
  const refused = replies.filter(({ status }) => status !== 200).map((reply) => refusalOf(reply).code);
  expect(refused).toEqual(Array<string>(bookings.length - 1).fill('SLOT_TAKEN'));
  const { rows } = await sql`select from booking_table`.execute(world.db.kysely);
  expect(rows.length).toBe(bookings.length);
});

/** Bookings that end by the clock. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sweepTogether } from '../support/background/sweeper.ts';
import { lockWait } from '../support/database/lock-wait.ts';
import { auditOf } from '../support/database/stored-rows.ts';
import { aBooking, type Booking } from '../support/people/bookings.ts';
import { aBranch, aShopFile, aTable, branchId, openShops } from '../support/shops/cafe.ts';
import { done, post } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';

const MINUTE = 60_000;

let world: World;

const open = async (auto_no_show_minutes: number | null): Promise<void> => {
  const booking = { enabled: true, require_otp: false, auto_no_show_minutes };
  await openShops(world, aShopFile({ branches: [aBranch({ tables: [aTable('t1', 2)], booking })] }));
};

const booked = async (): Promise<Booking> =>
  done('bookTable', await post(world, '/public/bookings', aBooking()));

const sweep = (): Promise<void> => sweepTogether(world);

const statusOf = async ({ manage_token }: Booking): Promise<string> =>
  (await world.read('getBooking', `/public/bookings/${manage_token}`)).status;

const claims = async (): Promise<number> => {
  const { rows } = await sql`select from booking_table`.execute(world.db.kysely);
  return rows.length;
};

beforeAll(async () => {
  world = await makeWorld();
});
beforeEach(async () => {
  world.now = Date.parse('2026-11-20T18:00:00Z');
  await world.db.kysely.deleteFrom('booking').execute();
});
afterAll(() => world.close());

describe('guests who do not come', () => {
  test('are a no-show after the branch’s minutes, once by four sweepers, and their table is free', async () => {
    await open(30);
    const booking = await booked();
    world.now = Date.parse(booking.starts_at) + 30 * MINUTE - 1;
    await sweep();
    expect(await statusOf(booking)).toBe('confirmed');
    world.now += 1;
    await sweep();
    expect([await statusOf(booking), await claims()]).toEqual(['no_show', 0]);
    const ended = await auditOf(world, booking.id);
    expect(ended).toMatchObject([{ action: 'booking.no_show', staff_id: null, branch_id: branchId() }]);
  });

  test('stay booked where the branch has set no minutes, and once they are seated', async () => {
    await open(null);
    const booking = await booked();
    world.now = Date.parse(booking.ends_at);
    await sweep();
    expect(await statusOf(booking)).toBe('confirmed');
    await open(30);
    await sql`update booking set status = 'seated'`.execute(world.db.kysely);
    await sweep();
    expect(await statusOf(booking)).toBe('seated');
  });
});

test('seated guests have completed their stay an hour past its end', async () => {
  await open(30);
  const booking = await booked();
  await sql`update booking set status = 'seated'`.execute(world.db.kysely);
  world.now = Date.parse(booking.ends_at) + 60 * MINUTE - 1;
  await sweep();
  expect(await statusOf(booking)).toBe('seated');
  world.now += 1;
  await sweep();
  expect([await statusOf(booking), await claims()]).toEqual(['completed', 0]);
});

test('guests who order at the moment at which their stay would end by the clock stay', async () => {
  await open(30);
  const booking = await booked();
  await sql`update booking set status = 'seated'`.execute(world.db.kysely);
  world.now = Date.parse(booking.ends_at) + 60 * MINUTE;
  let swept: Promise<void> = Promise.resolve();
  await world.db.kysely.transaction().execute(async (tx) => {
    await sql`update booking set open_tickets = 1`.execute(tx);
    swept = sweep();
    await lockWait(world);
  });
  await swept;
  expect([await statusOf(booking), await claims()]).toEqual(['seated', 1]);
});

test('rows that serialize past dates are deleted after a week', async () => {
  await open(30);
  await booked();
  const rows = async () => (await sql`select from booking_day`.execute(world.db.kysely)).rows.length;
  world.now = Date.parse('2026-11-27T12:00:00Z');
  await sweep();
  expect(await rows()).toBe(3);
  world.now = Date.parse('2026-11-30T12:00:00Z');
  await sweep();
  expect(await rows()).toBe(0);
});

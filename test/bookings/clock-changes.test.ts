/** Bookings on the nights on which Cairo changes its clock, 18:00–02:00, every 30 minutes for 30 minutes. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  bookTable,
  changeBooking,
  manageAddress,
  openForBookings,
  type Booking,
} from '../support/people/bookings.ts';
import { aTable, branchId, daily } from '../support/shops/cafe.ts';
import type { Reply } from '../support/server/http-client.ts';
import { done, refusalOf } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';

/** Its 24:00 is 01:00: no wall clock shows 00:00–00:59. */
const SKIPPING = { date: '2027-04-29', eve: '2027-04-26T08:00:00Z' };
/** Its 24:00 is 23:00: the wall clock shows 23:00–23:59 twice. */
const DOUBLING = { date: '2027-10-28', eve: '2027-10-25T08:00:00Z' };

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
beforeEach(() => world.db.kysely.deleteFrom('booking').execute());
afterAll(() => world.close());

/** One table, for two. */
const openOn = async (
  { eve }: typeof SKIPPING,
  booking: Parameters<typeof openForBookings>[1] = {},
): Promise<void> => {
  world.now = Date.parse(eve);
  const hours = daily('18:00', '02:00');
  const tables = [aTable('t1', 2)];
  await openForBookings(world, { hours, default_duration_minutes: 30, ...booking }, { tables });
};

const slotsOf = async (date: string): Promise<readonly { starts_at: string; available: boolean }[]> => {
  const address = `/public/branches/${branchId()}/booking-slots?date=${date}&party_size=2`;
  return (await world.read('getBookingSlots', address)).slots;
};
const takenOn = async (date: string): Promise<readonly string[]> =>
  (await slotsOf(date)).filter(({ available }) => !available).map(({ starts_at }) => starts_at);

const book = (starts_at: string): Promise<Reply> => bookTable(world, { starts_at });
const booked = async (starts_at: string): Promise<Booking> => done('bookTable', await book(starts_at));

const serviceDateOf = async ({ id }: Booking): Promise<string | undefined> => {
  const { rows } = await sql<{ date: string }>`
    select service_date::text as date from booking where id = ${id}
  `.execute(world.db.kysely);
  return rows[0]?.date;
};

/** Moments, half an hour apart. */
const halfHours = (first: string, count: number): string[] =>
  Array.from({ length: count }, (_, step) => new Date(Date.parse(first) + step * 1_800_000).toISOString());

describe('the starts of a night', () => {
  test('are 14 where Cairo skips an hour, and 16 on the nights beside it', async () => {
    await openOn(SKIPPING);
    for (const [date, first, count] of [
      ['2027-04-28', '2027-04-28T16:00:00Z', 16],
      [SKIPPING.date, '2027-04-29T16:00:00Z', 14],
      ['2027-04-30', '2027-04-30T15:00:00Z', 16],
    ] as const)
      expect((await slotsOf(date)).map(({ starts_at }) => starts_at)).toEqual(halfHours(first, count));
  });

  test('are 18 where Cairo doubles an hour, and 16 on the nights beside it', async () => {
    await openOn(DOUBLING);
    for (const [date, first, count] of [
      ['2027-10-27', '2027-10-27T15:00:00Z', 16],
      [DOUBLING.date, '2027-10-28T15:00:00Z', 18],
      ['2027-10-29', '2027-10-29T16:00:00Z', 16],
    ] as const)
      expect((await slotsOf(date)).map(({ starts_at }) => starts_at)).toEqual(halfHours(first, count));
  });
});

describe('a booking', () => {
  test('at either of the two 23:30 leaves the other one free', async () => {
    await openOn(DOUBLING);
    const first = await booked('2027-10-28T23:30:00+03:00');
    expect(first).toMatchObject({
      ...{ starts_at: '2027-10-28T20:30:00.000Z', ends_at: '2027-10-28T21:00:00.000Z' },
    });
    expect(await takenOn(DOUBLING.date)).toEqual([first.starts_at]);
    const second = await booked('2027-10-28T23:30:00+02:00');
    expect(second).toMatchObject({
      ...{ starts_at: '2027-10-28T21:30:00.000Z', ends_at: '2027-10-28T22:00:00.000Z' },
    });
    expect(await takenOn(DOUBLING.date)).toEqual([first.starts_at, second.starts_at]);
    for (const { starts_at } of [first, second])
      expect(refusalOf(await book(starts_at)).code).toBe('SLOT_TAKEN');
    for (const booking of [first, second]) {
      expect(await serviceDateOf(booking)).toBe(DOUBLING.date);
      expect((await world.get(manageAddress(booking))).body).toEqual(booking);
    }
  });

  test.each([
    [
      'skips an hour',
      SKIPPING,
      '2027-04-30T01:30:00+03:00',
      '2027-04-29T22:30:00.000Z',
      '2027-04-29T23:00:00.000Z',
    ],
    [
      'doubles an hour',
      DOUBLING,
      '2027-10-29T01:30:00+02:00',
      '2027-10-28T23:30:00.000Z',
      '2027-10-29T00:00:00.000Z',
    ],
  ])('after midnight belongs to the night that %s', async (_, night, asked, starts_at, ends_at) => {
    await openOn(night);
    const booking = await booked(asked);
    expect(booking).toMatchObject({ starts_at, ends_at });
    expect(await serviceDateOf(booking)).toBe(night.date);
    expect(await takenOn(night.date)).toEqual([starts_at]);
  });

  test.each([
    ['skips an hour', SKIPPING, '2027-04-29T23:30:00+02:00', '2027-04-29T23:00:00.000Z'],
    ['doubles an hour', DOUBLING, '2027-10-28T23:30:00+03:00', '2027-10-28T22:00:00.000Z'],
  ])('across the night that %s lasts 90 real minutes', async (_, night, asked, ends_at) => {
    await openOn(night, { default_duration_minutes: 90 });
    const booking = await booked(asked);
    expect(booking).toMatchObject({ starts_at: new Date(asked).toISOString(), ends_at });
    const { rows } = await sql<{ ends: string }>`
      select to_char(upper(during) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ends from booking_table
    `.execute(world.db.kysely);
    expect(rows).toEqual([{ ends: ends_at }]);
  });

  test('at a skipped time is at the instant that its offset names, if that is a start', async () => {
    await openOn(SKIPPING);
    expect(await booked('2027-04-30T00:30:00+02:00')).toMatchObject({
      starts_at: '2027-04-29T22:30:00.000Z',
    });
    expect(await booked('2027-04-30T00:30:00+03:00')).toMatchObject({
      starts_at: '2027-04-29T21:30:00.000Z',
    });
    await openOn(SKIPPING, { hours: daily('00:30', '04:00') });
    expect((await slotsOf('2027-04-30'))[0]).toMatchObject({ starts_at: '2027-04-29T22:00:00.000Z' });
    expect(refusalOf(await book('2027-04-30T00:30:00+03:00'))).toMatchObject({
      ...{ status: 400, code: 'TIME_NOT_OFFERED' },
    });
    expect(refusalOf(await book('2027-04-30T00:30:00'))).toMatchObject({
      ...{ status: 400, fields: [{ path: 'starts_at' }] },
    });
  });
});

describe('a change', () => {
  test.each([
    ['the first 23:30', '2027-10-28T20:30:00.000Z', '2027-10-28'],
    ['the second 23:30', '2027-10-28T21:30:00.000Z', '2027-10-28'],
    ['00:30 of the night before', '2027-10-27T21:30:00.000Z', '2027-10-27'],
    ['00:30 of the night after', '2027-10-29T22:30:00.000Z', '2027-10-29'],
  ])('to %s moves the booking and its service date', async (_, starts_at, date) => {
    await openOn(DOUBLING);
    const booking = await booked('2027-10-28T15:00:00Z');
    const changed = await changeBooking(world, booking, { starts_at });
    const ends_at = new Date(Date.parse(starts_at) + 1_800_000).toISOString();
    expect([changed.status, changed.body]).toEqual([
      200,
      { ...booking, starts_at, ends_at, service_date: date },
    ]);
    expect(await serviceDateOf(booking)).toBe(date);
    const taken = await Promise.all(['2027-10-27', '2027-10-28', '2027-10-29'].map(takenOn));
    expect(taken.flat()).toEqual([starts_at]);
  });
});

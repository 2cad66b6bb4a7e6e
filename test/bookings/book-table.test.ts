/** POST /public/bookings, and what its token may do. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  bookTable,
  cancelBooking,
  changeBooking,
  manageAddress,
  openForBookings,
  type Booking,
  type BookingInput,
} from '../support/people/bookings.ts';
import { aGuest, proveOn } from '../support/people/guests.ts';
import { aTable, branchId, shopId, tableId } from '../support/shops/cafe.ts';
import { refusalOf } from '../support/server/requests.ts';
import type { Reply } from '../support/server/http-client.ts';
import { makeWorld, type World } from '../support/server/world.ts';

let world: World;

type Settings = Parameters<typeof openForBookings>;
const open = (booking?: Settings[1], overrides?: Settings[2]): Promise<void> =>
  openForBookings(world, booking, overrides);

const book = (
  overrides?: Partial<BookingInput>,
  headers?: Readonly<Record<string, string>>,
): Promise<Reply> => bookTable(world, overrides, headers);

const made = async (overrides?: Partial<BookingInput>): Promise<Booking> => {
  const reply = await book(overrides);
  expect([reply.status, reply.text]).toEqual([201, reply.text]);
  return reply.body as Booking;
};

const change = (booking: Booking, body: object): Promise<Reply> => changeBooking(world, booking, body);
const cancel = (booking: Booking): Promise<Reply> => cancelBooking(world, booking);

/** Labels of the tables of each booking, by guest. */
const seats = async (): Promise<Record<string, string[]>> => {
  const { rows } = await sql<{ guest: string; tables: string[] }>`
    select b.guest_name as guest, array_agg(d.label order by d.label) as tables
    from booking b join booking_table t on t.org_id = b.org_id and t.booking_id = b.id
    join dining_table d on d.org_id = b.org_id and d.id = t.table_id
    group by b.id, b.guest_name order by b.guest_name
  `.execute(world.db.kysely);
  return Object.fromEntries(rows.map(({ guest, tables }) => [guest, tables]));
};

beforeAll(async () => {
  world = await makeWorld();
});
beforeEach(async () => {
  // Friday, 20:00 in Cairo.
  world.now = Date.parse('2026-11-20T18:00:00Z');
  await world.db.kysely.deleteFrom('booking').execute();
});
afterAll(() => world.close());

describe('a booking', () => {
  test('takes the smallest table, and is what its token reads', async () => {
    await open();
    const booking = await made({ notes: 'جنب الشباك', guest_name: '  منى  السيد ' });
    expect(booking).toMatchObject({
      ...{ status: 'confirmed', branch_id: branchId(), timezone: 'Africa/Cairo', party_size: 2 },
      ...{ starts_at: '2026-11-21T17:00:00.000Z', ends_at: '2026-11-21T18:30:00.000Z' },
      ...{ guest_name: 'منى السيد', can_modify: true, notes: 'جنب الشباك' },
    });
    expect(booking.manage_token).toMatch(/^[0-9a-f]{32}$/);
    expect(await seats()).toEqual({ 'منى السيد': ['T1'] });
    expect((await world.get(manageAddress(booking))).body).toEqual(booking);
  });

  test('moves another party to a larger table when that makes room', async () => {
    await open({}, { tables: [aTable('t1', 2), aTable('t2', 4)] });
    const first = await made({ guest_name: 'أ' });
    await made({ guest_name: 'ب' });
    expect(await seats()).toEqual({ أ: ['T1'], ب: ['T2'] });
    await cancel(first);
    await made({ guest_name: 'ج', party_size: 4, starts_at: '2026-11-21T17:30:00Z' });
    expect(await seats()).toEqual({ ب: ['T1'], ج: ['T2'] });
    expect(refusalOf(await book({ starts_at: '2026-11-21T18:00:00Z' }))).toMatchObject({
      ...{ status: 409, code: 'SLOT_TAKEN' },
    });
  });

  test('needs a device token that proves the phone where the branch asks for codes', async () => {
    await open({ require_otp: true });
    const [mona, karim] = [aGuest(), aGuest()];
    const token = await proveOn(world, mona);
    for (const proof of [{}, { device_token: '' }, { device_token: 'dev_x' }])
      expect(refusalOf(await book({ phone: mona.typed, ...proof })).code).toBe('PHONE_NOT_VERIFIED');
    expect(refusalOf(await book({ phone: karim.typed, device_token: token })).code).toBe(
      'PHONE_NOT_VERIFIED',
    );
    expect((await book({ phone: mona.typed, device_token: token })).status).toBe(201);
  });

  test('counts towards the covers of its start', async () => {
    await open({ max_covers_per_slot: 3 });
    await made();
    expect(refusalOf(await book()).code).toBe('SLOT_TAKEN');
    expect((await book({ party_size: 1 })).status).toBe(201);
  });

  test('is announced to the staff’s boards and to the cached slots', async () => {
    await open({}, { tables: [aTable('t1', 2)] });
    const address = `/public/branches/${branchId()}/booking-slots?date=2026-11-21&party_size=2`;
    const free = async () =>
      (await world.read('getBookingSlots', address)).slots
        .filter(({ available }) => !available)
        .map(({ starts_at }) => starts_at);
    expect(await free()).toEqual([]);
    const booking = await made();
    expect(await free()).toEqual(
      ['16:00', '16:30', '17:00', '17:30', '18:00'].map((time) => `2026-11-21T${time}:00.000Z`),
    );
    await cancel(booking);
    expect(await free()).toEqual([]);
  });
});

describe('a booking is refused', () => {
  test.each([
    ['at a start between two steps', { starts_at: '2026-11-21T17:10:00Z' }, 'TIME_NOT_OFFERED'],
    ['before the opening', { starts_at: '2026-11-21T09:30:00Z' }, 'TIME_NOT_OFFERED'],
    ['when the stay would pass closing time', { starts_at: '2026-11-21T20:00:00Z' }, 'TIME_NOT_OFFERED'],
    ['on a closed date', { starts_at: '2026-11-22T17:00:00Z' }, 'TIME_NOT_OFFERED'],
    ['earlier today', { starts_at: '2026-11-20T17:00:00Z' }, 'TOO_SOON'],
    ['within the lead time', { starts_at: '2026-11-20T18:30:00Z' }, 'TOO_SOON'],
    ['yesterday', { starts_at: '2026-11-19T17:00:00Z' }, 'DATE_OUT_OF_RANGE'],
    ['beyond the horizon', { starts_at: '2026-12-21T17:00:00Z' }, 'DATE_OUT_OF_RANGE'],
    ['for too many', { party_size: 13 }, 'PARTY_SIZE_OUT_OF_RANGE'],
  ])('%s', async (_, wrong, code) => {
    await open({ blackout_dates: ['2026-11-22'] });
    expect(refusalOf(await book(wrong))).toMatchObject({ code });
    expect(await seats()).toEqual({});
  });

  test('with the bounds among the figures', async () => {
    await open({ min_party: 2 });
    expect(refusalOf(await book({ party_size: 1 })).vars).toEqual({ min: 2, max: 12 });
    expect(refusalOf(await book({ starts_at: '2027-03-01T17:00:00Z' })).vars).toEqual({
      ...{ first: '2026-11-20', last: '2026-12-20' },
    });
    expect(refusalOf(await book({ starts_at: '2026-11-20T18:30:00Z' })).vars).toEqual({
      lead_time_minutes: 60,
    });
  });

  test('with every fault of the input at once', async () => {
    await open();
    const wrong = { starts_at: '2026-11-21T17:00:00Z', party_size: 99, guest_name: ' ', phone: '12' };
    const refused = refusalOf(await book(wrong));
    expect(refused.fields?.map(({ path }) => path)).toEqual(['guest_name', 'phone']);
    expect(refused.code).toBe('PARTY_SIZE_OUT_OF_RANGE');
  });

  test.each([
    ['a moment without offset', { starts_at: '2026-11-21T17:00:00' }],
    ['a date that does not exist', { starts_at: '2026-02-30T17:00:00Z' }],
    ['no guests', { party_size: 0 }],
    ['half a guest', { party_size: 2.5 }],
    ['an unknown field', { table_id: tableId('t1') }],
  ])('for %s', async (_, wrong) => {
    await open();
    expect(refusalOf(await book(wrong as object)).status).toBe(400);
  });

  test('where bookings are off, and at a branch that is unknown', async () => {
    await open({ enabled: false });
    expect((await book()).status).toBe(404);
    expect((await book({ branch_id: shopId() })).status).toBe(404);
  });
});

describe('an Idempotency-Key', () => {
  test('answers the same body with the booking as it stands, and another body with 422', async () => {
    const key = { 'idempotency-key': 'again' };
    await open();
    const first = await book({}, key);
    expect(first.status).toBe(201);
    await change(first.body as Booking, { notes: 'عيد ميلاد' });
    const again = await book({ device_token: 'renewed' }, key);
    expect([again.status, again.body]).toEqual([200, { ...(first.body as Booking), notes: 'عيد ميلاد' }]);
    expect(refusalOf(await book({ party_size: 1 }, key)).code).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  test('makes one booking of twenty parallel requests, and is not used up by a refusal', async () => {
    const key = { 'idempotency-key': 'at once' };
    await open({}, { tables: [aTable('t1', 2)] });
    expect(refusalOf(await book({ party_size: 13 }, key)).status).toBe(400);
    const replies = await Promise.all(Array.from({ length: 20 }, () => book({}, key)));
    expect(replies.map(({ status }) => status).sort()).toEqual([...Array<number>(19).fill(200), 201]);
    expect(new Set(replies.map(({ body }) => (body as Booking).id)).size).toBe(1);
  });
});

test('of twenty guests who ask for the last table one gets it', async () => {
  await open({}, { tables: [aTable('t1', 2)] });
  const starts = ['16:30', '17:00', '17:30'];
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, n) => book({ starts_at: `2026-11-21T${starts[n % 3]}:00Z` })),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(19).fill(409)]);
});

describe('a change', () => {
  test('keeps what is left out, and counts the booking’s own table as free', async () => {
    await open({}, { tables: [aTable('t1', 4)] });
    const booking = await made({ notes: 'هادئ' });
    const changed = await change(booking, { party_size: 4, starts_at: '2026-11-21T17:30:00Z' });
    expect(changed.body).toEqual({
      ...booking,
      ...{ party_size: 4, starts_at: '2026-11-21T17:30:00.000Z', ends_at: '2026-11-21T19:00:00.000Z' },
    });
    expect((await change(booking, { notes: null })).body).toMatchObject({ notes: null, party_size: 4 });
    expect((await change(booking, {})).body).toMatchObject({ notes: null, party_size: 4 });
  });

  test('that does not fit leaves the booking as it was', async () => {
    await open({}, { tables: [aTable('t1', 2)] });
    const booking = await made();
    await made({ guest_name: 'غيرها', starts_at: '2026-11-21T19:00:00Z' });
    for (const [body, code] of [
      [{ starts_at: '2026-11-21T19:30:00Z' }, 'SLOT_TAKEN'],
      [{ party_size: 3 }, 'SLOT_TAKEN'],
      [{ party_size: 13 }, 'PARTY_SIZE_OUT_OF_RANGE'],
      [{ starts_at: '2026-11-21T17:05:00Z' }, 'TIME_NOT_OFFERED'],
    ] as const)
      expect(refusalOf(await change(booking, body)).code).toBe(code);
    expect((await world.get(manageAddress(booking))).body).toEqual(booking);
  });

  test('is refused within the lead time, and of a booking that has ended', async () => {
    await open();
    const booking = await made();
    world.now = Date.parse('2026-11-21T16:00:00Z');
    expect(refusalOf(await change(booking, { notes: 'x' })).code).toBe('BOOKING_NOT_MODIFIABLE');
    expect((await world.get(manageAddress(booking))).body).toMatchObject({ can_modify: false });
    world.now = Date.parse('2026-11-20T18:00:00Z');
    await cancel(booking);
    expect(refusalOf(await change(booking, { notes: 'x' })).code).toBe('BOOKING_NOT_MODIFIABLE');
  });
});

test('of two changes at the same time none is lost', async () => {
  await open({}, { tables: [aTable('t1', 4)] });
  for (let n = 0; n < 10; n += 1) {
    const booking = await made({ starts_at: '2026-11-21T15:00:00Z' });
    const replies = await Promise.all([
      change(booking, { starts_at: '2026-11-21T17:30:00Z' }),
      change(booking, { party_size: 3 }),
      change(booking, { notes: 'عيد ميلاد' }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await world.get(manageAddress(booking))).body).toMatchObject({
      ...{ starts_at: '2026-11-21T17:30:00.000Z', party_size: 3, notes: 'عيد ميلاد' },
    });
    await cancel(booking);
  }
});

describe('a cancellation', () => {
  test('frees the table, is allowed within the lead time, and is repeated with 200', async () => {
    await open({}, { tables: [aTable('t1', 2)] });
    const booking = await made();
    world.now = Date.parse('2026-11-21T16:45:00Z');
    const first = await cancel(booking);
    expect([first.status, first.body]).toEqual([200, { ...booking, status: 'cancelled', can_modify: false }]);
    expect((await cancel(booking)).body).toEqual(first.body);
    expect(await seats()).toEqual({});
  });

  test.each(['seated', 'completed', 'no_show'])('of a booking that is %s is refused', async (status) => {
    await open();
    const booking = await made();
    await sql`update booking set status = ${status}`.execute(world.db.kysely);
    expect(refusalOf(await cancel(booking)).code).toBe('BOOKING_NOT_MODIFIABLE');
  });
});

test('the token is stored only as a hash', async () => {
  await open();
  const booking = await made();
  const { rows } = await sql<{ all: string }>`
    select (select string_agg(b::text, '') from booking b) || (select string_agg(l::text, '') from locator l) as all
  `.execute(world.db.kysely);
  expect(rows[0]?.all).not.toContain(booking.manage_token);
});

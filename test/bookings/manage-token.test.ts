/** The manage token of a booking: its derivation, rotation of SECRET_KEY, tokens that are none. */
import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  bookTable,
  cancelBooking,
  changeBooking,
  manageAddress,
  openForBookings,
  type Booking,
} from '../support/people/bookings.ts';
import { done, JSON_BODY, post, refusalOf } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';

const OLD = 'the old key of the tests';
const NEW = 'the new key of the tests';
const KEY = { 'idempotency-key': 'across a rotation' };

let before: World;
let restarted: World[] = [];
beforeAll(async () => {
  before = await makeWorld({ secretKeys: [OLD] });
  await openForBookings(before);
});
beforeEach(() => before.db.kysely.deleteFrom('booking').execute());
afterEach(async () => {
  await Promise.all(restarted.map((world) => world.close()));
  restarted = [];
  await sql`delete from idempotency_key`.execute(before.db.kysely);
});
afterAll(() => before.close());

/** The service on the same database with other keys. */
const restart = async (...secretKeys: string[]): Promise<World> => {
  const world = await makeWorld({ secretKeys, database: before.database });
  restarted.push(world);
  return world;
};

const booked = async (world: World, headers = {}): Promise<Booking> =>
  done('bookTable', await bookTable(world, {}, headers));
const read = async (world: World, booking: Booking): Promise<unknown> =>
  (await world.get(manageAddress(booking))).body;

const tokenUnder = (key: string, { id }: Booking): string =>
  createHmac('sha256', key).update(id).digest('hex').slice(0, 32);

describe('a new key before the old one in SECRET_KEY', () => {
  test('a link made under the old key still reads, changes and cancels', async () => {
    const booking = await booked(before);
    expect(booking.manage_token).toBe(tokenUnder(OLD, booking));
    const after = await restart(NEW, OLD);
    expect(await read(after, booking)).toEqual(booking);
    const changed = await changeBooking(after, booking, { party_size: 3 });
    expect([changed.status, changed.body]).toEqual([200, { ...booking, party_size: 3 }]);
    const cancelled = await cancelBooking(after, booking);
    expect([cancelled.status, cancelled.body]).toEqual([
      200,
      { ...booking, ...{ party_size: 3, status: 'cancelled', can_modify: false } },
    ]);
  });

  test('a repeated request is answered with the token it had', async () => {
    const booking = await booked(before, KEY);
    const again = await bookTable(await restart(NEW, OLD), {}, KEY);
    expect([again.status, again.body]).toEqual([200, booking]);
  });

  test('a new booking has a token under the new key', async () => {
    const after = await restart(NEW, OLD);
    const booking = await booked(after, KEY);
    expect(booking.manage_token).toBe(tokenUnder(NEW, booking));
    expect(await read(before, booking)).toEqual(booking);
    const again = await bookTable(after, {}, KEY);
    expect([again.status, again.body]).toEqual([200, booking]);
  });
});

test('a key removed from SECRET_KEY leaves its links, but a repeated request is 404', async () => {
  const booking = await booked(before, KEY);
  const after = await restart(NEW);
  expect(await read(after, booking)).toEqual(booking);
  expect((await changeBooking(after, booking, { notes: 'هادئ' })).status).toBe(200);
  expect(refusalOf(await bookTable(after, {}, KEY)).status).toBe(404);
  expect((await cancelBooking(after, booking)).status).toBe(200);
});

test('an unknown token of any form, or of a shop switched off, has one and the same answer', async () => {
  const booking = await booked(before);
  const token = booking.manage_token;
  const half = token.slice(0, 16);
  const unknown = await before.get(`/public/bookings/${'ab'.repeat(16)}`);
  expect(unknown.status).toBe(404);
  const answersOf = (text: string) => {
    const address = `/public/bookings/${text}`;
    return Promise.all([
      before.get(address),
      before.send('PATCH', address, JSON_BODY, '{"notes":"x"}'),
      post(before, `${address}/cancel`, {}),
    ]);
  };
  const forms = [
    ...[token.toUpperCase(), token.slice(1), `${token}0`, `${half}%00${half}`, `${token}%00`],
    ...[`${half}%2F${half}`, `${token}%2F`, `${token}%20`, `${token}%0A`, `%EF%BB%BF${token}`, '%FF', '%'],
    ...['0'.repeat(4000), booking.id, encodeURIComponent('٠'.repeat(32)), "'--", '..%2F..'],
  ];
  for (const form of forms)
    for (const { status, text } of await answersOf(form))
      expect([form, status, text]).toEqual([form, 404, unknown.text]);
  await sql`update shop set is_active = false`.execute(before.db.kysely);
  for (const { status, text } of await answersOf(token)) expect([status, text]).toEqual([404, unknown.text]);
  await sql`update shop set is_active = true`.execute(before.db.kysely);
  expect(await read(before, booking)).toEqual(booking);
});

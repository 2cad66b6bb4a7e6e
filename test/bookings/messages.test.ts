/** Messages to guests who book tables (docs/spec/bookings.md, Messages). */
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { notifyGuest } from '../../src/bookings/app/notifications.ts';
import type { BookingEvent } from '../../src/bookings/domain/message.ts';
import { bookingById } from '../../src/bookings/store/booking.ts';
import { replayParked } from '../../src/messaging/app/parked-rows.ts';
import { later } from '../../src/messaging/domain/outbox.ts';
import { branchById } from '../../src/shops/app/shared.ts';
import { textOf } from '../../src/messaging/domain/template.ts';
import { sendMessages } from '../support/background/outbox-worker.ts';
import { asOwner, freshDatabase, type TestDatabase } from '../support/database/test-database.ts';
import { aBooking, manageAddress, type Booking, type BookingInput } from '../support/people/bookings.ts';
import { aGuest, anOrder, proveOn, type Guest } from '../support/people/guests.ts';
import { aBranch, aShopFile, aTable, openShops, shopId } from '../support/shops/cafe.ts';
import { done, JSON_BODY, post } from '../support/server/requests.ts';
import { makeWorld, PUBLIC_ADDRESS, type World, type WorldOptions } from '../support/server/world.ts';

let database: TestDatabase;
let world: World;

const SHOP = {
  name: { ar: 'بيت البن', en: 'Beit El Bunn' },
  branches: [
    aBranch({
      name: { ar: 'الزمالك', en: 'Zamalek' },
      tables: [aTable('t1', 2), aTable('t2', 4)],
      otp_required: false,
      booking: { enabled: true, require_otp: false },
    }),
  ],
};

beforeAll(async () => {
  database = await freshDatabase();
  world = await makeWorld({ database });
  await openShops(world, aShopFile(SHOP));
  await world.close();
});
afterEach(() => world.close());
afterAll(() => database.release());

/** With limits on, no bookings and an empty outbox. */
const open = async (options: WorldOptions = {}): Promise<void> => {
  world = await makeWorld({ limitScale: 1, database, ...options });
  await asOwner(database, 'truncate message_budget, outbox, guest_phone, booking cascade');
};

const book = async (overrides: Partial<BookingInput> = {}): Promise<Booking> => {
  world.elapsed += 60 * 60_000;
  return done('bookTable', await post(world, '/public/bookings', aBooking(overrides)));
};

/** Books with a proven phone. */
const bookAs = async (guest: Guest, overrides: Partial<BookingInput> = {}): Promise<Booking> =>
  book({ phone: guest.typed, device_token: await proveOn(world, guest), ...overrides });

const change = async (booking: Booking, body: object): Promise<Booking> => {
  const text = JSON.stringify(body);
  return done('changeBooking', await world.send('PATCH', manageAddress(booking), JSON_BODY, text));
};
const cancel = async (booking: Booking): Promise<Booking> =>
  done('cancelBooking', await post(world, `${manageAddress(booking)}/cancel`, {}));

/** What a use case of the staff does in its transaction. */
const tellAs = (by: 'guest' | 'shop', event: BookingEvent, { id, branch_id }: Booking): Promise<void> =>
  world.db.tx(async (tx) => {
    const booking = await bookingById(tx, shopId(), id);
    const branch = await branchById(tx, branch_id);
    if (booking === null || branch === null) throw new Error('there is no such booking');
    await notifyGuest(tx, world.app, { event, by, booking, branch });
  });

/** The texts that arrive on a phone. */
const arrivedAt = async ({ phone }: Guest): Promise<(string | null)[]> => {
  await sendMessages(world);
  return world.phones.messages
    .filter((message) => message.phone === phone)
    .map(({ template, language, parameters }) => textOf(template, language, parameters));
};
const templatesAt = async ({ phone }: Guest): Promise<string[]> => {
  await sendMessages(world);
  return world.phones.messages.filter((message) => message.phone === phone).map(({ template }) => template);
};

describe('a guest who books', () => {
  test('is told with shop, branch, local time, party and the link that manages it', async () => {
    await open();
    const guest = aGuest();
    const { manage_token } = await bookAs(guest, { locale: 'en' });
    const link = `${PUBLIC_ADDRESS}/manage/${manage_token}`;
    expect(await arrivedAt(guest)).toEqual([
      `Your table is booked! We look forward to seeing you at Beit El Bunn in Zamalek. Time of the booking: Saturday 21 November, 7:00 PM. A table for 2 guests. You can change or cancel the booking at ${link} if your plans change.`,
    ]);
  });

  test('is told in Arabic, with the plural of the guests', async () => {
    await open();
    const guest = aGuest();
    const { manage_token } = await bookAs(guest, { locale: 'ar', party_size: 3 });
    const link = `${PUBLIC_ADDRESS}/manage/${manage_token}`;
    expect(await arrivedAt(guest)).toEqual([
      `تم تأكيد حجزك! ننتظرك في بيت البن. الفرع: الزمالك. موعد الحجز: السبت 21 نوفمبر، 7:00 م. عدد الضيوف: 3 ضيوف. يمكنك تعديل الحجز أو إلغاؤه من ${link} إذا تغيرت خطتك.`,
    ]);
  });

  test('is told once, however often the request is repeated', async () => {
    await open();
    const guest = aGuest();
    const body = aBooking({ phone: guest.typed, device_token: await proveOn(world, guest) });
    for (let n = 0; n < 3; n += 1)
      await post(world, '/public/bookings', body, { 'idempotency-key': 'again' });
    expect(await templatesAt(guest)).toEqual(['booking_confirmed']);
  });

  test('is told of another time or party and of the end, not of other notes, in this order', async () => {
    await open();
    const guest = aGuest();
    const booking = await bookAs(guest);
    expect(await templatesAt(guest)).toEqual(['booking_confirmed']);
    await change(booking, { starts_at: '2026-11-21T18:00:00Z' });
    await sendMessages(world);
    await change(booking, { party_size: 4 });
    await change(booking, { notes: 'جنب الشباك' });
    await change(booking, { party_size: 4 });
    await sendMessages(world);
    await cancel(booking);
    await cancel(booking);
    expect(await templatesAt(guest)).toEqual([
      'booking_confirmed',
      'booking_changed',
      'booking_changed',
      'booking_cancelled',
    ]);
  });
});

describe('a phone that the guest does not prove', () => {
  test('gets the confirmations of two bookings in a day, and of a third once a code has proved it', async () => {
    await open();
    const guest = aGuest();
    for (const starts_at of ['2026-11-21T12:00:00Z', '2026-11-21T15:00:00Z', '2026-11-21T18:00:00Z'])
      await book({ phone: guest.typed, starts_at });
    expect(await templatesAt(guest)).toEqual(['booking_confirmed', 'booking_confirmed']);
    await bookAs(guest, { starts_at: '2026-11-22T12:00:00Z' });
    expect(await templatesAt(guest)).toHaveLength(3);
  });

  test('counts orders and bookings together, over concurrent requests', async () => {
    await open();
    const guest = aGuest();
    const order = anOrder({ device_token: '', customer_phone: guest.typed });
    const ordered = await post(world, '/public/delivery-orders', order);
    expect(ordered.body).toMatchObject({ notified: true });
    const starts = ['12', '15', '18'].map((hour) => `2026-11-21T${hour}:00:00Z`);
    await Promise.all(starts.map((starts_at) => book({ phone: guest.typed, starts_at })));
    // Messages of two subjects are sent side by side: either may arrive first.
    expect((await templatesAt(guest)).sort()).toEqual(['booking_confirmed', 'order_received']);
  });

  test('is not told of what the guest changes, but of what the shop changes', async () => {
    await open();
    const guest = aGuest();
    const made = await book({ phone: guest.typed });
    await sendMessages(world);
    await change(made, { party_size: 1 });
    await change(made, { party_size: 2 });
    await tellAs('shop', 'changed', made);
    expect(await templatesAt(guest)).toEqual(['booking_confirmed', 'booking_changed']);
    await cancel(made);
    expect(await templatesAt(guest)).toHaveLength(2);
  });

  test('costs the client address, whose messages of an hour are counted; a refused booking costs none', async () => {
    await open({ messageBudgets: { address: 3 } });
    const proven = aGuest();
    const device_token = await proveOn(world, proven);
    const guests = [aGuest(), aGuest(), aGuest()];
    const start = (n: number): string => `2026-11-2${n + 1}T17:00:00Z`;
    for (const [n, { typed }] of guests.entries()) {
      expect(await post(world, '/public/bookings', aBooking({ phone: typed, party_size: 9 }))).toMatchObject({
        status: 409,
      });
      await world.app.backgroundTasks.settled();
      await book({ phone: typed, starts_at: start(n) });
    }
    await sendMessages(world);
    const told = await Promise.all(guests.map(templatesAt));
    expect(told).toEqual([['booking_confirmed'], ['booking_confirmed'], []]);
    await book({ phone: proven.typed, device_token, starts_at: start(3) });
    expect(await templatesAt(proven)).toEqual(['booking_confirmed']);
  });

  test('leaves the last fifth of the budgets to proven phones', async () => {
    await open({ messageBudgets: { shop: 5 } });
    const guests = Array.from({ length: 5 }, aGuest);
    for (const [n, { typed }] of guests.entries())
      await book({ phone: typed, starts_at: `2026-11-2${n + 1}T17:00:00Z` });
    await sendMessages(world);
    expect(world.phones.messages).toHaveLength(4);
    const proven = aGuest();
    await bookAs(proven, { starts_at: '2026-11-26T17:00:00Z' });
    expect(await templatesAt(proven)).toEqual(['booking_confirmed']);
  });
});

describe('a message that waits', () => {
  /** Booked by a proven guest while the provider is away. */
  const waiting = async (): Promise<{ guest: Guest; booking: Booking }> => {
    await open();
    const guest = aGuest();
    return { guest, booking: await bookAs(guest) };
  };
  const droppedReasons = async (): Promise<(string | null)[]> => {
    await sendMessages(world);
    const rows = await world.db.kysely
      .selectFrom('outbox')
      .select('last_error')
      .where('status', '=', 'dropped')
      .orderBy('position')
      .execute();
    return rows.map(({ last_error }) => last_error);
  };

  test('is not sent once the booking has another time or party: a later message tells of it', async () => {
    const { guest, booking } = await waiting();
    await change(booking, { starts_at: '2026-11-21T18:00:00Z' });
    await change(booking, { party_size: 1 });
    expect(await arrivedAt(guest)).toEqual([expect.stringMatching(/8:00 م.*ضيف واحد/)]);
    expect(await droppedReasons()).toEqual(Array(2).fill('the booking was changed since'));
  });

  test('is not sent once the booking is cancelled, but the cancellation is', async () => {
    const { guest, booking } = await waiting();
    await cancel(booking);
    expect(await templatesAt(guest)).toEqual(['booking_cancelled']);
    expect(await droppedReasons()).toEqual(['the booking is cancelled']);
  });

  test('is not sent after the start, or about an erased guest', async () => {
    const { guest, booking } = await waiting();
    world.now = Date.parse(booking.starts_at);
    expect(await droppedReasons()).toEqual(['the start of the booking is past']);
    await world.close();
    const second = await waiting();
    await world.db.kysely.updateTable('booking').set({ guest_phone: null }).execute();
    expect(await droppedReasons()).toEqual(['the booking has no phone any more']);
    expect([...(await templatesAt(guest)), ...(await templatesAt(second.guest))]).toEqual([]);
  });

  test('is not written where there is no sender, so that none is sent late', async () => {
    await open();
    world.phones.isReady = false;
    await book();
    world.phones.isReady = true;
    expect(await world.db.kysely.selectFrom('outbox').select('id').execute()).toEqual([]);
  });

  test('is not written for the phone of a country without a budget', async () => {
    await open();
    await book({ phone: '+971 50 123 4567' });
    expect(await world.db.kysely.selectFrom('outbox').select('id').execute()).toEqual([]);
  });

  test('holds neither token nor phone, and the log holds neither', async () => {
    const { guest, booking } = await waiting();
    await change(booking, { party_size: 1 });
    world.phones.outcome = later('the provider is away');
    await sendMessages(world);
    const { rows } = await sql<{ text: string }>`select o::text as text from outbox o`.execute(
      world.db.kysely,
    );
    expect(rows).toHaveLength(2);
    const written = [...rows.map(({ text }) => text), ...world.logged].join('\n');
    for (const secret of [booking.manage_token, guest.phone, '/manage/'])
      expect(written).not.toContain(secret);
  });

  test('has the same link after the secret key was rotated, and is parked while that key is missing', async () => {
    const { guest, booking } = await waiting();
    await world.close();
    world = await makeWorld({ database, secretKeys: ['another key'] });
    await sendMessages(world);
    const rows = await world.db.kysely.selectFrom('outbox').select(['status', 'last_error']).execute();
    expect(rows).toEqual([
      { status: 'parked', last_error: 'its link was made with a key that SECRET_KEY no longer has' },
    ]);
    await world.close();
    world = await makeWorld({ database, secretKeys: ['another key', 'a key of the tests'] });
    await replayParked(world.app, shopId(), 'message');
    const [text] = await arrivedAt(guest);
    expect(text).toContain(`${PUBLIC_ADDRESS}/manage/${booking.manage_token} `);
  });
});

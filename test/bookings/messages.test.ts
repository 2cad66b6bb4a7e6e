/** Messages to guests who book tables (docs/spec/bookings.md, Messages). */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { textOf } from '../../src/messaging/domain/template.ts';
import { sendMessages } from '../support/background/outbox-worker.ts';
import { asOwner, freshDatabase, type TestDatabase } from '../support/database/test-database.ts';
import { aBooking, manageAddress, type Booking, type BookingInput } from '../support/people/bookings.ts';
import { aGuest, proveOn, type Guest } from '../support/people/guests.ts';
import { aBranch, aShopFile, aTable, openShops } from '../support/shops/cafe.ts';
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

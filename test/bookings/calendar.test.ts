/** GET /public/bookings/{manage_token}/calendar.ics. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { asOwner } from '../support/database/test-database.ts';
import { booked, manageAddress, type Booking } from '../support/people/bookings.ts';
import { aBranch, aShopFile, aTable, openShops } from '../support/shops/cafe.ts';
import { JSON_BODY, post } from '../support/server/requests.ts';
import type { Reply } from '../support/server/http-client.ts';
import { makeWorld, PUBLIC_ADDRESS, type World } from '../support/server/world.ts';

const LONG = 'شارع البرازيل، أمام المكتبة; الدور "الأول" \\ الباب الخلفي';

let world: World;

const calendarOf = (booking: Pick<Booking, 'manage_token'>): Promise<Reply> =>
  world.get(`${manageAddress(booking)}/calendar.ics`);

/** Name, with parameters, to value: lines unfolded, texts unescaped (RFC 5545, 3.1 and 3.3.11). */
const propertiesOf = ({ text }: Reply): Record<string, string> =>
  Object.fromEntries(
    text
      .replaceAll('\r\n ', '')
      .split('\r\n')
      .map((line): [string, string] => {
        const colon = line.indexOf(':');
        const value = line
          .slice(colon + 1)
          .replace(/\\([\\;,n])/g, (_, mark) => (mark === 'n' ? '\n' : String(mark)));
        return [line.slice(0, colon), value];
      }),
  );

beforeAll(async () => {
  world = await makeWorld();
  const branch = aBranch({
    ...{ name: { ar: 'الزمالك', en: 'Zamalek' }, address: { ar: LONG, en: '12 Brazil St, Zamalek' } },
    ...{ tables: [aTable('t1', 4)], booking: { enabled: true } },
  });
  await openShops(world, aShopFile({ name: { ar: 'بيت البن', en: 'Beit El Bunn' }, branches: [branch] }));
});
beforeEach(async () => {
  world.now = Date.parse('2026-11-20T18:00:00Z');
  await asOwner(world.database, 'truncate outbox, booking cascade');
});
afterAll(() => world.close());

describe('the calendar file of a booking', () => {
  test('has its times, place, link and the id that stays the same', async () => {
    const booking = await booked(world, { locale: 'en' });
    const reply = await calendarOf(booking);
    expect([reply.status, reply.headers['content-type'], reply.headers['cache-control']]).toEqual([
      ...[200, 'text/calendar; charset=utf-8', 'no-store'],
    ]);
    expect(reply.headers['content-disposition']).toBe('attachment; filename="booking.ics"');
    const link = `${PUBLIC_ADDRESS}/manage/${booking.manage_token}`;
    expect(propertiesOf(reply)).toMatchObject({
      ...{ UID: booking.id, SEQUENCE: '1', STATUS: 'CONFIRMED' },
      ...{ DTSTAMP: '20261120T180000Z', DTSTART: '20261121T170000Z', DTEND: '20261121T183000Z' },
      'SUMMARY;LANGUAGE=en': 'Table at Beit El Bunn',
      'DESCRIPTION;LANGUAGE=en': `2 guests\n${link}`,
      'LOCATION;LANGUAGE=en': 'Beit El Bunn, Zamalek, 12 Brazil St, Zamalek',
      URL: link,
    });
  });

  test('is in the language of the booking, in lines of at most 75 octets that end with CR and LF', async () => {
    const reply = await calendarOf(await booked(world, { locale: 'ar' }));
    expect(propertiesOf(reply)).toMatchObject({
      'SUMMARY;LANGUAGE=ar': 'حجز طاولة في بيت البن',
      'LOCATION;LANGUAGE=ar': `بيت البن، الزمالك، ${LONG}`,
    });
    const lines = reply.text.split('\r\n');
    expect(lines.at(-1)).toBe('');
    expect(reply.text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75);
  });

  test('replaces the event after a change and a cancellation', async () => {
    const booking = await booked(world);
    const body = JSON.stringify({ starts_at: '2026-11-21T18:00:00Z' });
    await world.send('PATCH', manageAddress(booking), JSON_BODY, body);
    const changed = propertiesOf(await calendarOf(booking));
    expect(changed).toMatchObject({ UID: booking.id, SEQUENCE: '2', DTSTART: '20261121T180000Z' });
    await post(world, `${manageAddress(booking)}/cancel`, {});
    const cancelled = propertiesOf(await calendarOf(booking));
    expect(cancelled).toMatchObject({ UID: booking.id, SEQUENCE: '3', STATUS: 'CANCELLED' });
  });

  test('is 404 for an unknown token, as JSON', async () => {
    const reply = await calendarOf({ manage_token: 'f'.repeat(32) });
    expect([reply.status, reply.headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
  });
});

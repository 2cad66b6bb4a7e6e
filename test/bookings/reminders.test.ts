/** Reminders before a booking (docs/spec/bookings.md, Messages). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { closeShop, openShop } from '../../src/shopfile/app/move-shop.ts';
import { sendMessages } from '../support/background/outbox-worker.ts';
import { sweepTogether } from '../support/background/sweeper.ts';
import { messagesOf } from '../support/database/stored-rows.ts';
import { asOwner } from '../support/database/test-database.ts';
import { booked, manageAddress, type Booking } from '../support/people/bookings.ts';
import { aBranch, aShopFile, aTable, openShops, shopId, SLUG } from '../support/shops/cafe.ts';
import { done, JSON_BODY, post } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';

const MINUTE = 60_000;
const NOW = Date.parse('2026-11-20T18:00:00Z');

let world: World;

const open = async (reminder_lead_minutes: number | null): Promise<void> => {
  const booking = { enabled: true, reminder_lead_minutes, auto_no_show_minutes: null };
  await openShops(world, aShopFile({ branches: [aBranch({ tables: [aTable('t1', 2)], booking })] }));
};

const change = async (booking: Booking, body: object): Promise<Booking> => {
  const text = JSON.stringify(body);
  return done('changeBooking', await world.send('PATCH', manageAddress(booking), JSON_BODY, text));
};

/** Four sweepers at once; then the reminders of the booking in the outbox. */
const reminders = async ({ id }: Booking): Promise<number> => {
  await sweepTogether(world);
  return (await messagesOf(world, id)).filter((template) => template === 'booking_reminder').length;
};

const minutesBefore = ({ starts_at }: Pick<Booking, 'starts_at'>, minutes: number): number =>
  Date.parse(starts_at) - minutes * MINUTE;

beforeAll(async () => {
  world = await makeWorld();
});
beforeEach(async () => {
  world.now = NOW;
  await asOwner(world.database, 'truncate outbox, booking cascade');
});
afterAll(() => world.close());

describe('a guest', () => {
  test('is not reminded while the shop is closed for a move, but when it is open again', async () => {
    await open(120);
    const booking = await booked(world);
    const shop = { orgId: shopId(), slug: SLUG };
    await closeShop(world.app, shop);
    world.now = minutesBefore(booking, 120);
    expect(await reminders(booking)).toBe(0);
    await openShop(world.app, shop);
    expect(await reminders(booking)).toBe(1);
  });

  test('is reminded once by four sweepers, the branch’s minutes before the start', async () => {
    await open(120);
    const booking = await booked(world);
    world.now = minutesBefore(booking, 120) - 1;
    expect(await reminders(booking)).toBe(0);
    world.now += 1;
    expect(await reminders(booking)).toBe(1);
    world.now += 30 * MINUTE;
    expect(await reminders(booking)).toBe(1);
    await sendMessages(world);
    expect(world.phones.messages.at(-1)).toMatchObject({
      template: 'booking_reminder',
      parameters: [
        'بيت البن',
        'الزمالك',
        'السبت 21 نوفمبر، 7:00 م',
        'ضيفان',
        expect.stringContaining('/manage/'),
      ],
    });
  });

  test('who books within these minutes has just been told, and is not reminded', async () => {
    await open(240);
    const starts_at = '2026-11-20T19:30:00Z';
    const booking = await booked(world, { starts_at });
    world.now = Date.parse(starts_at) - MINUTE;
    expect(await reminders(booking)).toBe(0);
  });

  test.each([
    ['has set no minutes', null, null],
    ['has switched reminders off since', 120, null],
  ])('is not reminded where the branch %s', async (_, before, after) => {
    await open(before);
    const booking = await booked(world);
    await open(after);
    world.now = minutesBefore(booking, 60);
    expect(await reminders(booking)).toBe(0);
  });

  test('is not reminded once the booking is cancelled, seated or past', async () => {
    await open(120);
    const cancelled = await booked(world);
    await post(world, `${manageAddress(cancelled)}/cancel`, {});
    const seated = await booked(world);
    await world.db.kysely
      .updateTable('booking')
      .set({ status: 'seated' })
      .where('id', '=', seated.id)
      .execute();
    const past = await booked(world, { starts_at: '2026-11-21T14:00:00Z' });
    world.now = minutesBefore(seated, 30);
    expect([await reminders(cancelled), await reminders(seated), await reminders(past)]).toEqual([0, 0, 0]);
  });
});

describe('a reminder of a booking that was moved', () => {
  test('is not sent for the old time, and is sent for the new one', async () => {
    await open(120);
    const booking = await booked(world);
    const moved = await change(booking, { starts_at: '2026-11-21T19:00:00Z' });
    world.now = minutesBefore(booking, 120);
    expect(await reminders(booking)).toBe(0);
    world.now = minutesBefore(moved, 120);
    expect(await reminders(booking)).toBe(1);
  });

  test('is sent again for the new time when the guest was reminded of the old one', async () => {
    await open(120);
    const booking = await booked(world);
    world.now = minutesBefore(booking, 120);
    expect(await reminders(booking)).toBe(1);
    const moved = await change(booking, { starts_at: '2026-11-21T19:30:00Z' });
    world.now = minutesBefore(moved, 120);
    expect(await reminders(booking)).toBe(2);
  });

  test('waits in the outbox for the old time no longer than until the guest moves it', async () => {
    await open(120);
    const booking = await booked(world);
    await sendMessages(world);
    world.now = minutesBefore(booking, 120);
    expect(await reminders(booking)).toBe(1);
    await change(booking, { starts_at: '2026-11-21T19:30:00Z' });
    await sendMessages(world);
    expect(world.phones.messages.slice(-2).map(({ template }) => template)).toEqual([
      'booking_confirmed',
      'booking_changed',
    ]);
  });

  test('keeps the time of its booking when the branch sets other minutes', async () => {
    await open(120);
    const booking = await booked(world);
    await open(180);
    world.now = minutesBefore(booking, 180);
    expect(await reminders(booking)).toBe(0);
    world.now = minutesBefore(booking, 120);
    expect(await reminders(booking)).toBe(1);
  });

  test('falls due no more when the new start is nearer than the branch’s minutes', async () => {
    await open(120);
    const booking = await booked(world, { starts_at: '2026-11-21T19:00:00Z' });
    world.now = Date.parse('2026-11-21T16:30:00Z');
    const moved = await change(booking, { starts_at: '2026-11-21T18:00:00Z' });
    world.now = minutesBefore(moved, 60);
    expect(await reminders(booking)).toBe(0);
  });
});

/** `/{slug}/book`: whatever is lost or repeated, a guest gets one table and types nothing twice. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { useBrowser } from '../support/browser/browser.ts';
import {
  beginDay,
  bookingsIn,
  choose,
  fill,
  heading,
  PAGE,
  PLACE,
  submit,
  WORDS,
  type Words,
} from '../support/browser/booking.ts';
import { openForBookings } from '../support/people/bookings.ts';
import { aGuest, type Guest } from '../support/people/guests.ts';
import { makeWorld, type World } from '../support/server/world.ts';

const MINUTE = 60_000;

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
beforeEach(() => beginDay(world));
afterAll(() => world.close());
const browser = useBrowser();

const BOOKINGS = '**/public/bookings';

/** The request arrives, its answer does not. */
const loseAnswers = async (page: Page): Promise<void> => {
  await page.route(BOOKINGS, async (route) => {
    await route.fetch();
    await route.abort('connectionreset');
  });
};

/** The start at eight is chosen, and the details are filled in. */
const atDetails = async () => {
  await openForBookings(world, {}, PLACE);
  const { page, go } = await browser.open(world, { language: 'en' });
  const t = WORDS.en;
  const guest = aGuest();
  await go(`${PAGE}?date=2026-11-21&party=2`);
  await choose(page, t, t.eight);
  await fill(page, t, guest.typed);
  return { page, t, guest };
};

test('a double tap makes one booking', async () => {
  await openForBookings(world, {}, PLACE);
  const { page, go } = await browser.open(world, { language: 'ar' });
  const t = WORDS.ar;
  await go(`${PAGE}?date=2026-11-21&party=2`);
  await choose(page, t, t.eight);
  await fill(page, t, aGuest().typed);
  await page.getByRole('button', { name: t.book }).dblclick();
  await heading(page, t.booked).waitFor();
  expect(await bookingsIn(world)).toHaveLength(1);
});

test('a booking that got no answer is repeated without a second one; what was typed stays', async () => {
  const { page, t } = await atDetails();
  await loseAnswers(page);
  await submit(page, t);
  await page.getByText('No connection.').waitFor();
  expect(await bookingsIn(world)).toHaveLength(1);
  await page.unroute(BOOKINGS);
  expect(await page.getByLabel(t.name).inputValue()).toBe('منى السيد');
  await submit(page, t);
  await heading(page, t.booked).waitFor();
  expect(await bookingsIn(world)).toHaveLength(1);
});

test('a start that is chosen anew after a lost answer leads to the booking that was made', async () => {
  const { page, t, guest } = await atDetails();
  await loseAnswers(page);
  await submit(page, t);
  await page.getByText('No connection.').waitFor();
  await page.unroute(BOOKINGS);
  await page.goBack();
  // The other table is free, and is held now.
  await choose(page, t, t.eight);
  await fill(page, t, guest.typed);
  await page.getByLabel(t.notes).fill('By the window');
  await submit(page, t);
  await heading(page, t.booked).waitFor();
  expect(await bookingsIn(world)).toHaveLength(1);
});

test.each([
  [
    'another time',
    async (page: Page, t: Words, { typed }: Guest) => {
      await page.goBack();
      await choose(page, t, t.seven);
      await fill(page, t, typed);
    },
  ],
  [
    'the same phone written differently',
    async (page: Page, t: Words, { phone }: Guest) => page.getByLabel(t.phone).fill(`+${phone}`),
  ],
  ['another phone', async (page: Page, t: Words) => page.getByLabel(t.phone).fill(aGuest().typed)],
])('after a lost answer, %s leads to the booking that was made, and says so', async (_, ask) => {
  const { page, t, guest } = await atDetails();
  await loseAnswers(page);
  await submit(page, t);
  await page.getByText('No connection.').waitFor();
  await page.unroute(BOOKINGS);
  await ask(page, t, guest);
  await submit(page, t);
  await heading(page, t.booked).waitFor();
  await page.getByText('This is the booking you asked for before').waitFor();
  expect(await page.getByText('8:00 pm', { exact: true }).isVisible()).toBe(true);
  expect(await bookingsIn(world)).toHaveLength(1);
});

test('a request that never arrived is replaced by what the guest asks for instead', async () => {
  const { page, t, guest } = await atDetails();
  await page.route(BOOKINGS, (route) => route.abort('connectionreset'));
  await submit(page, t);
  await page.getByText('No connection.').waitFor();
  await page.unroute(BOOKINGS);
  await page.goBack();
  await choose(page, t, t.seven);
  await fill(page, t, guest.typed);
  await submit(page, t);
  await heading(page, t.booked).waitFor();
  expect(await page.getByText('7:00 pm', { exact: true }).isVisible()).toBe(true);
  expect(await bookingsIn(world)).toHaveLength(1);
});

test('a booking whose answer is not known is asked about again by itself', async () => {
  await openForBookings(world, {}, PLACE);
  const { page, go } = await browser.open(world, { language: 'en' });
  const t = WORDS.en;
  await page.clock.install();
  await go(`${PAGE}?date=2026-11-21&party=2`);
  await choose(page, t, t.eight);
  await fill(page, t, aGuest().typed);
  await loseAnswers(page);
  await submit(page, t);
  await page.getByText('No connection.').waitFor();
  await page.reload();
  await page.getByText('The connection was lost before we heard').waitFor();
  await page.unroute(BOOKINGS);
  await page.clock.runFor(5_000);
  await heading(page, t.booked).waitFor();
  expect(await bookingsIn(world)).toHaveLength(1);
});

test('a reload while the answer is not known leads to the same booking', async () => {
  const { page, t } = await atDetails();
  await loseAnswers(page);
  await submit(page, t);
  await page.getByText('No connection.').waitFor();
  await page.reload();
  await page.getByText('The connection was lost before we heard').waitFor();
  await page.unroute(BOOKINGS);
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await heading(page, t.booked).waitFor();
  expect(await bookingsIn(world)).toHaveLength(1);
});

test('what was typed is still there when the page is loaded again while the code is awaited', async () => {
  await openForBookings(world, { require_otp: true }, PLACE);
  const { page, go } = await browser.open(world, { language: 'en' });
  const t = WORDS.en;
  const guest = aGuest();
  await go(`${PAGE}?date=2026-11-21&party=2`);
  await choose(page, t, t.eight);
  await fill(page, t, guest.typed);
  await submit(page, t);
  await page.getByLabel(t.code).waitFor();
  await page.reload();
  await choose(page, t, t.eight);
  expect(await page.getByLabel(t.phone).inputValue()).toBe(guest.typed);
  await submit(page, t);
  await page.getByLabel(t.code).waitFor();
  await page.getByLabel(t.code).fill(world.phones.codeOf(guest.phone));
  await submit(page, t);
  await heading(page, t.booked).waitFor();
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
});

test('a code that was accepted is not asked for again when the booking after it gets no answer', async () => {
  await openForBookings(world, { require_otp: true }, PLACE);
  const { page, go } = await browser.open(world, { language: 'en' });
  const t = WORDS.en;
  const guest = aGuest();
  await go(`${PAGE}?date=2026-11-21&party=2`);
  await choose(page, t, t.eight);
  await fill(page, t, guest.typed);
  await submit(page, t);
  await page.getByLabel(t.code).waitFor();
  await page.getByLabel(t.code).fill(world.phones.codeOf(guest.phone));
  await page.route('**/public/bookings', (route) => route.abort('connectionreset'));
  await submit(page, t);
  await page.getByText('No connection.').waitFor();
  await page.unroute(BOOKINGS);
  await submit(page, t);
  await heading(page, t.booked).waitFor();
});

test('a phone that was proven on this device is not asked for a code again', async () => {
  await openForBookings(world, { require_otp: true }, PLACE);
  const { page, go } = await browser.open(world, { language: 'en' });
  const t = WORDS.en;
  const guest = aGuest();
  const sent = world.phones.codes.length;
  await go(`${PAGE}?date=2026-11-21&party=2`);
  await choose(page, t, t.seven);
  await fill(page, t, guest.typed);
  await submit(page, t);
  await page.getByLabel(t.code).waitFor();
  await page.getByLabel(t.code).fill(`Your code is ${world.phones.codeOf(guest.phone)}.`);
  await submit(page, t);
  await heading(page, t.booked).waitFor();
  await go(`${PAGE}?date=2026-11-22&party=2`);
  await choose(page, t, t.seven);
  await fill(page, t, guest.typed);
  await submit(page, t);
  await heading(page, t.booked).waitFor();
  expect(world.phones.codes).toHaveLength(sent + 1);
});

test('another code can be asked for after a minute; another phone gets one of its own', async () => {
  await openForBookings(world, { require_otp: true }, PLACE);
  const { page, go } = await browser.open(world, { language: 'en' });
  const t = WORDS.en;
  const [guest, other] = [aGuest(), aGuest()];
  await page.clock.install();
  await go(`${PAGE}?date=2026-11-21&party=2`);
  await choose(page, t, t.seven);
  await fill(page, t, guest.typed);
  await submit(page, t);
  await page.getByText('Another code in 1:00').waitFor();
  const first = world.phones.codeOf(guest.phone);
  world.now += MINUTE;
  await page.clock.fastForward('01:00');
  await page.getByRole('button', { name: 'Send another code' }).click();
  await page.getByText('Another code in 1:00').waitFor();
  expect(world.phones.codeOf(guest.phone)).not.toBe(first);
  await page.getByRole('button', { name: 'Change the phone number' }).click();
  await page.getByLabel(t.phone).fill(other.typed);
  await submit(page, t);
  await page.getByLabel(t.code).waitFor();
  await page.getByLabel(t.code).fill(world.phones.codeOf(other.phone));
  await submit(page, t);
  await heading(page, t.booked).waitFor();
});

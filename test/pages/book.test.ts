/** `/{slug}/book`: a table is booked in a real browser. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectSound, holding, useBrowser, VIEWS } from '../support/browser/browser.ts';
import {
  beginDay,
  bookingsIn,
  choose,
  fill,
  heading,
  PAGE,
  PLACE,
  submit,
  time,
  WORDS,
} from '../support/browser/booking.ts';
import { bookTable, openForBookings } from '../support/people/bookings.ts';
import { aGuest } from '../support/people/guests.ts';
import { aTable, daily } from '../support/shops/cafe.ts';
import { done } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';

const MINUTE = 60_000;
const EIGHT = '2026-11-21T18:00:00Z';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
beforeEach(() => beginDay(world));
afterAll(() => world.close());
const browser = useBrowser();

describe.each(VIEWS)('booking in $language', (view) => {
  const t = WORDS[view.language];

  test('goes to the end with a code, sound at every step', async () => {
    await openForBookings(world, { require_otp: true }, PLACE);
    const opened = await browser.open(world, view);
    const { page, go } = opened;
    const guest = aGuest();
    await go(`${PAGE}?date=2026-11-21&party=4`);
    await expectSound(opened);
    await choose(page, t, t.eight);
    expect(await page.getByText(t.kept).isVisible()).toBe(true);
    await expectSound(opened);
    await submit(page, t);
    await page.getByText(t.noName).waitFor();
    expect(await page.getByText(t.noPhone).isVisible()).toBe(true);
    await expectSound(opened);
    await fill(page, t, guest.typed);
    await page.getByLabel(t.notes).fill('جنب الشباك');
    await submit(page, t);
    const code = page.getByLabel(t.code);
    await code.waitFor();
    await expectSound(opened);
    await code.fill('000000');
    await submit(page, t);
    await page.getByText(t.wrong).waitFor();
    await expectSound(opened);
    await code.fill(world.phones.codeOf(guest.phone));
    await submit(page, t);
    await heading(page, t.booked).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/manage\/[0-9a-f]{32}$/);
    await page.waitForFunction(() => document.documentElement.dataset['alive'] !== undefined);
    for (const text of [t.saturday, t.eight, t.four, 'منى السيد', 'جنب الشباك'])
      expect(await page.getByText(text, { exact: true }).isVisible()).toBe(true);
    await expectSound(opened);
    expect(await bookingsIn(world)).toEqual([{ guest_name: 'منى السيد', party_size: 4 }]);
  });
});

describe('a start that another guest takes', () => {
  test('between choice and confirmation: the nearest free times are offered, what was typed stays', async () => {
    await openForBookings(world, {}, { ...PLACE, tables: [aTable('t1', 4)] });
    const opened = await browser.open(world, { language: 'en' });
    const { page, go } = opened;
    const t = WORDS.en;
    await go(`${PAGE}?date=2026-11-21&party=4`);
    await choose(page, t, t.eight);
    await fill(page, t, aGuest().typed);
    world.now += 5 * MINUTE;
    done('bookTable', await bookTable(world, { starts_at: EIGHT, party_size: 4 }));
    await submit(page, t);
    const taken = heading(page, 'This time has just been taken: 8:00 pm');
    await taken.waitFor();
    await page.waitForFunction(() => document.activeElement?.id === 'taken');
    const near = page.locator('.taken').getByRole('button');
    await near.first().waitFor();
    // A stay of 90 minutes: the only table is free until 20:00 and from 21:30.
    expect(await near.allTextContents()).toEqual(['5:30 pm', '6:00 pm', '6:30 pm', '9:30 pm']);
    await expectSound(opened);
    await near.last().click();
    await heading(page, t.details).waitFor();
    expect(await page.getByLabel(t.name).inputValue()).toBe('منى السيد');
    await submit(page, t);
    await heading(page, t.booked).waitFor();
    expect(await page.getByText('9:30 pm', { exact: true }).isVisible()).toBe(true);
  });

  test('before it is held is told at once', async () => {
    await openForBookings(world, {}, { ...PLACE, tables: [aTable('t1', 4)] });
    const { page, go } = await browser.open(world, { language: 'ar' });
    const t = WORDS.ar;
    await go(`${PAGE}?date=2026-11-21&party=2`);
    done('bookTable', await bookTable(world, { starts_at: EIGHT }));
    await time(page, t.eight).click();
    await heading(page, 'حُجز هذا الموعد للتو: 8:00 م').waitFor();
    expect(await page.getByText('أقرب المواعيد المتاحة:').isVisible()).toBe(true);
  });

  test('is seen when the page gets the focus again', async () => {
    await openForBookings(world, {}, { ...PLACE, tables: [aTable('t1', 4)] });
    const { page, go } = await browser.open(world, { language: 'en' });
    await go(`${PAGE}?date=2026-11-21&party=2`);
    expect(await time(page, '8:00 pm').isEnabled()).toBe(true);
    done('bookTable', await bookTable(world, { starts_at: EIGHT }));
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    const gone = page.getByRole('button', { name: '8:00 pm taken', disabled: true });
    await gone.waitFor();
    expect(await gone.isVisible()).toBe(true);
  });
});

describe('a held start', () => {
  test('is given back when the guest has chosen another party while it was asked for', async () => {
    await openForBookings(world, {}, { ...PLACE, tables: [aTable('t1', 4)] });
    const { page, go } = await browser.open(world, { language: 'en' });
    await go(`${PAGE}?date=2026-11-21&party=2`);
    const asked = await holding(page, '**/booking-holds');
    await time(page, '8:00 pm').click();
    await asked.arrived;
    await page.getByLabel('Guests').selectOption('3');
    asked.goOn();
    await page.waitForResponse('**/booking-holds/release');
    await expect.poll(() => time(page, '8:00 pm').isEnabled()).toBe(true);
    expect(await heading(page, WORDS.en.details).count()).toBe(0);
    expect(await page.getByLabel('Guests').inputValue()).toBe('3');
  });

  test('counts down, and can be kept again when its minutes are over', async () => {
    await openForBookings(world, {}, { ...PLACE, tables: [aTable('t1', 4)] });
    const opened = await browser.open(world, { language: 'en' });
    const { page, go } = opened;
    await page.clock.install();
    await go(`${PAGE}?date=2026-11-21&party=2`);
    await choose(page, WORDS.en, '8:00 pm');
    await page.getByText('Your table is kept for 5:00').waitFor();
    await page.clock.fastForward('04:00');
    await page.getByText('Your table is kept for 1:00').waitFor();
    world.now += 5 * MINUTE;
    await page.clock.fastForward('01:00');
    await page.getByText('The table is no longer kept.').waitFor();
    await expectSound(opened);
    await page.getByRole('button', { name: 'Keep it again' }).click();
    await page.getByText('Your table is kept for 5:00').waitFor();
    await fill(page, WORDS.en, aGuest().typed);
    await submit(page, WORDS.en);
    await heading(page, WORDS.en.booked).waitFor();
  });

  test('is given back by who goes back, and by who opens the page anew', async () => {
    await openForBookings(world, {}, { ...PLACE, tables: [aTable('t1', 4)] });
    const { page, go } = await browser.open(world, { language: 'en' });
    await go(`${PAGE}?date=2026-11-21&party=2`);
    await choose(page, WORDS.en, '8:00 pm');
    await page.goBack();
    await heading(page, 'Times on Saturday 21 November').waitFor();
    await page.waitForFunction(() => document.activeElement?.id === 'times');
    await choose(page, WORDS.en, '8:00 pm');
    await page.getByRole('button', { name: 'Change the time' }).click();
    await choose(page, WORDS.en, '8:30 pm');
    await page.reload();
    await choose(page, WORDS.en, '8:30 pm');
    const holds = await world.db.kysely.selectFrom('booking_hold').select('starts_at').execute();
    expect(holds).toHaveLength(1);
  });
});

describe('a night', () => {
  test('past midnight belongs to the date before, and says so', async () => {
    await openForBookings(world, { hours: daily('18:00', '02:00') }, PLACE);
    const opened = await browser.open(world, { language: 'en' });
    const { page, go } = opened;
    await go(`${PAGE}?date=2026-11-21&party=2`);
    const night = page.getByRole('region', { name: 'After midnight early on Sunday 22 November' });
    expect(await night.getByRole('button').allTextContents()).toEqual(['12:00 am', '12:30 am']);
    await night.getByRole('button', { name: '12:30 am' }).click();
    await page.getByText('After midnight, on the night of Saturday 21 November').waitFor();
    expect(await page.getByText('Sunday 22 November', { exact: true }).isVisible()).toBe(true);
    await fill(page, WORDS.en, aGuest().typed);
    await submit(page, WORDS.en);
    await heading(page, WORDS.en.booked).waitFor();
    expect(await page.getByText('on the night of Saturday 21 November').isVisible()).toBe(true);
  });

  test.each([
    ['ar', ['11:30 م قبل تأخير الساعة', '11:30 م بعد تأخير الساعة']],
    ['en', ['11:30 pm before the clocks go back', '11:30 pm after the clocks go back']],
  ] as const)('that doubles an hour tells both passes apart in %s', async (language, passes) => {
    world.now = Date.parse('2027-10-25T08:00:00Z');
    await openForBookings(world, { hours: daily('18:00', '02:00'), default_duration_minutes: 30 }, PLACE);
    const { page, go } = await browser.open(world, { language });
    await go(`${PAGE}?date=2027-10-28&party=2`);
    for (const name of passes) expect(await page.getByRole('button', { name }).count()).toBe(1);
    await page.getByRole('button', { name: passes[1] }).click();
    const t = WORDS[language];
    await heading(page, t.details).waitFor();
    await fill(page, t, aGuest().typed);
    await submit(page, t);
    await heading(page, t.booked).waitFor();
    const { starts_at } = await world.db.kysely
      .selectFrom('booking')
      .select('starts_at')
      .executeTakeFirstOrThrow();
    expect(new Date(starts_at).toISOString()).toBe('2027-10-28T21:30:00.000Z');
  });

  test('that skips an hour goes from 11:30 pm to 1:00 am', async () => {
    world.now = Date.parse('2027-04-26T08:00:00Z');
    await openForBookings(world, { hours: daily('23:00', '02:00'), default_duration_minutes: 30 }, PLACE);
    const { page, go } = await browser.open(world, { language: 'en' });
    await go(`${PAGE}?date=2027-04-29&party=2`);
    expect(await page.locator('.times').getByRole('button').allTextContents()).toEqual([
      ...['11:00 pm', '11:30 pm', '1:00 am', '1:30 am'],
    ]);
  });
});

test('times are said to be the branch’s only to readers whose clock shows others', async () => {
  await openForBookings(world, {}, PLACE);
  for (const [timeZone, count] of [
    ['Asia/Dubai', 1],
    ['Africa/Cairo', 0],
  ] as const) {
    const { page, go } = await browser.open(world, { language: 'en', timeZone });
    await go(`${PAGE}?date=2026-11-21`);
    await time(page, '8:00 pm').click({ trial: true });
    expect(await page.getByText('the clock of the branch: Cairo time').count()).toBe(count);
  }
});

test('the keyboard alone books a table, and the focus follows', async () => {
  await openForBookings(world, {}, PLACE);
  const { page, go } = await browser.open(world, { language: 'en', width: 1280 });
  await go(`${PAGE}?date=2026-11-21&party=2`);
  await page.getByLabel('Guests').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowRight');
  await heading(page, 'Times on Sunday 22 November').waitFor();
  await time(page, '12:00 pm').click({ trial: true });
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await heading(page, 'Your details').waitFor();
  await page.waitForFunction(() => document.activeElement?.id === 'details');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Mona');
  await page.keyboard.press('Tab');
  await page.keyboard.type('12');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement?.id === 'guest-phone');
  await page.keyboard.press('Control+A');
  await page.keyboard.type(aGuest().typed);
  await page.keyboard.press('Enter');
  await heading(page, WORDS.en.booked).waitFor();
  expect(await bookingsIn(world)).toEqual([{ guest_name: 'Mona', party_size: 3 }]);
});

test('the first screen is cached until something changes', async () => {
  await openForBookings(world, {}, PLACE);
  const address = `${PAGE}?date=2026-11-21&party=4`;
  const first = await world.get(address, { accept: 'text/html' });
  expect(first.headers['cache-control']).toBe('no-cache');
  const etag = String(first.headers['etag']);
  expect((await world.get(address, { 'if-none-match': etag })).status).toBe(304);
  done('bookTable', await bookTable(world, { starts_at: EIGHT, party_size: 4 }));
  expect((await world.get(address, { 'if-none-match': etag })).status).toBe(200);
});

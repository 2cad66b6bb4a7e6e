import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { beginDay, heading, PAGE, PLACE, time } from '../support/browser/booking.ts';
import { expectSound, useBrowser } from '../support/browser/browser.ts';
import { openForBookings } from '../support/people/bookings.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { aTable, daily } from '../support/shops/cafe.ts';
import { makeDemo } from '../support/shops/demo.ts';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
beforeEach(() => beginDay(world));
afterAll(() => world.close());
const browser = useBrowser();

describe('the choice', () => {
  test('closed days and blackout dates are shown as such; another day and party are kept in the address', async () => {
    await openForBookings(
      world,
      {
        hours: [{ days: ['sun', 'mon', 'tue', 'wed', 'fri', 'sat'], open: '12:00', close: '23:00' }],
        blackout_dates: ['2026-11-24'],
      },
      PLACE,
    );
    const { page, go } = await browser.open(world, { language: 'en', width: 1280 });
    await go(PAGE);
    expect(await page.getByRole('radio', { name: 'Thursday 26 November (Closed)' }).isDisabled()).toBe(true);
    expect(await page.getByRole('radio', { name: 'Tuesday 24 November (No tables)' }).isDisabled()).toBe(
      true,
    );
    await page.getByRole('radio', { name: 'Sunday 22 November' }).check();
    await heading(page, 'Times on Sunday 22 November').waitFor();
    await page.getByLabel('Guests').selectOption('3');
    await time(page, '8:00 pm').click({ trial: true });
    await page.getByRole('link', { name: 'العربية' }).click();
    await heading(page, 'مواعيد الأحد، 22 نوفمبر').waitFor();
    expect(await page.getByLabel('عدد الضيوف').inputValue()).toBe('3');
  });

  test.each([
    ['party=40', 'Tables are booked here for 1 to 12 guests.'],
    ['date=2027-06-01', 'Tables can be booked from Friday 20 November to Sunday 20 December.'],
    ['date=2026-11-01', 'Tables can be booked from Friday 20 November'],
    ['party=9&date=2026-11-21', 'The largest party that our tables seat: 4 guests.'],
    ['date=2026-11-23', 'Closed on this day.'],
  ])('of %s that cannot be had is answered in words', async (query, words) => {
    await openForBookings(
      world,
      { dated_hours: [{ from: '2026-11-23', hours: [] }] },
      { ...PLACE, tables: [aTable('t1', 4)] },
    );
    const opened = await browser.open(world, { language: 'en' });
    await opened.go(`${PAGE}?${query}`);
    expect(await opened.page.getByText(words).isVisible()).toBe(true);
    await expectSound(opened);
  });

  test('of a branch is a link; a branch that takes no bookings has none', async () => {
    const { world: demo } = await makeDemo();
    const { page, go } = await browser.open(demo, { language: 'ar' });
    await go('/layaly/book?party=4');
    await page.getByRole('link', { name: 'كورنيش المعادي' }).click();
    expect(await page.getByRole('link', { name: 'كورنيش المعادي' }).getAttribute('aria-current')).toBe(
      'page',
    );
    expect(await page.getByLabel('عدد الضيوف').inputValue()).toBe('4');
    await go('/zawya/book');
    expect(await heading(page, 'الحجز متوقف الآن').isVisible()).toBe(true);
    await demo.close();
  });
});

test('without script the page says how to book, and shows hours and times', async () => {
  await openForBookings(world, { hours: daily('12:00', '23:00') }, PLACE);
  const opened = await browser.open(world, { language: 'en', hasScript: false });
  const { page, go } = opened;
  await go(PAGE);
  expect((await world.get(PAGE, { 'accept-language': 'en' })).text).toMatch(
    /<noscript>.*To book, call the branch:.*<\/noscript>/,
  );
  expect(await page.getByText('Or book by phone').isVisible()).toBe(true);
  const call = page.getByRole('link', { name: 'Call the branch +20227350000' });
  expect(await call.getAttribute('href')).toBe('tel:+20227350000');
  expect(await page.getByText('12:00 pm – 11:00 pm').isVisible()).toBe(true);
  await page.getByLabel('Guests').selectOption('4');
  await page.getByRole('radio', { name: 'Sunday 22 November' }).check();
  await page.getByRole('button', { name: 'Show the times' }).click();
  expect(await heading(page, 'Times on Sunday 22 November').isVisible()).toBe(true);
  expect(await page.getByLabel('Guests').inputValue()).toBe('4');
});

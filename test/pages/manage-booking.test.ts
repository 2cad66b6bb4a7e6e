/** `/manage/{token}`: a booking is read, changed and cancelled in a real browser. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { beginDay, PLACE } from '../support/browser/booking.ts';
import { expectSound, useBrowser, VIEWS, type OpenedPage } from '../support/browser/browser.ts';
import { bookTable, cancelBooking, openForBookings, type Booking } from '../support/people/bookings.ts';
import { aGuest } from '../support/people/guests.ts';
import { aTable, daily } from '../support/shops/cafe.ts';
import { done } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';

const EIGHT = '2026-11-21T18:00:00Z';
const MINUTE = 60_000;

const WORDS = {
  ar: {
    booked: 'طاولتك محجوزة',
    ...{ change: 'عدّل الحجز', save: 'احفظ التعديل', saved: 'حفظنا التعديل.', party: 'عدد الضيوف' },
    ...{ cancel: 'ألغِ الحجز', yes: 'نعم، ألغِه', no: 'لا، احتفظ به', ask: 'هل تلغي الحجز؟' },
    ...{ cancelled: 'أُلغي هذا الحجز', three: '3 ضيوف', nine: '9:00 م', notes: 'ملاحظات (اختياري)' },
    again: 'احجز مرة أخرى',
  },
  en: {
    booked: 'Your table is booked',
    ...{ change: 'Change', save: 'Save the change', saved: 'The change is saved.', party: 'Guests' },
    ...{
      cancel: 'Cancel the booking',
      yes: 'Yes, cancel it',
      no: 'No, keep it',
      ask: 'Cancel this booking?',
    },
    ...{ cancelled: 'This booking is cancelled', three: '3 guests', nine: '9:00 pm' },
    ...{ notes: 'Notes (optional)', again: 'Book again' },
  },
} as const;

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
beforeEach(async () => {
  await beginDay(world);
  await openForBookings(world, {}, { ...PLACE, tables: [aTable('t1', 4)] });
});
afterAll(() => world.close());
const browser = useBrowser();

const made = async (overrides: Parameters<typeof bookTable>[1] = {}): Promise<Booking> =>
  done('bookTable', await bookTable(world, { starts_at: EIGHT, phone: aGuest().typed, ...overrides }));

const openOn = async (
  { manage_token }: Booking,
  options: Parameters<typeof browser.open>[1] = {},
): Promise<OpenedPage> => {
  const opened = await browser.open(world, options);
  await opened.go(`/manage/${manage_token}`);
  return opened;
};

const stored = () =>
  world.db.kysely
    .selectFrom('booking')
    .select(['status', 'party_size', 'starts_at', 'notes'])
    .executeTakeFirstOrThrow();

describe.each(VIEWS)('a booking in $language', (view) => {
  const t = WORDS[view.language];

  test('is changed and cancelled, sound at every step', async () => {
    const booking = await made();
    const opened = await openOn(booking, view);
    const { page } = opened;
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    await page.getByRole('heading', { name: t.booked }).waitFor();
    await expectSound(opened);
    await press(t.change);
    await page.getByRole('button', { name: t.nine }).waitFor();
    await expectSound(opened);
    await page.getByLabel(t.party).selectOption('3');
    await press(t.nine);
    await page.getByLabel(t.notes).fill('عيد ميلاد');
    await press(t.save);
    await page.getByText(t.saved).waitFor();
    expect(await page.getByText(t.nine, { exact: true }).isVisible()).toBe(true);
    expect(await page.getByText(t.three, { exact: true }).isVisible()).toBe(true);
    await expectSound(opened);
    expect(await stored()).toMatchObject({ party_size: 3, notes: 'عيد ميلاد', status: 'confirmed' });
    await press(t.cancel);
    await page.getByRole('dialog', { name: t.ask }).waitFor();
    await expectSound(opened);
    await press(t.no);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await stored()).toMatchObject({ status: 'confirmed' });
    await press(t.cancel);
    await press(t.yes);
    await page.getByRole('heading', { name: t.cancelled }).waitFor();
    await page.waitForFunction(() => document.activeElement?.id === 'booking');
    await expectSound(opened);
    expect(await stored()).toMatchObject({ status: 'cancelled' });
    await page.getByRole('link', { name: t.again }).click();
    await page.waitForURL(/\/beit-el-bunn\/book\?/);
  });
});

test('what is booked is shown with place, directions, phone and calendar, to nobody else and in no cache', async () => {
  const booking = await made({ notes: 'جنب الشباك' });
  const { page } = await openOn(booking, { language: 'en', width: 1280 });
  for (const text of ['Saturday 21 November', '8:00 pm', '2 guests', 'Zamalek', PLACE.address, 'جنب الشباك'])
    expect(await page.getByText(text, { exact: true }).isVisible()).toBe(true);
  expect(await page.getByRole('link', { name: /Call the branch/ }).getAttribute('href')).toBe(
    'tel:+20227350000',
  );
  expect(await page.getByRole('link', { name: 'Directions' }).getAttribute('href')).toMatch(/^https:/);
  const calendar = await page.getByRole('link', { name: 'Add to calendar' }).getAttribute('href');
  expect((await world.get(calendar ?? '')).text).toContain('BEGIN:VEVENT');
  const { headers } = await world.get(`/manage/${booking.manage_token}`, { accept: 'text/html' });
  expect(headers).toMatchObject({
    ...{ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex, nofollow' },
  });
});

test('the booking’s own table is offered for its change, and a time that is just taken is told', async () => {
  const booking = await made();
  const { page } = await openOn(booking, { language: 'en' });
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  const own = page.getByRole('button', { name: '8:00 pm', pressed: true });
  await own.waitFor();
  // The only table is the guest's own until 21:30.
  expect(await page.getByRole('button', { name: '8:30 pm' }).isEnabled()).toBe(true);
  await page.getByRole('button', { name: '9:30 pm' }).click();
  await made({ starts_at: '2026-11-21T19:30:00Z' });
  await page.getByRole('button', { name: 'Save the change' }).click();
  await page.getByRole('heading', { name: 'This time has just been taken: 9:30 pm' }).waitFor();
  await page.waitForFunction(() => document.activeElement?.id === 'taken');
  await page.locator('.taken').getByRole('button', { name: '7:30 pm' }).click();
  await page.getByRole('button', { name: 'Save the change' }).click();
  await page.getByText('The change is saved.').waitFor();
  expect(await page.getByText('7:30 pm', { exact: true }).isVisible()).toBe(true);
});

test('another day asks for a time, and leaving it changes nothing', async () => {
  const booking = await made();
  const { page } = await openOn(booking, { language: 'en' });
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  await page.getByRole('radio', { name: 'Sunday 22 November' }).check();
  await page.getByText('Choose a time on this day.').waitFor();
  await page.getByRole('button', { name: 'Leave it as it is' }).click();
  await page.getByRole('heading', { name: 'Your table is booked' }).waitFor();
  expect(new Date((await stored()).starts_at).toISOString()).toBe(new Date(EIGHT).toISOString());
});

test('close to its time a booking is cancelled here, not changed', async () => {
  const booking = await made();
  world.now = Date.parse(EIGHT) - 30 * MINUTE;
  const opened = await openOn(booking, { language: 'en' });
  const { page } = opened;
  expect(await page.getByText('It is too close to the time to change').isVisible()).toBe(true);
  expect(await page.getByRole('button', { name: 'Change', exact: true }).count()).toBe(0);
  await expectSound(opened);
  await page.getByRole('button', { name: 'Cancel the booking' }).click();
  await page.getByRole('button', { name: 'Yes, cancel it' }).click();
  await page.getByRole('heading', { name: 'This booking is cancelled' }).waitFor();
});

test.each([
  ['seated', 'Welcome'],
  ['completed', 'Thank you for your visit'],
  ['no_show', 'This booking has ended'],
] as const)(
  'a booking that is %s says so, and offers neither change nor cancellation',
  async (status, heading) => {
    const booking = await made();
    await world.db.kysely.updateTable('booking').set({ status }).execute();
    const opened = await openOn(booking, { language: 'en' });
    expect(await opened.page.getByRole('heading', { name: heading }).isVisible()).toBe(true);
    expect(await opened.page.getByRole('button').count()).toBe(0);
    await expectSound(opened);
  },
);

test('what the shop changed is seen when the page gets the focus again', async () => {
  const booking = await made();
  const { page } = await openOn(booking, { language: 'en' });
  done('cancelBooking', await cancelBooking(world, booking));
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await page.getByRole('heading', { name: 'This booking is cancelled' }).waitFor();
});

test('where the branch takes no bookings any more, a booking can still be cancelled', async () => {
  const booking = await made();
  await openForBookings(world, { enabled: false }, PLACE);
  const { page } = await openOn(booking, { language: 'en' });
  expect(await page.getByText('Changes are switched off here for now.').isVisible()).toBe(true);
  expect(await page.getByRole('button', { name: 'Change', exact: true }).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Cancel the booking' }).isEnabled()).toBe(true);
});

test('a start after midnight is said to belong to the night before', async () => {
  await openForBookings(world, { hours: daily('18:00', '02:00') }, PLACE);
  const booking = await made({ starts_at: '2026-11-21T22:30:00Z' });
  const { page } = await openOn(booking, { language: 'ar' });
  expect(await page.getByText('الأحد، 22 نوفمبر', { exact: true }).isVisible()).toBe(true);
  expect(await page.getByText('بعد منتصف الليل، ضمن سهرة السبت، 21 نوفمبر').isVisible()).toBe(true);
});

test('the keyboard alone cancels: Escape keeps the booking and gives the focus back', async () => {
  const booking = await made();
  const { page } = await openOn(booking, { language: 'en' });
  const cancel = page.getByRole('button', { name: 'Cancel the booking' });
  await cancel.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  // A closed dialog has no role any more, and closes the question only with its event.
  await page.locator('dialog').waitFor({ state: 'detached' });
  await page.waitForFunction(() => document.activeElement?.textContent === 'Cancel the booking');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'This booking is cancelled' }).waitFor();
});

test('a token that no booking has is a page that says so', async () => {
  const opened = await browser.open(world, { language: 'en' });
  await opened.go(`/manage/${'0'.repeat(32)}`);
  expect(await opened.page.getByRole('heading', { name: 'There is no page here' }).isVisible()).toBe(true);
  await expectSound(opened);
});

test('without script the booking is read, and the branch can be called', async () => {
  const booking = await made();
  const { page } = await openOn(booking, { language: 'en', hasScript: false });
  expect(await page.getByText('8:00 pm', { exact: true }).isVisible()).toBe(true);
  const { text } = await world.get(`/manage/${booking.manage_token}`, { 'accept-language': 'en' });
  expect(text).toMatch(/<noscript>.*To change or cancel, call the branch\..*<\/noscript>/);
  expect(await page.getByRole('link', { name: /Call the branch/ }).isVisible()).toBe(true);
  expect(await page.getByRole('button', { name: 'Cancel the booking' }).isDisabled()).toBe(true);
});

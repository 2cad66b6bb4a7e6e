import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import type { DemoContents } from '../../src/service/app/demo.ts';
import {
  expectSound,
  expectSoundInEveryView,
  setShown,
  useBrowser,
  VIEWS,
  type OpenedPage,
  type OpenOptions,
} from '../support/browser/browser.ts';
import { newId } from '../support/database/ids.ts';
import { anOrder, orderOn, placed } from '../support/people/guests.ts';
import {
  aStaffedShop,
  changed,
  orderOf,
  setPasswordAndSignIn,
  type SignedIn,
} from '../support/people/staff.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { openShops } from '../support/shops/cafe.ts';
import { makeDemo } from '../support/shops/demo.ts';

let world: World;
let owner: SignedIn;
beforeAll(async () => {
  world = await makeWorld();
  await openShops(world, aStaffedShop());
  owner = await setPasswordAndSignIn(world, 'owner');
});
afterAll(() => world.close());
const browser = useBrowser();

/** As staff who look at the order now. */
const step = async (id: string, what: 'move' | 'finalize' | 'cancel', body: object) => {
  const { revision } = await orderOf(world, owner, id);
  return changed(world, owner, id, what, { ...body, revision });
};
const move = (id: string, to: string) => step(id, 'move', { to });

/** With a clock that the test moves. */
const follow = async (id: string, options: OpenOptions = {}): Promise<OpenedPage> => {
  const opened = await browser.open(world, { language: 'en', ...options });
  await opened.page.clock.install({ time: world.now });
  await opened.go(`/track/${id}`);
  return opened;
};
const headline = (page: Page) => page.getByRole('heading', { level: 1 });
const polled = async (page: Page, seconds = 11): Promise<void> => {
  await Promise.all([page.waitForResponse(/\/track$/), page.clock.fastForward(seconds * 1000)]);
};

test('an order is followed from the branch’s first look to the door, without a touch', async () => {
  const { id } = await placed(world, orderOn('outside'));
  const { page, faults } = await follow(id);
  await expect.poll(() => headline(page).textContent()).toBe('We have your order');
  for (const [to, title] of [
    ['confirmed', 'Your order is confirmed'],
    ['preparing', 'Your order is being prepared'],
    ['ready', 'Your order is ready'],
    ['out_for_delivery', 'Your order is on its way'],
  ] as const) {
    await move(id, to);
    await polled(page);
    await expect.poll(() => headline(page).textContent()).toBe(title);
  }
  await step(id, 'finalize', { payment_method: 'cash' });
  await polled(page);
  await expect.poll(() => headline(page).textContent()).toBe('Delivered. Enjoy!');
  expect(await page.getByRole('listitem').filter({ hasText: 'On its way' }).getByRole('time').count()).toBe(
    1,
  );
  expect(await page.getByRole('link', { name: 'Order again' }).getAttribute('href')).toBe(
    '/beit-el-bunn/order',
  );
  let asked = 0;
  page.on('request', () => (asked += 1));
  await page.clock.fastForward('10:00');
  expect(asked, 'asks after the end').toBe(0);
  expect(faults).toEqual([]);
});

test('an order that has not changed is asked for by its tag, and answered without a body', async () => {
  const { id } = await placed(world);
  const { page } = await follow(id);
  await polled(page);
  const [response] = await Promise.all([page.waitForResponse(/\/track$/), page.clock.fastForward(11_000)]);
  expect(response.status()).toBe(304);
});

test('while the page is hidden the order is asked for once a minute, and at once when it is shown', async () => {
  const { id } = await placed(world);
  const { page } = await follow(id);
  await polled(page);
  await setShown(page, false);
  // Planned while the page was shown.
  await polled(page);
  let asked = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/track')) asked += 1;
  });
  /** What the page asked for before the ping is counted when the ping is seen. */
  const askedSoFar = async (): Promise<number> => {
    await Promise.all([page.waitForRequest('**/health'), page.evaluate(() => fetch('/health'))]);
    return asked;
  };
  await page.clock.fastForward(50_000);
  expect(await askedSoFar()).toBe(0);
  await polled(page);
  expect(await askedSoFar()).toBe(1);
  await move(id, 'confirmed');
  await setShown(page, true);
  await expect.poll(() => headline(page).textContent()).toBe('Your order is confirmed');
  expect(await askedSoFar()).toBe(2);
  await polled(page);
});

test('a lost connection is said with the time of what is shown, and forgotten when it is back', async () => {
  const { id } = await placed(world);
  const { page } = await follow(id);
  await page.context().setOffline(true);
  await page.clock.fastForward(11_000);
  await expect.poll(() => page.getByText('The service cannot be reached').count()).toBe(1);
  expect(await headline(page).textContent()).toBe('We have your order');
  await move(id, 'confirmed');
  await page.context().setOffline(false);
  await expect.poll(() => headline(page).textContent()).toBe('Your order is confirmed');
  expect(await page.getByText('The service cannot be reached').count()).toBe(0);
});

test('without script the page has everything, and reloading shows the next step', async () => {
  const { id } = await placed(world, orderOn('in_mall'));
  const { page, go } = await browser.open(world, { language: 'ar', hasScript: false });
  await go(`/track/${id}`);
  expect(await headline(page).textContent()).toBe('وصلنا طلبك');
  expect(await page.getByText('قهوة تركي').count()).toBe(1);
  expect(await page.getByText('55 ج.م').count()).toBe(1);
  await move(id, 'preparing');
  await page.getByRole('link', { name: 'حدِّث الصفحة' }).click();
  await expect.poll(() => headline(page).textContent()).toBe('طلبك يُحضَّر الآن');
});

test('a cancelled order says why', async () => {
  const { id } = await placed(world);
  await move(id, 'confirmed');
  await step(id, 'cancel', { reason: 'sold_out', restock: true });
  const { page } = await follow(id);
  expect(await headline(page).textContent()).toBe('Your order was cancelled');
  expect(await page.getByText('Something in the order is sold out').count()).toBe(1);
});

test('a device whose clock is wrong does not make an order late', async () => {
  const { id } = await placed(world);
  const { page, go } = await browser.open(world, { language: 'en' });
  await page.clock.install({ time: world.now + 5 * 3_600_000 });
  await go(`/track/${id}`);
  const [estimate] = await page.getByText('Ready around').allInnerTexts();
  await polled(page);
  await move(id, 'confirmed');
  await polled(page);
  await expect.poll(() => headline(page).textContent()).toBe('Your order is confirmed');
  expect(await page.getByText('Ready around').allInnerTexts()).toEqual([estimate]);
});

test('an order that is late says so instead of a time that has passed', async () => {
  const { id } = await placed(world);
  const { page } = await follow(id);
  expect(await page.getByText('Ready around').count()).toBe(1);
  await page.clock.fastForward('30:00');
  await page.waitForResponse(/\/track$/);
  await expect.poll(() => page.getByText('a little longer than planned').count()).toBe(1);
});

test('the page is neither stored nor listed, tells no other site, and has no phone', async () => {
  const { id } = await placed(world, anOrder({ customer_phone: '01299887766' }));
  const { headers, text } = await world.get(`/track/${id}`, { accept: 'text/html' });
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'x-robots-tag': 'noindex, nofollow',
    'referrer-policy': 'no-referrer',
  });
  expect(text).not.toContain('99887766');
});

test.each(['/track/none', `/track/${newId()}`])('%s is a page that says there is none', async (address) => {
  const { status, text } = await world.get(address, { accept: 'text/html', 'accept-language': 'en' });
  expect(status).toBe(404);
  expect(text).toContain('There is no page here');
});

describe('the tracking page of orders in every state', () => {
  let demo: World;
  let orders: DemoContents['orders'];
  beforeAll(async () => {
    const made = await makeDemo();
    demo = made.world;
    orders = made.demo.orders;
  });
  afterAll(() => demo.close());

  test.each(['ar', 'en'] as const)(
    'is sound in %s on a phone and a desk, by day and by night',
    async (language) => {
      const opened = await browser.open(demo, { language });
      await opened.go(`/track/${orders[0]?.id ?? ''}`);
      await expectSoundInEveryView(opened);
    },
  );

  test('is sound in each, in the languages and widths by turns', async () => {
    expect(new Set(orders.map(({ status }) => status)).size).toBeGreaterThan(4);
    for (const [turn, view] of VIEWS.entries()) {
      const opened = await browser.open(demo, view);
      for (const { id } of orders.filter((_, at) => at % VIEWS.length === turn)) {
        await opened.go(`/track/${id}`);
        await expectSound(opened);
      }
    }
  });
});

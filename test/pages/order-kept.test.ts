/** `/{slug}/order`: what is kept of a cart and a checkout over reloads, in other tabs, and when items leave the menu. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { expectSound, useBrowser, type OpenedPage } from '../support/browser/browser.ts';
import {
  addCoffee,
  aShopThatDelivers,
  field,
  fillIn,
  placeIt,
  tracked,
} from '../support/browser/ordering.ts';
import { deferred } from '../support/background/manual-timers.ts';
import { aGuest } from '../support/people/guests.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { branchId, openShops, SLUG } from '../support/shops/cafe.ts';
import { aQuotingMenu } from '../support/shops/quoting-shop.ts';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
beforeEach(() => openShops(world, aShopThatDelivers()));
afterAll(() => world.close());
const browser = useBrowser();

const ORDERING = `/${SLUG}/order?branch=${branchId()}&channel=pickup`;
const SOLD_OUT = [{ branch: 'zamalek', sold_out_until: '2027-01-01T00:00:00Z' }];

const without = (coffee: object) => {
  const menu = aQuotingMenu();
  const items = menu.items?.map((item) => (item.key === 'turkish' ? { ...item, ...coffee } : item)) ?? [];
  return openShops(world, { ...aShopThatDelivers(), menu: { ...menu, items } });
};

const view = ({ page }: OpenedPage, items: string) =>
  page.getByRole('button', { name: new RegExp(`^View your order · ${items}`) });

test('what was typed is there again when the phone drops the page while the code is read', async () => {
  await openShops(world, aShopThatDelivers({ asksForCodes: true }));
  const guest = aGuest();
  const opened = await browser.open(world, { language: 'en' });
  const { page } = opened;
  await fillIn(opened, 'pickup', guest);
  await page.getByRole('radio', { name: 'Card' }).check();
  await placeIt(page);
  await field(page, 'Confirmation code').waitFor();
  await page.reload();
  expect(await field(page, 'Name').inputValue()).toBe('Mona');
  expect(await field(page, 'Mobile phone').inputValue()).toBe(guest.typed);
  expect(await page.getByRole('radio', { name: 'Card' }).isChecked()).toBe(true);
  await placeIt(page);
  const code = field(page, 'Confirmation code');
  await code.waitFor();
  await code.fill(world.phones.codeOf(guest.phone));
  await tracked(page);
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
});

test('what was typed stays when the language is changed', async () => {
  const opened = await browser.open(world, { language: 'en' });
  const { page } = opened;
  await fillIn(opened, 'pickup', aGuest());
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('link', { name: 'العربية' }).click();
  await page.getByRole('button', { name: /^اعرض طلبك/ }).click();
  await page.getByRole('button', { name: /^إتمام الطلب/ }).click();
  expect(await field(page, 'الاسم').inputValue()).toBe('Mona');
});

test('two tabs have one cart', async () => {
  const first = await browser.open(world, { language: 'en' });
  await first.go(ORDERING);
  const page = await first.page.context().newPage();
  const second: OpenedPage = { ...first, page };
  await page.goto(first.page.url());
  await addCoffee(first.page);
  await view(second, '1 item').waitFor();
  await addCoffee(page);
  await view(first, '2 items').waitFor();
  await addCoffee(first.page);
  await view(second, '3 items').waitFor();
  await page.reload();
  await view(second, '3 items').waitFor();
});

test('a cart that is changed elsewhere is as it is by then, also on a page of the back button', async () => {
  const opened = await browser.open(world, { language: 'en' });
  const { page } = opened;
  await opened.go(ORDERING);
  await addCoffee(page);
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage))
      if (key.startsWith('ahwa-cart')) localStorage.removeItem(key);
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  });
  await view(opened, '1 item').waitFor({ state: 'detached' });
});

test('a cart that another tab empties while the code is awaited ends the question, and nothing is sent', async () => {
  await openShops(world, aShopThatDelivers({ asksForCodes: true }));
  const opened = await browser.open(world, { language: 'en' });
  const { page } = opened;
  await fillIn(opened, 'pickup', aGuest());
  await placeIt(page);
  await field(page, 'Confirmation code').waitFor();
  const other = await page.context().newPage();
  await other.goto(`${world.baseUrl}${ORDERING}#cart`);
  await other.getByRole('button', { name: 'Remove: Turkish coffee' }).click();
  await page.getByRole('heading', { name: 'Your order is empty' }).waitFor();
  expect(await field(page, 'Confirmation code').count()).toBe(0);
  await page.getByRole('button', { name: 'Back to the menu' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('what another tab adds while an order is placed stays in the cart', async () => {
  const opened = await browser.open(world, { language: 'en' });
  const { page } = opened;
  await fillIn(opened, 'pickup', aGuest());
  const [sent, goOn] = [deferred(), deferred()];
  await page.route('**/public/delivery-orders', async (route) => {
    sent.resolve();
    await goOn.promise;
    await route.continue();
  });
  await placeIt(page);
  await sent.promise;
  const other = await page.context().newPage();
  await other.goto(`${world.baseUrl}${ORDERING}`);
  await addCoffee(other);
  await view({ ...opened, page: other }, '2 items').waitFor();
  goOn.resolve();
  await tracked(page);
  await view({ ...opened, page: other }, '1 item').waitFor();
});

test('two taps on items while the menu is on its way open the second, which one tap closes', async () => {
  const { page, go } = await browser.open(world, { language: 'en' });
  const answer = deferred();
  await page.route('**/public/branches/*/menu*', async (route) => {
    await answer.promise;
    await route.continue();
  });
  await go(ORDERING);
  await page.locator('a.item').last().click();
  await page.getByRole('link', { name: /^Turkish coffee/ }).click();
  answer.resolve();
  await page.getByRole('heading', { name: 'Turkish coffee' }).waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(new URL(page.url()).hash).toBe('');
});

test('an empty cart has no checkout, whatever the address says', async () => {
  const { page, go } = await browser.open(world, { language: 'en' });
  await go(`${ORDERING}#checkout`);
  await page.getByRole('heading', { name: 'Your order is empty' }).waitFor();
});

test('what sold out before the checkout was opened is said beside the button, with what to do', async () => {
  const opened = await browser.open(world, { language: 'en' });
  const { page } = opened;
  await fillIn(opened, 'pickup', aGuest());
  await without({ availability: SOLD_OUT });
  await page.reload();
  await page.getByRole('alert').getByText('Turkish coffee is not available now').waitFor();
  await expectSound({ ...opened, faults: [] });
  await page.getByRole('button', { name: 'Look at your order' }).click();
  await page.getByRole('button', { name: 'Remove: Not on sale any more' }).last().click();
  await page.getByRole('heading', { name: 'Your order is empty' }).waitFor();
});

test('a line whose item has left the menu has words, and can be taken out', async () => {
  const opened = await browser.open(world, { language: 'en' });
  const { page } = opened;
  await opened.go(ORDERING);
  await addCoffee(page);
  await without({ availability: [{ branch: 'zamalek', on: false }] });
  await page.reload();
  await view(opened, '1 item').click();
  await page.getByRole('dialog').getByText('Not on sale any more', { exact: true }).waitFor();
  await expectSound({ ...opened, faults: [] });
  await page.getByRole('button', { name: 'Remove: Not on sale any more' }).last().click();
  await page.getByRole('heading', { name: 'Your order is empty' }).waitFor();
});

test('a tapped item says that it is coming until the menu is there', async () => {
  const { page, go } = await browser.open(world, { language: 'en' });
  const answer = deferred();
  await page.route('**/public/branches/*/menu*', async (route) => {
    await answer.promise;
    await route.continue();
  });
  await go(ORDERING);
  const coffee = page.getByRole('link', { name: /^Turkish coffee/ });
  await coffee.click();
  await expect.poll(() => coffee.getAttribute('aria-busy')).toBe('true');
  answer.resolve();
  await page.getByRole('button', { name: 'Add to your order' }).waitFor();
  await expect.poll(() => coffee.getAttribute('aria-busy')).toBeNull();
});

test('a code of three digits is said to be too short', async () => {
  await openShops(world, aShopThatDelivers({ asksForCodes: true }));
  const guest = aGuest();
  const opened = await browser.open(world, { language: 'en' });
  const { page } = opened;
  await fillIn(opened, 'pickup', guest);
  await placeIt(page);
  await field(page, 'Confirmation code').fill('123');
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('Write all six digits of the code.').waitFor();
  await field(page, 'Confirmation code').fill(world.phones.codeOf(guest.phone));
  await tracked(page);
});

test('a digit too many after a wrong code uses up no try', async () => {
  await openShops(world, aShopThatDelivers({ asksForCodes: true }));
  const guest = aGuest();
  const opened = await browser.open(world, { language: 'en' });
  const { page } = opened;
  await fillIn(opened, 'pickup', guest);
  await placeIt(page);
  const code = field(page, 'Confirmation code');
  await code.waitFor();
  const right = world.phones.codeOf(guest.phone);
  let tries = 0;
  page.on('request', (request) => (tries += Number(request.url().endsWith('/otp/verify'))));
  await code.fill(right === '000000' ? '111111' : '000000');
  await page.getByText('This code is wrong').waitFor();
  await code.press('End');
  for (let digit = 0; digit < 3; digit += 1) await code.press('7');
  await code.fill(right);
  await tracked(page);
  expect(tries).toBe(2);
});

/** `/{slug}/order`: a guest who comes back to an order that was placed, was refused, or got no answer. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectSound, untilFocused, useBrowser, type OpenedPage } from '../support/browser/browser.ts';
import {
  addCoffee,
  aShopThatDelivers,
  field,
  fillIn,
  placeIt,
  toCheckout,
  tracked,
} from '../support/browser/ordering.ts';
import { deferred } from '../support/background/manual-timers.ts';
import { aGuest, type Guest } from '../support/people/guests.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { openShops } from '../support/shops/cafe.ts';

const ORDERS = '**/public/delivery-orders';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
beforeEach(() => openShops(world, aShopThatDelivers()));
afterAll(() => world.close());
const browser = useBrowser();

const ordersOf = async ({ phone }: Guest): Promise<number> => {
  const stored = world.db.kysely.selectFrom('delivery_order').where('customer_phone', '=', phone);
  return (await stored.select('id').execute()).length;
};

const waiting = ({ page }: OpenedPage) => page.getByRole('heading', { name: 'Waiting for the answer' });
const asked = ({ page }: OpenedPage) => page.getByRole('heading', { name: 'There was no answer' });

/** An order that never arrived. */
const lose = async (guest: Guest): Promise<OpenedPage> => {
  const opened = await browser.open(world, { language: 'en' });
  const { page } = opened;
  await page.clock.install({ time: world.now });
  await fillIn(opened, 'pickup', guest);
  await page.route(ORDERS, (route) => route.abort());
  await placeIt(page);
  await waiting(opened).waitFor();
  return opened;
};

/** Opens the page again, without a part of the address that says what was open. */
const comeBack = async ({ page, go }: OpenedPage): Promise<void> => {
  await page.unroute(ORDERS);
  const { pathname, search } = new URL(page.url());
  await go('about:blank');
  await go(pathname + search);
};

test('the back button from a placed order leads to a page that takes another one', async () => {
  const guest = aGuest();
  const opened = await browser.open(world, { language: 'en' });
  const { page } = opened;
  await fillIn(opened, 'pickup', guest);
  // The page stays, as one does in the browser's memory.
  const left = deferred();
  await page.route('**/track/*', (route) => route.fulfill({ status: 204 }).then(left.resolve));
  await placeIt(page);
  await left.promise;
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.unroute('**/track/*');
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
  await addCoffee(page);
  await toCheckout(page);
  await placeIt(page);
  await tracked(page);
  expect(await ordersOf(guest)).toBe(2);
});

test('an order whose answer was lost is asked for again by the same key after the client was slowed down', async () => {
  const guest = aGuest();
  const opened = await browser.open(world, { language: 'en' });
  const { page } = opened;
  await page.clock.install({ time: world.now });
  await fillIn(opened, 'pickup', guest);
  let answers = 0;
  await page.route(ORDERS, async (route) => {
    answers += 1;
    if (answers === 1) {
      await route.fetch();
      await route.abort('connectionreset');
    } else if (answers === 2)
      await route.fulfill({
        status: 429,
        headers: { 'Retry-After': '30' },
        json: { error: 'Too many requests.', code: 'RATE_LIMITED', retry_after_seconds: 30 },
      });
    else await route.continue();
  });
  await placeIt(page);
  await waiting(opened).waitFor();
  await page.clock.runFor(6_000);
  await expect.poll(() => answers).toBe(2);
  await waiting(opened).waitFor();
  await page.clock.runFor(6_000);
  await tracked(page);
  expect(await ordersOf(guest)).toBe(1);
});

describe('an order that was refused while the page was left', () => {
  test('is said in the checkout, where everything stands that was typed', async () => {
    const guest = aGuest();
    const opened = await lose(guest);
    const { page } = opened;
    await openShops(world, aShopThatDelivers({ hours: { open: '09:00', close: '09:01' } }));
    await comeBack(opened);
    await page.getByText('Your order is kept here.').waitFor();
    expect(await field(page, 'Name').inputValue()).toBe('Mona');
    expect(await field(page, 'Mobile phone').inputValue()).toBe(guest.typed);
    await expectSound({ ...opened, faults: [] });
    await page.goBack();
    await page.getByRole('heading', { name: 'Your order' }).waitFor();
    await openShops(world, aShopThatDelivers());
    await page.getByRole('button', { name: /^Check out.*EGP/ }).click();
    await placeIt(page);
    await tracked(page);
    expect(await ordersOf(guest)).toBe(1);
  });

  test('because the phone needs a code by now, is asked for the code of that phone', async () => {
    const guest = aGuest();
    const opened = await lose(guest);
    const { page } = opened;
    await openShops(world, aShopThatDelivers({ asksForCodes: true }));
    // The price comes too late: the guest has agreed to it before.
    await page.route('**/cart-quote', () => undefined);
    await comeBack(opened);
    const code = field(page, 'Confirmation code');
    await code.waitFor();
    await code.fill(world.phones.codeOf(guest.phone));
    await tracked(page);
    expect(await ordersOf(guest)).toBe(1);
  });
});

describe('an order that never arrived', () => {
  test('is asked about by a page that is opened 15 minutes later, and sent only if the guest says so', async () => {
    const guest = aGuest();
    const opened = await lose(guest);
    const { page } = opened;
    await page.clock.fastForward('15:00');
    await comeBack(opened);
    await asked(opened).waitFor();
    expect(await ordersOf(guest)).toBe(0);
    await page.getByRole('button', { name: 'Send it now' }).click();
    await tracked(page);
    expect(await ordersOf(guest)).toBe(1);
  });

  test('is forgotten after a day, with its phone', async () => {
    const guest = aGuest();
    const opened = await lose(guest);
    const { page } = opened;
    await page.clock.fastForward('24:00:00');
    await comeBack(opened);
    await page.getByRole('button', { name: /^View your order/ }).waitFor();
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
    expect(await asked(opened).count()).toBe(0);
    expect(await ordersOf(guest)).toBe(0);
  });

  test('keeps its question open when Escape is pressed twice', async () => {
    const opened = await lose(aGuest());
    const { page } = opened;
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    const isOnTop = (): Promise<boolean> =>
      waiting(opened).evaluate((heading) => heading.closest('dialog')?.matches(':modal') === true);
    await expect.poll(isOnTop).toBe(true);
    await untilFocused(waiting(opened));
  });
});

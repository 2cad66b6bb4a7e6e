/** `/{slug}/order`: what a branch refuses, and what a device does not say, is told, and the guest can go on. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectSound, untilFocused, useBrowser, type OpenedPage } from '../support/browser/browser.ts';
import {
  aShopThatDelivers,
  FAR,
  field,
  fillIn,
  locateButton,
  NEAR,
  placeIt,
  standAt,
  tracked,
} from '../support/browser/ordering.ts';
import { aGuest, anOrder, place, type Guest } from '../support/people/guests.ts';
import { done } from '../support/server/requests.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { aBranch, aShopFile, openShops } from '../support/shops/cafe.ts';

const ORDERS = '**/public/delivery-orders';

const ordersOf = async ({ phone }: Guest): Promise<number> => {
  const stored = world.db.kysely.selectFrom('delivery_order').where('customer_phone', '=', phone);
  return (await stored.select('id').execute()).length;
};

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
beforeEach(() => openShops(world, aShopThatDelivers()));
afterAll(() => world.close());
const browser = useBrowser();

const aShopThatPicksUp = (hours = { open: '00:00', close: '00:00' }) =>
  aShopFile({
    branches: [
      aBranch({
        otp_required: false,
        phone: '+20227350000',
        channels: { pickup: {} },
        online_hours: [hours],
      }),
    ],
  });

/** At the checkout, with a coffee, a name and a phone. */
const atCheckout = async (
  channel: 'pickup' | 'outside',
  guest: Guest,
  from: World = world,
): Promise<OpenedPage> => {
  const opened = await browser.open(from, { language: 'en' });
  await fillIn(opened, channel, guest);
  return opened;
};

test('at night says when a closed branch opens, before and after the cart was filled', async () => {
  const before = world.now;
  await openShops(world, aShopThatDelivers({ hours: { open: '09:00', close: '23:00' } }));
  const { page } = await atCheckout('pickup', aGuest());
  world.now = Date.parse('2026-11-20T22:30:00Z');
  try {
    await placeIt(page);
    await page.getByText('It opens 9:00 am. Your order is kept here.').waitFor();
    await page.getByRole('button', { name: 'Another branch or way' }).click();
    await page.getByText('Opens 9:00 am').first().waitFor();
    await page
      .getByRole('link', { name: /Opens 9:00 am/ })
      .first()
      .click();
    await page.getByText('The branch takes no orders now').waitFor();
    await page.getByRole('button', { name: /^View your order/ }).waitFor();
  } finally {
    world.now = before;
  }
});

test('a branch that has closed for days says on which day it opens', async () => {
  const before = world.now;
  await openShops(world, aShopThatDelivers({ hours: { days: ['fri'], open: '09:00', close: '23:00' } }));
  const opened = await browser.open(world, { language: 'en' });
  const { page } = opened;
  await page.clock.install({ time: before });
  await fillIn(opened, 'pickup', aGuest());
  world.now = Date.parse('2026-11-20T22:30:00Z');
  try {
    await placeIt(page);
    await page.getByText('It opens Friday 27 November 9:00 am. Your order is kept here.').waitFor();
  } finally {
    world.now = before;
  }
});

test('a closed branch with no other way is called', async () => {
  await openShops(world, aShopThatPicksUp());
  const opened = await browser.open(world, { language: 'en' });
  const { page } = opened;
  await fillIn(opened, 'pickup', aGuest());
  await openShops(world, aShopThatPicksUp({ open: '09:00', close: '09:01' }));
  await placeIt(page);
  await page.getByText('Your order is kept here.').waitFor();
  await page.getByRole('link', { name: 'Call the branch' }).waitFor();
  expect(await page.getByRole('button', { name: 'Another branch or way' }).count()).toBe(0);
});

describe('an address to deliver to', () => {
  test('that is too far is said where it was found, and a nearer one is taken', async () => {
    const opened = await atCheckout('outside', aGuest());
    const { page } = opened;
    await standAt(opened, FAR);
    const locate = locateButton(opened);
    await locate.click();
    const fault = page.getByText('This place is beyond the branch’s delivery');
    await fault.waitFor();
    await field(page, 'Address').fill('12 Brazil Street');
    await placeIt(page);
    await untilFocused(locate);
    expect(await locate.evaluate((button) => button.getAttribute('aria-describedby'))).toBe(
      await fault.getAttribute('id'),
    );
    await expectSound(opened);
    expect(await page.locator('dl.sums').innerText()).not.toContain('Delivery');
    await standAt(opened, NEAR);
    await locate.click();
    await page.getByText('We know where you are').waitFor();
    expect(await fault.count()).toBe(0);
    await page.locator('dl.sums').getByText('Delivery').waitFor();
    await placeIt(page);
    await tracked(page);
  });

  test('that the branch stopped delivering to meanwhile is said there too', async () => {
    const opened = await atCheckout('outside', aGuest());
    const { page } = opened;
    await standAt(opened, NEAR);
    await locateButton(opened).click();
    await page.getByText('We know where you are').waitFor();
    await field(page, 'Address').fill('12 Brazil Street');
    await page.getByRole('button', { name: /^Place the order EGP 70/ }).waitFor();
    await openShops(world, aShopThatDelivers({ maxMeters: 100 }));
    await placeIt(page);
    const fault = page.getByText('This place is too far away for the branch to deliver to.');
    await fault.waitFor();
    await openShops(world, aShopThatDelivers());
    await locateButton(opened).click();
    await fault.waitFor({ state: 'detached' });
    await placeIt(page);
    await tracked(page);
  });

  test('that the device does not share is said, and what was typed stays until it does', async () => {
    const opened = await atCheckout('outside', aGuest());
    const { page } = opened;
    await page.context().clearPermissions();
    await field(page, 'Address').fill('12 Brazil Street');
    await locateButton(opened).click();
    const denied = page.getByText('Your device does not share its location.');
    await denied.waitFor();
    expect(await page.getByRole('link', { name: 'Call the branch' }).getAttribute('href')).toBe(
      'tel:+20227350000',
    );
    await expectSound(opened);
    await standAt(opened, NEAR);
    await locateButton(opened).click();
    await page.getByText('We know where you are').waitFor();
    expect(await denied.count()).toBe(0);
    expect(await field(page, 'Address').inputValue()).toBe('12 Brazil Street');
    await placeIt(page);
    await tracked(page);
  });
});

describe('a phone with as many open orders as the shop allows', () => {
  let braked: World;
  beforeAll(async () => {
    braked = await makeWorld({ limitScale: 1 });
    await openShops(braked, aShopThatDelivers({ brake: { open_orders: 1, orders_per_day: null } }));
  });
  afterAll(() => braked.close());

  test('is told so and whom to call, keeps what was typed, and orders once it may again', async () => {
    const guest = aGuest();
    done('placeOrder', await place(braked, anOrder({ customer_phone: guest.typed })));
    const opened = await atCheckout('pickup', guest, braked);
    const { page } = opened;
    await placeIt(page);
    await page.getByText('This phone has too many orders here.').waitFor();
    await expectSound(opened);
    expect(await page.getByRole('link', { name: 'Call the branch' }).getAttribute('href')).toBe(
      'tel:+20227350000',
    );
    expect(await field(page, 'Mobile phone').inputValue()).toBe(guest.typed);
    await openShops(braked, aShopThatDelivers());
    await placeIt(page);
    await tracked(page);
  });
});

describe('an order that got no answer for a quarter of an hour', () => {
  const lose = async (guest: Guest): Promise<OpenedPage> => {
    const opened = await browser.open(world, { language: 'en' });
    const { page } = opened;
    await page.clock.install({ time: world.now });
    await fillIn(opened, 'pickup', guest);
    await page.route(ORDERS, (route) => route.abort());
    await placeIt(page);
    await page.getByRole('heading', { name: 'Waiting for the answer' }).waitFor();
    await page.clock.fastForward('15:00');
    await page.getByRole('heading', { name: 'There was no answer' }).waitFor();
    await page.unroute(ORDERS);
    return opened;
  };

  test('is sent only if the guest says so, who is told whom to ask', async () => {
    const guest = aGuest();
    const opened = await lose(guest);
    const { page } = opened;
    await expectSound({ ...opened, faults: [] });
    expect(await page.getByRole('link', { name: 'Call the branch' }).isVisible()).toBe(true);
    let asked = 0;
    page.on('request', (request) => (asked += Number(request.method() === 'POST')));
    await page.clock.fastForward('10:00');
    expect(asked).toBe(0);
    await page.getByRole('button', { name: 'Send it now' }).click();
    await tracked(page);
    expect(await ordersOf(guest)).toBe(1);
  });

  test('can be left: the order is not kept, and what was typed stays', async () => {
    const guest = aGuest();
    const { page } = await lose(guest);
    await page.getByRole('button', { name: 'Do not send it' }).click();
    await page.getByRole('heading', { name: 'There was no answer' }).waitFor({ state: 'detached' });
    expect(await page.evaluate(() => Object.keys(sessionStorage).join())).toMatch(/^ahwa-checkout [^,]+$/);
    expect(await field(page, 'Mobile phone').inputValue()).toBe(guest.typed);
    expect(await ordersOf(guest)).toBe(0);
  });
});

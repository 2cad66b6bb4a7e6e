import type { Page } from 'playwright-core';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ShopFile } from '../../src/shopfile/contract/shopfile.ts';
import {
  expectSound,
  untilFocused,
  useBrowser,
  type OpenedPage,
  type OpenOptions,
} from '../support/browser/browser.ts';
import {
  addCoffee,
  field,
  fillContact,
  FILL_PLACE,
  placeIt,
  toCheckout,
  tracked,
  WORDS,
  type Words,
} from '../support/browser/ordering.ts';
import { aCard, aGuest, type Guest } from '../support/people/guests.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { aBranch, aShopFile, branchId, openShops, SLUG } from '../support/shops/cafe.ts';
import { aQuotingMenu } from '../support/shops/quoting-shop.ts';

const ALL_DAY = [{ open: '00:00', close: '00:00' }];
const CHANNELS = { pickup: {}, in_mall: { fee: 1000 }, umbrella: { fee: 1500 }, outside: { fee: 2500 } };
const LOCATION = { lat: 30.06, lng: 31.22 };

/** `zamalek` asks for codes, `maadi` does not. */
const branches = [
  aBranch({ channels: CHANNELS, location: LOCATION, online_hours: ALL_DAY, phone: '+20227350000' }),
  aBranch({
    ...{ key: 'maadi', code: 'MAD', name: { ar: 'المعادي', en: 'Maadi' }, otp_required: false },
    ...{ channels: CHANNELS, location: LOCATION, online_hours: ALL_DAY },
  }),
];

const menuWith = (coffee: object): ShopFile['menu'] => {
  const menu = aQuotingMenu();
  return {
    ...menu,
    items: menu.items?.map((each) => (each.key === 'turkish' ? { ...each, ...coffee } : each)) ?? [],
  };
};

const DEAL = {
  ...{ key: 'three', name: { ar: 'تلاتة بمية', en: 'Three for 100' }, kind: 'n_for_price' as const },
  ...{ qty: 3, price: 10_000, pool: [{ item: 'turkish' }] },
};

let world: World;
const open = (coffee: object = {}, deals: NonNullable<ShopFile['menu']['deals']> = [DEAL]): Promise<void> =>
  openShops(world, aShopFile({ branches, menu: { ...menuWith(coffee), deals } }));

beforeAll(async () => {
  world = await makeWorld();
});
beforeEach(() => open());
afterAll(() => world.close());
const browser = useBrowser();

type Channel = keyof typeof CHANNELS;
const wayTo = (channel: Channel, branch = 'zamalek'): string =>
  `/${SLUG}/order?branch=${branchId(branch)}&channel=${channel}`;

const begin = async (
  channel: Channel,
  { branch = 'zamalek', ...options }: OpenOptions & { readonly branch?: string } = {},
): Promise<OpenedPage> => {
  const opened = await browser.open(world, { language: 'en', ...options });
  await opened.page.context().grantPermissions(['geolocation']);
  await opened.page.context().setGeolocation({ latitude: 30.061, longitude: 31.221 });
  await opened.go(wayTo(channel, branch));
  return opened;
};

const typeCode = async (page: Page, { phone }: Guest, t: Words = WORDS.en): Promise<void> => {
  const code = field(page, t.code);
  await code.waitFor();
  await code.fill(world.phones.codeOf(phone));
};

interface StoredOrder {
  readonly customer_name: string;
  readonly contact_override: boolean;
  readonly total: number;
}
const ordersOf = async ({ phone }: Guest): Promise<readonly StoredOrder[]> => {
  const { rows } = await sql<StoredOrder>`
    select customer_name, contact_override, total from delivery_order where customer_phone = ${phone}
  `.execute(world.db.kysely);
  return rows;
};

describe.each([
  ['pickup', 'ar', 360],
  ['outside', 'ar', 360],
  ['in_mall', 'en', 360],
  ['umbrella', 'en', 1280],
] as const)('an order by %s in %s at %d px', (channel, language, width) => {
  test('goes from the menu to its tracking page with a real code, sound in every step', async () => {
    const t = WORDS[language];
    const guest = aGuest();
    const opened = await begin(channel, { language, width });
    const { page } = opened;
    await expectSound(opened);
    await page.getByRole('link', { name: t.coffee }).click();
    await page.getByRole('dialog').waitFor();
    await expectSound(opened);
    await page.getByRole('button', { name: t.add }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: t.cart }).click();
    await page.getByRole('dialog').waitFor();
    await expectSound(opened);
    await page.getByRole('button', { name: t.checkout }).click();
    await placeIt(page, t);
    await expect.poll(() => page.locator('[aria-invalid=true]').count()).toBeGreaterThan(1);
    await expectSound(opened);
    await fillContact(page, guest, t);
    await FILL_PLACE[channel](page, t);
    await placeIt(page, t);
    await field(page, t.code).waitFor();
    await expectSound(opened);
    await typeCode(page, guest, t);
    await tracked(page, t);
    expect(await ordersOf(guest)).toHaveLength(1);
  });
});

test('a returning guest finds his number and his place, and is asked for no code', async () => {
  const guest = aGuest();
  const { page, go } = await begin('outside');
  await addCoffee(page);
  await toCheckout(page);
  await fillContact(page, guest, WORDS.en, 'Mona El Sayed');
  await FILL_PLACE.outside(page, WORDS.en);
  await placeIt(page);
  await typeCode(page, guest);
  await tracked(page);

  await go(wayTo('outside'));
  await addCoffee(page);
  await toCheckout(page);
  await expect.poll(() => field(page, 'Mobile phone').inputValue()).toBe(guest.typed);
  expect(await field(page, 'Name').inputValue()).toBe('Mona El Sayed');
  await page.getByRole('radio', { name: '12 Brazil Street' }).check();
  await page.getByText('We know where you are').waitFor();
  const kept = await page.evaluate(() =>
    JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]),
  );
  expect(kept).not.toContain(guest.typed);
  expect(kept).not.toContain(guest.phone);
  await placeIt(page);
  await tracked(page);
  expect(await ordersOf(guest)).toHaveLength(2);
});

test('a wrong code is said at its field, and the right one still works', async () => {
  const guest = aGuest();
  const { page } = await begin('pickup');
  await addCoffee(page);
  await toCheckout(page);
  await fillContact(page, guest);
  await placeIt(page);
  const code = field(page, 'Confirmation code');
  await code.waitFor();
  await page.getByText(/^Another code in/).waitFor();
  await code.fill(world.phones.codeOf(guest.phone) === '000000' ? '111111' : '000000');
  await page.getByText('This code is wrong or has run out').waitFor();
  expect(await code.getAttribute('aria-invalid')).toBe('true');
  expect(await code.inputValue()).toBe('');
  await typeCode(page, guest);
  await tracked(page);
});

test('a number that is none is said at its field, before any code', async () => {
  const { page } = await begin('pickup');
  await addCoffee(page);
  await toCheckout(page);
  await fillContact(page, { typed: '0123' });
  await placeIt(page);
  await page.getByText('Must be a mobile phone number').waitFor();
  const phone = field(page, 'Mobile phone');
  await untilFocused(phone);
});

describe('where no code is asked for', () => {
  const ready = async (guest: Guest, options: OpenOptions = {}): Promise<OpenedPage> => {
    const opened = await begin('pickup', { branch: 'maadi', ...options });
    await addCoffee(opened.page);
    await toCheckout(opened.page);
    await fillContact(opened.page, guest);
    return opened;
  };

  test('a double tap makes one order', async () => {
    const guest = aGuest();
    const { page } = await ready(guest);
    await page.getByRole('button', { name: WORDS.en.place }).dblclick();
    await tracked(page);
    expect(await ordersOf(guest)).toHaveLength(1);
  });

  test('an answer that is lost is asked for again with the same key, and makes one order', async () => {
    const guest = aGuest();
    const opened = await ready(guest);
    const { page } = opened;
    let lost = 0;
    await page.route('**/public/delivery-orders', async (route) => {
      await route.fetch();
      lost += 1;
      await route.abort();
    });
    await placeIt(page);
    await page.getByRole('heading', { name: 'Waiting for the answer' }).waitFor();
    expect(lost).toBe(1);
    await expectSound({ ...opened, faults: [] });
    await page.unroute('**/public/delivery-orders');
    await page.getByRole('button', { name: 'Try now' }).click();
    await tracked(page);
    expect(await ordersOf(guest)).toHaveLength(1);
  });

  test('a reload while the answer is not known leads to the same order', async () => {
    const guest = aGuest();
    const { page } = await ready(guest);
    await page.route('**/public/delivery-orders', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await placeIt(page);
    await page.getByRole('heading', { name: 'Waiting for the answer' }).waitFor();
    await page.unroute('**/public/delivery-orders');
    await page.reload();
    await tracked(page);
    expect(await ordersOf(guest)).toHaveLength(1);
  });

  test('a price that changed under the cart is shown line by line and confirmed', async () => {
    const guest = aGuest();
    const opened = await ready(guest);
    const { page } = opened;
    await page.getByRole('button', { name: /^Place the order EGP 45/ }).waitFor();
    await open({ price: 5200 });
    await placeIt(page);
    await page.getByRole('heading', { name: 'The price has changed' }).waitFor();
    const dialog = page.getByRole('dialog', { name: 'The price has changed' });
    expect(
      (await dialog.getByText('Turkish coffee').locator('..').locator('..').innerText()).replace(/\s+/g, ' '),
    ).toMatch(/was EGP 45 now EGP 52/);
    expect(await ordersOf(guest)).toEqual([]);
    await expectSound({ ...opened, faults: [] });
    await page.getByRole('button', { name: 'Order at this price' }).click();
    await tracked(page);
    expect(await ordersOf(guest)).toMatchObject([{ total: 5200 }]);
  });

  test('a deal that has ended is a change of the price of its lines', async () => {
    const guest = aGuest();
    const { page } = await begin('pickup', { branch: 'maadi' });
    for (let units = 1; units <= 3; units += 1) await addCoffee(page);
    await toCheckout(page);
    await fillContact(page, guest);
    await open({}, []);
    await placeIt(page);
    const dialog = page.getByRole('dialog', { name: 'The price has changed' });
    await dialog.waitFor();
    expect((await dialog.locator('dl').innerText()).replace(/\s+/g, ' ').trim()).toBe(
      'Turkish coffee was EGP 100 now EGP 135 Total was EGP 100 now EGP 135',
    );
    await page.getByRole('button', { name: 'Order at this price' }).click();
    await tracked(page);
    expect(await ordersOf(guest)).toMatchObject([{ total: 13_500 }]);
  });

  test('what sold out meanwhile is marked in the cart and can be taken out', async () => {
    const guest = aGuest();
    const { page } = await ready(guest);
    await open({ availability: [{ branch: 'maadi', sold_out_until: '2027-01-01T00:00:00Z' }] });
    await placeIt(page);
    await page.getByText('Turkish coffee is not available now').first().waitFor();
    await page.getByRole('button', { name: 'Look at your order' }).click();
    await page.getByRole('button', { name: 'Remove: Turkish coffee' }).last().click();
    await page.getByRole('heading', { name: 'Your order is empty' }).waitFor();
    expect(await ordersOf(guest)).toEqual([]);
  });

  test('an item that has left the menu is said to have left it', async () => {
    const { page, go } = await browser.open(world, { language: 'en' });
    const menus = '**/public/branches/*/menu*';
    await page.route(menus, (route) => route.abort());
    await go(wayTo('pickup', 'maadi'));
    await open({ availability: [{ branch: 'maadi', on: false }] });
    await page.unroute(menus);
    await page.getByRole('link', { name: WORDS.en.coffee }).click();
    await page.getByRole('heading', { name: 'This is not on sale any more.' }).waitFor();
    await page.getByRole('button', { name: 'Back to the menu' }).click();
  });

  test('a cart names its deals, says what would save, and keeps its lines over a reload', async () => {
    const { page } = await begin('pickup', { branch: 'maadi' });
    await addCoffee(page);
    await addCoffee(page);
    await page.getByRole('button', { name: /^View your order · 2 items.*EGP 90/ }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: WORDS.en.cart }).click();
    await page.getByRole('button', { name: /^Add Turkish coffee: saves/ }).click();
    await page.getByText('Three for 100').last().waitFor();
    await page.getByRole('button', { name: /^Check out.*EGP 100/ }).waitFor();
    await page.getByRole('button', { name: 'One less: Turkish coffee' }).click();
    await page.getByRole('button', { name: /^Check out.*EGP 90/ }).waitFor();
  });

  test('a combo and an item with a required group are made by their bounds', async () => {
    const { page } = await begin('pickup', { branch: 'maadi' });
    await page.getByRole('link', { name: /^ساندويتش/ }).click();
    await page.getByRole('button', { name: 'Add to your order' }).click();
    const ketchup = page.getByRole('checkbox', { name: 'كاتشب' });
    await page.getByText('Choose one').last().waitFor();
    await untilFocused(ketchup);
    await ketchup.check();
    await page.getByRole('button', { name: /^Add to your order EGP 80/ }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: /^Breakfast/ }).click();
    await page.getByRole('radio', { name: 'Latte' }).check();
    await page.getByRole('button', { name: 'One more: كيك' }).click();
    await page.getByRole('button', { name: /^Add to your order EGP 90/ }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /2 items.*EGP 170/ }).waitFor();
  });

  test('the keyboard alone is enough, and every step takes the focus to its heading', async () => {
    const guest = aGuest();
    const { page } = await begin('pickup', { branch: 'maadi', width: 1280 });
    /** The text of what has the focus; of a field its name. */
    const focused = (): Promise<string> =>
      page.evaluate(() => {
        const { activeElement: element } = document;
        return element instanceof HTMLInputElement ? element.name : (element?.textContent ?? '');
      });
    const tabTo = async (name: RegExp): Promise<void> => {
      for (let presses = 0; presses < 60; presses += 1) {
        await page.keyboard.press('Tab');
        if (name.test(await focused())) return;
      }
      throw new Error(`the keyboard does not reach ${String(name)}`);
    };
    await tabTo(/^Turkish coffee/);
    await page.keyboard.press('Enter');
    await expect.poll(() => focused()).toBe('Turkish coffee');
    await tabTo(/^Add to your order/);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => focused()).toMatch(/^Turkish coffee/);
    await tabTo(/^View your order/);
    await page.keyboard.press('Enter');
    await expect.poll(() => focused()).toBe('Your order');
    await page.getByRole('button', { name: /^Check out.*EGP/ }).waitFor();
    await tabTo(/^Check out/);
    await page.keyboard.press('Enter');
    await expect.poll(() => focused()).toBe('Check out');
    await tabTo(/^customer_name$/);
    await page.keyboard.type('Mona');
    await tabTo(/^customer_phone$/);
    await page.keyboard.type(guest.typed);
    await page.getByRole('button', { name: /^Place the order.*EGP/ }).waitFor();
    await page.keyboard.press('Enter');
    await tracked(page);
  });
});

describe('a guest with a loyalty card who types another number', () => {
  test('is asked whom the order is for; for somebody else it needs that phone’s code', async () => {
    const [owner, friend] = [aGuest(), aGuest()];
    const card = await aCard(world, owner, 'Mona');
    const opened = await begin('pickup');
    const { page, go } = opened;
    await addCoffee(page);
    await toCheckout(page);
    await fillContact(page, owner);
    await placeIt(page);
    await typeCode(page, owner);
    await tracked(page);

    await page.evaluate(([key, token]) => localStorage.setItem(key, JSON.stringify(token)), [
      `ahwa-card ${SLUG}`,
      card,
    ] as const);
    await go(wayTo('pickup'));
    await addCoffee(page);
    await toCheckout(page);
    await expect.poll(() => field(page, 'Mobile phone').inputValue()).toBe(owner.typed);
    await fillContact(page, friend, WORDS.en, 'Karim');
    await placeIt(page);
    await page.getByRole('heading', { name: 'Who is this order for?' }).waitFor();
    await page.getByRole('button', { name: /^For me, on my number/ }).waitFor();
    await expectSound(opened);
    await page.getByRole('button', { name: /^For Karim/ }).click();
    await typeCode(page, friend);
    await tracked(page);
    expect(await ordersOf(friend)).toEqual([{ customer_name: 'Karim', contact_override: true, total: 4500 }]);
  });
});

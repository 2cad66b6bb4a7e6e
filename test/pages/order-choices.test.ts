/** `/{slug}/order`: what was chosen is kept, and what it costs by now is said. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectSound, untilFocused, useBrowser } from '../support/browser/browser.ts';
import {
  aShopThatDelivers,
  field,
  fillIn,
  locateButton,
  NEAR,
  placeIt,
  standAt,
  tracked,
} from '../support/browser/ordering.ts';
import { aGuest } from '../support/people/guests.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { branchId, openShops, SLUG } from '../support/shops/cafe.ts';
import { aQuotingMenu } from '../support/shops/quoting-shop.ts';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.close());
const browser = useBrowser();

test('a delivery fee that changed is shown with the total and confirmed', async () => {
  const guest = aGuest();
  await openShops(world, aShopThatDelivers());
  const opened = await browser.open(world, { language: 'en' });
  const { page } = opened;
  await fillIn(opened, 'outside', guest);
  await standAt(opened, NEAR);
  await locateButton(opened).click();
  await field(page, 'Address').fill('12 Brazil Street');
  await page.getByRole('button', { name: /^Place the order EGP 70/ }).waitFor();
  await openShops(world, aShopThatDelivers({ fee: 3_500 }));
  await placeIt(page);
  const dialog = page.getByRole('dialog', { name: 'The price has changed' });
  await dialog.waitFor();
  const text = (await dialog.innerText()).replace(/\s+/g, ' ');
  expect(text).toMatch(/Delivery was EGP 25 now EGP 35 Total was EGP 70 now EGP 80/);
  await expectSound({ ...opened, faults: [] });
  await page.getByRole('button', { name: 'Order at this price' }).click();
  await tracked(page);
});

test('one more of the same in a combo keeps what was chosen for the first, and nothing is named as a choice', async () => {
  const slots = [
    {
      key: 'drinks',
      name: 'Drinks',
      min: 1,
      max: 3,
      choices: [{ item: 'latte', included_size: 'صغير' }, { item: 'turkish' }],
    },
    { key: 'sweet', name: 'Sweet', min: 0, max: 1, choices: [{ item: 'cake' }] },
  ];
  const combos = [{ key: 'for-two', name: { ar: 'لاتنين', en: 'For two' }, price: 9000, slots }];
  await openShops(world, { ...aShopThatDelivers(), menu: aQuotingMenu({ combos }) });
  const { page, go } = await browser.open(world, { language: 'en' });
  await go(`/${SLUG}/order?branch=${branchId()}&channel=pickup`);
  await page.getByRole('link', { name: /^For two/ }).click();
  const more = page.getByRole('button', { name: 'One more: Latte' });
  const oat = page.getByRole('radio', { name: /^شوفان/ });
  await more.click();
  await oat.check();
  await more.click();
  await expect.poll(() => oat.count()).toBe(2);
  expect(await oat.first().isChecked()).toBe(true);
  expect(await oat.last().isChecked()).toBe(false);
  await page.getByRole('button', { name: 'One less: Latte' }).click();
  await expect.poll(() => oat.count()).toBe(1);
  expect(await oat.isChecked()).toBe(true);
  expect(await page.getByRole('radio', { name: 'None' }).isChecked()).toBe(true);
});

test('a search that cannot be loaded says so and is loaded by the next letter; closed, it returns the focus', async () => {
  await openShops(world, aShopThatDelivers());
  const opened = await browser.open(world, { language: 'en' });
  const { page, go } = opened;
  const menus = '**/public/branches/*/menu*';
  await page.route(menus, (route) => route.abort());
  await go(`/${SLUG}/order?branch=${branchId()}&channel=pickup`);
  const button = page.getByRole('button', { name: 'Search the menu' });
  await button.click();
  await page.getByText('The search could not be loaded.').waitFor();
  await expectSound({ ...opened, faults: [] });
  await page.unroute(menus);
  const status = page.getByRole('search').getByRole('status');
  await page.getByRole('searchbox').fill('turkish');
  await status.getByText('1 item').waitFor({ state: 'attached' });
  await page.keyboard.press('Escape');
  await untilFocused(button);
});

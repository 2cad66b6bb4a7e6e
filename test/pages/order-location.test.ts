/** `/{slug}/order`: the device's location, which comes late, or not at all. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { expectSound, useBrowser, type OpenedPage } from '../support/browser/browser.ts';
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
import { aGuest } from '../support/people/guests.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { openShops } from '../support/shops/cafe.ts';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
beforeEach(() => openShops(world, aShopThatDelivers()));
afterAll(() => world.close());
const browser = useBrowser();

const atCheckout = async (): Promise<OpenedPage> => {
  const opened = await browser.open(world, { language: 'en' });
  await fillIn(opened, 'outside', aGuest());
  return opened;
};

/** The device finds its location at the event `found`. */
const findWhenTold = ({ page }: OpenedPage, at: typeof NEAR): Promise<void> =>
  page.evaluate((coords) => {
    navigator.geolocation.getCurrentPosition = (onFound) =>
      addEventListener('found', () => onFound({ coords } as GeolocationPosition), { once: true });
  }, at);

test('what is typed while the device looks for its location stays', async () => {
  const opened = await atCheckout();
  const { page } = opened;
  await findWhenTold(opened, NEAR);
  await locateButton(opened).click();
  await page.getByText('Finding you…').waitFor();
  await field(page, 'Address').fill('12 Brazil Street');
  await field(page, 'Notes for the courier').fill('The blue door');
  await page.evaluate(() => dispatchEvent(new Event('found')));
  await page.getByText('We know where you are').waitFor();
  expect(await field(page, 'Address').inputValue()).toBe('12 Brazil Street');
  expect(await field(page, 'Notes for the courier').inputValue()).toBe('The blue door');
  await placeIt(page);
  await tracked(page);
});

test('the sums of the checkout add up where tax comes on top, of the delivery too', async () => {
  await openShops(world, aShopThatDelivers({ tax: { rate: 0.14, inclusive: false } }));
  const opened = await atCheckout();
  const { page } = opened;
  await standAt(opened, NEAR);
  await locateButton(opened).click();
  // A coffee of 45 pounds and a delivery of 25, and 14 % of both.
  await page.getByRole('button', { name: /^Place the order EGP 79\.80/ }).waitFor();
  expect(await page.locator('dl.sums dd').allInnerTexts()).toEqual([
    ...['EGP 45', 'EGP 25', 'EGP 9.80', 'EGP 79.80'],
  ]);
});

test('a saved place that is chosen while the device looks for its location keeps its own', async () => {
  const guest = aGuest();
  const opened = await browser.open(world, { language: 'en' });
  const { page } = opened;
  await openShops(world, aShopThatDelivers({ asksForCodes: true }));
  await fillIn(opened, 'outside', guest);
  await standAt(opened, NEAR);
  await locateButton(opened).click();
  await field(page, 'Address').fill('12 Brazil Street');
  await placeIt(page);
  const code = field(page, 'Confirmation code');
  await code.waitFor();
  await code.fill(world.phones.codeOf(guest.phone));
  await tracked(page);

  await fillIn(opened, 'outside', guest);
  await findWhenTold(opened, FAR);
  await locateButton(opened).click();
  await page.getByRole('radio', { name: '12 Brazil Street' }).check();
  await page.getByRole('button', { name: /^Place the order EGP 70/ }).waitFor();
  await page.evaluate(() => dispatchEvent(new Event('found')));
  await page.getByText('We know where you are').waitFor();
  await placeIt(page);
  await tracked(page);
});

test('a device that does not find its location is told apart from one that keeps it, and tries again', async () => {
  const opened = await atCheckout();
  const { page } = opened;
  await page.context().grantPermissions(['geolocation']);
  await page.context().setGeolocation(null);
  await locateButton(opened).click();
  await page.getByText('Your device could not find its location just now.').waitFor();
  await expectSound(opened);
  await page.context().setGeolocation(NEAR);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('We know where you are').waitFor();
});

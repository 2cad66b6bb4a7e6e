/** A guest at the order page, by what stands there. */
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { ShopFile } from '../../../src/shopfile/contract/shopfile.ts';
import type { OnlineChannel } from '../../../src/shops/domain/shop.ts';
import type { Guest } from '../people/guests.ts';
import { aBranch, aShopFile, branchId, SLUG } from '../shops/cafe.ts';
import type { BranchEntry } from '../shops/shop-file.ts';
import type { OpenedPage } from './browser.ts';

const LOCATION = { lat: 30.06, lng: 31.22 };
export const NEAR = { latitude: 30.061, longitude: 31.221 };
/** In Giza, eleven kilometres away. */
export const FAR = { latitude: 29.98, longitude: 31.13 };

interface Opening {
  /** Default: no. */
  readonly asksForCodes?: boolean;
  /** Of a delivery, in piastres. */
  readonly fee?: number;
  readonly maxMeters?: number;
  readonly hours?: NonNullable<BranchEntry['online_hours']>[number];
  readonly brake?: ShopFile['order_brake'];
  /** Of the delivery too. */
  readonly tax?: BranchEntry['tax'];
}

export const aShopThatDelivers = ({
  asksForCodes = false,
  fee = 2_500,
  maxMeters = 3_000,
  hours,
  brake,
  tax,
}: Opening = {}): ShopFile =>
  aShopFile({
    ...(brake === undefined ? {} : { order_brake: brake }),
    branches: [
      aBranch({
        ...{ otp_required: asksForCodes, location: LOCATION, phone: '+20227350000' },
        channels: { pickup: {}, outside: { fee, max_distance_meters: maxMeters } },
        ...(tax === undefined ? {} : { tax, delivery_fee_taxable: true }),
        online_hours: [hours ?? { open: '00:00', close: '00:00' }],
      }),
    ],
  });

export const WORDS = {
  en: {
    ...{
      coffee: /^Turkish coffee/,
      add: 'Add to your order',
      cart: /^View your order/,
      checkout: /^Check out/,
    },
    ...{ name: 'Name', phone: 'Mobile phone', place: /^Place the order/, locate: 'Use my location' },
    ...{ located: 'We know where you are', address: 'Address', floor: /^Floor/, unit: /^Flat or unit/ },
    ...{ shop: 'Shop or office', umbrella: 'Umbrella or chalet', code: 'Confirmation code' },
    ...{ tracked: 'We have your order' },
  },
  ar: {
    ...{ coffee: /^قهوة تركي/, add: 'أضف إلى طلبك', cart: /^اعرض طلبك/, checkout: /^إتمام الطلب/ },
    ...{ name: 'الاسم', phone: 'رقم الموبايل', place: /^أرسل الطلب/, locate: 'حدّد موقعي' },
    ...{ located: 'حددنا موقعك', address: 'العنوان', floor: /^الدور/, unit: /^رقم الشقة أو الوحدة/ },
    ...{ shop: 'اسم المحل أو المكتب', umbrella: 'رقم الشمسية أو الشاليه', code: 'كود التأكيد' },
    ...{ tracked: 'وصلنا طلبك' },
  },
} as const;
export type Words = (typeof WORDS)['ar' | 'en'];

export const addCoffee = async (page: Page, t: Words = WORDS.en): Promise<void> => {
  await page.getByRole('link', { name: t.coffee }).click();
  await page.getByRole('button', { name: t.add }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
};

/** From the cart. The checkout asks for the price again, without hints: until then a price that changes is said at once. */
export const checkOut = async (page: Page, name: string | RegExp): Promise<void> => {
  const priced = page.waitForResponse(
    (response) =>
      response.url().endsWith('/cart-quote') &&
      response.request().postData()?.includes('"hints":false') === true,
  );
  await page.getByRole('button', { name }).click();
  await priced;
};

export const toCheckout = async (page: Page, t: Words = WORDS.en): Promise<void> => {
  await page.getByRole('button', { name: t.cart }).click();
  await checkOut(page, t.checkout);
  await page.getByRole('heading', { name: t.checkout }).waitFor();
};

export const field = (page: Page, name: string | RegExp): Locator => page.getByLabel(name);

export const fillContact = async (
  page: Page,
  { typed }: Pick<Guest, 'typed'>,
  t: Words = WORDS.en,
  name = 'Mona',
): Promise<void> => {
  await field(page, t.name).fill(name);
  await field(page, t.phone).fill(typed);
};

const locate = async (page: Page, t: Words): Promise<void> => {
  await page.getByRole('button', { name: t.locate }).click();
  await page.getByText(t.located).waitFor();
};

export const FILL_PLACE: Readonly<Record<OnlineChannel, (page: Page, t: Words) => Promise<void>>> = {
  pickup: () => Promise.resolve(),
  outside: async (page, t) => {
    await locate(page, t);
    await field(page, t.address).fill('12 Brazil Street');
  },
  in_mall: async (page, t) => {
    await locate(page, t);
    await field(page, t.shop).fill('Books');
    await field(page, t.floor).fill('2');
    await field(page, t.unit).fill('B14');
  },
  umbrella: (page, t) => field(page, t.umbrella).fill('42'),
};

export const placeIt = (page: Page, t: Words = WORDS.en): Promise<void> =>
  page.getByRole('button', { name: t.place }).click();

export const tracked = async (page: Page, t: Words = WORDS.en): Promise<void> => {
  await page.waitForURL(/\/track\//);
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(t.tracked);
};

/** To the checkout, with a coffee, a name and a phone. */
export const fillIn = async (
  { page, go }: OpenedPage,
  channel: 'pickup' | 'outside',
  guest: Guest,
): Promise<void> => {
  await go(`/${SLUG}/order?branch=${branchId()}&channel=${channel}`);
  await addCoffee(page);
  await toCheckout(page);
  await fillContact(page, guest);
};

export const standAt = async ({ page }: OpenedPage, at: typeof NEAR): Promise<void> => {
  await page.context().grantPermissions(['geolocation']);
  await page.context().setGeolocation(at);
};

export const locateButton = ({ page }: OpenedPage) =>
  page.getByRole('button', { name: /^(Use my location|Find me)/ });

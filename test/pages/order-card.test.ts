/** `/{slug}/order` for a guest with a loyalty card: greeted, and filled in from the last order. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectSound, useBrowser, type OpenedPage, type OpenOptions } from '../support/browser/browser.ts';
import { aShopWithRewards, CARD_WORDS, keepCardOn, orderedBy } from '../support/browser/card-owner.ts';
import { aShopThatDelivers, field, fillIn, placeIt, tracked, WORDS } from '../support/browser/ordering.ts';
import { aMember, aProgramme, type MemberGuest } from '../support/people/reward-members.ts';
import { cardAddress, joined, tokenIn } from '../support/people/members.ts';
import { aGuest, PLACES, proveOn } from '../support/people/guests.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { aBranch, branchId, openShops, SLUG } from '../support/shops/cafe.ts';
import { aQuotingMenu, item } from '../support/shops/quoting-shop.ts';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
beforeEach(() => openShops(world, aShopWithRewards()));
afterAll(() => world.close());
const browser = useBrowser();

const wayTo = (channel: string, branch = 'zamalek'): string =>
  `/${SLUG}/order?branch=${branchId(branch)}&channel=${channel}`;

const openAs = async (
  member: MemberGuest,
  address: string,
  { isProven = true, ...options }: OpenOptions & { readonly isProven?: boolean } = {},
): Promise<OpenedPage> => {
  const opened = await browser.open(world, { language: 'en', ...options });
  await keepCardOn(opened, member, { isProven });
  await opened.go(address);
  return opened;
};

const storedCard = ({ page }: OpenedPage): Promise<string | null> =>
  page.evaluate((key) => localStorage.getItem(key), `ahwa-card ${SLUG}`);

describe.each([
  ['ar', false],
  ['en', true],
] as const)('in %s, dark: %s', (language, isDark) => {
  test('a guest with a card is greeted by the first name and orders the same again in two taps', async () => {
    const t = CARD_WORDS[language];
    const words = WORDS[language];
    const member = await aMember(world);
    await orderedBy(world, member, { payment_method_hint: 'card' });
    const opened = await openAs(member, wayTo('pickup'), { language, isDark });
    const { page } = opened;
    await page.getByRole('heading', { name: t.hello }).waitFor();
    await page.getByRole('button', { name: t.same }).waitFor();
    await expectSound(opened);
    await page.getByRole('button', { name: t.same }).click();
    await page.getByRole('heading', { name: words.checkout }).waitFor();
    await page.getByRole('button', { name: words.place }).filter({ hasText: /45/ }).waitFor();
    expect(await field(page, words.name).inputValue()).toBe('منى السيد');
    expect(await field(page, words.phone).inputValue()).toBe(member.typed);
    expect(await page.getByRole('radio', { name: /Card|بطاقة/ }).isChecked()).toBe(true);
    await page.getByText(t.forecast).waitFor();
    await expectSound(opened);
    await placeIt(page, words);
    await tracked(page, words);
    const stored = world.db.kysely.selectFrom('delivery_order').select(['payment_method_hint', 'cart']);
    const orders = await stored.where('customer_phone', '=', member.phone).execute();
    expect(orders.map(({ payment_method_hint: hint }) => hint)).toEqual(['card', 'card']);
  });
});

test('by keyboard the last order is in the cart, and ordered', async () => {
  const member = await aMember(world);
  await orderedBy(world, member);
  const { page } = await openAs(member, wayTo('pickup'));
  await page.getByRole('button', { name: 'The same again' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /^Place the order EGP 45/ }).waitFor();
  await field(page, 'Mobile phone').focus();
  await page.keyboard.press('Enter');
  await tracked(page);
});

test('what is not sold any more is named and left out, and the rest has the prices of now', async () => {
  const member = await aMember(world);
  await orderedBy(world, member, {
    items: [
      { menu_item_id: item('turkish'), quantity: 2 },
      { menu_item_id: item('latte'), quantity: 1, size_label: 'كبير', notes: 'hot' },
    ],
  });
  const menu = aQuotingMenu();
  const items = (menu.items ?? []).flatMap((each) => {
    if (each.key === 'turkish') return [];
    return each.key === 'latte' ? [{ ...each, sizes: [{ label: 'كبير', price: 9000 }] }] : [each];
  });
  const combos: [] = [];
  await openShops(world, aShopWithRewards({}, { menu: { ...menu, items, combos } }));
  const opened = await openAs(member, wayTo('pickup'));
  const { page } = opened;
  await page.getByRole('button', { name: 'The same again' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Not sold here any more, and left out:').waitFor();
  await dialog.getByText('2 × Turkish coffee').waitFor();
  await page.getByRole('button', { name: /^Check out EGP 90/ }).waitFor();
  await expectSound({ ...opened, faults: [] });
  // A second tap on the same order adds nothing.
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'The same again' }).click();
  await page.getByRole('button', { name: /^Check out EGP 90/ }).waitFor();
});

describe('on a device that has not proven the phone', () => {
  test('one code fills in the rest; that of another number does not, and one that ends otherwise gets none', async () => {
    const member = await aMember(world);
    await orderedBy(world, member);
    const rest = member.phone.slice('2010'.length);
    const alike = { phone: `2011${rest}`, typed: `011${rest}` };
    const opened = await openAs(member, wayTo('pickup'), { isProven: false });
    const { page } = opened;
    await page.getByRole('button', { name: 'Confirm your number' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('heading', { name: 'The number of your card' }).waitFor();
    await expectSound(opened);
    const isOther = dialog.getByText(/^This is not the number of your card, which ends in/);
    await dialog.getByLabel('Mobile phone').fill('01000000000');
    await dialog.getByRole('button', { name: 'Send the code' }).click();
    await isOther.waitFor();
    expect(world.phones.messages.filter(({ phone }) => phone === '201000000000')).toEqual([]);
    const prove = async ({ typed, phone }: typeof alike): Promise<void> => {
      await dialog.getByLabel('Mobile phone').fill(typed);
      await dialog.getByRole('button', { name: 'Send the code' }).click();
      await field(page, 'Confirmation code').waitFor();
      await field(page, 'Confirmation code').fill(world.phones.codeOf(phone));
    };
    await prove(alike);
    await isOther.waitFor();
    expect(await page.evaluate(() => localStorage.getItem('ahwa-device'))).toBeNull();
    world.now += 61_000;
    await prove(member);
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Confirm your number' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'The same again' }).click();
    await page.getByRole('button', { name: /^Place the order EGP 45/ }).waitFor();
    expect(await field(page, 'Mobile phone').inputValue()).toBe(member.typed);
    await placeIt(page);
    await tracked(page);
  });

  test('the same again is ordered with the code of the checkout where the branch asks for codes', async () => {
    await openShops(world, aShopWithRewards({ asksForCodes: true }));
    const member = await aMember(world);
    await orderedBy(world, member);
    const { page } = await openAs(member, wayTo('pickup'), { isProven: false });
    world.now += 61_000;
    await page.getByRole('button', { name: 'The same again' }).click();
    await field(page, 'Name').fill('Mona');
    await field(page, 'Mobile phone').fill(member.typed);
    await page.getByRole('button', { name: /^Place the order EGP 45/ }).click();
    const code = field(page, 'Confirmation code');
    await code.waitFor();
    await code.fill(world.phones.codeOf(member.phone));
    await tracked(page);
  });
});

test('saved places are one tap away; one that is out of reach says so and cannot be chosen', async () => {
  const far = { address_line: '1 Pyramids Road', customer_lat: 29.98, customer_lng: 31.13 };
  await openShops(world, aShopWithRewards({ maxMeters: 50_000 }));
  const member = await aMember(world);
  await orderedBy(world, member, { channel: 'outside', ...PLACES.outside, floor: '3' });
  world.now += 60_000;
  await orderedBy(world, member, { channel: 'outside', ...far });
  await openShops(world, aShopWithRewards());
  const opened = await openAs(member, wayTo('outside'));
  const { page } = opened;
  await page.getByRole('button', { name: 'The same again' }).click();
  await page.getByRole('button', { name: /^Place the order EGP 70/ }).waitFor();
  const places = page.getByRole('group', { name: 'Your places' });
  const stale = places.getByRole('radio', { name: /Pyramids Road.*Beyond the delivery of now/ });
  expect(await stale.isDisabled()).toBe(true);
  expect(await places.getByRole('radio', { name: /شارع البرازيل/ }).isChecked()).toBe(true);
  expect(await field(page, /^Floor/).inputValue()).toBe('3');
  await expectSound(opened);
  await places.getByRole('radio', { name: 'Another place' }).check();
  expect(await field(page, 'Address').inputValue()).toBe('');
  await places.getByRole('radio', { name: /شارع البرازيل/ }).check();
  await page.getByRole('button', { name: /^Place the order EGP 70/ }).click();
  await tracked(page);
});

describe('the page is as without a card', () => {
  test('when the card is not known any more, which is then forgotten', async () => {
    const opened = await openAs(
      { ...(await aMember(world)), memberToken: `M${'x'.repeat(22)}` },
      wayTo('pickup'),
    );
    const { page } = opened;
    await expect.poll(() => storedCard(opened)).toBeNull();
    await page.locator('#card-way').waitFor({ state: 'hidden' });
    expect(await page.getByRole('heading', { name: /^Hello/ }).count()).toBe(0);
    expect(opened.faults).toEqual([]);
  });

  test('with the card of another shop', async () => {
    await openShops(world, { ...aShopThatDelivers(), slug: 'other-shop', loyalty: aProgramme() });
    const member = await aMember(world);
    const opened = await browser.open(world, { language: 'en' });
    await opened.go('/other-shop');
    await opened.page.evaluate(
      (token) => localStorage.setItem('ahwa-card other-shop', JSON.stringify(token)),
      member.memberToken,
    );
    await opened.go('/other-shop/order');
    await opened.page.locator('a.item, a.way').first().waitFor();
    await opened.page.locator('#card-way').waitFor({ state: 'hidden' });
    expect(await opened.page.getByRole('heading', { name: /^Hello/ }).count()).toBe(0);
  });
});

describe('the choice of branch and channel', () => {
  const branches = (hours?: { open: string; close: string }) => [
    ...aShopThatDelivers().branches,
    aBranch({
      ...{ key: 'maadi', code: 'MAD', name: { ar: 'المعادي', en: 'Maadi' }, otp_required: false },
      channels: { pickup: {} },
      online_hours: [hours ?? { open: '00:00', close: '00:00' }],
    }),
  ];
  const firstBranch = (opened: OpenedPage) => opened.page.locator('.cards > li').last();

  test('offers the last branch and channel first', async () => {
    await openShops(world, aShopWithRewards({}, { branches: branches() }));
    const member = await aMember(world);
    const last = (await world.read('listBranches', `/public/branches?org_id=${await orgOf()}`)).at(-1);
    await orderedBy(world, member, { branch_id: last?.id ?? '' });
    const opened = await openAs(member, `/${SLUG}/order`);
    const { page } = opened;
    await page.getByRole('link', { name: /As last time/ }).waitFor();
    const first = page.locator('.cards > li').first();
    expect(await first.getAttribute('id')).toBe(`branch-${last?.id ?? ''}`);
    expect(await firstBranch(opened).count()).toBe(1);
    await expectSound(opened);
    await page.getByRole('link', { name: /As last time/ }).click();
    await page.waitForURL(/channel=pickup/);
    expect(page.url()).toContain(last?.id ?? '?');
  });

  test('says that the last branch takes no order now', async () => {
    await openShops(world, aShopWithRewards({}, { branches: branches() }));
    const member = await aMember(world);
    await orderedBy(world, member, { branch_id: branchId('maadi') });
    await openShops(world, aShopWithRewards({}, { branches: branches({ open: '01:00', close: '01:01' }) }));
    const opened = await openAs(member, `/${SLUG}/order`, { language: 'ar' });
    await opened.page.getByText('المعادي: استلام من الفرع غير متاح الآن.').waitFor();
    await expectSound(opened);
  });
});

const orgOf = async (): Promise<string> =>
  (await world.read('getBrand', `/public/orgs/brand?slug=${SLUG}`)).org_id;

test('the order that is the first proof of the card’s phone leaves the card on the device, under its new token', async () => {
  await openShops(world, aShopWithRewards({}, { loyalty: aProgramme({ require_otp: false }) }));
  const guest = aGuest();
  const old = tokenIn(await joined(world, { phone: guest.typed, name: 'منى السيد' }));
  const opened = await browser.open(world, { language: 'en' });
  const { page } = opened;
  await keepCardOn(opened, { memberToken: old, deviceToken: await proveOn(world, guest) });
  await fillIn(opened, 'pickup', guest);
  await placeIt(page);
  await tracked(page);
  await page.getByText('You earn 45 points when you get your order').waitFor();
  const kept = JSON.parse((await storedCard(opened)) ?? '') as string;
  expect(kept).not.toBe(old);
  expect((await world.get(cardAddress(kept))).status).toBe(200);
});

test('the card of this device stays when somebody else orders on it without the card, and proves another phone', async () => {
  await openShops(world, aShopWithRewards({}, { loyalty: aProgramme({ require_otp: false }) }));
  const [member, guest] = [await aMember(world), aGuest()];
  const others = tokenIn(await joined(world, { phone: guest.typed }));
  const opened = await browser.open(world, { language: 'en' });
  const { page } = opened;
  const deviceToken = await proveOn(world, guest);
  await keepCardOn(opened, { memberToken: member.memberToken, deviceToken });
  await fillIn(opened, 'pickup', guest);
  await placeIt(page);
  await page.getByRole('button', { name: 'Without my card' }).click();
  await tracked(page);
  // The order was the first proof of the other phone.
  expect((await world.get(cardAddress(others))).status).toBe(404);
  expect(JSON.parse((await storedCard(opened)) ?? '')).toBe(member.memberToken);
});

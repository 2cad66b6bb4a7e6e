/** `/{slug}/order`: rewards in the cart, what they cost and save, and what the order earns. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectSound, useBrowser, type OpenedPage, type OpenOptions } from '../support/browser/browser.ts';
import { aShopWithRewards, CARD_WORDS, keepCardOn, orderedBy } from '../support/browser/card-owner.ts';
import { addCoffee, checkOut, field, placeIt, tracked, WORDS } from '../support/browser/ordering.ts';
import { aMember, aProgramme, balanceOf, type MemberGuest } from '../support/people/reward-members.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { branchId, openShops, SLUG, thingId } from '../support/shops/cafe.ts';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
beforeEach(() => openShops(world, aShopWithRewards()));
afterAll(() => world.close());
const browser = useBrowser();

const ORDERING = `/${SLUG}/order?branch=${branchId()}&channel=pickup`;
const SPEND = CARD_WORDS.en.spend;

/** With a coffee in the cart, which is shown. */
const cartOf = async (
  member: MemberGuest,
  { isProven = true, ...options }: OpenOptions & { readonly isProven?: boolean } = {},
): Promise<OpenedPage> => {
  const { language = 'en' } = options;
  const opened = await browser.open(world, { ...options, language });
  await keepCardOn(opened, member, { isProven });
  await opened.go(ORDERING);
  await addCoffee(opened.page, WORDS[language]);
  await opened.page.getByRole('button', { name: WORDS[language].cart }).click();
  return opened;
};

const spendsElsewhere = (member: MemberGuest) =>
  orderedBy(world, member, {
    rewards: [{ reward_id: thingId('reward', 'coffee'), line_index: 0, units: 1 }],
  });

describe.each(['ar', 'en'] as const)('in %s', (language) => {
  test('a reward is offered with what it costs and saves, and pays for the coffee', async () => {
    const [t, words] = [CARD_WORDS[language], WORDS[language]];
    const member = await aMember(world, 25);
    const opened = await cartOf(member, { language, isDark: language === 'ar' });
    const { page } = opened;
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: t.spend }).waitFor();
    await dialog.getByText(t.have, { exact: true }).waitFor();
    await expectSound(opened);
    await dialog.getByRole('button', { name: t.spend }).click();
    await dialog.getByRole('button', { name: t.takeBack }).waitFor();
    await dialog.getByText(t.reward, { exact: true }).waitFor();
    await dialog.getByText(t.left, { exact: true }).waitFor();
    expect(await dialog.locator('.cart-line del').innerText()).toContain('45');
    await expectSound(opened);
    await page.getByRole('button', { name: words.checkout }).click();
    await field(page, words.name).waitFor();
    await page.getByRole('button', { name: words.place }).filter({ hasText: /0/ }).waitFor();
    await placeIt(page, words);
    await tracked(page, words);
    expect(await balanceOf(world, member.cardId)).toBe(15);
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  });
});

const rewardFor = (cost: number): Promise<void> =>
  openShops(world, aShopWithRewards({}, { loyalty: aProgramme({ rewards: [{ ...FREE_WHITE, cost }] }) }));

const FREE_WHITE = { key: 'white', name: { ar: 'فلات وايت هدية', en: 'A free flat white' } };

/** Of an order that earns 45 points, by the cost of the reward. */
const FORECASTS = {
  ar: [
    [45, 'يكفي رصيدك بعد الطلب لـ«فلات وايت هدية»'],
    [46, 'الباقي على «فلات وايت هدية»: نقطة واحدة'],
    [47, 'الباقي على «فلات وايت هدية»: نقطتان'],
    [52, 'الباقي على «فلات وايت هدية»: 7 نقاط'],
    [60, 'الباقي على «فلات وايت هدية»: 15 نقطة'],
    [145, 'الباقي على «فلات وايت هدية»: 100 نقطة'],
  ],
  en: [
    [45, 'then enough for “A free flat white”'],
    [46, '1 more to “A free flat white”'],
    [47, '2 more to “A free flat white”'],
    [52, '7 more to “A free flat white”'],
  ],
} as const;

const ISOLATES = /[\u2066-\u2069]/g;

test.each(['ar', 'en'] as const)(
  'in %s the cart says what the order earns and how far the next reward is then, in words for every count',
  async (language) => {
    await rewardFor(45);
    const member = await aMember(world);
    const { page } = await cartOf(member, { language });
    const forecast = page.getByRole('dialog').locator('.forecast');
    for (const [cost, next] of FORECASTS[language]) {
      await rewardFor(cost);
      await page.reload();
      const words = `${CARD_WORDS[language].forecast} · ${next}`;
      await expect.poll(async () => (await forecast.innerText()).replaceAll(ISOLATES, '').trim()).toBe(words);
    }
  },
);

test.each([
  ['ar', /^اصرف نقطتين، توفر 45/, 'مكافأة: فلات وايت هدية مقابل نقطتين', 'يتبقى لك نقطتان'],
  ['en', /^Spend 2 points, save EGP 45/, 'Reward: A free flat white for 2 points', 'You have 2 points left'],
] as const)('in %s two points are spent, and two are left, in words that read well', async (...sentences) => {
  const [language, spend, paid, left] = sentences;
  await rewardFor(2);
  const { page } = await cartOf(await aMember(world, 4), { language });
  await page.getByRole('button', { name: spend }).click();
  await page.getByText(paid).waitFor();
  await page.getByText(left, { exact: true }).waitFor();
});

test('a line with fewer units has fewer rewards, and one that is removed has none', async () => {
  const member = await aMember(world, 25);
  const { page } = await cartOf(member);
  await page.getByRole('button', { name: 'One more: Turkish coffee' }).click();
  await page.getByRole('button', { name: SPEND }).click();
  await page.getByText('Reward: A free coffee for 10 points').waitFor();
  await page.getByRole('button', { name: SPEND }).click();
  await page.getByText('Reward: A free coffee for 20 points').waitFor();
  await page.getByRole('button', { name: 'One less: Turkish coffee' }).click();
  await page.getByText('Reward: A free coffee for 10 points').waitFor();
  await page.reload();
  await page.getByText('Reward: A free coffee for 10 points').waitFor();
  await page.getByRole('button', { name: 'Remove: Turkish coffee' }).click();
  await page.getByRole('heading', { name: 'Your order is empty' }).waitFor();
  await page.getByRole('button', { name: 'Back to the menu' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await addCoffee(page);
  await page.getByRole('button', { name: WORDS.en.cart }).click();
  await page.getByRole('button', { name: SPEND }).waitFor();
  expect(await page.getByRole('button', { name: /^Without the reward/ }).count()).toBe(0);
});

test('a reward that costs more meanwhile is shown with both costs, and taken at the confirmed one', async () => {
  await rewardFor(10);
  const member = await aMember(world, 25);
  const opened = await cartOf(member);
  const { page } = opened;
  await page.getByRole('button', { name: SPEND }).click();
  await page.getByRole('button', { name: /^Without the reward/ }).waitFor();
  await checkOut(page, /^Check out EGP 0/);
  await page.getByRole('button', { name: WORDS.en.place }).filter({ hasText: /0/ }).waitFor();
  await rewardFor(12);
  await placeIt(page);
  const dialog = page.getByRole('dialog', { name: 'The price has changed' });
  await dialog.waitFor();
  expect((await dialog.locator('dl').innerText()).replace(/\s+/g, ' ').trim()).toBe(
    'Rewards, off your card was 10 now 12 Total was EGP 0 now EGP 0',
  );
  expect(await balanceOf(world, member.cardId)).toBe(25);
  await expectSound({ ...opened, faults: [] });
  await page.getByRole('button', { name: 'Order at this price' }).click();
  await tracked(page);
  expect(await balanceOf(world, member.cardId)).toBe(13);
});

test('a reward can be taken off again', async () => {
  const { page } = await cartOf(await aMember(world, 25));
  await page.getByRole('button', { name: SPEND }).click();
  await page.getByRole('button', { name: /^Without the reward/ }).click();
  await page.getByRole('button', { name: /^Check out EGP 45/ }).waitFor();
});

test('on a device that has not proven the phone, rewards are offered after the code', async () => {
  const member = await aMember(world, 25);
  const opened = await cartOf(member, { isProven: false });
  const { page } = opened;
  const cart = page.getByRole('dialog').first();
  await cart.getByText('You have 25 points').waitFor();
  expect(await page.getByRole('button', { name: SPEND }).count()).toBe(0);
  await expectSound(opened);
  await cart.getByRole('button', { name: 'Confirm your number' }).click();
  world.now += 61_000;
  await page.getByLabel('Mobile phone').fill(member.typed);
  await page.getByRole('button', { name: 'Send the code' }).click();
  await field(page, 'Confirmation code').waitFor();
  await field(page, 'Confirmation code').fill(world.phones.codeOf(member.phone));
  await page.getByRole('button', { name: SPEND }).waitFor();
});

describe('a reward that was spent elsewhere meanwhile', () => {
  const FIGURES = /it has 5, and 10 are needed/;

  test('is said with its figures and taken out when the price is asked for', async () => {
    const member = await aMember(world, 15);
    const opened = await cartOf(member);
    const { page } = opened;
    await page.getByRole('button', { name: SPEND }).click();
    await page.getByRole('button', { name: /^Without the reward/ }).waitFor();
    await spendsElsewhere(member);
    await page.getByRole('button', { name: 'One more: Turkish coffee' }).click();
    await page.getByRole('alert').getByText(FIGURES).waitFor();
    await page.getByRole('button', { name: /^Check out EGP 90/ }).waitFor();
    await expectSound({ ...opened, faults: [] });
  });

  test('is said in the checkout when the price is asked for on the way there', async () => {
    const member = await aMember(world, 15);
    const opened = await cartOf(member);
    const { page } = opened;
    await page.getByRole('button', { name: SPEND }).click();
    await page.getByRole('button', { name: /^Without the reward/ }).waitFor();
    await spendsElsewhere(member);
    await page.getByRole('button', { name: /^Check out EGP 0/ }).click();
    await page.getByRole('heading', { name: /^Check out/ }).waitFor();
    await page.getByRole('alert').getByText(FIGURES).waitFor();
    await page.getByRole('button', { name: /^Place the order EGP 45/ }).waitFor();
    await expectSound({ ...opened, faults: [] });
  });

  test('is said when the order is placed, which waits for the guest to see its price', async () => {
    const member = await aMember(world, 15);
    const { page } = await cartOf(member);
    await page.getByRole('button', { name: SPEND }).click();
    await checkOut(page, /^Check out EGP 0/);
    await page.getByRole('button', { name: /^Place the order EGP 0/ }).waitFor();
    await spendsElsewhere(member);
    await placeIt(page);
    await page.getByRole('alert').getByText(FIGURES).waitFor();
    await page.getByRole('button', { name: /^Place the order EGP 45/ }).click();
    await tracked(page);
    expect(await balanceOf(world, member.cardId)).toBe(5);
  });
});

test('a guest without a card is told of the programme, where there is one', async () => {
  const opened = await browser.open(world, { language: 'en' });
  const { page, go } = opened;
  let asked = 0;
  page.on('request', (request) => (asked += Number(/order-now|loyalty/.test(request.url()))));
  await go(ORDERING);
  await addCoffee(page);
  await page.getByRole('button', { name: WORDS.en.cart }).click();
  const link = page.getByRole('link', { name: /^Collect rewards with each order/ });
  expect(await link.getAttribute('href')).toBe(`/${SLUG}/join`);
  await expectSound(opened);
  expect(asked).toBe(0);
  await openShops(world, aShopWithRewards({}, { loyalty: aProgramme({ enabled: false }) }));
  await page.reload();
  await page.getByRole('button', { name: /^Check out EGP 45/ }).waitFor();
  expect(await link.count()).toBe(0);
});

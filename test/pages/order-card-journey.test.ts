/** From joining on a new phone to a reward that is spent in the next order, in a real browser. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectSound, useBrowser } from '../support/browser/browser.ts';
import { aShopWithRewards, CARD_WORDS } from '../support/browser/card-owner.ts';
import { addCoffee, field, placeIt, toCheckout, tracked, WORDS } from '../support/browser/ordering.ts';
import { aProgramme } from '../support/people/reward-members.ts';
import { aGuest } from '../support/people/guests.ts';
import { aMember, changed, setPasswordAndSignIn, type SignedIn } from '../support/people/staff.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { branchId, openShops, SLUG } from '../support/shops/cafe.ts';

let world: World;
let staff: SignedIn;
beforeAll(async () => {
  world = await makeWorld();
  const loyalty = aProgramme({ require_otp: true });
  await openShops(
    world,
    aShopWithRewards({ asksForCodes: true }, { loyalty, staff: [aMember('owner', 'owner')] }),
  );
  staff = await setPasswordAndSignIn(world, 'owner');
});
afterAll(() => world.close());
const browser = useBrowser();

const ORDERING = `/${SLUG}/order?branch=${branchId()}&channel=pickup`;

const JOIN = {
  en: { name: 'Name', phone: 'Mobile number', join: 'Join', confirm: 'Confirm and open the card' },
  ar: { name: 'الاسم', phone: 'رقم الموبايل', join: 'انضم', confirm: 'أكّد وافتح البطاقة' },
} as const;
const SEEN = {
  en: {
    ...{
      earns: 'You earn 45 points when you get your order',
      earned: 'You earned 45 points with this order',
    },
    ...{
      after: /when you get your order · then enough for “[^”]+”$/,
      now: /this order · enough for “[^”]+”$/,
    },
    ...{ balance: '45 points', left: '35 points', cost: '10 points' },
  },
  ar: {
    ...{ earns: 'تكسب 45 نقطة عند استلام طلبك', earned: 'كسبت 45 نقطة من هذا الطلب' },
    ...{ after: /استلام طلبك · يكفي رصيدك بعد الطلب لـ«[^»]+»$/, now: /هذا الطلب · يكفي رصيدك لـ«[^»]+»$/ },
    ...{ balance: '45 نقطة', left: '35 نقطة', cost: '10 نقاط' },
  },
} as const;

const idIn = (page: Page): string => new URL(page.url()).pathname.split('/').at(-1) ?? '';

test.each(['ar', 'en'] as const)(
  'in %s a guest joins, orders, sees the balance after delivery, and spends a reward in the next order',
  async (language) => {
    const [t, words, join, seen] = [CARD_WORDS[language], WORDS[language], JOIN[language], SEEN[language]];
    const guest = aGuest();
    const opened = await browser.open(world, { language });
    const { page, go } = opened;

    await go(`/${SLUG}/join`);
    await page.getByLabel(join.name).fill('منى السيد');
    await page.getByLabel(join.phone).fill(guest.typed);
    await page.getByRole('button', { name: join.join, exact: true }).click();
    const code = page.getByLabel(words.code);
    await code.waitFor();
    await code.fill(world.phones.codeOf(guest.phone));
    const confirm = page.getByRole('button', { name: join.confirm });
    if (await confirm.isVisible()) await confirm.click();
    await page.waitForURL(/\/card\/M/);
    const cardPage = new URL(page.url()).pathname;

    await go(ORDERING);
    await page.getByRole('heading', { name: t.hello }).waitFor();
    await addCoffee(page, words);
    await toCheckout(page, words);
    await expect.poll(() => field(page, words.phone).inputValue()).toBe(guest.typed);
    await page.getByText(t.forecast).waitFor();
    await page.getByRole('button', { name: words.place }).filter({ hasText: /45/ }).waitFor();
    await placeIt(page, words);
    await tracked(page, words);
    await page.getByText(seen.earns).waitFor();
    await page.getByText(seen.after).waitFor();
    await expectSound(opened);
    await changed(world, staff, idIn(page), 'finalize', { payment_method: 'cash', from: 'received' });
    await page.reload();
    await page.getByText(seen.earned).waitFor();
    await page.getByText(seen.now).waitFor();

    await go(cardPage);
    await page.getByText(seen.balance, { exact: true }).first().waitFor();

    await go(ORDERING);
    await page.getByRole('button', { name: t.same }).click();
    await page.getByRole('heading', { name: words.checkout }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: t.spend }).click();
    await page.getByText(t.reward, { exact: true }).waitFor();
    await page.getByRole('button', { name: words.checkout }).click();
    await field(page, words.name).waitFor();
    await page.getByRole('button', { name: words.place }).filter({ hasText: /0/ }).waitFor();
    await placeIt(page, words);
    await tracked(page, words);
    await page.getByText(t.reward, { exact: true }).waitFor();
    await page.getByText(seen.cost, { exact: true }).waitFor();
    await expectSound(opened);
    await go(cardPage);
    await page.getByText(seen.left, { exact: true }).first().waitFor();
  },
);

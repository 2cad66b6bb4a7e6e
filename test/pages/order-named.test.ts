/** `/{slug}/order?again=…`: an earlier order that the page of a card leads to, with script and without. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectSound, useBrowser, type OpenedPage } from '../support/browser/browser.ts';
import { aShopWithRewards, keepCardOn, orderedBy } from '../support/browser/card-owner.ts';
import { aMember, type MemberGuest } from '../support/people/reward-members.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { branchId, openShops, SLUG } from '../support/shops/cafe.ts';
import { item } from '../support/shops/quoting-shop.ts';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
beforeEach(() => openShops(world, aShopWithRewards()));
afterAll(() => world.close());
const browser = useBrowser();

const WORDS = {
  ar: {
    ...{ again: 'اطلبه مرة أخرى', place: /^أرسل الطلب/ },
    missing: 'لم نجد هذا الطلب بين طلبات بطاقتك على هذا الجهاز.',
    noScript: 'لتطلب الطلب نفسه مرة أخرى، اذكر رقمه للفرع بالهاتف أو عند الكاشير:',
  },
  en: {
    ...{ again: 'Order again', place: /^Place the order/ },
    missing: 'That order is not among those of the card on this device.',
    noScript: 'To have the same order again, give its number to the branch, by phone or at the till:',
  },
} as const;

const REFERENCE = 'D-ZML-261204-0007';

const wayTo = (again: string): string => `/${SLUG}/order?branch=${branchId()}&channel=pickup&again=${again}`;

/** A member who ordered two coffees, and after them a latte. */
const aMemberWithTwoOrders = async (): Promise<MemberGuest> => {
  const member = await aMember(world);
  await orderedBy(world, member, { items: [{ menu_item_id: item('turkish'), quantity: 2 }] });
  world.now += 60_000;
  await orderedBy(world, member, {
    items: [{ menu_item_id: item('latte'), quantity: 1, size_label: 'كبير' }],
  });
  return member;
};

/** The link of the order before the last, on the page of the card. */
const earlierLink = ({ page }: OpenedPage, name: string) =>
  page.getByRole('link', { name, exact: true }).nth(1);

describe.each(['ar', 'en'] as const)('in %s', (language) => {
  const t = WORDS[language];

  test.each(['by a tap', 'in another tab'])(
    'an order before the last one is ordered again %s',
    async (way) => {
      const { memberToken } = await aMemberWithTwoOrders();
      const opened = await browser.open(world, { language });
      const { page, go } = opened;
      await go(`/card/${memberToken}`);
      const link = earlierLink(opened, t.again);
      // A tab that is opened by hand knows the address alone.
      if (way === 'by a tap') await link.click();
      else await go((await link.getAttribute('href')) ?? '');
      await page.getByRole('button', { name: t.place }).filter({ hasText: /90/ }).waitFor();
      expect(page.url()).not.toContain('again=');
      await expectSound(opened);
    },
  );

  test('an order that the card does not have is said, and the cart stays as it is', async () => {
    const member = await aMemberWithTwoOrders();
    const opened = await browser.open(world, { language });
    await keepCardOn(opened, member);
    await opened.go(wayTo(REFERENCE));
    await opened.page.getByRole('status').getByText(t.missing).waitFor();
    expect(await opened.page.getByRole('dialog').count()).toBe(0);
    await expectSound(opened);
  });

  test('without script the link leads to the number that the guest gives to the branch', async () => {
    const { memberToken } = await aMemberWithTwoOrders();
    const opened = await browser.open(world, { language, hasScript: false });
    const { page, go } = opened;
    await go(`/card/${memberToken}`);
    const link = earlierLink(opened, t.again);
    const reference = new URL((await link.getAttribute('href')) ?? '', world.baseUrl).searchParams.get(
      'again',
    );
    await link.click();
    await page.getByText(`${t.noScript} ${reference ?? '?'}`, { exact: true }).waitFor();
  });
});

test('a reload after the order was taken over finds the cart as the guest left it', async () => {
  const member = await aMemberWithTwoOrders();
  const opened = await browser.open(world, { language: 'en' });
  const { page, go } = opened;
  await go(`/card/${member.memberToken}`);
  await go((await earlierLink(opened, 'Order again').getAttribute('href')) ?? '');
  await page.getByRole('button', { name: /^Place the order EGP 90/ }).waitFor();
  await page.goBack();
  await page.getByRole('button', { name: 'One less: Turkish coffee' }).click();
  await page.getByRole('button', { name: /^Check out EGP 45/ }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: /^Check out EGP 45/ }).waitFor();
});

test('another branch or language keeps the order; what is no reference is not shown', async () => {
  const read = async (address: string) => (await world.get(address, { 'accept-language': 'en' })).text;
  const page = await read(wayTo(REFERENCE));
  expect(page).toContain(`&amp;again=${REFERENCE}&amp;lang=ar`);
  expect(await read(`/${SLUG}/order?again=${REFERENCE}`)).toContain(`channel=pickup&amp;again=${REFERENCE}`);
  for (const wrong of ['%3Cmarquee%3E', 'call-0900', `${REFERENCE}-x`])
    expect(await read(wayTo(wrong))).not.toContain(decodeURIComponent(wrong));
});

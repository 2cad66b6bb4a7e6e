/** `/card/{member_token}`: a loyalty card in a real browser. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { EntryReason } from '../../src/loyalty/domain/ledger.ts';
import { postEntry } from '../../src/loyalty/store/ledger.ts';
import { expectSound, untilFocused, useBrowser, VIEWS, type OpenedPage } from '../support/browser/browser.ts';
import { weightOf } from '../support/browser/page-weight.ts';
import { aGuest, anOrder, placed, proveOn, type Guest, type OrderInput } from '../support/people/guests.ts';
import { aShopWithCards, cardOf, joined, tokenIn, type Programme } from '../support/people/members.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { branchId, openShops, shopId, thingId } from '../support/shops/cafe.ts';

const WORDS = {
  ar: {
    ...{ hello: 'أهلًا يا منى', balance: '113 نقطة', toNext: 'بقي لمكافأتك التالية: 87 نقطة' },
    ...{ progress: '13 من 100 نقطة نحو مكافأتك التالية', ready: 'لديك مكافأة جاهزة', enlarge: /كبّر الكود/ },
    ...{ close: 'أغلق', code: 'كود البطاقة', order: 'اطلب الآن', readyNow: 'جاهزة لك' },
    ...{ english: 'English', greetings: 'تهاني وهدايا', saved: 'حفظنا اختيارك.' },
    ...{ given: 'تعديل من المكان', missing: 'لا تُفتح بطاقة من هذا الرابط' },
    ...{ paused: 'برنامج المكافآت متوقف الآن', kept: 'نقاطك محفوظة. لا يمكن كسب نقاط أو صرفها الآن.' },
    earlier: 'من رصيد النقاط السابق',
    notAdded: 'امتلأت البطاقة، فلم تُضَف 13 نقطة',
  },
  en: {
    ...{ hello: 'Hello, منى', balance: '113 points', toNext: '87 points to your next reward' },
    ...{ progress: '13 of 100 points towards your next reward', ready: 'One reward is ready' },
    ...{ enlarge: /Enlarge the code/, close: 'Close', code: 'Card code', order: 'Order now' },
    ...{ readyNow: 'Ready for you', english: 'English', greetings: 'Greetings and gifts', saved: 'Saved.' },
    ...{ given: 'Changed by the shop', missing: 'No card opens with this link' },
    notAdded: 'Card full: 13 points not added',
    ...{ paused: 'The rewards are paused', earlier: 'From the earlier points balance' },
    kept: 'Your points are kept. Nothing can be earned or spent now.',
  },
} as const;

let world: World;
beforeAll(async () => {
  world = await makeWorld();
  // Friday noon, when the branch is open.
  world.now = Date.parse('2026-11-20T10:00:00Z');
});
beforeEach(() => openProgramme());
afterAll(() => world.close());
const browser = useBrowser();

const openProgramme = (programme: Partial<Programme> = {}): Promise<void> =>
  openShops(world, aShopWithCards(programme));

const cardIdOf = async ({ phone }: Guest): Promise<string> => {
  const { id } = await world.db.kysely
    .selectFrom('loyalty_card as c')
    .innerJoin('customer as p', (on) =>
      on.onRef('p.id', '=', 'c.customer_id').onRef('p.org_id', '=', 'c.org_id'),
    )
    .select('c.id')
    .where('c.org_id', '=', shopId())
    .where('p.phone', '=', phone)
    .executeTakeFirstOrThrow();
  return id;
};

type Extra = Partial<Parameters<typeof postEntry>[1]>;

const give = async (guest: Guest, wanted: number, reason: EntryReason = 'adjusted', extra: Extra = {}) => {
  const entry = { orgId: shopId(), id: world.app.random.uuid(), cardId: await cardIdOf(guest) };
  await postEntry(world.db.kysely, { ...entry, mode: 'points', reason, wanted, ...extra }, world.now);
};

interface Member extends Guest {
  readonly token: string;
  /** Proves the phone. */
  readonly device: string;
}

const aMemberWith = async (points: number, mode: 'points' | 'visits' = 'points'): Promise<Member> => {
  const guest = aGuest();
  const device = await proveOn(world, guest);
  const token = tokenIn(await joined(world, { phone: guest.typed, device_token: device }));
  if (points > 0) await give(guest, points, 'adjusted', { mode, note: 'هدية' });
  return { ...guest, token, device };
};

const orderOf = ({ typed, device, token }: Member): OrderInput =>
  anOrder({ customer_phone: typed, device_token: device, member_token: token });

const openOn = async (
  { token }: Member,
  options: Parameters<typeof browser.open>[1] = {},
): Promise<OpenedPage> => {
  const opened = await browser.open(world, options);
  await opened.go(`/card/${token}`);
  return opened;
};

const comeBack = (page: Page): Promise<boolean> =>
  page.evaluate(() => window.dispatchEvent(new Event('focus')));

describe.each(VIEWS)('a card in $language', (view) => {
  const { language } = view;
  const t = WORDS[language];

  test('is read, enlarged and set, sound at every step', async () => {
    const member = await aMemberWith(113);
    const opened = await openOn(member, view);
    const { page } = opened;
    await page.getByRole('heading', { name: t.hello }).waitFor();
    for (const text of [t.balance, t.toNext, t.ready, t.readyNow, t.given, 'هدية'])
      expect(await page.getByText(text, { exact: true }).first().isVisible()).toBe(true);
    expect(await page.getByRole('img', { name: t.progress }).isVisible()).toBe(true);
    expect(await page.getByRole('link', { name: t.order }).getAttribute('href')).toMatch(
      /\/beit-el-bunn\/order$/,
    );
    const code = page.getByRole('img', { name: t.code });
    expect(await code.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0)).toBe(
      true,
    );
    await expectSound(opened);

    const enlarge = page.getByRole('button', { name: t.enlarge });
    await enlarge.click();
    await page.getByRole('dialog', { name: t.code }).waitFor();
    await expectSound(opened);
    await page.getByRole('button', { name: t.close }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await untilFocused(enlarge);

    await page.getByLabel(t.english).check();
    await page.getByRole('status').getByText(t.saved).waitFor();
    await page.getByLabel(t.greetings).uncheck();
    await expect
      .poll(() => cardOf(world, member.token))
      .toMatchObject({ locale: 'en', marketing_opt_out: true });
    await expectSound(opened);
  });

  test('of a paused programme says that points are kept, and promises nothing until it is on again', async () => {
    const member = await aMemberWith(113);
    await openProgramme({ enabled: false });
    const opened = await openOn(member, { language, isDark: language === 'en' });
    const { page } = opened;
    for (const text of [t.paused, t.kept, t.balance]) await page.getByText(text, { exact: true }).waitFor();
    for (const promise of [t.toNext, t.ready, t.readyNow])
      expect(await page.getByText(promise, { exact: true }).count()).toBe(0);
    await expectSound(opened);
    await openProgramme();
    await comeBack(page);
    await page.getByText(t.ready, { exact: true }).waitFor();
    expect(await page.getByText(t.paused).count()).toBe(0);
  });

  test('shows each entry once, those of the balance before the shop changed to visits set apart', async () => {
    const member = await aMemberWith(113);
    await openProgramme({ mode: 'visits', rewards: [], default_reward_cost: 8 });
    await give(member, 3, 'adjusted', { mode: 'visits' });
    const opened = await openOn(member, { language });
    const { page } = opened;
    const earlier = page.getByRole('region', { name: t.earlier });
    const amounts = async (lines: Locator) =>
      (await lines.locator('.amount').allInnerTexts()).map((text) => text.replaceAll(/[^\d+−]/g, ''));
    expect(await amounts(page.locator('.entry'))).toEqual(['+3', '+113']);
    expect(await amounts(earlier)).toEqual(['+113']);
    await expectSound(opened);
  });

  test('says beside a gift what of it the full card did not take', async () => {
    const member = await aMemberWith(113);
    await give(member, 20, 'birthday', { cap: 120 });
    const { page } = await openOn(member, { language });
    const gift = page.locator('.entry').first();
    expect(await gift.innerText()).toContain(t.notAdded);
    expect((await gift.locator('.amount').innerText()).replaceAll(/[^\d+]/g, '')).toBe('+7');
  });

  test('that nobody has says how to get it again', async () => {
    const opened = await browser.open(world, { language });
    await opened.go(`/card/M${'B'.repeat(22)}`);
    await opened.page.getByRole('heading', { name: t.missing }).waitFor();
    await expectSound(opened);
  });
});

test('no phone stands on the page, and no link carries its token', async () => {
  const member = await aMemberWith(5);
  const { text } = await world.get(`/card/${member.token}`, { accept: 'text/html' });
  expect(text).not.toContain(member.phone.slice(-8));
  const links = [...text.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href = '']) => href);
  expect(links.filter((href) => href.includes(member.token))).toEqual([]);
});

test('every line of the ledger says why, the latest first, older ones behind a tap', async () => {
  const member = await aMemberWith(0);
  const sale = world.app.random.uuid();
  const rewards = [
    { reward_id: sale, name: 'قهوة تركي', name_translations: { en: 'Turkish coffee' }, units: 1, cost: 100 },
  ];
  await give(member, 150, 'earned', { saleId: sale });
  await give(member, -100, 'redeemed', { saleId: sale, rewards });
  await give(member, 100, 'voided', { saleId: sale, reverses: 'redeem' });
  await give(member, -13, 'refunded', { saleId: sale, reverses: 'earn', refundId: world.app.random.uuid() });
  await give(member, 20, 'birthday');
  await give(member, 10, 'win_back');
  await give(member, 5, 'adjusted', { note: 'اعتذار' });
  await give(member, 7, 'merged');
  const { page } = await openOn(member, { language: 'en' });
  const lines = page.locator('.entry');
  const shown = async () => (await lines.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim());
  expect(await lines.first().getByText('From your other card').isVisible()).toBe(true);
  expect(await page.getByText('Earned with your order').isVisible()).toBe(false);
  await page.getByText('Older lines').click();
  const texts = await shown();
  const expected = [
    ['From your other card', '+7'],
    ['Changed by the shop', '+5'],
    ['A gift, because we missed you', '+10'],
    ['A gift for your birthday', '+20'],
    ['Taken back: the order was refunded', '−13'],
    ['Given back: the order was cancelled', '+100'],
    ['Spent on: Turkish coffee', '−100'],
    ['Earned with your order', '+150'],
  ] as const;
  expect(texts).toHaveLength(expected.length);
  for (const [at, [why, amount]] of expected.entries()) {
    expect(texts[at]).toContain(why);
    expect(texts[at]?.endsWith(amount)).toBe(true);
  }
  expect(texts[1]).toContain('اعتذار');
});

test('visits are stamps that a screen reader counts', async () => {
  await openProgramme({ mode: 'visits', rewards: [], default_reward_cost: 8 });
  const member = await aMemberWith(3, 'visits');
  const opened = await openOn(member, { language: 'en' });
  const stamps = opened.page.getByRole('img', { name: '3 of 8 visits towards your next reward' });
  expect([await stamps.locator('.stamp').count(), await stamps.locator('.stamp.done').count()]).toEqual([
    8, 3,
  ]);
  await expectSound(opened);
});

test('the balance is read again when the page is looked at, and an ended token says what to do', async () => {
  const member = await aMemberWith(5);
  const { page } = await openOn(member, { language: 'en' });
  await page.getByText('5 points', { exact: true }).waitFor();
  await give(member, 8);
  await comeBack(page);
  await page.getByText('13 points', { exact: true }).waitFor();
  await world.db.kysely
    .updateTable('loyalty_card')
    .set({ token_hash: Buffer.alloc(32) })
    .where('id', '=', await cardIdOf(member))
    .execute();
  await comeBack(page);
  await page.getByRole('status').getByText('This card opens here no more.').waitFor();
  expect(await page.evaluate(() => localStorage.getItem('ahwa-card beit-el-bunn'))).toBeNull();
});

test('a preference that could not be saved goes back, and the page says so', async () => {
  const member = await aMemberWith(0);
  const { page } = await openOn(member, { language: 'en' });
  await page.route('**/preferences', (route) => route.abort());
  const greetings = page.getByLabel('Greetings and gifts');
  await greetings.click();
  await page.getByRole('status').getByText('No connection.').waitFor();
  expect(await greetings.isChecked()).toBe(true);
});

test('buttons to wallets stand there only where the shop can make passes, in the vendors’ words', async () => {
  const member = await aMemberWith(0);
  const opened = await openOn(member, { language: 'ar' });
  const { page } = opened;
  expect(await page.getByRole('link', { name: /Wallet/ }).count()).toBe(0);
  const passes = {
    ...{ any: true, wallet_one_url: '/public/loyalty/pass/x.pkpass' },
    wallet_two_url: 'https://wallet.example/save/x',
  };
  await page.route('**/public/loyalty/card/*', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...((await response.json()) as object), passes } });
  });
  await comeBack(page);
  const buttons = page.getByRole('link', { name: /Wallet/ });
  await buttons.first().waitFor();
  expect((await buttons.allInnerTexts()).map((text) => text.trim())).toEqual([
    'أضف إلى Apple Wallet',
    'إضافة إلى Google Wallet',
  ]);
  for (const button of await buttons.all())
    expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  await expectSound(opened);
});

test('a past order is ordered again: its lines go to the order page, the token does not', async () => {
  const member = await aMemberWith(0);
  await placed(world, orderOf(member));
  const { page } = await openOn(member, { language: 'en' });
  const again = page.getByRole('link', { name: 'Order again' });
  // As in a tab that stays: the order page takes them over at once.
  await page.evaluate(() => document.addEventListener('click', (event) => event.preventDefault()));
  await again.click();
  const kept = await page.evaluate(() => sessionStorage.getItem('ahwa-again beit-el-bunn') ?? '');
  expect(JSON.parse(kept)).toMatchObject({ form: { branchId: branchId(), channel: 'pickup' } });
  expect((JSON.parse(kept) as { form: { lines: unknown[] } }).form.lines).toMatchObject([
    { menu_item_id: thingId('item', 'turkish') },
  ]);
  expect(kept).not.toContain(member.token);
  await page.reload();
  await again.click();
  await page.waitForURL(/\/beit-el-bunn\/order\?/);
  expect(page.url()).toMatch(/channel=pickup&again=D-ZML-\d{6}-\d{4}$/);
  expect(page.url()).not.toContain(member.token);
});

test('the keyboard alone enlarges the code and closes it', async () => {
  const member = await aMemberWith(0);
  const { page } = await openOn(member, { language: 'en' });
  const enlarge = page.getByRole('button', { name: /Enlarge/ });
  await enlarge.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await untilFocused(enlarge);
});

test('without script the card and its code are read, and a reload has the latest balance', async () => {
  const member = await aMemberWith(13);
  const { page } = await openOn(member, { language: 'en', hasScript: false });
  expect(await page.getByText('13 points', { exact: true }).isVisible()).toBe(true);
  expect(await page.getByLabel('Greetings and gifts').isDisabled()).toBe(true);
  const { text } = await world.get(`/card/${member.token}`, { 'accept-language': 'en' });
  expect(text).toMatch(/<noscript>.*For the latest balance:.*<\/noscript>/);
  expect(await page.getByRole('img', { name: 'Card code' }).isVisible()).toBe(true);
});

const KB = 1024;
/** As many as one phone may have under way, or nearly. */
const ORDERS = 5;

test('with a long ledger and many orders the page weighs at most 12 KB of HTML, 6 of styles and 21 of script, a voucher 3 more', async () => {
  const member = await aMemberWith(0);
  for (let sale = 0; sale < 60; sale += 1)
    await give(member, 1 + sale, 'earned', { saleId: world.app.random.uuid() });
  for (let order = 0; order < ORDERS; order += 1) await placed(world, orderOf(member));
  const textAt = async (address: string): Promise<string> =>
    (await world.get(address, { accept: 'text/html,*/*', 'accept-language': 'ar' })).text;
  const { html, css, script, atOnce } = await weightOf(textAt, `/card/${member.token}`);
  expect(html).toBeLessThanOrEqual(12 * KB);
  expect(css).toBeLessThanOrEqual(6 * KB);
  expect(atOnce).toBeLessThanOrEqual(21 * KB);
  expect(script - atOnce).toBeLessThanOrEqual(3 * KB);
});

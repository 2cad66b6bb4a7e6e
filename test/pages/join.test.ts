/** `/{slug}/join`: a guest joins a loyalty programme in a real browser. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectSound, untilFocused, useBrowser, VIEWS } from '../support/browser/browser.ts';
import { aGuest } from '../support/people/guests.ts';
import { aMember, aShopWithCards, joined, tokenIn, type Programme } from '../support/people/members.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { openShops, shopId } from '../support/shops/cafe.ts';

const PAGE = '/beit-el-bunn/join';

const WORDS = {
  ar: {
    ...{ programme: 'نادي البن', earn: 'نقطة عن كل 10 ج.م', first: 'أول مكافأة عند 100 نقطة' },
    ...{ gift: 'هدية في عيد ميلادك: 20 نقطة', terms: 'الشروط', reward: 'قهوة تركي' },
    ...{ name: 'الاسم', phone: 'رقم الموبايل', day: 'اليوم', month: 'الشهر', join: 'انضم' },
    ...{ noName: 'اكتب اسمك', noPhone: 'ليس رقم موبايل', noDay: 'اختر اليوم والشهر معًا' },
    ...{ code: 'كود التأكيد', wrong: 'الكود غير صحيح', confirm: 'أكّد وافتح البطاقة', hello: 'أهلًا يا منى' },
    earnPerItem: 'زيارة تُحسب لك مع كل صنف تشتريه من الأصناف المشاركة',
    ...{ known: 'لهذا الرقم بطاقة هنا من قبل', off: 'برنامج المكافآت متوقف الآن', place: 'إلى صفحة المكان' },
  },
  en: {
    ...{ programme: 'Bean club', earn: '1 point for each EGP 10', first: 'The first reward at 100 points' },
    ...{ gift: 'A gift on your birthday: 20 points', terms: 'Terms', reward: 'Turkish coffee' },
    ...{ name: 'Name', phone: 'Mobile number', day: 'Day', month: 'Month', join: 'Join' },
    ...{ noName: 'Write the name', noPhone: 'This is no mobile number', noDay: 'Choose both day and month' },
    ...{ code: 'Confirmation code', wrong: 'This code is wrong', confirm: 'Confirm and open the card' },
    earnPerItem: 'A visit counts with each item you buy of those that take part',
    ...{ hello: 'Hello, منى', known: 'This number has a card here already', off: 'The rewards are paused' },
    place: 'To the page of this place',
  },
} as const;
type Words = (typeof WORDS)['ar' | 'en'];

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
beforeEach(() => openProgramme());
afterAll(() => world.close());
const browser = useBrowser();

const openProgramme = (programme: Partial<Programme> = {}): Promise<void> =>
  openShops(world, aShopWithCards(programme));

const submit = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click();

const fill = async (page: Page, t: Words, phone: string): Promise<void> => {
  await page.getByLabel(t.name).fill('منى السيد');
  await page.getByLabel(t.phone).fill(phone);
};

const cardsOf = (phone: string) =>
  world.db.kysely
    .selectFrom('loyalty_card as c')
    .innerJoin('customer as p', (on) =>
      on.onRef('p.id', '=', 'c.customer_id').onRef('p.org_id', '=', 'c.org_id'),
    )
    .select(['p.name', 'p.birth_month', 'p.birth_day'])
    .where('c.org_id', '=', shopId())
    .where('p.phone', '=', phone)
    .execute();

const untilCard = (page: Page, hello: string): Promise<void> =>
  page.getByRole('heading', { name: hello }).waitFor();

describe.each(VIEWS)('joining in $language', (view) => {
  const { language } = view;
  const t = WORDS[language];

  test('leads a new phone to its card, sound at every step', async () => {
    await openProgramme({
      require_otp: true,
      birthday: { enabled: true, amount: 20 },
      terms: { ar: 'لا تُستبدل النقاط بنقود.', en: 'Points have no cash value.' },
    });
    const opened = await browser.open(world, view);
    const { page } = opened;
    const guest = aGuest();
    await opened.go(PAGE);
    await page.getByRole('heading', { name: t.programme }).waitFor();
    for (const text of [t.earn, t.first, t.gift, t.reward])
      expect(await page.getByText(text, { exact: true }).isVisible()).toBe(true);
    await page.getByText(t.terms, { exact: true }).click();
    await expectSound(opened);
    await submit(page, t.join);
    await page.getByText(t.noName).waitFor();
    expect(await page.getByText(t.noPhone).isVisible()).toBe(true);
    await untilFocused(page.getByLabel(t.name));
    await expectSound(opened);
    await fill(page, t, guest.typed);
    await page.getByLabel(t.day).selectOption('29');
    await submit(page, t.join);
    await page.getByText(t.noDay).waitFor();
    await expectSound(opened);
    await page.getByLabel(t.month).selectOption('2');
    await submit(page, t.join);
    const code = page.getByLabel(t.code);
    await code.waitFor();
    await expectSound(opened);
    await code.fill('000000');
    await submit(page, t.confirm);
    await page.getByText(t.wrong).waitFor();
    await code.fill(world.phones.codeOf(guest.phone));
    await submit(page, t.confirm);
    await untilCard(page, t.hello);
    const path = new URL(page.url()).pathname;
    expect(path).toMatch(/^\/card\/M[\w-]{22}$/);
    await page.waitForFunction(() => document.documentElement.dataset['alive'] !== undefined);
    await expectSound(opened);
    expect(await cardsOf(guest.phone)).toEqual([{ name: 'منى السيد', birth_month: 2, birth_day: 29 }]);
    const kept = await page.evaluate(() => localStorage.getItem('ahwa-card beit-el-bunn'));
    expect(`/card/${String(JSON.parse(kept ?? ''))}`).toBe(path);
  });

  test('asks a known phone for its code, and opens the card that it has', async () => {
    const guest = aGuest();
    await joined(world, { phone: guest.typed, name: 'منى' });
    const opened = await browser.open(world, { language });
    const { page } = opened;
    await opened.go(PAGE);
    await fill(page, t, guest.typed);
    await submit(page, t.join);
    await page.getByText(t.known).waitFor();
    await expectSound(opened);
    await page.getByLabel(t.code).fill(world.phones.codeOf(guest.phone));
    await submit(page, t.confirm);
    await untilCard(page, t.hello);
    expect(await cardsOf(guest.phone)).toHaveLength(1);
  });

  test('says that each item of those that take part counts, where not each purchase does', async () => {
    await openProgramme({ mode: 'visits', rewards: [], visit_items: [{ item: 'turkish' }] });
    const { page, go } = await browser.open(world, { language, hasScript: false });
    await go(PAGE);
    expect(await page.getByText(t.earnPerItem).isVisible()).toBe(true);
  });

  test('says so where there is no programme now, and leads to the place', async () => {
    await openProgramme({ enabled: false });
    const opened = await browser.open(world, { language });
    const { page } = opened;
    await opened.go(PAGE);
    await page.getByRole('heading', { name: t.off }).waitFor();
    await expectSound(opened);
    expect(await page.getByRole('link', { name: t.place }).getAttribute('href')).toBe('/beit-el-bunn');
  });
});

test('a double tap makes one request and one card', async () => {
  const guest = aGuest();
  const { page, go } = await browser.open(world, { language: 'en' });
  await go(PAGE);
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') asked.push(new URL(request.url()).pathname);
  });
  await fill(page, WORDS.en, guest.typed);
  await page.getByRole('button', { name: 'Join', exact: true }).dblclick();
  await untilCard(page, WORDS.en.hello);
  expect(asked).toEqual(['/public/loyalty/join']);
  expect(await cardsOf(guest.phone)).toHaveLength(1);
});

test('where the answer is lost, a reload and another try open the one card', async () => {
  const guest = aGuest();
  const { page, go } = await browser.open(world, { language: 'en' });
  await go(PAGE);
  const keys: (string | undefined)[] = [];
  let isLost = true;
  await page.route('**/public/loyalty/join', async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    const answer = await route.fetch();
    await (isLost ? route.abort() : route.fulfill({ response: answer }));
  });
  await fill(page, WORDS.en, guest.typed);
  await submit(page, 'Join');
  await page.getByText('no second card is made').waitFor();
  isLost = false;
  await page.reload();
  await page.waitForFunction(() => document.documentElement.dataset['alive'] !== undefined);
  expect(await page.getByLabel('Mobile number').inputValue()).toBe(guest.typed);
  await submit(page, 'Join');
  await untilCard(page, WORDS.en.hello);
  expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
  expect(await cardsOf(guest.phone)).toHaveLength(1);
});

test('a programme that ends while the form is filled in says so', async () => {
  const { page, go } = await browser.open(world, { language: 'en' });
  await go(PAGE);
  await fill(page, WORDS.en, aGuest().typed);
  await openProgramme({ enabled: false });
  await submit(page, 'Join');
  await page.getByRole('alert').getByText('This shop has no loyalty programme at the moment.').waitFor();
});

test('a device that has a card here is led to it', async () => {
  const token = await aMember(world, aGuest());
  const opened = await browser.open(world, { language: 'en' });
  await opened.go(`/card/${token}`);
  await opened.go(PAGE);
  await expectSound(opened);
  await opened.page.getByRole('link', { name: 'Open your card' }).click();
  await untilCard(opened.page, WORDS.en.hello);
});

test('the card of an unproven join opens, and its phone can be proven later by joining again', async () => {
  const guest = aGuest();
  const first = tokenIn(await joined(world, { phone: guest.typed }));
  const { page, go } = await browser.open(world, { language: 'en' });
  await go(`/card/${first}`);
  await go(PAGE);
  await fill(page, WORDS.en, guest.typed);
  await submit(page, 'Join');
  const code = page.getByLabel('Confirmation code');
  await code.waitFor();
  await code.fill(world.phones.codeOf(guest.phone));
  await submit(page, WORDS.en.confirm);
  await untilCard(page, WORDS.en.hello);
  // The first proof of a phone ends the token that was handed out without it.
  expect(page.url()).not.toContain(first);
  await go(PAGE);
  await page.getByRole('link', { name: 'Open your card' }).click();
  await untilCard(page, WORDS.en.hello);
});

test('a programme of visits says what counts, and a shop that asks for no birthday has no field for it', async () => {
  await openProgramme({ mode: 'visits', rewards: [], default_reward_cost: 8 });
  const { page, go } = await browser.open(world, { language: 'en' });
  await go(PAGE);
  for (const text of [
    'A visit counts each time you buy',
    'The first reward at 8 visits',
    'A reward of your choice',
  ])
    expect(await page.getByText(text, { exact: true }).isVisible()).toBe(true);
  expect(await page.getByLabel('Month').count()).toBe(0);
});

test('the keyboard alone joins', async () => {
  const guest = aGuest();
  const { page, go } = await browser.open(world, { language: 'en', width: 1280 });
  await go(PAGE);
  await page.getByLabel('Name').focus();
  await page.keyboard.type('منى');
  await page.keyboard.press('Tab');
  await page.keyboard.type(guest.typed);
  await page.keyboard.press('Enter');
  await untilCard(page, WORDS.en.hello);
});

test('without script the programme is read, and the page says how to join', async () => {
  const { page } = await browser.open(world, { language: 'en', hasScript: false });
  await page.goto(PAGE);
  expect(await page.getByText('1 point for each EGP 10').isVisible()).toBe(true);
  const { text } = await world.get(PAGE, { 'accept-language': 'en' });
  expect(text).toMatch(/<noscript>.*Or join at the till: your name and number are enough\..*<\/noscript>/);
  expect(await page.getByRole('button', { name: 'Join' }).isDisabled()).toBe(true);
});

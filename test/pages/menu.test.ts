import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseId } from '../../src/kernel/ids.ts';
import {
  expectSound,
  holding,
  untilFocused,
  useBrowser,
  VIEWS,
  type OpenedPage,
} from '../support/browser/browser.ts';
import type { World } from '../support/server/world.ts';
import { makeDemo } from '../support/shops/demo.ts';

let world: World;
let tableAddress = '';
beforeAll(async () => {
  const made = await makeDemo();
  world = made.world;
  tableAddress = `/t/${made.demo.tables[0]?.id ?? ''}`;
});
afterAll(() => world.close());
const browser = useBrowser();

const names = (opened: OpenedPage): Promise<string[]> =>
  opened.page.locator('.item b:visible').allInnerTexts();

describe.each(VIEWS)('the menu in $language', (view) => {
  const { language } = view;
  test('is sound, an item’s sheet and page too', async () => {
    const opened = await browser.open(world, view);
    await opened.go('/beit-el-bunn/menu');
    await expectSound(opened);
    await opened.page.locator('a.item').nth(3).click();
    await opened.page.getByRole('dialog').waitFor();
    await expectSound(opened);
    await opened.page.reload();
    await expectSound(opened);
  });

  test('is sound by night, and at a table', async () => {
    const opened = await browser.open(world, { language, isDark: true });
    await opened.go('/layaly/menu');
    await expectSound(opened);
    await opened.go(tableAddress);
    await expectSound(opened);
  });
});

test('an item opens in a sheet whose address is its page; the back button closes it and returns the focus', async () => {
  const opened = await browser.open(world, { language: 'en' });
  const { page } = opened;
  await opened.go('/beit-el-bunn/menu');
  const link = page.getByRole('link', { name: /^Spanish latte/ });
  await link.focus();
  await page.keyboard.press('Enter');
  const heading = page.getByRole('dialog').getByRole('heading', { level: 1 });
  await heading.waitFor();
  await untilFocused(heading);
  expect(page.url()).toBe(await link.evaluate((element: HTMLAnchorElement) => element.href));
  await page.goBack();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await untilFocused(link);
  await page.goForward();
  expect(await heading.innerText()).toBe('Spanish latte');
});

test('a tap while the script of the sheet is on its way opens the item when it has come', async () => {
  const { text } = await world.get('/beit-el-bunn/menu', { accept: 'text/html' });
  const { page } = await browser.open(world, { language: 'en' });
  const script = await holding(page, (url) => url.pathname.endsWith('.js') && !text.includes(url.pathname));
  await page.goto('/beit-el-bunn/menu');
  await script.arrived;
  const link = page.locator('a.item').nth(3);
  await link.click();
  expect(await link.getAttribute('aria-busy')).toBe('true');
  script.goOn();
  await page.getByRole('dialog').getByRole('heading', { level: 1 }).waitFor();
  await expect.poll(() => link.getAttribute('aria-busy')).toBe(null);
});

test('Escape and the close button close the sheet', async () => {
  const opened = await browser.open(world, { language: 'en' });
  const { page } = opened;
  await opened.go('/beit-el-bunn/menu');
  const dialog = page.getByRole('dialog');
  for (const close of [
    () => page.keyboard.press('Escape'),
    () => page.getByRole('button', { name: 'Close' }).click(),
  ]) {
    await page.getByRole('link', { name: /^Cortado/ }).click();
    await dialog.waitFor();
    await close();
    await dialog.waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe('/beit-el-bunn/menu');
  }
});

test('the page of an item says its sizes, its groups with their bounds, and what each choice adds', async () => {
  const opened = await browser.open(world, { language: 'en', hasScript: false });
  const { page } = opened;
  await opened.go('/beit-el-bunn/menu');
  await page.getByRole('link', { name: /^Macchiato/ }).click();
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Macchiato');
  const sizes = page.locator('section', { has: page.getByRole('heading', { name: 'Sizes' }) });
  expect(
    (await sizes.getByRole('listitem').allInnerTexts()).map((text) => text.replace(/\s+/g, ' ')),
  ).toEqual(['Single EGP 65', 'Double EGP 80']);
  const milk = page.locator('section', { has: page.getByRole('heading', { name: /^Milk/ }) });
  expect(await milk.innerText()).toMatch(/optional[\s\S]*included[\s\S]*\+ EGP 15/);
});

test('the search folds Arabic letters, finds names of the other language, and says how much it found', async () => {
  const opened = await browser.open(world, { language: 'ar' });
  const { page } = opened;
  await opened.go('/beit-el-bunn/menu');
  const all = await names(opened);
  await page.getByRole('button', { name: 'ابحث في القائمة' }).click();
  const field = page.getByRole('searchbox');
  const status = page.getByRole('search').getByRole('status');
  await field.fill('اسبريسو');
  await status.getByText(/صنف|أصناف/).waitFor();
  const found = await names(opened);
  expect(found.length).toBeLessThan(all.length);
  expect(found).toContain('إسبريسو');
  await field.fill('v60');
  await expect.poll(() => names(opened)).toEqual(['في 60']);
  await field.fill('بيتزا');
  await status.getByText('لا يوجد صنف بهذا الاسم').waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => names(opened)).toEqual(all);
});

test('a tap on a section leads to its heading, also far away, and marks it; above the first none is marked', async () => {
  const opened = await browser.open(world, { language: 'en' });
  const { page } = opened;
  await opened.go('/beit-el-bunn/menu');
  const marked = page.locator('.sections [aria-current]');
  const bar = await page.locator('.sections').evaluate((element) => element.getBoundingClientRect().height);
  for (const at of [4, 2, 9]) {
    const link = page.locator('.sections a').nth(at);
    const [name, hash] = [await link.innerText(), await link.getAttribute('href')];
    await link.click();
    expect(await page.evaluate(() => location.hash)).toBe(hash);
    await expect.poll(() => marked.allInnerTexts()).toEqual([name]);
    const heading = page.getByRole('heading', { name, exact: true });
    const top = await heading.evaluate((element) => element.getBoundingClientRect().top);
    expect(top).toBeGreaterThan(bar / 2);
    expect(top).toBeLessThan(bar * 2);
  }
  await page.evaluate(() => scrollTo(0, 0));
  await expect.poll(() => marked.count()).toBe(0);
});

test('the list of sections follows the one in view, and stays under a finger that presses it', async () => {
  const opened = await browser.open(world, { language: 'en' });
  const { page } = opened;
  await opened.go('/beit-el-bunn/menu');
  const links = page.locator('.sections a');
  const left = (): Promise<number> => page.locator('.sections ul').evaluate((list) => list.scrollLeft);
  const show = async (at: number): Promise<void> => {
    const [name, hash] = [await links.nth(at).innerText(), (await links.nth(at).getAttribute('href')) ?? ''];
    await page.evaluate((id) => document.getElementById(id)?.scrollIntoView(), hash.slice(1));
    await expect.poll(() => page.locator('.sections [aria-current]').allInnerTexts()).toEqual([name]);
  };
  await links.first().hover();
  await page.mouse.down();
  await show(9);
  expect(await left()).toBe(0);
  await page.mouse.up();
  await show(8);
  expect(await left()).toBeGreaterThan(0);
});

test('the menu that was seen last opens without network, and says that it is a copy', async () => {
  const opened = await browser.open(world, { language: 'en' });
  const { page } = opened;
  await opened.go('/zawya/menu');
  await expect
    .poll(() => page.evaluate(async () => (await caches.open('pages-1')).keys().then((keys) => keys.length)))
    .toBe(1);
  const seen = await names(opened);
  await page.context().setOffline(true);
  await page.reload();
  expect(await names(opened)).toEqual(seen);
  await page.getByText('You are offline. This is the menu as you last saw it').waitFor();
  await page.goto('/zawya').catch(() => undefined);
  await page.getByRole('heading', { name: 'You are offline' }).waitFor();
});

test('a table shows the menu of its branch and leads to no other', async () => {
  const opened = await browser.open(world, { language: 'en', hasScript: false });
  await opened.go(tableAddress);
  expect(await opened.page.getByText(/^Table /).count()).toBe(1);
  expect(await opened.page.getByText('Branch:').count()).toBe(0);
});

/** Everything that the page tells search engines. */
const structuredDataOf = async (address: string, language: 'ar' | 'en' = 'en') => {
  const { text } = await world.get(address, { accept: 'text/html', 'accept-language': language });
  const blocks = [...text.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)];
  return blocks.map(
    ([, json = '']) =>
      JSON.parse(json) as { offers?: object; hasMenuItem?: { name: string; offers: object }[] },
  );
};

test('search engines read what every item costs, and on its page each size', async () => {
  const items = (await structuredDataOf('/beit-el-bunn/menu')).flatMap(({ hasMenuItem = [] }) => hasMenuItem);
  expect(items.find(({ name }) => name === 'Macchiato')?.offers).toMatchObject({
    lowPrice: 65,
    highPrice: 80,
  });
  const { text } = await world.get('/beit-el-bunn/menu', { accept: 'text/html', 'accept-language': 'en' });
  const page = /href="([^"]+)"><span><b>Macchiato</.exec(text)?.[1] ?? '';
  const [data] = await structuredDataOf(page);
  expect(data?.offers).toMatchObject([
    { name: 'Single', price: 65, priceCurrency: 'EGP' },
    { name: 'Double', price: 80, priceCurrency: 'EGP' },
  ]);
  const [inArabic] = await structuredDataOf(page, 'ar');
  expect(inArabic?.offers).toMatchObject([{ name: 'سنجل' }, { name: 'دوبل' }]);
});

test('a menu page is answered from memory until the menu changes', async () => {
  const headers = { accept: 'text/html', 'accept-language': 'en' };
  const first = await world.get('/zawya/menu', headers);
  const again = await world.get('/zawya/menu', {
    ...headers,
    'if-none-match': String(first.headers['etag']),
  });
  expect(again.status).toBe(304);
  expect(first.headers['vary']).toBe('Accept-Encoding, Accept-Language, Cookie');
  const arabic = await world.get('/zawya/menu', { ...headers, 'accept-language': 'ar' });
  expect(arabic.headers['etag']).not.toBe(first.headers['etag']);
});

test('the page of an item that the shop does not have is not found; of one that is off sale it says so', async () => {
  const addressIn = async (slug: string): Promise<string> => {
    const { text } = await world.get(`/${slug}/menu`, { accept: 'text/html' });
    return /href="([^"]+)"><span><b>/.exec(text)?.[1] ?? '';
  };
  const asReader = (address: string) => world.get(address, { accept: 'text/html', 'accept-language': 'en' });
  const address = await addressIn('layaly');
  const item = address.split('/').at(-1) ?? '';
  expect((await asReader(`/zawya/menu/${item}`)).status).toBe(404);
  expect((await asReader('/layaly/menu/00000000-0000-4000-8000-000000000000')).status).toBe(404);
  const hide = (isActive: boolean) =>
    world.db.kysely
      .updateTable('menu_item')
      .set({ is_active: isActive })
      .where('id', '=', parseId(item) ?? '')
      .execute();
  await hide(false);
  const hidden = await asReader(address);
  await hide(true);
  expect(hidden.status).toBe(200);
  expect(hidden.text).toContain('Not available now');
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectSoundInEveryView, useBrowser } from '../support/browser/browser.ts';
import type { World } from '../support/server/world.ts';
import { makeDemo } from '../support/shops/demo.ts';

let world: World;
beforeAll(async () => {
  ({ world } = await makeDemo());
});
afterAll(() => world.close());
const browser = useBrowser();

test.each(['ar', 'en'] as const)(
  'the links page in %s is sound on a phone and a desk, by day and by night',
  async (language) => {
    const opened = await browser.open(world, { language });
    await opened.go('/beit-el-bunn');
    await expectSoundInEveryView(opened);
  },
);

test('the links page leads to the order and the menu without script, in the shop’s order, and to no page that is not there', async () => {
  const { page, go } = await browser.open(world, { language: 'en', hasScript: false });
  await go('/beit-el-bunn');
  const hrefs = await page
    .locator('nav a')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  expect(hrefs.slice(0, 2)).toEqual(['/beit-el-bunn/order', '/beit-el-bunn/menu']);
  for (const href of hrefs.filter((each) => each?.startsWith('/') === true))
    expect([href, (await world.get(href ?? '', { accept: 'text/html' })).status]).toEqual([href, 200]);
});

test.each(['', '/menu', '/order', '/book'])(
  'messaging apps show a picture of the shop for a link to its page %s',
  async (path) => {
    const { text } = await world.get(`/layaly${path}`, { accept: 'text/html', 'accept-language': 'ar' });
    const [, address = ''] = /<meta property="og:image" content="([^"]+)"/.exec(text) ?? [];
    const { pathname, search } = new URL(address);
    expect(pathname).toBe('/layaly/preview.jpg');
    expect((await world.get(`${pathname}${search}`)).headers['content-type']).toBe('image/jpeg');
  },
);

test('a chosen language is remembered on the next page', async () => {
  const { page, go } = await browser.open(world, { language: 'ar' });
  await go('/beit-el-bunn');
  expect(await page.locator('html').getAttribute('dir')).toBe('rtl');
  await page.getByRole('link', { name: 'English' }).click();
  expect(await page.locator('html').getAttribute('lang')).toBe('en');
  await go('/zawya');
  expect(await page.locator('html').getAttribute('lang')).toBe('en');
});

test('an address that no shop has is answered with a page to readers and with JSON to programs', async () => {
  const asPage = await world.get('/no-such-shop', { accept: 'text/html', 'accept-language': 'en' });
  expect(asPage.status).toBe(404);
  expect(asPage.headers['content-type']).toMatch(/^text\/html/);
  expect(asPage.text).toContain('There is no page here');
  const asJson = await world.get('/no-such-shop', { accept: 'application/json' });
  expect(asJson.status).toBe(404);
  expect(Object.keys(asJson.body as object)).toEqual(['error']);
});

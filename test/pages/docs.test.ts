import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endpoints, staffEndpoints } from '../../src/service/contract/endpoints.ts';
import { anchorOf } from '../../src/service/contract/document-blocks.ts';
import { components } from '../../src/service/contract/components.ts';
import type { Endpoint } from '../../src/platform/contract/endpoint.ts';
import { tools } from '../../src/service/contract/tools.ts';
import { REFUSALS } from '../../src/kernel/refusal.ts';
import { expectSound, useBrowser } from '../support/browser/browser.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { makeDemo } from '../support/shops/demo.ts';

const HTML = { accept: 'text/html', 'accept-language': 'en' };
const TABLE: readonly Endpoint[] = Object.values(endpoints);
const STAFF_TABLE: readonly Endpoint[] = Object.values(staffEndpoints);

/** The path of the contents' links to the page itself. */
const pathsIn = (page: string): string[] => [
  ...new Set([...page.matchAll(/href="(\/docs(?:\/[\w-]+)?)"/g)].map(([, path = '']) => path)),
];

let world: World;
let html: string;
/** Every page that the contents of `/docs` name, by path. */
let pages: ReadonlyMap<string, string>;
beforeAll(async () => {
  ({ world } = await makeDemo());
  html = (await world.get('/docs', HTML)).text;
  pages = new Map(
    await Promise.all(pathsIn(html).map(async (path) => [path, (await world.get(path, HTML)).text] as const)),
  );
});
afterAll(() => world.close());
const browser = useBrowser();

const pageAt = (path: string): string => pages.get(path) ?? '';
const placesIn = (page: string): string[] =>
  [...page.matchAll(/ id="([^"]+)"/g)].map(([, place = '']) => place);

test('the contents have a page for every need of a developer, in order, and a sitemap has them all', async () => {
  const paths = [...pages.keys()];
  expect(paths.slice(0, 5)).toEqual(['/docs', '/docs/shops', '/docs/carts', '/docs/orders', '/docs/codes']);
  expect(paths.slice(5, 11)).toEqual(
    ['bookings', 'loyalty', 'tables', 'webhooks', 'tools', 'errors'].map((name) => `/docs/${name}`),
  );
  expect(paths.length).toBeGreaterThan(20);
  const sitemap = (await world.get('/sitemap.xml')).text;
  for (const path of paths) expect(sitemap).toContain(`<loc>https://ahwa.example${path}</loc>`);
});

test.each([
  ['/docs', 'ar', 320, true],
  ['/docs', 'en', 1280, false],
  ['/docs/orders', 'ar', 1280, false],
  ['/docs/orders', 'en', 320, true],
  ['/docs/tools', 'en', 320, false],
  ['/docs/errors', 'ar', 320, false],
  ['/docs/staff-bills', 'ar', 320, true],
  ['/docs/staff-sync-guide', 'en', 320, false],
  ['/docs/webhooks', 'ar', 320, false],
] as const)('%s in %s is sound at %d px (dark: %s)', async (path, language, width, isDark) => {
  const opened = await browser.open(world, { language, width, isDark });
  await opened.go(path);
  await expectSound(opened);
});

test('its frame follows the reader, its text is English from left to right', async () => {
  const { page, go } = await browser.open(world, { language: 'ar', width: 1280, hasScript: false });
  await go('/docs');
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('واجهة Ahwa للمطورين');
  const reference = page.locator('[lang=en][dir=ltr]', { has: page.locator('#errors') });
  expect(await reference.count()).toBe(1);
  await go('/docs/carts');
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('السلات');
  expect(await page.getByText('نص هذه الصفحة بالإنجليزية.').count()).toBe(1);
});

test('every operation, tool, shape and error is on one page, under an address of its own', () => {
  const below = [...pages].filter(([path]) => path !== '/docs').flatMap(([, page]) => placesIn(page));
  const places = [
    ...[...TABLE, ...STAFF_TABLE].map(({ method, path }) => anchorOf(`${method} ${path}`)),
    ...Object.keys(tools).map((name) => `tool-${anchorOf(name)}`),
    ...Object.keys(REFUSALS).map((name) => `error-${anchorOf(name)}`),
    ...Object.keys(components).map((name) => name.toLowerCase()),
  ];
  expect(places.filter((place) => below.filter((each) => each === place).length !== 1)).toEqual([]);
});

test('every part of the guide to devices is on a page of its own', () => {
  const parts = [...readFileSync('docs/sync.md', 'utf8').matchAll(/^#{2,3} (.+)$/gm)].map(
    ([, title = '']) => title,
  );
  const places = ['guide', 'events', 'rows'].flatMap((name) => placesIn(pageAt(`/docs/staff-sync-${name}`)));
  expect(parts.length).toBeGreaterThan(30);
  expect(parts.map(anchorOf).filter((place) => !places.includes(place))).toEqual([]);
});

test('old links to a place on /docs lead to an entry that leads to its page', () => {
  const places = [
    ...TABLE.map(({ method, path }) => anchorOf(`${method} ${path}`)),
    ...Object.keys(tools).map((name) => `tool-${anchorOf(name)}`),
    ...Object.keys(REFUSALS).map((name) => `error-${anchorOf(name)}`),
    ...['errorbody', 'deliverymenu', 'cartquote', 'errors', 'headers', 'shapes', 'tool-server', 'start'],
    ...['service', 'shop', 'menu', 'booking', 'orders', 'tables', 'carts', 'codes', 'loyalty'],
  ];
  expect(places.filter((place) => !placesIn(html).includes(place))).toEqual([]);
  expect(html).toMatch(/<li id="error-item-not-found"><a href="\/docs\/errors#error-item-not-found">/);
});

test('every link within the reference leads to a page and a place on it, and no place is there twice', () => {
  for (const [path, page] of pages) {
    const links = [...page.matchAll(/href="(\/docs(?:\/[\w-]+)?)?#([^"]+)"/g)];
    const dead = links.filter(([, at = path, place = '']) => !placesIn(pageAt(at)).includes(place));
    expect([path, dead.map(([link]) => link)]).toEqual([path, []]);
    const places = placesIn(page);
    expect([path, places.filter((place, at) => places.indexOf(place) !== at)]).toEqual([path, []]);
    expect([path, pathsIn(page).filter((each) => !pages.has(each))]).toEqual([path, []]);
    expect(page).not.toContain('](');
  }
});

test('a page leads to those before and after it, and back to the start', async () => {
  const { page, go } = await browser.open(world, { language: 'en', width: 320, hasScript: false });
  await go('/docs');
  await page.getByRole('link', { name: 'Next: Shops and menus' }).click();
  await page.getByRole('link', { name: 'Next: Carts' }).click();
  expect(new URL(page.url()).pathname).toBe('/docs/carts');
  await page.getByRole('link', { name: 'Previous: Shops and menus' }).click();
  const way = page.getByRole('navigation', { name: 'Where you are' });
  await way.getByRole('link', { name: 'Start' }).click();
  expect(new URL(page.url()).pathname).toBe('/docs');
  await go('/docs/staff-tills');
  await way.getByRole('link', { name: 'Staff: sign-in' }).click();
  expect(new URL(page.url()).pathname).toBe('/docs/staff');
});

test('on a wide screen the contents stay in view while the text scrolls', async () => {
  const { page, go } = await browser.open(world, { language: 'en', width: 1280, hasScript: false });
  await go('/docs/orders#deliveryorder');
  const contents = page.getByRole('navigation', { name: 'Contents' });
  expect(await contents.evaluate((element) => element.getBoundingClientRect().top)).toBe(0);
  await contents.getByRole('link', { name: 'POST /public/delivery-orders' }).click();
  expect(new URL(page.url()).hash).toBe('#post-public-delivery-orders');
  expect(await contents.evaluate((element) => element.getBoundingClientRect().top)).toBe(0);
});

test('an error is explained in both languages', () => {
  const { en, ar } = REFUSALS.ITEM_NOT_FOUND;
  for (const words of [en, ar]) expect(pageAt('/docs/errors')).toContain(words);
});

test('every field of every shape is there', () => {
  const whole = [...pages.values()].join('');
  const section = (name: string): string =>
    new RegExp(`<h3 id="${name.toLowerCase()}">.*?</section>`, 's').exec(whole)?.[0] ?? '';
  const missing = Object.entries(components).flatMap(([name, { properties }]) =>
    Object.keys(properties).filter((field) => !section(name).includes(`<code>${field}</code>`)),
  );
  expect(missing).toEqual([]);
});

test('each page is at most 12 KB, compressed, in either language', async () => {
  for (const path of pages.keys())
    for (const language of ['ar', 'en']) {
      const { text } = await world.get(path, { ...HTML, 'accept-language': language });
      expect([path, language, gzipSync(text).length > 12 * 1024]).toEqual([path, language, false]);
    }
});

test('a page names the Markdown and its OpenAPI document, and the Markdown leads back to the errors', async () => {
  for (const [type, path] of [
    ['text/markdown', '/docs.md'],
    ['application/json', '/openapi.json'],
  ] as const) {
    expect(html).toContain(`<link rel="alternate" type="${type}" href="${path}"`);
    expect((await world.get(path, HTML)).headers['content-type']).toContain(type);
  }
  expect(pageAt('/docs/staff')).toContain(
    '<link rel="alternate" type="application/json" href="/openapi-staff.json"',
  );
  expect((await world.get('/docs.md')).text).toContain('(/docs#errors)');
});

/** Addresses of the links that send a read. */
const triedAddresses = (page: string): string[] => [
  ...new Set(
    [...page.matchAll(/href="([^"]*)" data-try/g)].map(([, href = '']) => href.replaceAll('&amp;', '&')),
  ),
];

test('every read can be tried without script, and those of the demo shops are answered', async () => {
  const addresses = triedAddresses(
    [...pages].flatMap(([path, page]) => (path === '/docs' ? [] : page)).join(''),
  );
  const paths = TABLE.filter(({ method }) => method === 'GET').map(({ path }) => path);
  expect(addresses.length).toBe(paths.length);
  // Of the guest, and of the shop's wallet accounts.
  const needSecrets =
    /^\/public\/(bookings|order-now|otp\/device|loyalty\/pass|delivery-orders\/(history|past))/;
  for (const address of addresses.filter((each) => !needSecrets.test(each)))
    expect([address, (await world.get(address)).status]).toEqual([address, 200]);
});

test('without a demo the requests are examples, and the page says so', async () => {
  const production = await makeWorld({ database: world.database, hasDemo: false });
  try {
    const { text } = await production.get('/docs', HTML);
    expect(text).toContain('The ids are examples.');
    expect(text).not.toContain('those of the demo shops');
    expect(triedAddresses(text)).toContain('/public/orgs/links?slug=beit-el-bunn');
  } finally {
    await production.close();
  }
});

test.each(['ar', 'en'] as const)(
  'a request is sent from the page and its answer is shown, in %s',
  async (language) => {
    const opened = await browser.open(world, { language, width: 360 });
    const { page, go } = opened;
    await go('/docs/shops');
    await page.locator('#get-public-orgs-brand ~ .command a').click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByRole('heading').innerText()).toContain('/public/orgs/brand');
    await dialog.getByRole('button', { name: language === 'ar' ? 'أرسل' : 'Send' }).click();
    await dialog.getByText('"slug": "beit-el-bunn"').waitFor();
    expect(await dialog.getByRole('status').innerText()).toContain('200');
    if (language === 'ar') await expectSound(opened);
    await dialog.getByLabel('slug').fill('no-such-shop');
    await page.keyboard.press('Enter');
    await dialog.getByText(language === 'ar' ? /"error": ".*[ء-ي]/ : /"error": "[A-Z]/).waitFor();
    expect(await dialog.getByRole('status').innerText()).toContain('404');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect(await page.evaluate(() => document.activeElement?.getAttribute('data-try'))).toBe('getBrand');
  },
);

test('a request that does not arrive says so, and keeps what was typed', async () => {
  const { page, go } = await browser.open(world, { language: 'en' });
  await go('/docs/shops');
  await page.locator('#get-public-orgs-brand ~ .command a').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('slug').fill('zawya');
  await page.context().setOffline(true);
  await dialog.getByRole('button', { name: 'Send' }).click();
  await dialog.getByText('did not reach the server').waitFor();
  expect(await dialog.getByLabel('slug').inputValue()).toBe('zawya');
});

test('a command line is copied as it stands', async () => {
  const { page, go } = await browser.open(world, { language: 'en' });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await go('/docs/shops');
  const command = page.locator('#get-public-orgs-links ~ .command');
  await command.getByRole('button', { name: 'Copy' }).click();
  await command.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    "curl 'https://ahwa.example/public/orgs/links?slug=beit-el-bunn'",
  );
});

test('on a phone the contents are folded, and lead to an operation', async () => {
  const { page, go } = await browser.open(world, { language: 'en', hasScript: false });
  await go('/docs/shops');
  await page.getByText('Contents', { exact: true }).click();
  await page.getByRole('link', { name: 'GET /public/branches/{id}/menu' }).first().click();
  expect(new URL(page.url()).hash).toBe('#get-public-branches-id-menu');
});

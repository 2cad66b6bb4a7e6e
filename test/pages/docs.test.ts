import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endpoints } from '../../src/service/contract/endpoints.ts';
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

let world: World;
let html: string;
beforeAll(async () => {
  ({ world } = await makeDemo());
  html = (await world.get('/docs', HTML)).text;
});
afterAll(() => world.close());
const browser = useBrowser();

test.each([
  ['ar', 360, true],
  ['en', 1280, false],
] as const)('the reference in %s is sound at %d px (dark: %s)', async (language, width, isDark) => {
  const opened = await browser.open(world, { language, width, isDark });
  await opened.go('/docs');
  await expectSound(opened);
});

test('its frame follows the reader, its text is English from left to right', async () => {
  const { page, go } = await browser.open(world, { language: 'ar', width: 1280, hasScript: false });
  await go('/docs');
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('واجهة Ahwa للمطورين');
  const reference = page.locator('[lang=en][dir=ltr]', { has: page.locator('#errors') });
  expect(await reference.count()).toBe(1);
});

test('every operation, tool, shape and error stands there under an address of its own', () => {
  const places = [
    ...TABLE.map(({ method, path }) => anchorOf(`${method} ${path}`)),
    ...Object.keys(tools).map((name) => `tool-${anchorOf(name)}`),
    ...Object.keys(REFUSALS).map((name) => `error-${anchorOf(name)}`),
    ...['errorbody', 'deliverymenu', 'cartquote'],
  ];
  expect(places.filter((place) => !html.includes(` id="${place}"`))).toEqual([]);
});

test('an error is explained in both languages', () => {
  const { en, ar } = REFUSALS.ITEM_NOT_FOUND;
  for (const words of [en, ar]) expect(html).toContain(words);
});

test('every link within the page leads to a place on it, and no place stands twice', () => {
  const links = [...html.matchAll(/href="#([^"]+)"/g)].map(([, place]) => place);
  const places = [...html.matchAll(/ id="([^"]+)"/g)].map(([, place]) => place);
  expect(links).toContain('deliveryorderinput');
  expect(links.filter((place) => !places.includes(place))).toEqual([]);
  expect(places.filter((place, at) => places.indexOf(place) !== at)).toEqual([]);
  expect(html).not.toContain('](');
});

test('every field of every public shape is there', () => {
  const section = (name: string): string =>
    new RegExp(`<h3 id="${name.toLowerCase()}">.*?</section>`, 's').exec(html)?.[0] ?? '';
  const missing = Object.entries(components)
    .filter(([name]) => section(name) !== '')
    .flatMap(([name, { properties }]) =>
      Object.keys(properties).filter((field) => !section(name).includes(`<code>${field}</code>`)),
    );
  expect(missing).toEqual([]);
});

test('it is at most 60 KB, compressed', () => {
  expect(gzipSync(html).length).toBeLessThanOrEqual(60 * 1024);
});

test('it names its Markdown and its OpenAPI document, and the Markdown leads back to its errors', async () => {
  for (const [type, path] of [
    ['text/markdown', '/docs.md'],
    ['application/json', '/openapi.json'],
  ] as const) {
    expect(html).toContain(`<link rel="alternate" type="${type}" href="${path}"`);
    expect((await world.get(path, HTML)).headers['content-type']).toContain(type);
  }
  expect((await world.get('/docs.md')).text).toContain('(/docs#errors)');
});

/** Addresses of the links that send a read. */
const triedAddresses = (page: string): string[] => [
  ...new Set(
    [...page.matchAll(/href="([^"]*)" data-try/g)].map(([, href = '']) => href.replaceAll('&amp;', '&')),
  ),
];

test('every read can be tried without script, and those of the demo shops are answered', async () => {
  const addresses = triedAddresses(html);
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
    await go('/docs');
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
  await go('/docs');
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
  await go('/docs');
  const command = page.locator('#get-public-orgs-links ~ .command');
  await command.getByRole('button', { name: 'Copy' }).click();
  await command.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    "curl 'https://ahwa.example/public/orgs/links?slug=beit-el-bunn'",
  );
});

test('on a phone the contents are folded, and lead to an operation', async () => {
  const { page, go } = await browser.open(world, { language: 'en', hasScript: false });
  await go('/docs');
  await page.getByText('Contents', { exact: true }).click();
  await page.getByRole('link', { name: 'GET /public/branches/{id}/menu' }).first().click();
  expect(new URL(page.url()).hash).toBe('#get-public-branches-id-menu');
});

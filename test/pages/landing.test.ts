import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectSoundInEveryView, useBrowser } from '../support/browser/browser.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { makeDemo } from '../support/shops/demo.ts';

const HTML = { accept: 'text/html,application/xhtml+xml', 'accept-language': 'en' };

let world: World;
beforeAll(async () => {
  ({ world } = await makeDemo());
});
afterAll(() => world.close());
const browser = useBrowser();

test.each(['ar', 'en'] as const)(
  'the landing page in %s is sound on a phone and a desk, by day and by night',
  async (language) => {
    const opened = await browser.open(world, { language });
    await opened.go('/');
    await expectSoundInEveryView(opened);
  },
);

test('it says what the plans cost a month for each branch, and whom to ask', async () => {
  const { page, go } = await browser.open(world, { language: 'en', hasScript: false });
  await go('/');
  const plan = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Orders' }) });
  expect(await plan.innerText()).toMatch(/EGP 450\.50\s+a month for each branch/);
  const free = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Menu' }) });
  expect(await free.innerText()).toContain('Free');
  expect(await page.getByRole('link', { name: 'hello@ahwa.example' }).getAttribute('href')).toBe(
    'mailto:hello@ahwa.example',
  );
});

test('it leads to the reference, the descriptions for programs and the guide for assistants, which all exist', async () => {
  const { page, go } = await browser.open(world, { language: 'en', hasScript: false });
  await go('/');
  for (const path of ['/docs', '/openapi.json', '/llms.txt'])
    expect(await page.getByRole('link', { name: path }).getAttribute('href')).toBe(path);
  const tools = await page.getByRole('link', { name: '/mcp' }).getAttribute('href');
  expect(tools).toBe('/docs/tools');
  const hrefs = await page
    .locator('main a[href^="/"]')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
  for (const href of hrefs)
    expect([href, (await world.get(href.replace(/#.*/, ''), HTML)).status]).toEqual([href, 200]);
});

test('a demo shop is one tap away, by its name in the reader’s language', async () => {
  const { page, go } = await browser.open(world, { language: 'en' });
  await go('/');
  await page.getByRole('link', { name: 'Beit El Bunn' }).click();
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Beit El Bunn');
});

test('a switched-off shop is not among the demo shops', async () => {
  const { text } = await world.get('/', HTML);
  expect(text).toContain('href="/zawya"');
  expect(text).not.toContain('kashk');
});

test('without a demo, as in production, no shop is named', async () => {
  const production = await makeWorld({ database: world.database, hasDemo: false });
  try {
    const { text, status } = await production.get('/', HTML);
    expect(status).toBe(200);
    for (const slug of ['beit-el-bunn', 'zawya', 'layaly', 'Demo shops']) expect(text).not.toContain(slug);
  } finally {
    await production.close();
  }
});

test('browsers get the page and programs the description, whichever came first, and caches are told', async () => {
  const describes = async (accept: string) => {
    const { headers, text } = await world.get('/', { accept, 'accept-language': 'en' });
    expect(headers.vary).toMatch(/^Accept, Accept-Encoding/);
    return `${headers['content-type'] ?? ''} ${text.slice(0, 15)}`;
  };
  const page = 'text/html; charset=utf-8 <!doctype html>';
  const json = 'application/json; charset=utf-8 {"name":"Ahwa",';
  expect(await describes('*/*')).toBe(json);
  expect(await describes('text/html,*/*;q=0.8')).toBe(page);
  expect(await describes('application/json')).toBe(json);
  expect(await describes('text/html,*/*;q=0.8')).toBe(page);
});

test('search engines read who makes the software and what it costs', async () => {
  const { text } = await world.get('/', HTML);
  const data = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text)?.[1] ?? '';
  expect(JSON.parse(data)).toMatchObject({
    '@context': 'https://schema.org',
    '@graph': [
      {
        '@type': 'Organization',
        url: 'https://ahwa.example/',
        contactPoint: { email: 'hello@ahwa.example' },
      },
      { '@type': 'SoftwareApplication', offers: [{ price: '0.00' }, { name: 'Orders', price: '450.50' }] },
    ],
  });
  expect(text).toContain('<meta property="og:title" content="Ahwa: the pages of cafés and restaurants"');
});

import { sql } from 'kysely';
import sharp from 'sharp';
import { shortId } from '../../src/kernel/ids.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeWorld, type World } from '../support/server/world.ts';
import { aBranch, aShopFile, aTable, openShops, thingId } from '../support/shops/cafe.ts';

const SHOPS = [
  aShopFile({ links: { modules: [{ kind: 'menu' }, { kind: 'order', visible: false }] } }),
  aShopFile({ slug: 'zawya', branches: [aBranch({ channels: {} })] }),
  aShopFile({ slug: 'kashk', active: false }),
  aShopFile({
    slug: 'two-branches',
    branches: [aBranch(), aBranch({ key: 'dokki', name: 'الدقي', code: 'DK' })],
  }),
  aShopFile({
    slug: 'every-button',
    links: { modules: [{ kind: 'order' }, { kind: 'menu' }, { kind: 'rewards' }, { kind: 'book' }] },
    loyalty: {
      enabled: true,
      mode: 'points',
      program_name: 'نقاط',
      earn_piastres_per_point: 1000,
      default_reward_cost: 60,
    },
    branches: [aBranch({ tables: [aTable('t1', 2)], booking: { enabled: true } })],
  }),
];

let world: World;
beforeAll(async () => {
  world = await makeWorld();
  await openShops(world, ...SHOPS);
});
afterAll(() => world.close());

const addressesIn = (sitemap: string): string[] =>
  [...sitemap.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address = '']) => address);

const inEveryLanguage = (address: string): string[] => [
  address,
  ...['ar', 'en'].map((language) => `${address}?lang=${language}`),
];

test('the sitemap of the service lists its own pages in both languages and no shop', async () => {
  const { text, headers } = await world.get('/sitemap.xml');
  expect(headers['content-type']).toBe('application/xml; charset=utf-8');
  const listed = addressesIn(text);
  const own = listed.filter((address) => !address.includes('?'));
  expect(own.slice(0, 2)).toEqual(['https://ahwa.example/', 'https://ahwa.example/docs']);
  expect(own.slice(2).filter((address) => !address.startsWith('https://ahwa.example/docs/'))).toEqual([]);
  expect(listed).toEqual(own.flatMap(inEveryLanguage));
});

test('the sitemap of a shop with many branches reads one menu after another and not all at once', async () => {
  const own = await makeWorld();
  try {
    const branches = Array.from({ length: 12 }, (_, at) => aBranch({ key: `b${at}`, code: `B${at}` }));
    await openShops(own, aShopFile({ branches }));
    const connections = async (): Promise<number> => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from pg_stat_activity where datname = current_database() and backend_type = 'client backend'`.execute(
        own.db.kysely,
      );
      return rows[0]?.count ?? 0;
    };
    await own.get('/beit-el-bunn/menu', { accept: 'text/html' });
    const before = await connections();
    const { text } = await own.get('/beit-el-bunn/sitemap.xml');
    expect(text.match(/menu\?branch=/g)?.length).toBeGreaterThan(10);
    expect((await connections()) - before).toBeLessThanOrEqual(1);
  } finally {
    await own.close();
  }
});

test('the sitemap of a shop lists the pages that its links page leads to', async () => {
  const published = async (slug: string) => addressesIn((await world.get(`/${slug}/sitemap.xml`)).text);
  const shop = 'https://ahwa.example/beit-el-bunn';
  expect(await published('beit-el-bunn')).toEqual(
    [shop, `${shop}/menu`, `${shop}/menu/${shortId(thingId('item', 'turkish'))}`].flatMap(inEveryLanguage),
  );
  expect((await published('zawya')).filter((address) => address.endsWith('/order'))).toEqual([]);
});

test('every listed menu and item opens, and calls itself what the sitemap calls it', async () => {
  const { text } = await world.get('/two-branches/sitemap.xml');
  const listed = addressesIn(text).filter((address) => address.includes('/menu'));
  expect(listed.filter((address) => address.includes('branch=')).length).toBeGreaterThan(0);
  for (const address of listed) {
    const page = await world.get(address.replace('https://ahwa.example', '').replaceAll('&amp;', '&'), {
      accept: 'text/html',
    });
    expect([address, page.status]).toEqual([address, 200]);
    expect(page.text).toContain(`<link rel="canonical" href="${address}"`);
  }
});

test('of the buttons of the links page exactly those are listed whose pages are there', async () => {
  const { items } = await world.read('getLinks', '/public/orgs/links?slug=every-button');
  const paths = items.flatMap(({ path }) => path ?? []);
  expect(paths).toEqual(['/order', '/menu', '/join', '/book']);
  const { text } = await world.get('/every-button/sitemap.xml');
  const listed = addressesIn(text);
  for (const path of paths) {
    const { status } = await world.get(`/every-button${path}`, { accept: 'text/html' });
    expect([path, listed.includes(`https://ahwa.example/every-button${path}`)]).toEqual([
      path,
      status === 200,
    ]);
  }
});

test('every entry names the page in each language', async () => {
  const { text } = await world.get('/beit-el-bunn/sitemap.xml');
  for (const entry of text.match(/<url>.*?<\/url>/g) ?? [])
    expect([...entry.matchAll(/hreflang="([\w-]+)"/g)].map(([, language]) => language)).toEqual([
      ...['ar', 'en', 'x-default'],
    ]);
});

test('a switched-off or unknown shop has no sitemap', async () => {
  for (const slug of ['kashk', 'no-such-shop', 'assets'])
    expect([slug, (await world.get(`/${slug}/sitemap.xml`)).status]).toEqual([slug, 404]);
});

test('a button that the shop hides leaves its sitemap at once', async () => {
  const [first, ...others] = SHOPS;
  if (first === undefined) return;
  await openShops(world, { ...first, links: { modules: [{ kind: 'menu', visible: false }] } }, ...others);
  const { text } = await world.get('/beit-el-bunn/sitemap.xml');
  expect(addressesIn(text).filter((address) => address.includes('/menu'))).toEqual([]);
});

test('the links page names its sitemap, and robots.txt that of the service', async () => {
  const page = await world.get('/beit-el-bunn', { accept: 'text/html' });
  expect(page.text).toContain('<link rel="sitemap" type="application/xml" href="/beit-el-bunn/sitemap.xml"');
  const { text, headers } = await world.get('/robots.txt');
  expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(text).toContain('Sitemap: https://ahwa.example/sitemap.xml');
});

test('robots.txt keeps crawlers from pages of one person or table and from the API, and lets them read the rest', async () => {
  const { text } = await world.get('/robots.txt');
  const kept = [...text.matchAll(/^Disallow: (.*)$/gm)].map(([, path]) => path);
  expect(kept).toEqual(['/track/', '/manage/', '/card/', '/t/', '/public/', '/staff/']);
  expect(text).toContain('User-agent: *');
});

test('our mark is a drawing that loads nothing', async () => {
  const { status, headers, text } = await world.get('/icon.svg');
  expect([status, headers['content-type']]).toEqual([200, 'image/svg+xml']);
  expect(headers['content-security-policy']).toContain("default-src 'none'");
  expect(text).not.toMatch(/href|script|style=|url\(/);
});

test('/favicon.ico is an icon file, with a PNG of our mark inside', async () => {
  const { status, headers, bytes } = await world.get('/favicon.ico');
  expect([status, headers['content-type']]).toEqual([200, 'image/x-icon']);
  const [start, length] = [bytes.readUInt32LE(18), bytes.readUInt32LE(14)];
  expect([...bytes.subarray(0, 8)]).toEqual([0, 0, 1, 0, 1, 0, 48, 48]);
  expect(start + length).toBe(bytes.length);
  expect(await sharp(bytes.subarray(start)).metadata()).toMatchObject({
    format: 'png',
    width: 48,
    height: 48,
  });
});

test('home screens get our mark as an opaque PNG, on every page without a logo', async () => {
  for (const address of ['/', '/docs', '/beit-el-bunn']) {
    const page = await world.get(address, { accept: 'text/html' });
    expect(page.text).toContain('<link rel="apple-touch-icon" href="/apple-touch-icon.png"');
  }
  const { headers, bytes } = await world.get('/apple-touch-icon.png');
  expect(headers['content-type']).toBe('image/png');
  const facts = { format: 'png', width: 180, height: 180, hasAlpha: false };
  expect(await sharp(bytes).metadata()).toMatchObject(facts);
});

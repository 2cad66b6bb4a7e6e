/** Pages and reads under a former slug of a shop. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mountPages } from '../../src/doors/web/mount.ts';
import { renameShop } from '../../src/shopfile/app/rename-shop.ts';
import { useBrowser } from '../support/browser/browser.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { aShopFile, branchId, openShops, shopId, thingId } from '../support/shops/cafe.ts';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
  await openShops(world, aShopFile());
  await renameShop(world.app, 'beit-el-bunn', 'bunn-house');
});
afterAll(() => world.close());
const browser = useBrowser();

const ITEM = thingId('item', 'latte');
const READER = { accept: 'text/html,application/xhtml+xml', 'accept-language': 'en' };

const shopPages = (): readonly string[] =>
  Object.values(mountPages(world.app, { assets: 'dist/web', demo: null }).pages.endpoints)
    .map(({ path }) => path)
    .filter((path) => path.startsWith('/{slug}'));
const under = (slug: string, path: string): string => path.replace('{slug}', slug).replace('{item}', ITEM);

describe('under a former slug', () => {
  test('every page and file of the shop leads to the same address under the present slug', async () => {
    expect(shopPages().length).toBeGreaterThan(6);
    for (const path of shopPages()) {
      const { status, headers, text } = await world.get(under('beit-el-bunn', path), READER);
      expect([path, status, headers['location'], text]).toEqual([path, 308, under('bunn-house', path), '']);
    }
  });

  test('the query is kept as it was written', async () => {
    const query = `?branch=${branchId()}&utm_source=%D9%82&lang=en`;
    const { headers } = await world.get(`/beit-el-bunn/menu${query}`, READER);
    expect(headers['location']).toBe(`/bunn-house/menu${query}`);
  });

  test('nobody keeps the redirect without asking: two slugs of a shop can change places', async () => {
    const { headers } = await world.get('/beit-el-bunn', READER);
    expect(headers['cache-control']).toBe('no-cache');
  });

  test('a link opens the page in a browser, which then has the present address', async () => {
    const { page, go } = await browser.open(world, { language: 'en' });
    await go('/beit-el-bunn/menu');
    expect(new URL(page.url()).pathname).toBe('/bunn-house/menu');
  });

  test('programs still get the answer, with the present slug', async () => {
    const brand = await world.read('getBrand', '/public/orgs/brand?slug=beit-el-bunn');
    expect(brand).toMatchObject({ org_id: shopId(), slug: 'bunn-house' });
  });
});

test('a page that another process has cached leads on once it hears of the rename', async () => {
  const other = await makeWorld({ database: world.database });
  try {
    await openShops(world, aShopFile({ slug: 'zawya' }));
    expect((await other.get('/zawya/menu', READER)).status).toBe(200);
    await renameShop(world.app, 'zawya', 'zawya-cafe');
    await other.hearOfChanges();
    expect((await other.get('/zawya/menu', READER)).headers['location']).toBe('/zawya-cafe/menu');
    await renameShop(world.app, 'zawya-cafe', 'zawya');
    await other.hearOfChanges();
    expect((await other.get('/zawya-cafe/menu', READER)).headers['location']).toBe('/zawya/menu');
    expect((await other.get('/zawya/menu', READER)).status).toBe(200);
  } finally {
    await other.close();
  }
});

test('guests who read the menu while the shop is renamed find it under either slug', async () => {
  await openShops(world, aShopFile({ slug: 'kashk' }));
  const slugs = ['kashk', 'kashk-cairo'] as const;
  const menuAt = async (slug: string): Promise<void> => {
    const { status, headers } = await world.get(`/${slug}/menu`, READER);
    const [other] = slugs.filter((each) => each !== slug);
    if (status === 308) expect(headers['location']).toBe(`/${other}/menu`);
    else expect(status).toBe(200);
  };
  const [old, present] = slugs;
  for (const [from, to] of [
    [old, present],
    [present, old],
    [old, present],
  ] as const) {
    const guests = Array.from({ length: 20 }, (_, at) => menuAt(at % 2 === 0 ? from : old));
    await Promise.all([...guests, renameShop(world.app, from, to)]);
  }
  expect((await world.get(`/${old}/menu`, READER)).headers['location']).toBe(`/${present}/menu`);
  expect((await world.get(`/${present}/menu`, READER)).status).toBe(200);
});

/** What a guest without network, or with one that never answers, still sees. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useBrowser, type OpenedPage } from '../support/browser/browser.ts';
import { openProxy } from '../support/database/proxy.ts';
import type { World } from '../support/server/world.ts';
import { makeDemo } from '../support/shops/demo.ts';

let world: World;
beforeAll(async () => {
  ({ world } = await makeDemo());
});
afterAll(() => world.close());
const browser = useBrowser();

/** The answer that is kept of an address; null: none. */
const keptOf = ({ page }: OpenedPage, address: string): Promise<string | null> =>
  page.evaluate(
    async (at) => (await (await caches.match(at, { ignoreVary: true }))?.text()) ?? null,
    address,
  );

/** Opens a menu, which is kept from then on. */
const seeMenu = async (opened: OpenedPage): Promise<void> => {
  await opened.go('/zawya/menu');
  await expect.poll(() => keptOf(opened, '/zawya/menu')).not.toBeNull();
};

const rulesOfStyles = ({ page }: OpenedPage): Promise<number[]> =>
  page.evaluate(() =>
    [...document.styleSheets].filter(({ href }) => href !== null).map(({ cssRules }) => cssRules.length),
  );

test('however many pictures were seen, the page without network and the menu keep their styles', async () => {
  const opened = await browser.open(world, { language: 'en' });
  const { page } = opened;
  await seeMenu(opened);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload();
  const picture = page.locator('img[src^="/pictures/"]').first();
  const seen = await picture.evaluate(async (image: HTMLImageElement) => {
    await image.decode();
    return image.currentSrc;
  });
  await expect.poll(() => keptOf(opened, seen)).not.toBeNull();
  await page.evaluate(async (at) => {
    const names = await caches.keys();
    const opened = await Promise.all(names.map((name) => caches.open(name)));
    for (const cache of opened)
      if ((await cache.match(at)) !== undefined)
        for (let other = 0; other < 250; other += 1)
          await cache.put(`/pictures/${other}`, new Response('another picture'));
  }, seen);
  await page.evaluate(async (at) => (await fetch(at.replace(/\d+$/, '1200'))).arrayBuffer(), seen);
  await expect.poll(() => keptOf(opened, '/pictures/0')).toBeNull();
  await page.context().setOffline(true);
  await page.goto('/zawya');
  await page.getByRole('heading', { name: 'You are offline' }).waitFor();
  expect((await rulesOfStyles(opened)).every((rules) => rules > 0)).toBe(true);
  await page.goto('/zawya/menu');
  await page.getByText('You are offline. This is the menu as you last saw it').waitFor();
  const rules = await rulesOfStyles(opened);
  expect(rules.length).toBeGreaterThan(1);
  expect(rules.every((each) => each > 0)).toBe(true);
});

test('an item of a menu that was seen opens without network, though none was opened before', async () => {
  const opened = await browser.open(world, { language: 'en' });
  const { page } = opened;
  await seeMenu(opened);
  const { props } = JSON.parse((await page.locator('#island-data').textContent()) ?? '') as {
    props: { branchId: string };
  };
  await expect.poll(() => keptOf(opened, `/public/branches/${props.branchId}/menu`)).not.toBeNull();
  await page.context().setOffline(true);
  await page.reload();
  const item = page.locator('a.item').first();
  const name = await item.locator('b').innerText();
  await item.click();
  await page.getByRole('dialog').getByRole('heading', { name }).waitFor();
  await page.reload();
  await page.getByText('This is the menu as you last saw it').waitFor();
});

test('the page without network is in the language that the guest chose last', async () => {
  const opened = await browser.open(world, { language: 'ar' });
  const { page } = opened;
  await seeMenu(opened);
  expect(await keptOf(opened, '/assets/offline')).toContain('<html lang="ar"');
  await page.reload();
  await page.getByRole('link', { name: 'English' }).click();
  await expect.poll(() => keptOf(opened, '/assets/offline')).toContain('<html lang="en"');
  await page.context().setOffline(true);
  await page.goto('/zawya');
  await page.getByRole('heading', { name: 'You are offline' }).waitFor();
});

test('a menu that was seen opens also while the network is there and never answers', async () => {
  const proxy = await openProxy({ host: '127.0.0.1', port: world.port, user: '', database: '' });
  try {
    const { connection } = proxy;
    const port = 'port' in connection ? connection.port : 0;
    const behind = { ...world, baseUrl: `http://127.0.0.1:${port}` };
    const opened = await browser.open(behind, { language: 'en' });
    await seeMenu(opened);
    proxy.silence();
    await opened.page.reload();
    await opened.page.getByText('This is the menu as you last saw it').waitFor();
  } finally {
    await proxy.close();
  }
});

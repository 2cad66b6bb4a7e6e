import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectSound, useBrowser } from '../support/browser/browser.ts';
import { aShopThatDelivers } from '../support/browser/ordering.ts';
import { makeWorld, type World } from '../support/server/world.ts';
import { openShops, SLUG } from '../support/shops/cafe.ts';
import { makeDemo } from '../support/shops/demo.ts';

let world: World;
beforeAll(async () => {
  ({ world } = await makeDemo());
});
afterAll(() => world.close());
const browser = useBrowser();

describe('the choice of branch and channel', () => {
  test.each(['ar', 'en'] as const)(
    'in %s is sound and lists every way with its opening',
    async (language) => {
      const opened = await browser.open(world, { language });
      await opened.go('/beit-el-bunn/order');
      await expectSound(opened);
      const ways = opened.page.locator('a.way');
      expect(await ways.count()).toBe(8);
    },
  );

  test('says of an opening tomorrow after midnight that it is today', async () => {
    const closed = await makeWorld();
    try {
      closed.now = Date.parse('2026-11-20T21:30:00Z');
      const opens = (open: string) => aShopThatDelivers({ hours: { days: ['sat'], open, close: '23:00' } });
      await openShops(closed, opens('10:00'));
      const text = async (): Promise<string> =>
        (await closed.get(`/${SLUG}/order`, { accept: 'text/html', 'accept-language': 'en' })).text;
      expect(await text()).toContain('Opens tomorrow 10:00');
      closed.now = Date.parse('2026-11-20T22:30:00Z');
      expect(await text()).toContain('Opens 10:00');
    } finally {
      await closed.close();
    }
  });

  test('works without script, which then says how to order', async () => {
    const { page, go } = await browser.open(world, { language: 'en', hasScript: false });
    await go('/beit-el-bunn/order');
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Zamalek' })
      .getByRole('link', { name: /^Delivery Open/ })
      .click();
    expect(new URL(page.url()).search).toContain('channel=outside');
    expect(await page.locator('noscript p').first().innerText()).toContain('needs JavaScript');
    expect(await page.getByRole('link', { name: /Call the branch/ }).getAttribute('href')).toMatch(/^tel:/);
  });
});

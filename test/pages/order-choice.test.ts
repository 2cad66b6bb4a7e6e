import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectSound, useBrowser } from '../support/browser/browser.ts';
import type { World } from '../support/server/world.ts';
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

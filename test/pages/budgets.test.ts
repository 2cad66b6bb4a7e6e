import { afterAll, beforeAll, expect, test } from 'vitest';
import { weightOf } from '../support/browser/page-weight.ts';
import type { World } from '../support/server/world.ts';
import { makeDemo } from '../support/shops/demo.ts';

let world: World;
beforeAll(async () => {
  ({ world } = await makeDemo());
});
afterAll(() => world.close());

const KB = 1024;

const textAt = async (address: string): Promise<string> =>
  (await world.get(address, { accept: 'text/html,*/*', 'accept-language': 'ar' })).text;

test.each(['/beit-el-bunn/menu', '/layaly/menu', '/zawya/menu'])(
  'the page %s weighs at most 12 KB of HTML, 6 KB of styles and 20 KB of script, compressed',
  async (page) => {
    const { html, css, script, scripts } = await weightOf(textAt, page);
    expect(html).toBeLessThanOrEqual(12 * KB);
    expect(css).toBeLessThanOrEqual(6 * KB);
    expect(script).toBeLessThanOrEqual(20 * KB);
    // That of the first tap is among them.
    expect([...scripts.values()].some((text) => text.includes('showModal'))).toBe(true);
  },
);

/** The order page of the first branch and channel that the choice of them leads to. */
const firstOrderForm = async (slug: string): Promise<string> => {
  const [, query = ''] = /href="[^"]*(\?[^"]*branch=[^"]*)"/.exec(await textAt(`/${slug}/order`)) ?? [];
  return `/${slug}/order${query.replaceAll('&amp;', '&')}`;
};

/** What the pages weigh today and a little more, so that nobody adds to them unseen. */
test.each([
  { page: 'order', addressOf: () => firstOrderForm('beit-el-bunn'), most: 41 },
  { page: 'book', addressOf: () => Promise.resolve('/layaly/book'), most: 25 },
])(
  'the page to $page weighs at most $most KB of script and 6 KB of styles, compressed',
  async ({ addressOf, most }) => {
    const { css, atOnce } = await weightOf(textAt, await addressOf());
    expect(css).toBeLessThanOrEqual(6 * KB);
    expect(atOnce).toBeGreaterThan(10 * KB);
    expect(atOnce).toBeLessThanOrEqual(most * KB);
  },
);

test('the way of a guest with a card adds at most 8 KB of script to the order page, and nobody else loads it', async () => {
  const { script, atOnce, scripts } = await weightOf(textAt, await firstOrderForm('beit-el-bunn'));
  expect(script - atOnce).toBeLessThanOrEqual(8 * KB);
  expect(
    [...scripts.values()].some((text) => text.includes('x-device-token') && text.includes('orderNow(')),
  ).toBe(true);
  const choice = await weightOf(textAt, '/beit-el-bunn/order');
  expect(choice.atOnce).toBeLessThanOrEqual(KB);
});

test('the page to join weighs at most 12 KB of HTML, 6 KB of styles and 20 KB of script, compressed', async () => {
  const { html, css, script } = await weightOf(textAt, '/beit-el-bunn/join');
  expect(html).toBeLessThanOrEqual(12 * KB);
  expect(css).toBeLessThanOrEqual(6 * KB);
  expect(script).toBeLessThanOrEqual(20 * KB);
});

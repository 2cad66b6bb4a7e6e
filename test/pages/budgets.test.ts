import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { World } from '../support/server/world.ts';
import { makeDemo } from '../support/shops/demo.ts';

let world: World;
beforeAll(async () => {
  ({ world } = await makeDemo());
});
afterAll(() => world.close());

const KB = 1024;

const gzipped = async (address: string): Promise<number> =>
  gzipSync((await world.get(address, { accept: 'text/html,*/*' })).text, { level: 9 }).length;

const sumOf = async (addresses: readonly string[]): Promise<number> =>
  (await Promise.all(addresses.map(gzipped))).reduce((sum, size) => sum + size, 0);

/** Of everything that the page names, loaded at once or at the first tap. */
const weightOf = async (page: string) => {
  const { text } = await world.get(page, { accept: 'text/html', 'accept-language': 'ar' });
  const linked = (ending: string): string[] => [
    ...new Set(
      [...text.matchAll(new RegExp(`(?:href|src)="(/assets/[^"]+\\.${ending})"`, 'g'))].map(
        ([, at = '']) => at,
      ),
    ),
  ];
  return {
    html: gzipSync(text, { level: 9 }).length,
    css: await sumOf(linked('css')),
    script: await sumOf(linked('js')),
  };
};

test.each(['/beit-el-bunn/menu', '/layaly/menu', '/zawya/menu'])(
  'the page %s weighs at most 12 KB of HTML, 6 KB of styles and 20 KB of script, compressed',
  async (page) => {
    const { html, css, script } = await weightOf(page);
    expect(html).toBeLessThanOrEqual(12 * KB);
    expect(css).toBeLessThanOrEqual(6 * KB);
    expect(script).toBeGreaterThan(0);
    expect(script).toBeLessThanOrEqual(20 * KB);
  },
);

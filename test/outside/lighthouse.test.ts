/** Lighthouse over the pages that guests see, as on a phone, in both languages: accessibility and SEO are perfect. */
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, type Browser } from '../support/browser/launch.ts';
import { makeDemo } from '../support/shops/demo.ts';
import type { World } from '../support/server/world.ts';

interface Report {
  readonly categories: Readonly<Record<string, { readonly score: number | null }>>;
  readonly audits: Readonly<Record<string, { readonly id: string; readonly score: number | null }>>;
}

/** What of it is used here; its types are there only where it is installed. */
interface Lighthouse {
  readonly default: (url: string, flags: object) => Promise<{ readonly lhr: Report } | undefined>;
}

const PROGRAM = new URL('node_modules/lighthouse/core/index.js', import.meta.url).href;

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

/** As on a phone; speed is measured elsewhere, so nothing is slowed, and nothing waited for when the page has loaded. */
const FLAGS = {
  onlyCategories: ['accessibility', 'seo'],
  throttlingMethod: 'simulate',
  ...{ pauseAfterFcpMs: 0, pauseAfterLoadMs: 0, networkQuietThresholdMs: 0, cpuQuietThresholdMs: 0 },
  disableFullPageScreenshot: true,
  disableStorageReset: true,
  skipAboutBlank: true,
  logLevel: 'error',
};

interface Verdict {
  readonly accessibility: number | null | undefined;
  readonly seo: number | null | undefined;
  /** Audits that did not pass. */
  readonly failed: readonly string[];
}

const judge = async (url: string): Promise<Verdict> => {
  const { default: lighthouse } = (await import(PROGRAM)) as Lighthouse;
  const { lhr } = (await lighthouse(url, { ...FLAGS, port })) ?? expect.fail('no report');
  const failed = Object.values(lhr.audits).filter(({ score }) => score !== null && score < 1);
  return {
    accessibility: lhr.categories['accessibility']?.score,
    seo: lhr.categories['seo']?.score,
    failed: failed.map(({ id }) => id),
  };
};

/** Pages, and whether search engines may list them. */
const PAGES = {
  'the landing page': true,
  'the reference': true,
  'the links of a shop': true,
  'a menu': true,
  'an item': true,
  'the choice of a branch': true,
  'an order': true,
  'a booking': true,
  'a table': false,
  'an order on its way': false,
} as const;
type PageName = keyof typeof PAGES;

let world: World;
let browser: Browser;
let port: number;
let addresses: Readonly<Record<PageName, string>>;

/** The address in the first link of a page that has `text` in it. */
const linkOn = async (address: string, text: string): Promise<string> => {
  const page = await world.get(address, { accept: 'text/html' });
  const links = [...page.text.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, href = '']) => href);
  const found = links.find((href) => href.includes(text)) ?? expect.fail(`no link to ${text} on ${address}`);
  return new URL(found.replaceAll('&amp;', '&'), `${world.baseUrl}${address}`).href.slice(
    world.baseUrl.length,
  );
};

beforeAll(async () => {
  const made = await makeDemo();
  world = made.world;
  addresses = {
    'the landing page': '/',
    'the reference': '/docs',
    'the links of a shop': '/beit-el-bunn',
    'a menu': '/beit-el-bunn/menu',
    'an item': await linkOn('/beit-el-bunn/menu', '/menu/'),
    'the choice of a branch': '/beit-el-bunn/order',
    'an order': await linkOn('/beit-el-bunn/order', 'channel='),
    'a booking': '/layaly/book',
    'a table': `/t/${made.demo.tables[0]?.id ?? ''}`,
    'an order on its way': `/track/${made.demo.orders[0]?.id ?? ''}`,
  };
  port = await freePort();
  browser = await launchBrowser([`--remote-debugging-port=${port}`]);
});
afterAll(async () => {
  await browser.close();
  await world.close();
});

const ENGLISH_TEXT: PageName = 'the reference';
const names = Object.keys(PAGES) as PageName[];

test.each([
  ...names.map((name) => [name, 'ar'] as const),
  ...names.filter((name) => name !== ENGLISH_TEXT).map((name) => [name, 'en'] as const),
])('%s is perfect in %s', async (name, language) => {
  const address = new URL(addresses[name], world.baseUrl);
  address.searchParams.set('lang', language);
  expect(await judge(address.href)).toMatchObject(
    PAGES[name]
      ? { accessibility: 1, seo: 1, failed: [] }
      : // The one thing that is wrong with them is meant.
        { accessibility: 1, failed: ['is-crawlable'] },
  );
});

/**
 * Pictures of the pages in both languages, from the built program with the demo shops on a fixed evening. Writes
 * `docs/screenshots`. Run by `npm run screenshots`, or with names of pages for those alone.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { launchBrowser } from './support/browser/launch.ts';
import { withAhwa, withDataFolder } from '../bench/support/ahwa.ts';

const FOLDER = resolve(import.meta.dirname, '../docs/screenshots');
/** A Thursday evening, when every demo shop is open. */
const CLOCK_START = '2026-11-26T18:00:00Z';

type Language = 'ar' | 'en';

interface Shot {
  readonly name: string;
  readonly address: string;
  readonly width: number;
  readonly height: number;
  readonly isDark?: boolean;
  /** What a guest does before the picture is taken. */
  readonly act?: (page: Page, language: Language) => Promise<void>;
}

const PHONE = { width: 390, height: 844 };
const DESK = { width: 1280, height: 860 };

const openItem = async (page: Page): Promise<void> => {
  await page.locator('a.item').nth(12).click();
  await page.locator('dialog[open] h1').waitFor();
};

const SHOTS: readonly Shot[] = [
  { name: 'landing', address: '/', ...DESK },
  { name: 'links', address: '/beit-el-bunn', ...PHONE },
  { name: 'links-wide', address: '/layaly', ...DESK },
  { name: 'menu', address: '/beit-el-bunn/menu', ...PHONE },
  { name: 'menu-night', address: '/layaly/menu', ...PHONE, isDark: true },
  { name: 'menu-wide', address: '/zawya/menu', ...DESK },
  { name: 'item', address: '/beit-el-bunn/menu', ...PHONE, act: openItem },
  { name: 'docs', address: '/docs', ...DESK },
  { name: 'not-found', address: '/no-such-shop', ...PHONE },
];

/** Pictures that are loaded, fonts too: the next frame is the page as it stays. */
const settle = async (page: Page): Promise<void> => {
  await page.waitForLoadState('networkidle');
  await page.evaluate(async () => {
    await document.fonts.ready;
    const shown = [...document.images].filter((image) => image.getBoundingClientRect().top < innerHeight);
    await Promise.all(shown.map((image) => image.decode().catch(() => undefined)));
  });
};

const take = async (page: Page, origin: string, shot: Shot, language: Language): Promise<Buffer> => {
  await page.goto(`${origin}${shot.address}`);
  await page.waitForFunction(
    () =>
      document.getElementById('island-data') === null ||
      document.documentElement.dataset['alive'] !== undefined,
  );
  await shot.act?.(page, language);
  await settle(page);
  return page.screenshot();
};

const chosen = process.argv.slice(2);
const shots = chosen.length === 0 ? SHOTS : SHOTS.filter(({ name }) => chosen.includes(name));
mkdirSync(FOLDER, { recursive: true });
await withDataFolder((dataDir) =>
  withAhwa(dataDir, { NODE_ENV: 'development', METRICS_PORT: 'off', CLOCK_START }, async ({ port }) => {
    const browser = await launchBrowser();
    for (const language of ['ar', 'en'] as const)
      for (const shot of shots) {
        const context = await browser.newContext({
          viewport: { width: shot.width, height: shot.height },
          deviceScaleFactor: shot.width < 800 ? 2 : 1,
          locale: language === 'ar' ? 'ar-EG' : 'en-GB',
          colorScheme: shot.isDark === true ? 'dark' : 'light',
          reducedMotion: 'reduce',
        });
        const picture = await take(await context.newPage(), `http://127.0.0.1:${port}`, shot, language);
        const file = `${shot.name}-${language}.webp`;
        writeFileSync(join(FOLDER, file), await sharp(picture).webp({ quality: 82 }).toBuffer());
        console.log(file);
        await context.close();
      }
    await browser.close();
  }),
);

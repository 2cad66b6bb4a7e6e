/** A real browser, and pages in it that must stay without fault: no error, no policy violation, no other host. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, expect } from 'vitest';
import type { World } from '../server/world.ts';
import { launchBrowser } from './launch.ts';

export interface OpenOptions {
  readonly language?: 'ar' | 'en';
  /** CSS pixels. */
  readonly width?: number;
  readonly height?: number;
  readonly isDark?: boolean;
  /** Default: true. */
  readonly hasScript?: boolean;
  /** Of the device; default: that of the machine. */
  readonly timeZone?: string;
}

export interface OpenedPage {
  readonly page: Page;
  /** Errors, policy violations and requests to other hosts since the page was opened. */
  readonly faults: string[];
  /** Opens an address of the world and waits until its script has run. */
  readonly go: (address: string) => Promise<void>;
}

const watchFaults = (page: Page, origin: string, faults: string[]): void => {
  page.on('console', (message) => {
    // A refusal that the page shows is logged by the browser too.
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !/^(data|blob|about):/.test(url)) faults.push(`asked ${url}`);
  });
};

/** Whether the island of the page, where it has one, is alive. */
const ISLAND_IS_ALIVE = (): boolean =>
  document.getElementById('island-data') === null || document.documentElement.dataset['alive'] !== undefined;

/** A browser for the tests of a file; the pages of a test are closed after it. */
export const useBrowser = () => {
  let browser: Promise<Browser> | null = null;
  const contexts: BrowserContext[] = [];
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
  });
  afterAll(async () => {
    const opened = await browser;
    browser = null;
    await opened?.close();
  });
  const open = async (world: World, options: OpenOptions = {}): Promise<OpenedPage> => {
    const { language = 'ar', width = 360, height = 780, isDark = false, hasScript = true } = options;
    const context = await (
      await (browser ??= launchBrowser())
    ).newContext({
      viewport: { width, height },
      locale: language === 'ar' ? 'ar-EG' : 'en-GB',
      colorScheme: isDark ? 'dark' : 'light',
      javaScriptEnabled: hasScript,
      ...(options.timeZone === undefined ? {} : { timezoneId: options.timeZone }),
      baseURL: world.baseUrl,
      hasTouch: width < 800,
    });
    contexts.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    const faults: string[] = [];
    watchFaults(page, world.baseUrl, faults);
    return {
      page,
      faults,
      go: async (address) => {
        await page.goto(address);
        if (hasScript) await page.waitForFunction(ISLAND_IS_ALIVE);
      },
    };
  };
  return { open };
};

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

interface Axe {
  run(context: Element | Document, options: object): Promise<{ violations: Violation[] }>;
}

/**
 * Every rule of WCAG 2.2 A and AA and of good practice that a program can check; in the dialog on top, if one is open:
 * the page below it is out of reach.
 */
export const accessibilityFaults = async (page: Page): Promise<string[]> => {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => {
    const { axe: program } = window as unknown as { axe: Axe };
    const dialogs = document.querySelectorAll('dialog:modal');
    return program.run([...dialogs].at(-1) ?? document, { resultTypes: ['violations'], preload: false });
  });
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${help}: ${html} ${failureSummary}`),
  );
};

/** The focus moves when a page is painted, after its words can be read. */
export const untilFocused = (element: Locator): Promise<void> =>
  expect.poll(() => element.evaluate((it) => document.activeElement === it)).toBe(true);

/** As a phone that shows another app, or this page again: a browser without a screen shows every page. */
export const setShown = (page: Page, isShown: boolean): Promise<void> =>
  page.evaluate((shown) => {
    Object.defineProperty(document, 'hidden', { configurable: true, value: !shown });
    Object.defineProperty(document, 'visibilityState', {
      configurable: true,
      value: shown ? 'visible' : 'hidden',
    });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  }, isShown);

/** Requests that wait, from the first that arrives, until the test lets them go on. */
export const holding = async (
  page: Page,
  url: string | ((url: URL) => boolean),
): Promise<{ readonly arrived: Promise<void>; readonly goOn: () => void }> => {
  let goOn = (): void => undefined;
  const going = new Promise<void>((resolve) => (goOn = resolve));
  let arrive = (): void => undefined;
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  await page.route(url, async (route) => {
    arrive();
    await going;
    await route.continue();
  });
  return { arrived, goOn };
};

/** The first request arrives, its answer does not; those after it are answered. */
export const losingFirstAnswer = async (page: Page, url: string): Promise<void> => {
  let isLost = false;
  await page.route(url, async (route) => {
    if (isLost) return route.continue();
    isLost = true;
    await route.fetch();
    return route.abort();
  });
};

/** What scrolls sideways, in CSS pixels; 0: nothing. */
const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** The page as it stands: accessible, no wider than the screen (of 320 and 1280 px too), and without fault. */
export const expectSound = async ({ page, faults }: OpenedPage): Promise<void> => {
  expect(await accessibilityFaults(page)).toEqual([]);
  const size = page.viewportSize();
  expect(await overflowOf(page), 'scrolls sideways').toBe(0);
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 640 });
    expect(await overflowOf(page), `scrolls sideways at ${width} px`).toBe(0);
  }
  if (size !== null) await page.setViewportSize(size);
  expect(faults).toEqual([]);
};

/** On a phone and a desk, by day and by night. */
export const expectSoundInEveryView = async (opened: OpenedPage): Promise<void> => {
  for (const width of [360, 1280])
    for (const colorScheme of ['light', 'dark'] as const) {
      await opened.page.setViewportSize({ width, height: 780 });
      await opened.page.emulateMedia({ colorScheme });
      await expectSound(opened);
    }
};

/** What a guest does from the first page to the last is done once in each language, on a phone and at a desk. */
export const VIEWS = [
  { language: 'ar', width: 360, isDark: false },
  { language: 'en', width: 1280, isDark: true },
] as const satisfies readonly OpenOptions[];

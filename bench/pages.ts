/**
 * The menu page of a café with 131 items, as a guest on a cheap phone and a slow network gets it: its bytes, and the
 * time until it answers to taps, beside the same HTML and CSS as a static page without script.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, constants } from 'node:zlib';
import { launchBrowser, type Browser } from '../test/support/browser/launch.ts';
import { weightOf } from '../test/support/browser/page-weight.ts';
import { withAhwa, withDataFolder } from './support/ahwa.ts';
import { median, millis } from './support/figures.ts';
import { report, type Row } from './support/report.ts';

const MENU = '/beit-el-bunn/menu';
const RUNS = 7;

/** As browsers' own tools define it: 400 kbit/s, 400 ms more for each round trip. */
const SLOW_3G = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
const CPU_RATE = 4;

const KB = 1024;
const kilobytes = (bytes: number): string => `${(bytes / KB).toFixed(1)} KB`;

const textOf = async (url: string): Promise<string> =>
  (await fetch(url, { headers: { Accept: 'text/html', 'Accept-Language': 'ar' } })).text();

const STYLES = /<link rel="stylesheet" href="([^"]+)"/g;

const sizeRow = (job: string, bytes: number, limit: number): Row => ({
  ...{ job, figure: kilobytes(bytes), goal: `≤ ${limit} KB`, met: bytes <= limit * KB },
});

/** The page without script, and its styles, compressed once, as a file server would send them. */
const staticPage = async (origin: string, html: string): Promise<Server> => {
  const plain = html.replace(/<script\b[^>]*>[\s\S]*?<\/script>|<link rel="modulepreload"[^>]*>/g, '');
  const files = new Map<string, { readonly type: string; readonly text: string }>([
    [MENU, { type: 'text/html; charset=utf-8', text: plain }],
  ]);
  for (const [, address = ''] of html.matchAll(STYLES))
    files.set(address, { type: 'text/css', text: await textOf(`${origin}${address}`) });
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5 };
  const bodies = new Map([...files].map(([path, { text }]) => [path, brotliCompressSync(text, { params })]));
  const server = createServer(({ url = '' }, response) => {
    const [body, file] = [bodies.get(url), files.get(url)];
    if (body === undefined || file === undefined) {
      // Pictures and icons, from the server itself: they cost both pages the same.
      response.writeHead(307, { Location: `${origin}${url}` }).end();
      return;
    }
    response.writeHead(200, { 'Content-Type': file.type, 'Content-Encoding': 'br' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
};

/** A whole frame later: what was true when the frame began is on the screen. */
const isPainted = (): Promise<void> =>
  new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
  });

/** Milliseconds from the address to the first painted frame with `isReady`, in a fresh profile. */
const timeTo = async (browser: Browser, url: string, isReady: () => boolean): Promise<number> => {
  const context = await browser.newContext({ viewport: { width: 360, height: 780 }, locale: 'ar-EG' });
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', SLOW_3G);
    await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_RATE });
    const began = performance.now();
    await page.goto(url, { waitUntil: 'commit', timeout: 120_000 });
    await page.waitForFunction(isReady, undefined, { timeout: 120_000, polling: 'raf' });
    await page.evaluate(isPainted);
    return performance.now() - began;
  } finally {
    await context.close();
  }
};

const isAlive = (): boolean => document.documentElement.dataset['alive'] !== undefined;
/** Laid out with its styles. */
const isDrawn = (): boolean =>
  document.readyState !== 'loading' &&
  document.querySelector('.items') !== null &&
  getComputedStyle(document.documentElement).getPropertyValue('--gap') !== '';

const rows: Row[] = [];
await withDataFolder((dataDir) =>
  withAhwa(dataDir, { NODE_ENV: 'development', METRICS_PORT: 'off' }, async ({ port }) => {
    const origin = `http://127.0.0.1:${port}`;
    const html = await textOf(`${origin}${MENU}`);
    const weight = await weightOf((address) => textOf(`${origin}${address}`), MENU);
    rows.push(
      sizeRow('HTML, gzip', weight.html, 12),
      sizeRow('CSS, gzip', weight.css, 6),
      sizeRow('JavaScript, that of the first tap too, gzip', weight.script, 20),
    );
    const still = await staticPage(origin, html);
    const stillAt = `http://127.0.0.1:${(still.address() as AddressInfo).port}${MENU}`;
    const browser = await launchBrowser();
    const times = { page: [] as number[], still: [] as number[] };
    for (let run = 0; run < RUNS; run += 1) {
      times.still.push(await timeTo(browser, stillAt, isDrawn));
      times.page.push(await timeTo(browser, `${origin}${MENU}`, isAlive));
    }
    await browser.close();
    still.close();
    const ratio = median(times.page) / median(times.still);
    rows.push({
      job: 'ready for taps, slow 3G, CPU ÷ 4',
      figure: millis(median(times.page)),
      baseline: `${millis(median(times.still))} drawn, without script`,
      ratio: ratio.toFixed(2),
      goal: '≤ 1.25',
      met: ratio <= 1.25,
    });
  }),
);
report('Menu page of 131 items', rows, [`Medians of ${RUNS} loads in fresh profiles, the two in turn.`]);

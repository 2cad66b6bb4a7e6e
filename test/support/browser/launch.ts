/** Starts the browser that the tests, the benches and the pictures of the pages use. */
import { chromium, type Browser } from 'playwright-core';

export type { Browser } from 'playwright-core';
import { findBrowser } from '../../../scripts/browser.mjs';

const FLAGS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync'],
];

export const launchBrowser = (flags: readonly string[] = []): Promise<Browser> => {
  const executablePath = findBrowser();
  if (executablePath === undefined)
    throw new Error('No browser: run the tests by `npm test`, which brings one.');
  return chromium.launch({ executablePath, args: [...FLAGS, ...flags] });
};

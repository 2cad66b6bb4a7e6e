// The browser of the tests: an installed chromium, else one from the distribution, else the test tool's own.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { Stop, root, say } from './checkout.mjs';
import { run, runNode } from './process.mjs';

/** The first has no windows and takes three quarters of the time of the others. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
];
/** Of distributions; not every one has the first. */
const PACKAGES = ['chromium-headless-shell', 'chromium'];
const ELSEWHERE = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

const onPath = (name) =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find(existsSync);

const forTests = createRequire(join(root, 'test', 'package.json'));
const ownBrowser = () => {
  const path = forTests('playwright-core').chromium.executablePath();
  return existsSync(path) ? path : undefined;
};

/** Its path, or undefined. `AHWA_BROWSER` names another. */
export const findBrowser = () =>
  process.env.AHWA_BROWSER ?? NAMES.map(onPath).find(Boolean) ?? ELSEWHERE.find(existsSync) ?? ownBrowser();

const quietly = async (what) => {
  try {
    return (await what()) === 0;
  } catch {
    return false;
  }
};

const fromDistribution = async () => {
  if (process.getuid?.() !== 0 || onPath('apt-get') === undefined) return;
  say('installing chromium for the tests (apt-get)');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await quietly(() => run('apt-get', ['update', '-qq'], { env }));
  for (const name of PACKAGES) {
    const args = ['install', '-y', '-qq', '--no-install-recommends', name];
    if (await quietly(() => run('apt-get', args, { env }))) return;
  }
};

const fromTestTool = () => {
  say('downloading a browser for the tests');
  const cli = join(root, 'test', 'node_modules', 'playwright-core', 'cli.js');
  return quietly(() => runNode([cli, 'install', 'chromium-headless-shell']));
};

/** Installs a browser where there is none. */
export const installBrowser = async () => {
  for (const install of [fromDistribution, fromTestTool]) {
    if (findBrowser() !== undefined) return;
    await install();
  }
  if (findBrowser() === undefined)
    throw new Stop(
      'the tests of the pages need a browser, and none could be installed: install chromium or Chrome, or name one in AHWA_BROWSER',
    );
};

// The packages, in folders with a lock file each: installed once per lock file, Node ABI and platform.
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { BUILD_BY_HAND, Stop, mustBeWritable, root, say } from './checkout.mjs';
import { alone } from './lock.mjs';
import { run, runNode } from './process.mjs';

/** Whose packages they are, the folder under the root, and how a person installs them by hand, there. */
const PLACES = {
  program: { what: 'the packages', folder: '.', byHand: BUILD_BY_HAND },
  tests: {
    what: 'the packages of the tests',
    folder: 'test',
    byHand: 'run "npm ci --prefix test" there as its owner',
  },
  outside: {
    what: 'the conformance suites and Lighthouse',
    folder: 'test/outside',
    byHand: 'run "npm ci --prefix test/outside" there as its owner',
  },
};

const read = (file) => readFileSync(file, 'utf8');
const lockOf = ({ folder }) => join(root, folder, 'package-lock.json');
const modulesOf = ({ folder }) => join(root, folder, 'node_modules');
const stampOf = (place) => join(modulesOf(place), '.ahwa-installed');

const wanted = (place) => {
  const lock = createHash('sha256')
    .update(read(lockOf(place)))
    .digest('hex');
  return `${lock} abi-${process.versions.modules} ${process.platform}-${process.arch}`;
};

const isStamped = (place) => existsSync(stampOf(place)) && read(stampOf(place)) === wanted(place);

/** Whether an `npm ci` by hand has left exactly what the lock file names (packages of other platforms apart). */
const isInstalledByHand = (place) => {
  const hidden = join(modulesOf(place), '.package-lock.json');
  if (existsSync(stampOf(place)) || !existsSync(hidden)) return false;
  const have = JSON.parse(read(hidden)).packages ?? {};
  const want = JSON.parse(read(lockOf(place))).packages;
  return Object.entries(want).every(
    ([path, { version, optional }]) =>
      path === '' || have[path]?.version === version || (optional === true && have[path] === undefined),
  );
};

const canWrite = (path) => {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch (fault) {
    return fault.code === 'ENOENT' && dirname(path) !== path && canWrite(dirname(path));
  }
};

const home = () => {
  try {
    return homedir();
  } catch {
    return '/';
  }
};

/** npm's environment: its cache in the temp folder where the usual one cannot be written. */
const environment = () => {
  const usual = process.env.npm_config_cache ?? join(home(), '.npm');
  if (canWrite(usual)) return process.env;
  return { ...process.env, npm_config_cache: join(tmpdir(), `ahwa-npm-${process.getuid?.() ?? 'cache'}`) };
};

/** The npm that runs us, else the one on the path. */
const npm = async (args, cwd) => {
  const cli = process.env.npm_execpath ?? '';
  const options = { env: environment(), cwd };
  return basename(cli).startsWith('npm-cli')
    ? await runNode([cli, ...args], options)
    : await run('npm', args, options);
};

/** A checkout that cannot be written goes without: the next start compares again. */
const stamp = (place) => {
  if (canWrite(modulesOf(place))) writeFileSync(stampOf(place), wanted(place));
};

const installNow = async (place) => {
  if (isStamped(place)) return;
  say(`installing ${place.what} (npm ci); this takes a moment the first time`);
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const code = await npm(args, join(root, place.folder));
  if (code !== 0)
    throw new Stop(
      `${place.what} could not be installed: "npm ci" ended with code ${code}; what it said is above`,
      code,
    );
  stamp(place);
};

/** Installs the packages of a place unless they are there. */
const installer = (place) => async () => {
  if (isStamped(place)) return;
  if (isInstalledByHand(place)) return stamp(place);
  mustBeWritable(`${place.what} must be installed`, place.byHand);
  await alone(() => installNow(place));
};

/** What it takes to build and run the program. */
export const install = installer(PLACES.program);
/** What only the tests import, apart, so that nobody who starts the server waits for it. */
export const installForTests = installer(PLACES.tests);
/** Conformance suites with the newer Node that they run on, and Lighthouse. */
export const installForOutside = installer(PLACES.outside);

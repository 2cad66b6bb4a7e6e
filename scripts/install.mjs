// The packages: installed once per lock file, Node ABI and platform.
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { Stop, mustBeWritable, root, say } from './checkout.mjs';
import { alone } from './lock.mjs';
import { run, runNode } from './process.mjs';

const STAMP = join(root, 'node_modules', '.ahwa-installed');
const read = (file) => readFileSync(file, 'utf8');

const wanted = () => {
  const lock = createHash('sha256')
    .update(read(join(root, 'package-lock.json')))
    .digest('hex');
  return `${lock} abi-${process.versions.modules} ${process.platform}-${process.arch}`;
};

const isStamped = () => existsSync(STAMP) && read(STAMP) === wanted();

/** Whether an `npm ci` by hand has left exactly what the lock file names (packages of other platforms apart). */
const isInstalledByHand = () => {
  const hidden = join(root, 'node_modules', '.package-lock.json');
  if (existsSync(STAMP) || !existsSync(hidden)) return false;
  const have = JSON.parse(read(hidden)).packages ?? {};
  const want = JSON.parse(read(join(root, 'package-lock.json'))).packages;
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
const npm = async (args) => {
  const cli = process.env.npm_execpath ?? '';
  return basename(cli).startsWith('npm-cli')
    ? await runNode([cli, ...args], { env: environment() })
    : await run('npm', args, { env: environment() });
};

/** A checkout that cannot be written goes without: the next start compares again. */
const stamp = () => {
  if (canWrite(join(root, 'node_modules'))) writeFileSync(STAMP, wanted());
};

const installNow = async () => {
  if (isStamped()) return;
  say('installing the packages (npm ci); this takes a moment the first time');
  const code = await npm(['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']);
  if (code !== 0)
    throw new Stop(
      `the packages could not be installed: "npm ci" ended with code ${code}; what it said is above`,
      code,
    );
  stamp();
};

/** Installs the packages unless they are there. */
export const install = async () => {
  if (isStamped()) return;
  if (isInstalledByHand()) return stamp();
  mustBeWritable('the packages must be installed');
  await alone(installNow);
};

// The build: dist/ from src/, once per state of the sources.
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import { buildAssets } from './assets.mjs';
import { BUILD_BY_HAND, Stop, mustBeWritable, root, say } from './checkout.mjs';
import { alone } from './lock.mjs';

const DIST = join(root, 'dist');
const WEB = join(DIST, 'web');
const STAMP = join(DIST, '.built-from');
/** The server reads it at its start. */
export const ASSET_LIST = join(WEB, 'manifest.json');

/** Besides the sources. */
const BUILD_FILES = ['scripts/build.mjs', 'scripts/assets.mjs', 'scripts/program.mjs', 'package-lock.json'];
/** Starts a program. */
const PROGRAM = join(root, 'scripts', 'program.mjs');

const filesUnder = (folder, ending) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
        .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
        .sort()
    : [];

const sources = () =>
  filesUnder(join(root, 'src'), '').filter(
    (file) => /\.(ts|tsx|css)$/.test(file) && !/\.test\.tsx?$/.test(file),
  );

const state = () => {
  const hash = createHash('sha256');
  for (const file of [...sources(), ...BUILD_FILES.map((file) => join(root, file))]) {
    hash
      .update(`${file.slice(root.length)}\0`)
      .update(readFileSync(file))
      .update('\0');
  }
  return hash.digest('hex');
};

const isBuilt = () => existsSync(STAMP) && readFileSync(STAMP, 'utf8') === state();

/** Two programs, each one file: loading a thousand small modules takes longer than starting the server. */
const PROGRAMS = { main: 'main.ts', cli: 'cli.ts' };

/** The library of tills, for programs that are no part of this one. */
const LIBRARIES = { till: 'client/till/node/till.ts' };

/** The program of worker threads, which is run from its text: it has no place of its own that `require` could start from. */
const THREADS = { 'search-thread': 'search-thread.ts' };

/**
 * Packages that are not bundled: loaded at the first passkey and at the first wallet pass, they would cost every start 60
 * and 45 ms; sharp is native and is loaded at the first picture.
 */
export const BESIDE = [
  '@simplewebauthn/server',
  '@simplewebauthn/server/helpers',
  'passkit-generator',
  'sharp',
];

/** Packages written for CommonJS ask for Node's own modules by `require`. */
const REQUIRE = "import { createRequire as cjs } from 'node:module'; const require = cjs(import.meta.url);";

/** Returns the names of the bundles that it has written. */
const bundle = async (files, options) => {
  const { build: compile } = await import('esbuild');
  const entryPoints = Object.entries(files)
    .map(([name, file]) => ({ out: name, in: join(root, 'src', file) }))
    .filter((bundle) => existsSync(bundle.in));
  await compile({
    entryPoints,
    outdir: DIST,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    sourcemap: true,
    external: [...BESIDE, 'pg-native'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    logLevel: 'warning',
    ...options,
  });
  return entryPoints.map(({ out }) => out);
};

/** Node 20 has no `navigator`, and then pg looks for one by loading `fetch`, in every start. */
const NAVIGATOR = JSON.stringify({ userAgent: 'Node.js' });

/** A function of `require` and of the address that stands for `import.meta.url`, after a line that names the build. */
const bundlePrograms = async (build) => {
  const name = `/* ${build} */\n`;
  const programs = await bundle(PROGRAMS, {
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    // A script may not use `import()` without a warning: the packages beside the bundle are required.
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': 'MODULE_URL', navigator: NAVIGATOR },
    banner: { js: `${name}(function (require, MODULE_URL) {` },
    footer: { js: '})' },
  });
  for (const program of programs) {
    const filename = join(DIST, `${program}.cjs`);
    const compiled = new Script(readFileSync(filename, 'utf8'), { filename }).createCachedData();
    const sum = crc32(compiled).toString(16).padStart(8, '0');
    writeFileSync(join(DIST, `${program}.code`), Buffer.concat([Buffer.from(`${name}${sum}\n`), compiled]));
    copyFileSync(PROGRAM, join(DIST, `${program}.js`));
  }
};

/** What an earlier build left, but for scripts and styles; not the lock, which stands there too. */
const sweep = () => {
  for (const file of filesUnder(DIST, ''))
    if (/\.(c?js(\.map)?|code)$/.test(file) && !file.startsWith(WEB)) rmSync(file, { force: true });
};

const buildNow = async () => {
  if (isBuilt()) return;
  const from = state();
  say('building');
  rmSync(STAMP, { force: true });
  sweep();
  try {
    await bundlePrograms(from);
    await bundle(LIBRARIES, { banner: { js: REQUIRE } });
    await bundle(THREADS);
    await buildAssets(WEB);
  } catch (fault) {
    throw new Stop(`the build failed: ${fault instanceof Error ? fault.message : fault}`);
  }
  writeFileSync(STAMP, from);
};

/** Builds dist/ unless it is the build of these very sources. */
export const build = async () => {
  if (isBuilt()) return;
  mustBeWritable('the sources must be built', BUILD_BY_HAND);
  await alone(buildNow);
};

const NEXT = join(DIST, 'web.next');
const stateOf = (folder) =>
  ['manifest.json', 'service-worker.js'].map((file) => readFileSync(join(folder, file), 'utf8')).join();
/** An editor writes several files at once. */
const PAUSE_MS = 100;

/** `dist/` is then no build of one state any more, and the next command builds it again. */
const rebuildAssets = async () => {
  rmSync(STAMP, { force: true });
  await buildAssets(NEXT);
  // Names hold hashes of the content: the same list is the same files, and the server need not start again.
  if (stateOf(NEXT) === stateOf(WEB)) return;
  rmSync(WEB, { recursive: true, force: true });
  renameSync(NEXT, WEB);
};

/** Builds the pages' scripts and styles after every change of the sources, until the returned function is called. */
export const watchAssets = () => {
  let pause;
  let building = Promise.resolve();
  const rebuild = () => {
    building = building
      .then(() => alone(rebuildAssets))
      .catch(() => say('the pages stay as they were until the fault is mended'));
  };
  const watcher = watch(join(root, 'src'), { recursive: true }, () => {
    clearTimeout(pause);
    pause = setTimeout(rebuild, PAUSE_MS);
  });
  return () => {
    clearTimeout(pause);
    watcher.close();
  };
};

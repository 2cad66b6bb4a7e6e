// The build: dist/ from src/, once per state of the sources.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Stop, mustBeWritable, root, say } from './checkout.mjs';
import { alone } from './lock.mjs';
import { runNode } from './process.mjs';

const DIST = join(root, 'dist');
const STAMP = join(DIST, '.built-from');

const filesUnder = (folder, ending) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
        .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
        .sort()
    : [];

const sources = () => filesUnder(join(root, 'src'), '.ts').filter((file) => !file.endsWith('.test.ts'));

const state = () => {
  const hash = createHash('sha256');
  for (const file of [
    ...sources(),
    ...['tsconfig.json', 'tsconfig.build.json', 'package-lock.json'].map((name) => join(root, name)),
  ]) {
    hash
      .update(`${file.slice(root.length)}\0`)
      .update(readFileSync(file))
      .update('\0');
  }
  return hash.digest('hex');
};

const isBuilt = () => existsSync(STAMP) && readFileSync(STAMP, 'utf8') === state();

/** What the compiler left of sources that are gone. */
const sweep = () => {
  const made = new Set(
    sources().map((file) => file.replace(join(root, 'src'), DIST).replace(/\.ts$/, '.js')),
  );
  for (const file of filesUnder(DIST, '.js')) {
    if (!made.has(file)) for (const gone of [file, `${file}.map`]) rmSync(gone, { force: true });
  }
};

const buildNow = async () => {
  if (isBuilt()) return;
  const from = state();
  say('building');
  // Without a whole earlier build the compiler's own notes of it cannot be trusted.
  if (!existsSync(STAMP)) rmSync(join(DIST, '.tsbuildinfo'), { force: true });
  rmSync(STAMP, { force: true });
  const code = await runNode([
    join(root, 'node_modules', 'typescript', 'bin', 'tsc'),
    '-p',
    'tsconfig.build.json',
  ]);
  if (code !== 0)
    throw new Stop(`the build failed: the compiler ended with code ${code}; what it said is above`, code);
  sweep();
  writeFileSync(STAMP, from);
};

/** Builds dist/ unless it is the build of these very sources. */
export const build = async () => {
  if (isBuilt()) return;
  mustBeWritable('the sources must be built');
  await alone(buildNow);
};

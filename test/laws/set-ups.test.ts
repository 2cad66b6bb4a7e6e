import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

const TEST = /^\s*(?:describe|test|it)(?:\.\w+)*[(.]/m;
const ONE_TEST = /^\s*(?:test|it)(?:\.\w+)*[(.]/gm;

/** What a file does before its first test, without imports, comments and white space. */
const setUpOf = (code: string): string => {
  const text = code.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '').replace(/^import[\s\S]*?;$/gm, '');
  const first = TEST.exec(text);
  return text.slice(0, first?.index ?? text.length).replace(/\s+/g, '');
};

const files = ['src', 'test']
  .flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  )
  .filter((path) => path.endsWith('.test.ts') && !path.includes('node_modules'))
  .map((path) => ({ path: path.replaceAll('\\', '/'), code: readFileSync(join(ROOT, path), 'utf8') }))
  .map(({ path, code }) => ({ path, setUp: setUpOf(code), tests: (code.match(ONE_TEST) ?? []).length }));

test('no support module registers a hook when it is imported, which happens once per worker', () => {
  const hooks = readdirSync(join(ROOT, 'test/support'), { recursive: true, encoding: 'utf8' })
    // Vitest runs what is in `setup` for each test file.
    .filter((path) => path.endsWith('.ts') && !path.startsWith('setup'))
    .filter((path) =>
      /^(?:before|after)(?:All|Each)\(/m.test(readFileSync(join(ROOT, 'test/support', path), 'utf8')),
    );
  expect(hooks).toEqual([]);
});

test('no file with one test repeats the set-up of another file', () => {
  const doubled = files.filter(
    (file) =>
      file.tests === 1 &&
      file.setUp !== '' &&
      files.some((other) => other !== file && other.setUp === file.setUp),
  );
  expect(doubled.map(({ path }) => path)).toEqual([]);
});
